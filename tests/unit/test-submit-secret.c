/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "submit/secret.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The first of all, so that the process was dumpable before. */
static void test_undumpable(void **state)
{
	MtwSecret *secret;

	(void)state;
	assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 1);
	secret = mtw_secret_new("abc", 3);
	assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
	mtw_secret_free(secret);
	assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0);
}

static void test_text(void **state)
{
	static const char *const cases[][2] = {
		{ "abc", "abc" },     { "abc\n", "abc" },
		{ "abc\r\n", "abc" }, { "abc\n\r\n\n", "abc" },
		{ " a b ", " a b " }, { "\n", "" },
		{ "", "" },	      { "a\nb\n", "a\nb" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwSecret) secret = mtw_secret_new(cases[i][0], strlen(cases[i][0]));
		g_autoptr(MtwSecret) copy = mtw_secret_copy(secret);
		assert_string_equal(mtw_secret_text(secret), cases[i][1]);
		assert_string_equal(mtw_secret_text(copy), cases[i][1]);
		assert_ptr_not_equal(mtw_secret_text(secret), mtw_secret_text(copy));
	}
	assert_null(mtw_secret_copy(NULL));
	mtw_secret_free(NULL);
}

static void test_large(void **state)
{
	g_autofree char *text = g_strnfill(100000, 'x');
	g_autoptr(MtwSecret) secret = mtw_secret_new(text, 100000);

	(void)state;
	assert_string_equal(mtw_secret_text(secret), text);
}

static void test_usable(void **state)
{
	static const struct {
		const char *text;
		gsize bytes;
		gboolean usable;
	} cases[] = {
		{ "glpat-0123", 10, TRUE },
		{ "p\303\244ss w\303\266rd", 11, TRUE },
		{ "", 0, FALSE },
		{ "a\nb", 3, FALSE },
		{ "a\r\nX-Evil: 1", 12, FALSE },
		{ "a\0b", 3, FALSE },
		{ "a\tb", 3, FALSE },
		{ "\033[31m", 5, FALSE },
		{ "a\177", 2, FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwSecret) secret = mtw_secret_new(cases[i].text, cases[i].bytes);
		g_autoptr(GError) error = NULL;
		assert_int_equal(mtw_secret_is_usable(secret, &error), cases[i].usable);
		assert_int_equal(error == NULL, cases[i].usable);
		if (error == NULL)
			continue;
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		assert_true(strlen(cases[i].text) < 3 ||
			    strstr(error->message, cases[i].text) == NULL);
	}
}

static void test_wipe(void **state)
{
	char text[] = "glpat-0123456789abcdef";
	static const char nothing[sizeof text];

	(void)state;
	mtw_secret_wipe(text, sizeof text);
	assert_memory_equal(text, nothing, sizeof text);
}

/* The VmFlags of the pages at @address. Returns: (transfer full) */
static char *flags_of(const void *address)
{
	g_autofree char *maps = NULL;
	g_auto(GStrv) lines = NULL;
	gboolean found = FALSE;

	assert_true(g_file_get_contents("/proc/self/smaps", &maps, NULL, NULL));
	lines = g_strsplit(maps, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		char *end;
		guint64 first = g_ascii_strtoull(*line, &end, 16);
		if (*end == '-' && end > *line)
			found = (guintptr)address >= first &&
				(guintptr)address < g_ascii_strtoull(end + 1, NULL, 16);
		else if (found && g_str_has_prefix(*line, "VmFlags:"))
			return g_strconcat(*line, " ", NULL);
	}
	return g_strdup("");
}

static void test_pages(void **state)
{
	MtwSecret *secret = mtw_secret_new("abc", 3);
	const char *text = mtw_secret_text(secret);
	g_autofree char *flags = flags_of(text);
	long page = sysconf(_SC_PAGESIZE);
	struct rlimit limit;
	unsigned char there;
	void *start = (void *)((guintptr)text / (gsize)page * (gsize)page);

	(void)state;
	assert_non_null(strstr(flags, " dd "));
	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
	/* The sanitizers swallow mlock. */
#ifdef __SANITIZE_ADDRESS__
	limit.rlim_cur = 0;
#endif
	if (limit.rlim_cur >= (rlim_t)page)
		assert_non_null(strstr(flags, " lo "));
	assert_int_equal(mincore(start, 1, &there), 0);
	mtw_secret_free(secret);
	assert_int_equal(mincore(start, 1, &there), -1);
	assert_int_equal(errno, ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undumpable), cmocka_unit_test(test_text),
		cmocka_unit_test(test_large),	   cmocka_unit_test(test_usable),
		cmocka_unit_test(test_wipe),	   cmocka_unit_test(test_pages),
	};

	return cmocka_run_group_tests_name("submit-secret", tests, NULL, NULL);
}
