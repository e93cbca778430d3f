/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface's description, the table of its methods and the policy say the same. */
#include "fake-root.h"

#include "base/file.h"
#include "service/interface.h"
#include "service/methods.h"
#include "service/names.h"

#include <string.h>

static GDBusNodeInfo *node;
static GDBusInterfaceInfo *interface;

static int setup(void **state)
{
	(void)state;
	node = g_dbus_node_info_new_for_xml(mtw_service_xml, NULL);
	assert_non_null(node);
	interface = g_dbus_node_info_lookup_interface(node, MTW_SERVICE_INTERFACE);
	assert_non_null(interface);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	g_dbus_node_info_unref(node);
	return 0;
}

static void test_all_of_the_description_is_there(void **state)
{
	(void)state;
	assert_string_equal(node->path, MTW_SERVICE_PATH);
	for (GDBusMethodInfo **info = interface->methods; *info != NULL; info++)
		if (mtw_method_find((*info)->name) == NULL)
			fail_msg("%s is not in the table", (*info)->name);
	assert_null(mtw_method_find("Nothing"));
}

static void test_all_that_is_there_is_described(void **state)
{
	gsize count;
	const MtwMethod *methods = mtw_methods(&count);

	(void)state;
	for (gsize i = 0; i < count; i++) {
		if (g_dbus_interface_info_lookup_method(interface, methods[i].name) == NULL)
			fail_msg("%s is not described", methods[i].name);
		/* Nobody would be in the way of a method that is found twice, and one of them never run. */
		assert_ptr_equal(mtw_method_find(methods[i].name), &methods[i]);
	}
}

static gboolean begins_with_session(const GDBusMethodInfo *info)
{
	return info->in_args != NULL && info->in_args[0] != NULL &&
	       strcmp(info->in_args[0]->name, "session") == 0 &&
	       strcmp(info->in_args[0]->signature, "s") == 0;
}

/* Otherwise nobody would look whose session it is. */
static void test_sessions_are_looked_at(void **state)
{
	gsize count;
	const MtwMethod *methods = mtw_methods(&count);

	(void)state;
	for (gsize i = 0; i < count; i++) {
		GDBusMethodInfo *info =
			g_dbus_interface_info_lookup_method(interface, methods[i].name);
		if (methods[i].of_session != begins_with_session(info))
			fail_msg("%s: of a session or not?", methods[i].name);
	}
}

static void test_something_runs(void **state)
{
	gsize count;
	const MtwMethod *methods = mtw_methods(&count);

	(void)state;
	for (gsize i = 0; i < count; i++)
		if (methods[i].answer == NULL && methods[i].run == NULL)
			fail_msg("%s does nothing", methods[i].name);
}

/* What needs no polkit is about the caller's own, or changes and tells nothing that is private. */
static void test_rights(void **state)
{
	static const char *const free[] = { "ListDevices", "ListSessions", NULL };
	g_autofree char *path = g_build_filename(g_getenv("MTW_TEST_DATA"), "..", "..", "data",
						 "polkit", "org.mmiotrace.wizard.policy.in", NULL);
	g_autofree char *policy = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	gsize count;
	const MtwMethod *methods = mtw_methods(&count);

	(void)state;
	assert_non_null(policy);
	for (gsize i = 0; i < count; i++) {
		g_autofree char *line = g_strdup_printf(
			"<action id=\"%s\">", methods[i].action != NULL ? methods[i].action : "");
		if (methods[i].action == NULL)
			assert_true(methods[i].of_session ||
				    g_strv_contains(free, methods[i].name));
		else if (strstr(policy, line) == NULL)
			fail_msg("%s: the policy has no %s", methods[i].name, methods[i].action);
	}
	assert_string_equal(mtw_method_find("Start")->action, MTW_ACTION_CAPTURE);
	assert_string_equal(mtw_method_find("ArrangeNextBoot")->action, MTW_ACTION_NEXT_BOOT);
	assert_string_equal(mtw_method_find("Recover")->action, MTW_ACTION_RECOVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_the_description_is_there),
		cmocka_unit_test(test_all_that_is_there_is_described),
		cmocka_unit_test(test_sessions_are_looked_at),
		cmocka_unit_test(test_something_runs),
		cmocka_unit_test(test_rights),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
