/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The body by position: in pieces of any size, from any place, again and again. */
#include "test-submit-transfer-server.h"

#include "submit/transfer-private.h"

#include <stdio.h>

#define BEFORE "{\"data\":\""
#define AFTER "\"}"

/* All of it in pieces of @piece. Returns: (transfer full) */
static GString *read_in_pieces(MtwBody *body, gsize piece)
{
	GString *text = g_string_new(NULL);
	g_autofree char *buffer = g_malloc(piece);
	size_t got;

	while ((got = mtw_body_read(buffer, 1, piece, body)) != 0) {
		assert_in_range(got, 1, piece);
		g_string_append_len(text, buffer, (gssize)got);
	}
	return text;
}

/* What must come out. Returns: (transfer full) */
static GString *whole(const char *content, gsize bytes, gboolean base64)
{
	GString *text = g_string_new(BEFORE);
	g_autofree char *encoded = g_base64_encode((const guchar *)content, bytes);

	if (base64)
		g_string_append(text, encoded);
	else
		g_string_append_len(text, content, (gssize)bytes);
	return g_string_append(text, AFTER);
}

static void expect_body(gsize bytes, gboolean base64, gsize piece)
{
	g_autofree char *content = NULL;
	int fd = server_file(bytes + 5, &content);
	MtwBody body = {
		.before = BEFORE, .after = AFTER, .file = { fd, 3, bytes }, .base64 = base64
	};
	g_autoptr(GString) expected = whole(content + 3, bytes, base64);

	assert_int_equal(mtw_body_bytes(&body), expected->len);
	for (gsize from = 0; from <= expected->len; from += 1 + from / 7) {
		g_autoptr(GString) text = NULL;
		assert_int_equal(mtw_body_seek(&body, (curl_off_t)from, SEEK_SET),
				 CURL_SEEKFUNC_OK);
		text = read_in_pieces(&body, piece);
		assert_int_equal(text->len, expected->len - from);
		assert_memory_equal(text->str, expected->str + from, text->len);
	}
	close(fd);
}

static void test_pieces(void **state)
{
	(void)state;
	for (gsize bytes = 0; bytes < 12; bytes++)
		for (gsize piece = 1; piece < 12; piece++) {
			expect_body(bytes, TRUE, piece);
			expect_body(bytes, FALSE, piece);
		}
}

/* Beyond the blocks of the encoder, which are whole groups. */
static void test_blocks(void **state)
{
	(void)state;
	expect_body(200000, TRUE, 65537);
	expect_body(200000, TRUE, 99999);
	expect_body(200000, FALSE, 65537);
}

static void test_seek(void **state)
{
	MtwBody body = { .before = "0123456789" };

	(void)state;
	assert_int_equal(mtw_body_seek(&body, 4, SEEK_SET), CURL_SEEKFUNC_OK);
	assert_int_equal(mtw_body_seek(&body, -3, SEEK_CUR), CURL_SEEKFUNC_OK);
	assert_int_equal(body.at, 1);
	assert_int_equal(mtw_body_seek(&body, -1, SEEK_END), CURL_SEEKFUNC_OK);
	assert_int_equal(body.at, 9);
	assert_int_equal(mtw_body_seek(&body, 10, SEEK_SET), CURL_SEEKFUNC_OK);
	assert_int_equal(mtw_body_seek(&body, 11, SEEK_SET), CURL_SEEKFUNC_FAIL);
	assert_int_equal(mtw_body_seek(&body, -1, SEEK_SET), CURL_SEEKFUNC_FAIL);
	assert_int_equal(mtw_body_seek(&body, 1, SEEK_END), CURL_SEEKFUNC_FAIL);
	assert_int_equal(body.at, 10);
}

static void test_trouble(void **state)
{
	char buffer[100];
	int fd = server_file(10, NULL);
	MtwBody longer = { .file = { fd, 0, 11 } };
	MtwBody closed = { .file = { -1, 0, 11 }, .base64 = TRUE };

	(void)state;
	assert_int_equal(mtw_body_read(buffer, 1, sizeof buffer, &longer), CURL_READFUNC_ABORT);
	assert_true(longer.ended);
	assert_int_equal(mtw_body_read(buffer, 1, sizeof buffer, &closed), CURL_READFUNC_ABORT);
	assert_int_equal(closed.errnum, EBADF);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_seek),
		cmocka_unit_test(test_trouble),
	};

	return cmocka_run_group_tests_name("submit-transfer-body", tests, NULL, NULL);
}
