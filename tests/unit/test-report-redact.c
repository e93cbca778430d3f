/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files: real texts, streams, traces, the map, what is kept, hostile input. */
#include "test-report-redact-data.h"

#include "trace/text.h"

static const char *const members[] = { "dmesg.txt", "lspci.txt", "network.txt", "system.txt" };

/* What the machine of tests/data/redact would be known by. */
static void add_ada(MtwRedactor *redactor)
{
	static const struct {
		MtwRedactKind kind;
		const char *value;
	} facts[] = {
		{ MTW_REDACT_USER, "ada" },
		{ MTW_REDACT_NAME, "Ada Byron" },
		{ MTW_REDACT_HOST, "attic" },
		{ MTW_REDACT_DOMAIN, "byron.example.net" },
		{ MTW_REDACT_SERIAL, "PF0ABC12" },
		{ MTW_REDACT_SERIAL, "L1HF72K00QX" },
		{ MTW_REDACT_SERIAL, "S444NX0K912345" },
		{ MTW_REDACT_VOLUME, "attic--vg-root" },
		{ MTW_REDACT_UUID, "d3b07384d113edec49eaa6238ad5ff00" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(facts); i++)
		assert_true(mtw_redactor_add_word(redactor, facts[i].kind, facts[i].value));
}

static MtwRedactResult *clean(MtwRedactor *redactor, const char *name, const char *text)
{
	return mtw_redactor_file(redactor, name, text, strlen(text));
}

static void learn_all(MtwRedactor *redactor)
{
	for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
		g_autofree char *text = redact_text(members[i]);
		mtw_redactor_learn(redactor, members[i], text, strlen(text));
	}
}

static void test_real_texts(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	learn_all(redactor);
	for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
		g_autofree char *text = redact_text(members[i]);
		g_autofree char *clean_name = g_strconcat("clean-", members[i], NULL);
		g_autofree char *expected = redact_text(clean_name);
		g_autoptr(MtwRedactResult) result = clean(redactor, members[i], text);
		g_autoptr(GArray) left =
			mtw_redactor_scan(redactor, members[i], result->text, result->bytes);
		assert_string_equal(result->text, expected);
		assert_int_equal(left->len, 0);
	}
}

/* Nothing of the originals is in what comes out. */
static void test_nothing_left(void **state)
{
	static const char *const originals[] = {
		"ada@",
		"/ada",
		"Byron",
		"attic",
		"tr0ub4dor",
		"7c0a4f0e",
		"7C0A-4F0E",
		"192.168.",
		"PF0ABC12",
		"L1HF72K00QX",
		"4C530001180512117243",
		"S444NX0K912345",
		"0b1c2d3e",
		"adas-backup",
		"d3b07384",
		"54:e1:ad",
		"00e04c68000a",
		"9c:b6:d0",
		"3c:a6:2f",
		"9eb6:d0ff",
		"a1b2:c3d4",
		"files.",
		"10.1.2.3",
		"00605b00",
		"c9030000",
		"MT1845X",
		"98039b1f2a3c",
		"54-e1-ad",
		"3C:A6:2F",
		"87654321",
	};
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	learn_all(redactor);
	for (gsize i = 0; i < G_N_ELEMENTS(members); i++) {
		g_autofree char *text = redact_text(members[i]);
		g_autoptr(MtwRedactResult) result = clean(redactor, members[i], text);
		for (gsize j = 0; j < G_N_ELEMENTS(originals); j++)
			if (strstr(result->text, originals[j]) != NULL)
				fail_msg("%s: \"%s\" is still there", members[i], originals[j]);
	}
}

static void test_texts_that_stay(void **state)
{
	static const char *const names[] = { "same-versions.txt", "same-vm-dmesg.txt",
					     "same-vm-lspci.txt" };
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = redact_text(names[i]);
		g_autoptr(MtwRedactResult) result = clean(redactor, names[i], text);
		assert_string_equal(result->text, text);
		assert_int_equal(result->replacements->len, 0);
	}
}

static void test_replacements(void **state)
{
	static const char text[] = "at 10.1.2.3 and ada\nlater 10.1.2.3\n";
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	g_autoptr(MtwRedactResult) result = NULL;
	static const MtwRedactReplacement expected[] = {
		{ 3, 8, 3, 9, MTW_REDACT_IPV4 },
		{ 16, 3, 17, 5, MTW_REDACT_USER },
		{ 26, 8, 29, 9, MTW_REDACT_IPV4 },
	};

	(void)state;
	add_ada(redactor);
	result = clean(redactor, "dmesg.txt", text);
	assert_string_equal(result->text, "at 192.0.2.1 and user1\nlater 192.0.2.1\n");
	assert_int_equal(result->replacements->len, G_N_ELEMENTS(expected));
	for (guint i = 0; i < result->replacements->len; i++) {
		const MtwRedactReplacement *one =
			&g_array_index(result->replacements, MtwRedactReplacement, i);
		assert_int_equal(one->offset, expected[i].offset);
		assert_int_equal(one->bytes, expected[i].bytes);
		assert_int_equal(one->clean_offset, expected[i].clean_offset);
		assert_int_equal(one->mask_bytes, expected[i].mask_bytes);
		assert_int_equal(one->kind, expected[i].kind);
	}
	assert_int_equal(result->counts[MTW_REDACT_IPV4], 2);
	assert_int_equal(result->counts[MTW_REDACT_USER], 1);
}

static void test_learned_elsewhere(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	static const char first[] = "usb 1-2: SerialNumber: 4C530001180512117243\n";

	(void)state;
	mtw_redactor_learn(redactor, "dmesg.txt", first, strlen(first));
	expect_clean(redactor, "by-id usb 4c530001180512117243", "by-id usb SERIAL1XXXXXXXXXXXXX");
	/* But not what would be any word: only where the rule finds it. */
	expect_clean(redactor, "acct=\"charles\" is charles; USER=file1 and file1",
		     "acct=\"user1\" is charles; USER=user2 and file1");
}

static void test_address_or_version(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	/* An address that is known as one is one everywhere; a guess is not. */
	expect_clean(redactor, "version 10.1.2.3", "version 10.1.2.3");
	expect_clean(redactor, "server 10.1.2.3, version 10.1.2.3",
		     "server 192.0.2.1, version 192.0.2.1");
	expect_clean(redactor, "seen 33.1.2.3, version 33.1.2.3",
		     "seen 192.0.2.2, version 33.1.2.3");
}

static void test_overlaps(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	/* The longer one wins. */
	expect_clean(redactor, "ada@attic.byron.example.net", "user1@example.org");
	expect_clean(redactor, "/home/ada-attic/x", "/home/user2/x");
	/* Each has a part of its own: one mask for both, nothing of them stays. */
	mtw_redactor_add_word(redactor, MTW_REDACT_WORD, "blue green");
	mtw_redactor_add_word(redactor, MTW_REDACT_WORD, "green red pink");
	expect_clean(redactor, "blue green red pink", "word3");
	expect_clean(redactor, "blue green, green red pink", "word1, word2");
}

static void test_email_has_number_of_user(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	mtw_redactor_add_word(redactor, MTW_REDACT_USER, "charles");
	mtw_redactor_add_word(redactor, MTW_REDACT_USER, "ada");
	expect_clean(redactor, "bob@x.org ada@x.org ada@y.org",
		     "user3@example.org user2@example.org user4@example.org");
}

static void test_keep(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	expect_clean(redactor, "ada 54:e1:ad:0b:0c:0d 10.1.2.3",
		     "user1 02:00:00:00:00:01 192.0.2.1");
	mtw_redactor_keep(redactor, "54-E1-AD-0B-0C-0D");
	mtw_redactor_keep(redactor, "Ada");
	mtw_redactor_keep(redactor, "attic.example");
	mtw_redactor_keep(redactor, " ");
	expect_clean(redactor, "ada 54:e1:ad:0b:0c:0d fe80::56e1:adff:fe0b:c0d 10.1.2.3",
		     "ada 54:e1:ad:0b:0c:0d fe80::56e1:adff:fe0b:c0d 192.0.2.1");
	/* Also what is in it. */
	expect_clean(redactor, "attic attic.example", "host1 attic.example");
}

static void test_map(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor(), again = shipped_redactor();
	g_autoptr(GError) error = NULL;
	g_autofree char *map = NULL, *map_again = NULL;
	g_autoptr(MtwRedactResult) result = NULL;

	(void)state;
	add_ada(redactor);
	learn_all(redactor);
	mtw_redactor_keep(redactor, "kept-value");
	mtw_redactor_learn(redactor, "x.txt", "password=a\xff\0b\n", 13);
	map = mtw_redactor_map_json(redactor);
	assert_true(g_utf8_validate(map, -1, NULL));
	assert_true(mtw_redactor_load_map(again, map, -1, &error));
	map_again = mtw_redactor_map_json(again);
	assert_string_equal(map_again, map);
	/* In another order, with the same masks. */
	result = clean(again, "x", "new 9.9.9.99, ada, 3c:a6:2f:11:22:33, kept-value");
	assert_string_equal(result->text, "new 192.0.2.5, user1, 02:00:00:00:00:04, kept-value");
}

static void test_map_refused(void **state)
{
	static const char *const cases[] = {
		"",
		"[]",
		"{}",
		"{\"format\": 2, \"values\": []}",
		"{\"format\": 1}",
		"{\"format\": 1, \"values\": [1]}",
		"{\"format\": 1, \"values\": [{}]}",
		"{\"format\": 1, \"values\": [{\"kind\": \"user\", \"number\": 1}]}",
		"{\"format\": 1, \"values\": [{\"kind\": \"user\", \"number\": 0, \"original\": "
		"\"a\"}]}",
		"{\"format\": 1, \"values\": [{\"kind\": \"mac\", \"number\": 1, \"original\": "
		"\"a\"}]}",
		"{\"format\": 1, \"values\": [{\"kind\": \"user\", \"number\": 1, \"original\": "
		"\"a\"},"
		"{\"kind\": \"host\", \"number\": 1, \"original\": \"A\"}]}",
	};
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		if (mtw_redactor_load_map(redactor, cases[i], -1, &error))
			fail_msg("%s was taken", cases[i]);
		assert_int_equal(error->domain, MTW_ERROR);
	}
	add_ada(redactor);
	assert_false(mtw_redactor_load_map(redactor, "{\"format\": 1, \"values\": []}", -1, NULL));
}

/* ---- streams --------------------------------------------------------------------------------- */

static gboolean to_string(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	(void)error;
	g_string_append_len(user_data, data, (gssize)bytes);
	return TRUE;
}

static char *stream_through(MtwRedactor *redactor, MtwRedactFormat format, const char *text,
			    gsize bytes, gsize block)
{
	GString *out = g_string_new(NULL);
	MtwRedactSink sink = { to_string, NULL, out };
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(redactor, "x.txt", format, MTW_REDACT_CLEAN, &sink);

	for (gsize at = 0; at < bytes; at += block)
		assert_true(
			mtw_redact_stream_feed(stream, text + at, MIN(block, bytes - at), NULL));
	assert_true(mtw_redact_stream_end(stream, NULL));
	return g_string_free(out, FALSE);
}

static void test_blocks(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	g_autofree char *text = redact_text("dmesg.txt");
	g_autoptr(MtwRedactResult) whole = NULL;
	static const gsize blocks[] = { 1, 2, 7, 100, 4096 };

	(void)state;
	add_ada(redactor);
	whole = clean(redactor, "x.txt", text);
	for (gsize i = 0; i < G_N_ELEMENTS(blocks); i++) {
		g_autofree char *streamed =
			stream_through(redactor, MTW_REDACT_TEXT, text, strlen(text), blocks[i]);
		assert_string_equal(streamed, whole->text);
	}
}

#define TRACE_HEAD                                                 \
	"VERSION 20070824\n"                                       \
	"PCIDEV 0008 8086100e b 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ada\n" \
	"MAP 1.000000 1 0xfebc0000 0xffffb0 0x20000 0x0 0\n"       \
	"W 4 1.000001 1 0xfebc0000 0x4000000 0x0 0\n"              \
	"UNKNOWN 1.000001 1 0xfebc0000 0x10,0x11,0x12 0x0 0\n"
#define TRACE_TAIL                                     \
	"R 4 1.000002 1 0xfebc0008 0x80080783 0x0 0\n" \
	"MARK 0.000000 Lost 12 events.\n"              \
	"CPU:0 [LOST 12 EVENTS]\n"                     \
	"UNMAP 2.000000 1 0x0 0\n"                     \
	"R ada\n"                                      \
	"R 4 1.00"

static void test_trace(void **state)
{
	static const char text[] =
		TRACE_HEAD "MARK 1.000003 ada starts attic at 192.168.1.4\n"
			   "MARK ada\n"
			   "[    1.0] usb 1-1: SerialNumber: 4C530001\n" TRACE_TAIL;
	static const char expected[] =
		TRACE_HEAD "MARK 1.000003 user1 starts host1 at 192.0.2.1\n"
			   "MARK user1\n"
			   "[    1.0] usb 1-1: SerialNumber: SERIAL1X\n" TRACE_TAIL;
	static const gsize blocks[] = { 1, 3, 50, 10000 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(blocks); i++) {
		g_autoptr(MtwRedactor) redactor = shipped_redactor();
		g_autofree char *out = NULL;
		mtw_redactor_add_word(redactor, MTW_REDACT_USER, "ada");
		mtw_redactor_add_word(redactor, MTW_REDACT_HOST, "attic");
		mtw_redactor_add_word(redactor, MTW_REDACT_WORD, "lost 12");
		mtw_redactor_add_word(redactor, MTW_REDACT_WORD, "0xfebc0000");
		out = stream_through(redactor, MTW_REDACT_TRACE, text, strlen(text), blocks[i]);
		assert_string_equal(out, expected);
	}
}

static void test_real_trace_stays(void **state)
{
	g_autofree char *path = redact_data_path("traces", "07-edu-widths-unknown-6.1.txt");
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	g_autofree char *text = NULL, *out = NULL;
	gsize bytes;

	(void)state;
	assert_true(g_file_get_contents(path, &text, &bytes, NULL));
	add_ada(redactor);
	out = stream_through(redactor, MTW_REDACT_TRACE, text, bytes, 1000);
	assert_int_equal(strlen(out), bytes);
	assert_string_equal(out, text);
}

static gboolean fail_third(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	(void)data;
	(void)bytes;
	if (++*(int *)user_data < 3)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DISK, "full");
	return FALSE;
}

static void test_output_fails(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	int calls = 0;
	MtwRedactSink sink = { fail_third, NULL, &calls };
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(redactor, "x", MTW_REDACT_TEXT, MTW_REDACT_CLEAN, &sink);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_redact_stream_feed(stream, "one\n", 4, &error));
	assert_true(mtw_redact_stream_feed(stream, "two\n", 4, &error));
	assert_false(mtw_redact_stream_feed(stream, "three\n", 6, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_DISK));
	assert_false(mtw_redact_stream_feed(stream, "four\n", 5, NULL));
	assert_false(mtw_redact_stream_end(stream, NULL));
	assert_int_equal(calls, 3);
}

/* ---- hostile input --------------------------------------------------------------------------- */

/* One line of some 3 MB: the names come out of every part of it, also where it is cut. */
static void test_long_line(void **state)
{
	static const char *const separators[] = { " ", ",", "" };
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	add_ada(redactor);
	for (gsize i = 0; i < G_N_ELEMENTS(separators); i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(MtwRedactResult) result = NULL;
		for (guint n = 0; n < 100000; n++)
			g_string_append_printf(text, "%u%s/ada@192.168.1.%u%s", n, separators[i],
					       n % 250, separators[i]);
		result = mtw_redactor_file(redactor, "x", text->str, text->len);
		assert_null(strstr(result->text, "ada@"));
		if (*separators[i] != '\0')
			assert_null(strstr(result->text, "192.168."));
		assert_int_equal(result->counts[MTW_REDACT_USER], 100000);
	}
}

static void test_binary(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	g_autofree char *text = g_malloc(300000);
	g_autoptr(MtwRedactResult) result = NULL;
	static const char nul[] = "\0ada\0\xff"
				  "ada\xc3\0 password=\0x y\0";

	(void)state;
	add_ada(redactor);
	for (gsize i = 0; i < 300000; i++)
		text[i] = (char)g_rand_int(random);
	result = mtw_redactor_file(redactor, "x", text, 300000);
	g_clear_pointer(&result, mtw_redact_result_free);
	result = mtw_redactor_file(redactor, "x", nul, sizeof nul - 1);
	assert_int_equal(result->counts[MTW_REDACT_USER], 1);
	assert_int_equal(result->counts[MTW_REDACT_SECRET], 1);
	g_clear_pointer(&result, mtw_redact_result_free);
	result = mtw_redactor_file(redactor, "x", "", 0);
	assert_int_equal(result->bytes, 0);
}

/* Endless anchors, separators and half matches: still fast enough to be run as a test. */
static void test_half_matches(void **state)
{
	static const char *const pieces[] = { "serial ", "aa:",	      "1.",	"a@",
					      "sn: ",	 "password=", "/home/", "-",
					      "ssid",	 "\\x2d",     "://a:",	"Linux version " };
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(MtwRedactResult) result = NULL;
		while (text->len < 500000)
			g_string_append(text, pieces[i]);
		result = mtw_redactor_file(redactor, "x", text->str, text->len);
		assert_non_null(result->text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_texts),
		cmocka_unit_test(test_nothing_left),
		cmocka_unit_test(test_texts_that_stay),
		cmocka_unit_test(test_replacements),
		cmocka_unit_test(test_learned_elsewhere),
		cmocka_unit_test(test_address_or_version),
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_email_has_number_of_user),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_map_refused),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_real_trace_stays),
		cmocka_unit_test(test_output_fails),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_half_matches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
