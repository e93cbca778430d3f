/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pages for a new report, filled in by their address. */
#include "base/error.h"
#include "submit/prefill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define REPORT_ID "01234567-89ab-8def-8123-456789abcdef"

static char title[] = "a & b?";
static char body[] = "x=1\n#2\n";
static char report_id[] = REPORT_ID;

static void assert_url(const char *page, const char *wanted)
{
	const MtwLetter letter = { .title = title, .body = body, .report_id = report_id };
	g_autofree char *url = mtw_prefill_url(page, &letter, NULL);

	assert_string_equal(url, wanted);
	assert_true(mtw_url_is_safe(url));
}

static void test_known_pages(void **state)
{
	(void)state;
	assert_url("https://gitlab.freedesktop.org/drm/nouveau/-/issues/new",
		   "https://gitlab.freedesktop.org/drm/nouveau/-/issues/"
		   "new?issue%5Btitle%5D=a%20%26%20b%3F"
		   "&issue%5Bdescription%5D=x%3D1%0A%232%0A");
	assert_url("https://github.com/o/r/issues/new",
		   "https://github.com/o/r/issues/new?title=a%20%26%20b%3F&body=x%3D1%0A%232%0A");
	assert_url("https://bugzilla.example.org/enter_bug.cgi?product=Drivers&component=Video",
		   "https://bugzilla.example.org/enter_bug.cgi?product=Drivers&component=Video"
		   "&short_desc=a%20%26%20b%3F&comment=x%3D1%0A%232%0A");
	assert_url("https://redmine.example.org/projects/x/issues/new",
		   "https://redmine.example.org/projects/x/issues/"
		   "new?issue%5Bsubject%5D=a%20%26%20b%3F"
		   "&issue%5Bdescription%5D=x%3D1%0A%232%0A");
}

static void test_own_places(void **state)
{
	(void)state;
	assert_url("https://forum.example.org/new?subject=@TITLE@&text=@BODY@",
		   "https://forum.example.org/new?subject=a%20%26%20b%3F&text=x%3D1%0A%232%0A");
	assert_url("https://github.com/o/r/issues/new?title=@TITLE@",
		   "https://github.com/o/r/issues/new?title=a%20%26%20b%3F");
	assert_url("https://forum.example.org/new", "https://forum.example.org/new");
}

/* A place that stands in the text stays text. */
static void test_place_in_text(void **state)
{
	char body_place[] = "@BODY@", title_place[] = "@TITLE@";
	const MtwLetter letter = { .title = body_place,
				   .body = title_place,
				   .report_id = report_id };
	g_autofree char *url =
		mtw_prefill_url("https://x.example.org/?t=@TITLE@&b=@BODY@", &letter, NULL);

	(void)state;
	assert_string_equal(url, "https://x.example.org/?t=%40BODY%40&b=%40TITLE%40");
}

static void test_long_body(void **state)
{
	g_autoptr(GString) text = g_string_new("first line\n");
	MtwLetter letter = { .title = title, .report_id = report_id };

	(void)state;
	for (guint i = 0; i < 1000; i++)
		g_string_append_printf(text, "line %u with \xc3\xa4\n", i);
	g_string_append(text, "Report-ID: " REPORT_ID "\n");
	letter.body = text->str;
	g_autofree char *url = mtw_prefill_url("https://github.com/o/r/issues/new", &letter, NULL);
	assert_true(strlen(url) <= 6000);
	assert_true(strlen(url) > 5800);
	assert_non_null(strstr(url, "first%20line"));
	assert_true(g_str_has_suffix(url, "Report-ID%3A%20" REPORT_ID "%0A"));
}

static void test_one_long_line(void **state)
{
	g_autofree char *line = g_strnfill(20000, 'x');
	const MtwLetter letter = { .title = title, .body = line, .report_id = report_id };
	g_autofree char *url = mtw_prefill_url("https://github.com/o/r/issues/new", &letter, NULL);

	(void)state;
	assert_true(strlen(url) <= 6000);
	assert_non_null(strstr(url, REPORT_ID));
}

static void test_check(void **state)
{
	static const char *const good[] = { "https://x.example.org/new",
					    "https://x.example.org/?a=@TITLE@&b=@BODY@" };
	static const char *const bad[] = { "",
					   "x",
					   "ftp://x.example.org/@TITLE@",
					   "https://x.example.org/?a=@NAME@",
					   "https://a:b@x.example.org/",
					   "https://x.example.org/ y",
					   "javascript:@TITLE@" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(good); i++)
		assert_true(mtw_prefill_check(good[i], NULL));
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;
		assert_false(mtw_prefill_check(bad[i], &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_pages),   cmocka_unit_test(test_own_places),
		cmocka_unit_test(test_place_in_text), cmocka_unit_test(test_long_body),
		cmocka_unit_test(test_one_long_line), cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
