/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors on their way over the bus. */
#include "fake-root.h"

#include "base/error.h"
#include "service/names.h"

#include <string.h>

/* As the client gets it: the name in front of the message, by GDBus. */
static GError *over_the_bus(const GError *error)
{
	g_autofree char *name = mtw_service_error_name(error);

	assert_true(g_dbus_is_name(name));
	return mtw_service_error_from_dbus(g_dbus_error_new_for_dbus_error(name, error->message));
}

static void test_all_codes_come_back(void **state)
{
	(void)state;
	for (int code = 0; code < MTW_N_ERRORS; code++) {
		g_autoptr(GError) error = g_error_new(MTW_ERROR, code, "%s: is it?", "what: so");
		g_autoptr(GError) back = over_the_bus(error);
		assert_true(g_error_matches(back, MTW_ERROR, code));
		assert_string_equal(back->message, "what: so: is it?");
	}
}

static void test_foreign_error_of_the_service(void **state)
{
	g_autoptr(GError) error = g_error_new(G_IO_ERROR, G_IO_ERROR_FAILED, "x");
	g_autoptr(GError) back = over_the_bus(error);

	(void)state;
	assert_true(g_error_matches(back, MTW_ERROR, MTW_ERROR_FAILED));
}

static void expect(GError *error, MtwErrorCode code, const char *part)
{
	g_autoptr(GError) back = mtw_service_error_from_dbus(error);

	assert_true(g_error_matches(back, MTW_ERROR, (int)code));
	if (strstr(back->message, part) == NULL || strstr(back->message, MTW_SERVICE_NAME) == NULL)
		fail_msg("%s", back->message);
	assert_null(strstr(back->message, "GDBus.Error"));
}

/* What the bus says itself, and what does not come. */
static void test_errors_of_the_bus(void **state)
{
#define BUS "org.freedesktop.DBus.Error."
	(void)state;
	expect(g_dbus_error_new_for_dbus_error(BUS "AccessDenied", "not you"), MTW_ERROR_PERMISSION,
	       "not you");
	expect(g_dbus_error_new_for_dbus_error(BUS "NoReply", "gone"), MTW_ERROR_FAILED,
	       "ended before it answered");
	expect(g_dbus_error_new_for_dbus_error(BUS "Timeout", "late"), MTW_ERROR_TIMEOUT,
	       "does not answer");
	expect(g_dbus_error_new_for_dbus_error(BUS "TimedOut", "late"), MTW_ERROR_TIMEOUT,
	       "does not answer");
	expect(g_error_new(G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "Timeout was reached"),
	       MTW_ERROR_TIMEOUT, "does not answer");
	expect(g_dbus_error_new_for_dbus_error(BUS "Spawn.ChildExited", "status 1"),
	       MTW_ERROR_FAILED, "status 1");
	expect(g_error_new(G_IO_ERROR, G_IO_ERROR_CLOSED, "closed"), MTW_ERROR_FAILED, "closed");
}

/* Of a newer service. */
static void test_unknown_name(void **state)
{
	g_autoptr(GError) back = mtw_service_error_from_dbus(
		g_dbus_error_new_for_dbus_error(MTW_SERVICE_NAME ".Error.of_tomorrow", "new"));

	(void)state;
	assert_true(g_error_matches(back, MTW_ERROR, MTW_ERROR_FAILED));
	assert_string_equal(back->message, "new");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_codes_come_back),
		cmocka_unit_test(test_foreign_error_of_the_service),
		cmocka_unit_test(test_errors_of_the_bus),
		cmocka_unit_test(test_unknown_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
