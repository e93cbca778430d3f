/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of errors is an interface: exit statuses and names are in the manual page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

static const struct {
	MtwErrorCode code;
	int exit_status;
	const char *name;
} rows[] = {
	{ MTW_ERROR_FAILED, 1, "failed" },
	{ MTW_ERROR_USAGE, 2, "usage" },
	{ MTW_ERROR_NOT_FOUND, 2, "not-found" },
	{ MTW_ERROR_INVALID, 1, "invalid" },
	{ MTW_ERROR_CANNOT_TRACE, 3, "cannot-trace" },
	{ MTW_ERROR_PERMISSION, 4, "permission" },
	{ MTW_ERROR_DECLINED, 4, "declined" },
	{ MTW_ERROR_LOST_EVENTS, 5, "lost-events" },
	{ MTW_ERROR_NOTHING_TRACED, 6, "nothing-traced" },
	{ MTW_ERROR_NOT_RESTORED, 7, "not-restored" },
	{ MTW_ERROR_BUSY, 8, "busy" },
	{ MTW_ERROR_DISK, 9, "disk" },
	{ MTW_ERROR_NETWORK, 10, "network" },
	{ MTW_ERROR_REJECTED, 11, "rejected" },
	{ MTW_ERROR_AUTH, 12, "authentication" },
	{ MTW_ERROR_TLS, 13, "tls" },
	{ MTW_ERROR_NOT_FILED, 14, "not-filed" },
	{ MTW_ERROR_INTERRUPTED, 130, "interrupted" },
	{ MTW_ERROR_TIMEOUT, 1, "timeout" },
};

static void test_table(void **state)
{
	(void)state;
	assert_int_equal(G_N_ELEMENTS(rows), MTW_N_ERRORS);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = g_error_new(MTW_ERROR, (int)rows[i].code, "the cause");
		assert_int_equal(mtw_error_exit_status(error), rows[i].exit_status);
		assert_string_equal(mtw_error_name(error), rows[i].name);
		assert_true(strlen(mtw_error_sentence(error)) > 0);
		assert_non_null(mtw_error_hint(error));
	}
}

/* Whoever can do something about it is told what. */
static void test_hints(void **state)
{
	static const MtwErrorCode helpful[] = {
		MTW_ERROR_USAGE,	MTW_ERROR_NOT_FOUND,   MTW_ERROR_CANNOT_TRACE,
		MTW_ERROR_PERMISSION,	MTW_ERROR_LOST_EVENTS, MTW_ERROR_NOTHING_TRACED,
		MTW_ERROR_NOT_RESTORED, MTW_ERROR_BUSY,	       MTW_ERROR_DISK,
		MTW_ERROR_NETWORK,
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(helpful); i++) {
		g_autoptr(GError) error = g_error_new(MTW_ERROR, (int)helpful[i], "the cause");
		assert_true(strlen(mtw_error_hint(error)) > 10);
	}
}

static void test_names_are_unique(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		for (gsize j = i + 1; j < G_N_ELEMENTS(rows); j++)
			assert_string_not_equal(rows[i].name, rows[j].name);
}

static void test_from_name(void **state)
{
	g_autoptr(GError) unknown = mtw_error_from_name("never heard of", "text");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = mtw_error_from_name(rows[i].name, "100% of it");
		assert_true(g_error_matches(error, MTW_ERROR, (int)rows[i].code));
		assert_string_equal(error->message, "100% of it");
	}
	assert_true(g_error_matches(unknown, MTW_ERROR, MTW_ERROR_FAILED));
}

static void test_foreign_domain(void **state)
{
	g_autoptr(GError) foreign = g_error_new(G_IO_ERROR, G_IO_ERROR_NO_SPACE, "elsewhere");
	g_autoptr(GError) beyond = g_error_new(MTW_ERROR, MTW_N_ERRORS, "beyond the table");
	g_autoptr(GError) below = g_error_new(MTW_ERROR, -1, "before the table");

	(void)state;
	assert_int_equal(mtw_error_exit_status(NULL), 0);
	assert_int_equal(mtw_error_exit_status(foreign), 1);
	assert_string_equal(mtw_error_name(foreign), "failed");
	assert_int_equal(mtw_error_exit_status(beyond), 1);
	assert_int_equal(mtw_error_exit_status(below), 1);
	assert_string_equal(mtw_error_hint(below), "");
}

static void test_errno(void **state)
{
	static const struct {
		int errnum;
		MtwErrorCode code;
	} cases[] = {
		{ EPERM, MTW_ERROR_PERMISSION }, { EACCES, MTW_ERROR_PERMISSION },
		{ ENOENT, MTW_ERROR_NOT_FOUND }, { ENODEV, MTW_ERROR_NOT_FOUND },
		{ ENXIO, MTW_ERROR_NOT_FOUND },	 { EBUSY, MTW_ERROR_BUSY },
		{ ENOSPC, MTW_ERROR_DISK },	 { EDQUOT, MTW_ERROR_DISK },
		{ EFBIG, MTW_ERROR_DISK },	 { EROFS, MTW_ERROR_DISK },
		{ EIO, MTW_ERROR_DISK },	 { ETIMEDOUT, MTW_ERROR_TIMEOUT },
		{ EINVAL, MTW_ERROR_FAILED },	 { 0, MTW_ERROR_FAILED },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		mtw_set_error_errno(&error, cases[i].errnum, "the file %s", "/a%sb");
		assert_true(g_error_matches(error, MTW_ERROR, (int)cases[i].code));
		assert_int_equal(strncmp(error->message, "the file /a%sb: ", 16), 0);
	}
	mtw_set_error_errno(NULL, EPERM, "nobody %s", "listens");
}

static void test_errno_text(void **state)
{
	(void)state;
	assert_string_equal(mtw_error_errno_text(EACCES), "Permission denied");
	assert_string_equal(mtw_error_errno_text(99999), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_hints),
		cmocka_unit_test(test_names_are_unique),
		cmocka_unit_test(test_from_name),
		cmocka_unit_test(test_foreign_domain),
		cmocka_unit_test(test_errno),
		cmocka_unit_test(test_errno_text),
	};

	return cmocka_run_group_tests_name("base-error", tests, NULL, NULL);
}
