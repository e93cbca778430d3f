/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Titles and texts, and that nothing in them can be more than text. */
#include "test-submit-target-data.h"

#include "base/error.h"
#include "submit/letter.h"

#define SHA256 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define REPORT_ID "01234567-89ab-8def-8123-456789abcdef"
#define MARK " [01234567]"

static MtwTarget *make_target(const char *kind)
{
	g_autofree char *text = g_strdup_printf("[Target]\nKind=%s\n", kind);
	const char *const texts[] = { text, NULL };
	MtwTarget *target = mtw_target_parse("test", texts, NULL, NULL, NULL);

	assert_non_null(target);
	return target;
}

/* @title, @body: (nullable): the target's own. The list of names and texts ends with NULL. */
static MtwLetter *make(const char *kind, const char *title, const char *body,
		       ...) G_GNUC_NULL_TERMINATED;

static MtwLetter *make(const char *kind, const char *title, const char *body, ...)
{
	g_autoptr(MtwTarget) target = make_target(kind);
	g_autoptr(JsonObject) facts = json_object_new();
	const char *name;
	va_list args;

	va_start(args, body);
	while ((name = va_arg(args, const char *)) != NULL)
		json_object_set_string_member(facts, name, va_arg(args, const char *));
	va_end(args);
	if (title != NULL) {
		g_free(target->title);
		target->title = g_strdup(title);
	}
	if (body != NULL) {
		g_free(target->body);
		target->body = g_strdup(body);
	}
	return mtw_letter_new(target, facts, SHA256);
}

static void assert_is(char *text, const char *wanted)
{
	assert_string_equal(text, wanted);
	g_free(text);
}

static void test_report_id(void **state)
{
	static const char ff[] = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFffffffffffffffffffffffffffffffff";

	(void)state;
	assert_is(mtw_report_id(SHA256), REPORT_ID);
	assert_is(mtw_report_id(ff), "ffffffff-ffff-8fff-bfff-ffffffffffff");
}

static void test_title(void **state)
{
	g_autoptr(MtwLetter) whole = make("gitlab", NULL, NULL, "pciid", "10de:1cb3", "device",
					  "GP107GL [Quadro P400]", "nick", "alice", NULL);
	g_autoptr(MtwLetter) part = make("gitlab", NULL, NULL, "pciid", "10de:1cb3", NULL);
	g_autoptr(MtwLetter) nothing = make("gitlab", "@NICK@", NULL, NULL);

	(void)state;
	assert_string_equal(whole->title,
			    "mmiotrace: 10de:1cb3 GP107GL [Quadro P400] (alice)" MARK);
	assert_string_equal(part->title, "mmiotrace: 10de:1cb3" MARK);
	assert_string_equal(nothing->title, "mmiotrace" MARK);
}

/* One line, no header, not too long, and valid where it is cut. */
static void test_title_is_one_line(void **state)
{
	g_autofree char *long_name = g_strnfill(500, 'x');
	g_autofree char *wide = g_strdup("x");
	g_autoptr(MtwLetter) forged =
		make("smtp", NULL, NULL, "nick", "a\r\nBcc: b@example.org\n\n", "device",
		     "\x1b[31m\xff\xe2\x80\xae", NULL);
	g_autoptr(MtwLetter) long_one =
		make("gitlab", "@DEVICE@ @NICK@", NULL, "device", long_name, NULL);
	g_autoptr(MtwLetter) wide_one = NULL;

	(void)state;
	assert_null(strpbrk(forged->title, "\r\n\x1b"));
	assert_true(g_utf8_validate(forged->title, -1, NULL));
	assert_null(strstr(forged->title, "\xe2\x80\xae"));
	assert_int_equal(strlen(long_one->title), 200);
	assert_true(g_str_has_suffix(long_one->title, "x" MARK));
	for (int i = 0; i < 100; i++) {
		char *more = g_strconcat(wide, "\xf0\x9f\x90\xa7", NULL);
		g_free(wide);
		wide = more;
	}
	wide_one = make("gitlab", "@DEVICE@", NULL, "device", wide, NULL);
	assert_true(strlen(wide_one->title) <= 200);
	assert_true(g_utf8_validate(wide_one->title, -1, NULL));
}

static void test_body(void **state)
{
	static const char template[] = "\n\nCard @DEVICE@ (@PCIID@)\n"
				       "Driver: @DRIVER@\n"
				       "Kernel: @KERNEL@ from @NICK@\n"
				       "\n"
				       "\n"
				       "mail@example.org @lower@ @@ @\n"
				       "Description:\n"
				       "@DESCRIPTION@\n"
				       "\n"
				       "Markers:\n"
				       "@MARKERS@\n"
				       "\n";
	g_autoptr(MtwLetter) letter =
		make("bugzilla", NULL, template, "device", "X", "pciid", "1:2", "kernel", "6.1",
		     "description", "\n\n  one\ntwo\n\nthree\n\n", NULL);

	(void)state;
	assert_string_equal(letter->body, "Card X (1:2)\n"
					  "Kernel: 6.1 from \n"
					  "\n"
					  "mail@example.org @lower@ @@ @\n"
					  "Description:\n"
					  "    one\n"
					  "  two\n"
					  "\n"
					  "  three\n"
					  "\n"
					  "Report-ID: " REPORT_ID "\n");
	assert_string_equal(letter->report_id, REPORT_ID);
}

static void test_report_id_once(void **state)
{
	g_autoptr(MtwLetter) has = make("put", NULL, "Report-ID: @REPORTID@\nend\n", NULL);
	g_autoptr(MtwLetter) has_not = make("put", NULL, "end", NULL);
	g_autoptr(MtwLetter) usual = make("put", NULL, NULL, NULL);

	(void)state;
	assert_string_equal(has->body, "Report-ID: " REPORT_ID "\nend\n");
	assert_string_equal(has_not->body, "end\n\nReport-ID: " REPORT_ID "\n");
	assert_non_null(strstr(usual->body, "Report-ID: " REPORT_ID "\n"));
	assert_null(strchr(usual->body, '@'));
}

/* A value is a value: it does not become a place. */
static void test_no_second_look(void **state)
{
	g_autoptr(MtwLetter) letter =
		make("put", "@DEVICE@", "@DEVICE@\n@DESCRIPTION@\n", "device", "@NICK@",
		     "description", "@NICK@", "nick", "alice", NULL);

	(void)state;
	assert_string_equal(letter->title, "@NICK@" MARK);
	assert_true(g_str_has_prefix(letter->body, "@NICK@\n  @NICK@\n"));
}

static void test_line_values(void **state)
{
	g_autoptr(MtwLetter) plain =
		make("bugzilla", NULL, "x: @NICK@\n", "nick", " a\r\nb\x1b[0m\tc\xff ", NULL);
	g_autoptr(MtwLetter) markdown =
		make("gitlab", NULL, "x: @NICK@ @DEVICE@\n", "nick", "@all, closes #12 <b>`x`</b>",
		     "device", "Root Port #5", NULL);
	g_autoptr(MtwLetter) redmine =
		make("redmine", NULL, "x: @NICK@\n", "nick", "@admin, #12 and # 13", NULL);
	g_autofree char *long_name = g_strnfill(1000, 'x');
	g_autoptr(MtwLetter) long_one = make("put", NULL, "@NICK@\n", "nick", long_name, NULL);

	(void)state;
	assert_true(g_str_has_prefix(plain->body, "x: a  b [0m c\xef\xbf\xbd\n\n"));
	assert_true(g_str_has_prefix(markdown->body,
				     "x: `@all, closes #12 <b>'x'</b>` `Root Port #5`\n"));
	assert_true(g_str_has_prefix(redmine->body, "x: (at)admin, # 12 and # 13\n"));
	assert_true(strcspn(long_one->body, "\n") == 300);
}

static void test_title_calls_nobody(void **state)
{
	g_autoptr(MtwLetter) gitlab =
		make("gitlab", "@DEVICE@", NULL, "device", "@all Root Port #5 !7 C# #", NULL);

	(void)state;
	assert_string_equal(gitlab->title, "(at)all Root Port # 5 ! 7 C# #" MARK);
}

/* Lines of a markdown tracker stand between fences that nothing in them can end. */
static void test_markdown_block(void **state)
{
	g_autoptr(MtwLetter) letter =
		make("gitlab", NULL, "@DESCRIPTION@\n", "description",
		     "/close\n```\n/assign @bob\n`````\nCloses #1\n\xff\x1b[31m\r\nlast", NULL);

	(void)state;
	assert_true(g_str_has_prefix(letter->body, "``````\n"
						   " /close\n"
						   "```\n"
						   " /assign @bob\n"
						   "`````\n"
						   "Closes #1\n"
						   "\xef\xbf\xbd [31m\n"
						   "last\n"
						   "``````\n"
						   "\n"
						   "Report-ID: "));
}

static void test_redmine_block(void **state)
{
	g_autoptr(MtwLetter) letter = make("redmine", NULL, "@MARKERS@\n", "markers",
					   "#12 @admin\n</pre>\n@admin </PRE >", NULL);

	(void)state;
	assert_true(g_str_has_prefix(letter->body, "<pre>\n"
						   "#12 @admin\n"
						   "< /pre>\n"
						   "@admin < /PRE >\n"
						   "</pre>\n"
						   "\n"));
}

/* No line of it can be the command or header of a program that reads mail. */
static void test_plain_block(void **state)
{
	g_autoptr(MtwLetter) letter = make("smtp", NULL, "@DESCRIPTION@\n", "description",
					   "Status: resolved\n\n@close\nReport-ID: x", NULL);

	(void)state;
	assert_true(g_str_has_prefix(letter->body, "  Status: resolved\n"
						   "\n"
						   "  @close\n"
						   "  Report-ID: x\n"
						   "\n"
						   "Report-ID: " REPORT_ID "\n"));
}

static void test_long_block(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(MtwLetter) letter = NULL;

	(void)state;
	while (text->len < 100000)
		g_string_append(text, "\xc3\xa4\xc3\xa4\xc3\xa4\n");
	letter = make("gitlab", NULL, "@DESCRIPTION@\n\n@MARKERS@\n", "description", text->str,
		      "markers", text->str, NULL);
	assert_true(strlen(letter->body) < 45000);
	assert_true(g_utf8_validate(letter->body, -1, NULL));
	assert_non_null(strstr(letter->body, "The rest is in the archive.\n```\n"));
}

static void test_templates(void **state)
{
	static const char *const good[] = {
		"",
		"text",
		"a@b",
		"@@",
		"@x@",
		"@ DEVICE @",
		"@DEVICE",
		"@PCIID@@NICK@",
		"x\n@DESCRIPTION@\ny",
		"@DESCRIPTION@",
	};
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "@PLACE@", "f: there is no place @PLACE@" },
		{ "@NICK@@X@", "f: there is no place @X@" },
		{ "a\nb @DEVICES@\n", "f:2: there is no place @DEVICES@" },
		{ "a\n @DESCRIPTION@\n", "f:2: @DESCRIPTION@ has many lines" },
		{ "@MARKERS@.", "f: @MARKERS@ has many lines" },
		{ "@NICK@ @MARKERS@", "f: @MARKERS@ has many lines" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(good); i++)
		if (!mtw_letter_check_template(good[i], "f", NULL))
			fail_msg("%s is good", good[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(mtw_letter_check_template(bad[i].text, "f", &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		if (!g_str_has_prefix(error->message, bad[i].message))
			fail_msg("%s, not %s", error->message, bad[i].message);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_id),	  cmocka_unit_test(test_title),
		cmocka_unit_test(test_title_is_one_line), cmocka_unit_test(test_body),
		cmocka_unit_test(test_report_id_once),	  cmocka_unit_test(test_no_second_look),
		cmocka_unit_test(test_line_values),	  cmocka_unit_test(test_title_calls_nobody),
		cmocka_unit_test(test_markdown_block),	  cmocka_unit_test(test_redmine_block),
		cmocka_unit_test(test_plain_block),	  cmocka_unit_test(test_long_block),
		cmocka_unit_test(test_templates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
