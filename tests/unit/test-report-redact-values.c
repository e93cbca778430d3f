/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds, masks, shapes, words. */
#include "test-report-redact-data.h"

#include "report/redact-match.h"
#include "report/redact-shape.h"

static void test_kind_names(void **state)
{
	(void)state;
	for (int kind = 0; kind < MTW_N_REDACT_KINDS; kind++) {
		MtwRedactKind found;
		assert_true(mtw_redact_kind_from_name(mtw_redact_kind_name((MtwRedactKind)kind),
						      &found));
		assert_int_equal(found, kind);
	}
	assert_false(mtw_redact_kind_from_name("", &(MtwRedactKind){ 0 }));
}

static void test_masks(void **state)
{
	static const struct {
		MtwRedactKind kind;
		guint number;
		const char *value, *mask;
	} cases[] = {
		{ MTW_REDACT_MAC, 1, "52:54:00:12:34:56", "02:00:00:00:00:01" },
		{ MTW_REDACT_MAC, 0xabcdef, "52:54:00:12:34:5f", "02:00:00:ab:cd:ef" },
		{ MTW_REDACT_MAC, 0xabcdef, "52:54:00:12:34:5F", "02:00:00:AB:CD:EF" },
		{ MTW_REDACT_MAC, 2, "52-54-00-12-34-56", "02-00-00-00-00-02" },
		{ MTW_REDACT_MAC, 2, "5254.0012.3456", "0200.0000.0002" },
		{ MTW_REDACT_MAC, 2, "525400123456", "020000000002" },
		{ MTW_REDACT_MAC, 2, "52-54-00-ff-ff-12-34-56", "02-00-00-ff-ff-00-00-02" },
		{ MTW_REDACT_MAC, 2, "00:02:c9:03:00:1c:ab:01", "02:00:00:00:00:00:00:02" },
		{ MTW_REDACT_MAC, 2, "fe80::5054:ff:fe12:3456", "fe80::ff:fe00:2" },
		{ MTW_REDACT_MAC, 2, "2003:1:2:3:5054:ff:fe12:3456", "2001:db8::ff:fe00:2" },
		{ MTW_REDACT_IPV4, 1, "10.0.0.1", "192.0.2.1" },
		{ MTW_REDACT_IPV4, 254, "10.0.0.1", "192.0.2.254" },
		{ MTW_REDACT_IPV4, 255, "10.0.0.1", "198.51.100.1" },
		{ MTW_REDACT_IPV4, 509, "10.0.0.1", "203.0.113.1" },
		{ MTW_REDACT_IPV4, 763, "10.0.0.1", "198.18.2.251" },
		{ MTW_REDACT_IPV4, 1, "::ffff:10.0.0.1", "::ffff:192.0.2.1" },
		{ MTW_REDACT_IPV6, 1, "fd00::5", "2001:db8::1" },
		{ MTW_REDACT_IPV6, 0x12345, "fd00::5", "2001:db8::1:2345" },
		{ MTW_REDACT_IPV6, 7, "fe80::1234:5678:9abc:def0", "fe80::7" },
		{ MTW_REDACT_IPV6, 7, "fd00:0000:0000:0000:0000:0000:0000:0005",
		  "2001:0db8:0000:0000:0000:0000:0000:0007" },
		{ MTW_REDACT_UUID, 10, "3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d21",
		  "00000000-0000-4000-8000-00000000000a" },
		{ MTW_REDACT_UUID, 10, "3F1B8A52-9C1E-4D57-A0DE-6B1F0E5C7D21",
		  "00000000-0000-4000-8000-00000000000A" },
		{ MTW_REDACT_UUID, 1, "3f1b8a529c1e4d57a0de6b1f0e5c7d21",
		  "00000000000040008000000000000001" },
		{ MTW_REDACT_UUID, 1, "12AB-34CD", "0000-0001" },
		{ MTW_REDACT_UUID, 1, "12ab\\x2d34cd", "0000\\x2d0001" },
		{ MTW_REDACT_SERIAL, 1, "ABC", "SERIAL1" },
		{ MTW_REDACT_SERIAL, 12, "S3Z8NB0K123456A", "SERIAL12XXXXXXX" },
		{ MTW_REDACT_HOST, 1, "attic", "host1" },
		{ MTW_REDACT_DOMAIN, 1, "corp.example.net", "domain1.example" },
		{ MTW_REDACT_USER, 3, "ada", "user3" },
		{ MTW_REDACT_EMAIL, 3, "ada@example.net", "user3@example.org" },
		{ MTW_REDACT_HOME, 1, "/srv/people/a", "/home/home1" },
		{ MTW_REDACT_SECRET, 1, "hunter2", "SECRET1" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) mask = g_string_new(NULL);
		gsize bytes = strlen(cases[i].value);
		assert_int_equal(mtw_redact_kind_of(cases[i].kind, cases[i].value, bytes),
				 cases[i].kind);
		mtw_redact_mask(mask, cases[i].kind, cases[i].number, cases[i].value, bytes);
		assert_string_equal(mask->str, cases[i].mask);
		/* A mask is known as one. */
		assert_true(mtw_redact_is_public(
			mtw_redact_kind_of(cases[i].kind, mask->str, mask->len), mask->str,
			mask->len));
		assert_false(mtw_redact_is_public(cases[i].kind, cases[i].value, bytes));
	}
}

static void test_public(void **state)
{
	static const struct {
		MtwRedactKind kind;
		const char *value;
	} cases[] = {
		{ MTW_REDACT_MAC, "00:00:00:00:00:00" },
		{ MTW_REDACT_MAC, "ff:ff:ff:ff:ff:ff" },
		{ MTW_REDACT_MAC, "01:00:5e:00:00:fb" },
		{ MTW_REDACT_MAC, "33:33:00:00:00:01" },
		{ MTW_REDACT_IPV4, "127.0.0.1" },
		{ MTW_REDACT_IPV4, "0.0.0.0" },
		{ MTW_REDACT_IPV4, "255.255.255.0" },
		{ MTW_REDACT_IPV4, "224.0.0.1" },
		{ MTW_REDACT_IPV6, "::1" },
		{ MTW_REDACT_IPV6, "ff02::1" },
		{ MTW_REDACT_IPV6, "fe80::1" },
		{ MTW_REDACT_UUID, "0000-0000" },
		{ MTW_REDACT_UUID, "ffffffff-ffff-ffff-ffff-ffffffffffff" },
		{ MTW_REDACT_SERIAL, "0000:00:14.0" },
		{ MTW_REDACT_SERIAL, "00000000" },
		{ MTW_REDACT_USER, "user12" },
		{ MTW_REDACT_NAME, "user1, host2" },
	};
	static const struct {
		MtwRedactKind kind;
		const char *value;
	} private_cases[] = {
		{ MTW_REDACT_SERIAL, "00123456" },	 { MTW_REDACT_UUID, "0012-3456" },
		{ MTW_REDACT_SERIAL, "SERIAL" },	 { MTW_REDACT_SERIAL, "SERIAL01" },
		{ MTW_REDACT_USER, "user1a" },		 { MTW_REDACT_IPV4, "192.168.0.1" },
		{ MTW_REDACT_MAC, "33:33:ff:12:34:56" }, { MTW_REDACT_SECRET, "!!" },
		{ MTW_REDACT_HOST, "userhost1" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		if (!mtw_redact_is_public(cases[i].kind, cases[i].value, strlen(cases[i].value)))
			fail_msg("%s is public", cases[i].value);
	for (gsize i = 0; i < G_N_ELEMENTS(private_cases); i++)
		if (mtw_redact_is_public(private_cases[i].kind, private_cases[i].value,
					 strlen(private_cases[i].value)))
			fail_msg("%s is not public", private_cases[i].value);
}

static void test_keys(void **state)
{
	static const char *const same[][2] = {
		{ "52:54:00:12:34:56", "5254.0012.3456" },
		{ "52:54:00:12:34:5a", "52-54-00-12-34-5A" },
		{ "52:54:00:12:34:56", "52-54-00-ff-ff-12-34-56" },
		{ "52:54:00:12:34:56", "fe80::5054:ff:fe12:3456" },
		{ "10.1.2.3", "::ffff:10.1.2.3" },
		{ "fd00::1", "FD00:0:0:0:0:0:0:1" },
		{ "Ada", "aDA" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(same); i++) {
		g_autofree char *keys[2] = { NULL, NULL };
		for (int j = 0; j < 2; j++) {
			const char *text = same[i][j];
			MtwRedactKind kind =
				mtw_redact_kind_of(MTW_REDACT_WORD, text, strlen(text));
			keys[j] = mtw_redact_key(kind, text, strlen(text));
		}
		assert_string_equal(keys[0], keys[1]);
		g_free(g_steal_pointer(&keys[1]));
	}
}

static void test_shapes(void **state)
{
	/* What is found, in brackets. */
	static const char *const cases[] = {
		"[52:54:00:12:34:56]",
		"x [52:54:00:12:34:56]: y",
		"52:54:00:12:34",
		"52:54:00:12:34:56:78",
		"a52:54:00:12:34:56",
		"52:54:00:12:34:56a",
		"[0011.22aa.bbcc]",
		"0011.2233.4455",
		"[3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d21]",
		"3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d2",
		"[10.1.2.3]",
		"[10.1.2.3]:80",
		"10.1.2.300",
		"10.1.2",
		"10.1.2.3.4",
		"v10.1.2.3",
		"10.1.2.3-rc1",
		"[10.1.2.3].",
		"010.1.2.3",
		"foo-10.1.2.3",
		"foo-[192.168.2.3]",
		"[192.168.2.3]-rc1",
		"[fd00::1]",
		"[fe80::1]%eth0",
		"::1",
		"dead::beef",
		"[2003:1:2:3:4:5:6:7]",
		"2003:1:2:3:4:5:6",
		"12:34:56",
		"0000:01:00.0",
		"10de:1b80",
		"[a@b.cd]",
		"a@b",
		"@b.cd",
		"a@b.c1",
		"[a.b+c@d-e.org].",
		"<[a@b.org]>",
		"[aa-bb-cc-dd-ee-ff]",
		"00: 86 80 0e 10",
		"std::fd00::x",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(MtwShapeMatch));
		g_autoptr(GString) text = g_string_new(cases[i]);
		const MtwShapeMatch *match;
		g_string_replace(text, "[", "", 0);
		g_string_replace(text, "]", "", 0);
		mtw_shape_scan(text->str, text->len, found);
		assert_true(found->len <= 1);
		if (found->len == 1) {
			match = &g_array_index(found, MtwShapeMatch, 0);
			g_string_insert_c(text, (gssize)match->end, ']');
			g_string_insert_c(text, (gssize)match->start, '[');
		}
		assert_string_equal(text->str, cases[i]);
	}
}

static void add_found(guint id, gsize start, gsize end, gpointer user_data)
{
	g_string_append_printf(user_data, "%u:%zu-%zu ", id, start, end);
}

static void test_matcher(void **state)
{
	g_autoptr(MtwMatcher) matcher = mtw_matcher_new();
	g_autoptr(GString) found = g_string_new(NULL);

	(void)state;
	assert_true(mtw_matcher_add(matcher, "he", 2, 0));
	assert_true(mtw_matcher_add(matcher, "SHE", 3, 1));
	assert_true(mtw_matcher_add(matcher, "his", 3, 2));
	assert_true(mtw_matcher_add(matcher, "hers", 4, 3));
	assert_true(mtw_matcher_add(matcher, "he", 2, 4));
	assert_false(mtw_matcher_add(matcher, "", 0, 5));
	mtw_matcher_compile(matcher);
	mtw_matcher_run(matcher, "usHers", 6, add_found, found);
	assert_string_equal(found->str, "1:1-4 4:2-4 0:2-4 3:2-6 ");
}

static void test_matcher_empty(void **state)
{
	g_autoptr(MtwMatcher) matcher = mtw_matcher_new();
	g_autoptr(GString) found = g_string_new(NULL);

	(void)state;
	mtw_matcher_compile(matcher);
	mtw_matcher_run(matcher, "text", 4, add_found, found);
	assert_int_equal(found->len, 0);
}

static void test_words(void **state)
{
	static const struct {
		const char *word, *text, *clean;
	} cases[] = {
		{ "ada", "ada Ada ADA", "word1 word1 word1" },
		{ "ada", "adam nada _ada_ ada's ada2 2ada", "adam nada _word1_ word1's ada2 2ada" },
		{ "ada", "/home/ada/x ada@pc ada-pc", "/home/word1/x word1@pc word1-pc" },
		{ "zz", "zz (zz) zz-top a.zz ZZ 'zz'", "word1 (word1) zz-top a.zz ZZ 'word1'" },
		{ "Ada Byron", "ada byron Ada_Byron ada.byron adabyron",
		  "word1 word1 word1 word1" },
		{ "attic-7", "dev-attic\\x2d7.mount", "dev-word1.mount" },
		{ "\303\204da", "\303\204da \303\244DA b\303\204da", "word1 word1 b\303\204da" },
		{ "  ada\n", "ada", "word1" },
	};
	g_autoptr(MtwRedactRules) rules =
		rules_of("[Rule x]\nKind=secret\nPattern=unused (x)\nAnchor=unused\n");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwRedactor) redactor = mtw_redactor_new(rules);
		assert_true(mtw_redactor_add_word(redactor, MTW_REDACT_WORD, cases[i].word));
		expect_clean(redactor, cases[i].text, cases[i].clean);
	}
}

static void test_common_words(void **state)
{
	static const char *const common[] = { "debian", "localhost", "root",
					      "user",	"admin",     "test",
					      "pci",	"USB",	     "Basic data partition",
					      "12",	"1234" };
	static const char *const not_masked[] = { "", " ", "none", "To Be Filled By O.E.M.",
						  "user1" };
	static const char *const masked[] = { "attic", "pc-of-ada", "debian-ada", "ada", "12345" };
	g_autoptr(MtwRedactor) redactor = shipped_redactor();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(common); i++) {
		const MtwMessage *message;
		assert_false(mtw_redactor_add_word(redactor, MTW_REDACT_HOST, common[i]));
		assert_int_equal(mtw_redactor_messages(redactor)->len, i + 1);
		message = mtw_redactor_messages(redactor)->pdata[i];
		assert_string_equal(message->id, "redact-common-word");
		assert_non_null(strstr(message->detail, common[i]));
	}
	for (gsize i = 0; i < G_N_ELEMENTS(not_masked); i++)
		assert_false(mtw_redactor_add_word(redactor, MTW_REDACT_HOST, not_masked[i]));
	for (gsize i = 0; i < G_N_ELEMENTS(masked); i++)
		assert_true(mtw_redactor_add_word(redactor, MTW_REDACT_HOST, masked[i]));
	assert_int_equal(mtw_redactor_messages(redactor)->len, G_N_ELEMENTS(common));
}

static void test_too_many_words(void **state)
{
	g_autoptr(MtwRedactor) redactor = shipped_redactor();
	guint added = 0;

	(void)state;
	for (guint i = 0; i < 6000; i++) {
		g_autofree char *word = g_strdup_printf("attic%u", i);
		added += (guint)mtw_redactor_add_word(redactor, MTW_REDACT_WORD, word);
	}
	assert_true(added >= 4000 && added < 6000);
	expect_clean(redactor, "attic7", "word8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kind_names),    cmocka_unit_test(test_masks),
		cmocka_unit_test(test_public),	      cmocka_unit_test(test_keys),
		cmocka_unit_test(test_shapes),	      cmocka_unit_test(test_matcher),
		cmocka_unit_test(test_matcher_empty), cmocka_unit_test(test_words),
		cmocka_unit_test(test_common_words),  cmocka_unit_test(test_too_many_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
