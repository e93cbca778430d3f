/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail that is never whole in memory: the same bytes from any place on, whatever the sizes. */
#include "base/error.h"
#include "submit/eml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define REPORT_ID "01234567-89ab-8def-8123-456789abcdef"
#define BOUNDARY "=_mtw_" REPORT_ID
#define LINE_BYTES 57
/* As in eml.c: what is made in one go. */
#define BLOCK_BYTES (57 * 512)

typedef struct {
	MtwJobFile file;
	GPtrArray *files;
	MtwEmlPlan plan;
} Mail;

/* Bytes that do not repeat with the lines. */
static void fill(Mail *mail, gsize bytes)
{
	g_autofree guchar *data = g_malloc(bytes + 1);

	for (gsize i = 0; i < bytes; i++)
		data[i] = (guchar)(i * 31 + i / 251);
	assert_int_equal(pwrite(mail->file.fd, data, bytes, 0), bytes);
	mail->file.bytes = bytes;
}

static Mail *mail_new(gsize bytes)
{
	Mail *mail = g_new0(Mail, 1);

	mail->file.name = g_strdup("x-mmiotrace.tar.gz");
	mail->file.fd = memfd_create("archive", MFD_CLOEXEC);
	assert_true(mail->file.fd >= 0);
	fill(mail, bytes);
	mail->files = g_ptr_array_new();
	g_ptr_array_add(mail->files, &mail->file);
	mail->plan = (MtwEmlPlan){
		.from = "alice@example.net",
		.to = "traces@example.org",
		.title = "mmiotrace: 10de:1cb3 (alice) [01234567]",
		.body = "Two\nlines\n",
		.report_id = REPORT_ID,
		.time_sec = 1767268800,
		.line_end = "\r\n",
		.files = mail->files,
	};
	return mail;
}

static void mail_free(Mail *mail)
{
	close(mail->file.fd);
	g_free(mail->file.name);
	g_ptr_array_unref(mail->files);
	g_free(mail);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Mail, mail_free)

/* @step: so many bytes at a time. */
static char *read_whole(MtwEml *eml, gsize step)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *buffer = g_malloc(step);

	for (;;) {
		gssize got = mtw_eml_read(eml, text->len, buffer, step, NULL);
		assert_true(got >= 0);
		if (got == 0)
			break;
		g_string_append_len(text, buffer, got);
	}
	assert_int_equal(text->len, mtw_eml_bytes(eml));
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *text_of(const Mail *mail)
{
	g_autoptr(MtwEml) eml = mtw_eml_new(&mail->plan);

	return read_whole(eml, 100000);
}

static void assert_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in\n%s", part, text);
}

/* What stands between the file's header and the end, decoded, is the file. */
static void assert_file(const Mail *mail, const char *text)
{
	const char *begin = strstr(text, "filename=\"x-mmiotrace.tar.gz\"");
	const char *end = g_strrstr(text, "--" BOUNDARY "--");
	g_autofree char *encoded = NULL;
	g_autofree guchar *data = g_malloc(mail->file.bytes + 1);
	g_autofree guchar *decoded = NULL;
	gsize bytes;

	assert_non_null(begin);
	assert_non_null(end);
	begin = strstr(begin, "\r\n\r\n") + 4;
	encoded = g_strndup(begin, (gsize)(end - begin));
	g_auto(GStrv) lines = g_strsplit(encoded, "\r\n", -1);
	for (char **line = lines; *line != NULL; line++)
		assert_true(strlen(*line) <= 76);
	decoded = g_base64_decode(encoded, &bytes);
	assert_int_equal(bytes, mail->file.bytes);
	assert_int_equal(pread(mail->file.fd, data, bytes, 0), bytes);
	assert_memory_equal(decoded, data, bytes);
}

static void test_sizes(void **state)
{
	static const gsize sizes[] = { 0,
				       1,
				       2,
				       3,
				       LINE_BYTES - 1,
				       LINE_BYTES,
				       LINE_BYTES + 1,
				       BLOCK_BYTES - 1,
				       BLOCK_BYTES,
				       BLOCK_BYTES + 1,
				       3 * BLOCK_BYTES + 17 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(Mail) mail = mail_new(sizes[i]);
		g_autofree char *text = text_of(mail);
		assert_file(mail, text);
	}
}

/* libcurl asks for what it has room for, and may go back. */
static void test_any_place(void **state)
{
	g_autoptr(Mail) mail = mail_new(2 * BLOCK_BYTES + 100);
	g_autoptr(MtwEml) eml = mtw_eml_new(&mail->plan);
	g_autofree char *whole = read_whole(eml, 1 << 20);
	g_autofree char *small = read_whole(eml, 61);
	guint64 bytes = mtw_eml_bytes(eml);
	char buffer[200];

	(void)state;
	assert_string_equal(small, whole);
	for (guint64 at = bytes; at > 0; at -= MIN(at, 7919)) {
		gssize got = mtw_eml_read(eml, at - 1, buffer, sizeof(buffer), NULL);
		assert_true(got > 0);
		assert_memory_equal(buffer, whole + at - 1, (gsize)got);
	}
	assert_int_equal(mtw_eml_read(eml, bytes, buffer, sizeof(buffer), NULL), 0);
}

static void test_headers(void **state)
{
	g_autoptr(Mail) mail = mail_new(10);
	g_autofree char *text = text_of(mail);

	(void)state;
	assert_has(text, "From: alice@example.net\r\n");
	assert_has(text, "To: traces@example.org\r\n");
	assert_has(text, "Subject: mmiotrace: 10de:1cb3 (alice) [01234567]\r\n");
	assert_has(text, "Date: Thu, 1 Jan 2026 12:00:00 +0000\r\n");
	assert_has(text, "Message-ID: <" REPORT_ID "@example.net>\r\n");
	assert_has(text, "\r\n\r\nTwo\r\nlines\r\n\r\n--");
	assert_null(strstr(text, "X-Unsent"));
	mail->plan.is_unsent = TRUE;
	mail->plan.from = "";
	g_autofree char *unsent = text_of(mail);
	assert_has(unsent, "X-Unsent: 1\r\n");
	assert_null(strstr(unsent, "From:"));
}

/* Launchpad's form: no headers but the MIME ones, lines that end with LF. */
static void test_message_only(void **state)
{
	g_autoptr(Mail) mail = mail_new(100);

	(void)state;
	mail->plan.from = mail->plan.to = mail->plan.title = NULL;
	mail->plan.line_end = "\n";
	g_autofree char *text = text_of(mail);
	assert_null(strchr(text, '\r'));
	assert_true(g_str_has_prefix(text, "MIME-Version: 1.0\nContent-Type: multipart/mixed; "
					   "boundary=\"" BOUNDARY "\"\n\n--" BOUNDARY "\n"));
}

/* All encoded words of the header @name, put together. */
static char *decoded_header(const char *text, const char *name)
{
	g_autofree char *start = g_strdup_printf("%s:", name);
	const char *at = strstr(text, start) + strlen(start);
	g_autoptr(GString) value = g_string_new(NULL);

	while (*at == ' ') {
		const char *end = strstr(at, "\r\n");
		g_autofree char *word = g_strndup(at + 1, (gsize)(end - at - 1));
		gsize bytes;
		assert_true(strlen(word) <= 75);
		assert_true(g_str_has_prefix(word, "=?UTF-8?B?"));
		word[strlen(word) - 2] = '\0';
		g_autofree guchar *data = g_base64_decode(word + strlen("=?UTF-8?B?"), &bytes);
		/* Each word is whole characters: some programs decode them one by one. */
		assert_true(g_utf8_validate((const char *)data, (gssize)bytes, NULL));
		g_string_append_len(value, (const char *)data, (gssize)bytes);
		at = end + 2;
	}
	return g_string_free(g_steal_pointer(&value), FALSE);
}

static void test_other_letters(void **state)
{
	static const char title[] =
		"\xc3\xbc\xe4\xb8\xad\xf0\x9f\x92\xa9 und noch viel mehr "
		"\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
		"\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9\xf0\x9f\x92\xa9";
	g_autoptr(Mail) mail = mail_new(10);

	(void)state;
	mail->plan.title = title;
	mail->plan.body = "Gr\xc3\xbc\xc3\x9f"
			  "e\n";
	g_autofree char *text = text_of(mail);
	g_autofree char *subject = decoded_header(text, "Subject");
	assert_string_equal(subject, title);
	assert_has(text, "charset=utf-8\r\nContent-Disposition: inline\r\n"
			 "Content-Transfer-Encoding: base64\r\n\r\nR3LDvMOfZQo=\r\n--");
	for (const char *c = text; *c != '\0'; c++)
		assert_true((guchar)*c < 0x80);
}

/* What looks like an encoded word is not decoded by the other side into something else. */
static void test_title_like_a_word(void **state)
{
	g_autoptr(Mail) mail = mail_new(10);

	(void)state;
	mail->plan.title = "=?UTF-8?B?eA==?=";
	g_autofree char *text = text_of(mail);
	g_autofree char *subject = decoded_header(text, "Subject");
	assert_string_equal(subject, "=?UTF-8?B?eA==?=");
}

/* A body that has our boundary in it does not end its part. */
static void test_boundary_in_body(void **state)
{
	g_autoptr(Mail) mail = mail_new(10);

	(void)state;
	mail->plan.body = "--" BOUNDARY "--\n--" BOUNDARY "_1\n";
	g_autofree char *text = text_of(mail);
	assert_has(text, "boundary=\"" BOUNDARY "_2\"");
}

/* A line that no mail server would take. */
static void test_long_line(void **state)
{
	g_autoptr(Mail) mail = mail_new(10);
	g_autofree char *body = g_strnfill(5000, 'x');

	(void)state;
	mail->plan.body = body;
	g_autofree char *text = text_of(mail);
	g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
	for (char **line = lines; *line != NULL; line++)
		assert_true(strlen(*line) <= 998);
}

static void test_shorter_file(void **state)
{
	g_autoptr(Mail) mail = mail_new(1000);
	g_autoptr(MtwEml) eml = mtw_eml_new(&mail->plan);
	g_autoptr(GError) error = NULL;
	guint64 at = 0;
	char buffer[100];
	gssize got;

	(void)state;
	assert_int_equal(ftruncate(mail->file.fd, 500), 0);
	while ((got = mtw_eml_read(eml, at, buffer, sizeof(buffer), &error)) > 0)
		at += (guint64)got;
	assert_int_equal(got, -1);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	assert_true(at < mtw_eml_bytes(eml));
}

/* The largest file that fits, fits, and one that is a line longer does not. */
static void test_room(void **state)
{
	const guint64 max_bytes = 100000, frame_bytes = 2000;
	guint64 room = mtw_eml_file_room(max_bytes, frame_bytes);
	g_autoptr(Mail) mail = mail_new(room);
	g_autoptr(MtwEml) eml = mtw_eml_new(&mail->plan);

	(void)state;
	assert_true(mtw_eml_bytes(eml) <= max_bytes);
	assert_true(mtw_eml_bytes(eml) > max_bytes - frame_bytes - 78);
	assert_int_equal(mtw_eml_file_room(1000, 1000), 0);
	assert_int_equal(mtw_eml_file_room(0, 1000), 0);
}

static void test_addresses(void **state)
{
	static const char *const good[] = { "a@b", "alice.x+y@example.org" };
	static const char *const bad[] = { "",	   "a",		 "@",	    "a@",
					   "@b",   "a b@c",	 "a@b@c",   "a@b\r\nBcc: c@d",
					   "a@b,", "<a@b>",	 "a@b>",    "a\"@b",
					   "a;@b", "\xc3\xa4@b", "a@b (c)", "a@b\n" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(good); i++)
		assert_true(mtw_eml_address_is_usable(good[i]));
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++)
		assert_false(mtw_eml_address_is_usable(bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_any_place),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_message_only),
		cmocka_unit_test(test_other_letters),
		cmocka_unit_test(test_title_like_a_word),
		cmocka_unit_test(test_boundary_in_body),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_shorter_file),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
