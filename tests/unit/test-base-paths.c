/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/message.h"

#include <glib/gstdio.h>
#include <string.h>

static void test_live(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autofree char *online =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "devices/system", "cpu", "online", NULL);

	(void)state;
	assert_true(mtw_paths_live(paths));
	assert_string_equal(mtw_paths_get(paths, MTW_PATH_TRACEFS), "/sys/kernel/tracing");
	assert_string_equal(online, "/sys/devices/system/cpu/online");
}

static void test_fake(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new("/fake");

	(void)state;
	assert_false(mtw_paths_live(paths));
	for (int kind = 0; kind < MTW_N_PATHS; kind++)
		assert_true(g_str_has_prefix(mtw_paths_get(paths, (MtwPathKind)kind), "/fake/"));
	mtw_paths_set(paths, MTW_PATH_STATE, "/elsewhere");
	assert_string_equal(mtw_paths_get(paths, MTW_PATH_STATE), "/elsewhere");
}

static void test_environment(void **state)
{
	g_autoptr(MtwPaths) plain = NULL;
	g_autoptr(MtwPaths) paths = NULL;

	(void)state;
	g_unsetenv("MTW_ROOT");
	g_unsetenv("MTW_STATE_DIR");
	g_unsetenv("MTW_DATA_DIR");
	plain = mtw_paths_new_from_environment();
	g_setenv("MTW_ROOT", "/fake", TRUE);
	g_setenv("MTW_STATE_DIR", "/state", TRUE);
	g_setenv("MTW_DATA_DIR", "/data", TRUE);
	paths = mtw_paths_new_from_environment();
	assert_true(mtw_paths_live(plain));
	assert_false(mtw_paths_live(paths));
	assert_string_equal(mtw_paths_get(paths, MTW_PATH_STATE), "/state");
	assert_string_equal(mtw_paths_get(paths, MTW_PATH_DATA), "/data");
	assert_string_equal(mtw_paths_get(paths, MTW_PATH_PROCFS), "/fake/proc");
}

/* PATH is the caller's: a program there must never be run as root. */
static void test_tool(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *program = fake_root_path(root, "usr/sbin/lspci");
	g_autofree char *first = fake_root_path(root, "usr/bin/lspci");
	g_autofree char *found = NULL;

	fake_root_put(root, "usr/sbin/lspci", "");
	fake_root_put(root, "evil/lspci", "");
	assert_null(mtw_paths_tool(root->paths, "lspci"));
	g_chmod(program, 0755);
	found = mtw_paths_tool(root->paths, "lspci");
	assert_string_equal(found, program);
	g_free(found);
	fake_root_put(root, "usr/bin/lspci", "");
	g_chmod(first, 0755);
	found = mtw_paths_tool(root->paths, "lspci");
	assert_string_equal(found, first);
}

static void test_message(void **state)
{
	g_autoptr(MtwMessage) message = mtw_message_new("id", MTW_LEVEL_WARNING, "sentence", "hint",
							"%s\033[2J\n%d", "a\xff", 7);
	g_autoptr(MtwMessage) bare = mtw_message_new("bare", MTW_LEVEL_OK, "s", "", NULL);
	g_autoptr(GPtrArray) messages = mtw_messages_new();

	(void)state;
	assert_string_equal(message->detail, "a\xef\xbf\xbd [2J 7");
	assert_string_equal(bare->detail, "");
	assert_int_equal(mtw_messages_worst(messages), MTW_LEVEL_OK);
	assert_null(mtw_messages_find(messages, "id"));
	g_ptr_array_add(messages, g_steal_pointer(&message));
	g_ptr_array_add(messages, g_steal_pointer(&bare));
	assert_int_equal(mtw_messages_worst(messages), MTW_LEVEL_WARNING);
	assert_ptr_equal(mtw_messages_find(messages, "bare"), messages->pdata[1]);
	assert_string_equal(mtw_level_name(MTW_LEVEL_OK), "ok");
	assert_string_equal(mtw_level_name(MTW_LEVEL_WARNING), "warning");
	assert_string_equal(mtw_level_name(MTW_LEVEL_FAILURE), "failure");
}

/* A language with two sentences; what it does not know comes back as it is. */
static const char *translate(const char *msgid)
{
	if (g_str_equal(msgid, "It is there (now)."))
		return "Es ist (jetzt) da.";
	return g_str_equal(msgid, "Gone.") ? "Weg." : msgid;
}

static void test_message_translate(void **state)
{
	static const struct {
		const char *text, *translated;
	} rows[] = {
		{ "Gone.", "Weg." },
		{ "Gone. (x (y) z)", "Weg. (x (y) z)" },
		{ "It is there (now). (x)", "Es ist (jetzt) da. (x)" },
		{ "Gone", "Gone" },
		{ "never (heard of) (it)", "never (heard of) (it)" },
		{ " (x)", " (x)" },
		{ "", "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *text = mtw_message_translate(rows[i].text, translate);
		assert_string_equal(text, rows[i].translated);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),	    cmocka_unit_test(test_fake),
		cmocka_unit_test(test_environment), FAKE_ROOT_TEST(test_tool),
		cmocka_unit_test(test_message),	    cmocka_unit_test(test_message_translate),
	};

	return cmocka_run_group_tests_name("base-paths", tests, NULL, NULL);
}
