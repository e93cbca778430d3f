/* SPDX-License-Identifier: GPL-2.0-or-later */
/* system, cpu, lockdown, kernel-config: small files, hostile content. */
#include "fake-root.h"

#include "base/error.h"
#include "machine/cpu.h"
#include "machine/kernel-config.h"
#include "machine/lockdown.h"
#include "machine/system.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <unistd.h>

static void test_release(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *missing = mtw_system_release(root->paths);
	g_autofree char *release = NULL;
	g_autofree char *hostile = NULL;
	g_autofree char *live = NULL;
	g_autoptr(MtwPaths) live_paths = mtw_paths_new(NULL);

	assert_string_equal(missing, "unknown");
	fake_root_put(root, "proc/sys/kernel/osrelease", "6.1.0-57-amd64\n");
	release = mtw_system_release(root->paths);
	assert_string_equal(release, "6.1.0-57-amd64");
	fake_root_put(root, "proc/sys/kernel/osrelease", "../../etc\n");
	hostile = mtw_system_release(root->paths);
	assert_null(strchr(hostile, '/'));
	live = mtw_system_release(live_paths);
	assert_true(strlen(live) > 0);
}

static void test_names(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *machine = mtw_system_machine(root->paths);
	g_autofree char *uname = mtw_system_uname(root->paths);
	g_autofree char *boot_id = mtw_system_boot_id(root->paths);
	g_autofree char *os = mtw_system_os_name(root->paths);

	assert_string_equal(machine, "x86_64");
	assert_string_equal(uname, "Linux localhost 6.1.0-57-amd64 #1 SMP PREEMPT_DYNAMIC Debian "
				   "6.1.192-3 (2026-06-10) x86_64");
	assert_string_equal(boot_id, "11111111-2222-3333-4444-555555555555");
	assert_string_equal(os, "Debian GNU/Linux 12 (bookworm)");
}

static void test_os_name_odd(void **state)
{
	FakeRoot *root = *state;
	static const struct {
		const char *text;
		const char *name;
	} cases[] = {
		{ "PRETTY_NAME=Plain\n", "Plain" },
		{ "X=1\nPRETTY_NAME='single quotes'", "single quotes" },
		{ "PRETTY_NAME=\"no end\n", "\"no end" },
		{ "NAME=Other\n", "unknown" },
		{ "", "unknown" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name = NULL;
		fake_root_put(root, "etc/os-release", cases[i].text);
		name = mtw_system_os_name(root->paths);
		assert_string_equal(name, cases[i].name);
	}
	g_autofree char *fallback = NULL;
	fake_root_remove(root, "etc/os-release");
	fake_root_put(root, "usr/lib/os-release", "PRETTY_NAME=usr\n");
	fallback = mtw_system_os_name(root->paths);
	assert_string_equal(fallback, "usr");
}

static void test_cmdline_value(void **state)
{
	static const struct {
		const char *cmdline;
		const char *parameter;
		const char *value;
	} cases[] = {
		{ "a=1 b=2", "b", "2" },
		{ "a=1 a=2", "a", "2" },
		{ "quiet ro", "quiet", "" },
		{ "quiet=", "quiet", "" },
		{ "quiet ro", "qui", NULL },
		{ "", "a", NULL },
		{ "   ", "a", NULL },
		{ "mmiotrace.trace-pc=1", "mmiotrace.trace_pc", "1" },
		{ "a_b=x", "a-b", "x" },
		{ "a=\"b c\" d=e", "a", "b c" },
		{ "a=\"b c\" d=e", "d", "e" },
		{ "\"a=b c\" d", "a", "b c" },
		{ "a=\"unfinished b=2", "b", NULL },
		{ "a=b=c", "a", "b=c" },
		{ "x\ty=1\n", "y", "1" },
		{ "=", "a", NULL },
		{ "\"", "a", NULL },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *value = mtw_cmdline_value(cases[i].cmdline, cases[i].parameter);
		if (cases[i].value == NULL)
			assert_null(value);
		else
			assert_string_equal(value, cases[i].value);
	}
}

static void test_memory(void **state)
{
	FakeRoot *root = *state;

	assert_int_equal(mtw_system_memory_available(root->paths), 0);
	fake_root_put(root, "proc/meminfo", "MemTotal: 5 kB\nMemAvailable:   1024 kB\nX: 1 kB\n");
	assert_int_equal(mtw_system_memory_available(root->paths), 1024 * 1024);
	fake_root_put(root, "proc/meminfo", "MemAvailable: 99999999999999999999 kB\n");
	assert_int_equal(mtw_system_memory_available(root->paths), 0);
	fake_root_put(root, "proc/meminfo", "MemAvailable: 18446744073709551615 kB\n");
	assert_int_equal(mtw_system_memory_available(root->paths), 0);
	fake_root_put(root, "proc/meminfo", "MemAvailable:");
	assert_int_equal(mtw_system_memory_available(root->paths), 0);
}

static void test_privilege(void **state)
{
	FakeRoot *root = *state;
	static const struct {
		const char *text;
		MtwPrivilege privilege;
	} cases[] = {
		{ "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n", MTW_PRIVILEGE_FULL },
		{ "Name:\tx\nUid:\t1000\t0\t0\t0\nCapEff:\t000001ffffffffff\n",
		  MTW_PRIVILEGE_FULL },
		{ "Name:\tx\nUid:\t0\t1000\t0\t0\nCapEff:\t0\n", MTW_PRIVILEGE_NONE },
		{ "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n", MTW_PRIVILEGE_NONE },
		/* all but the right to look at other processes */
		{ "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t000001fffff7ffff\n",
		  MTW_PRIVILEGE_LIMITED },
		{ "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t00000000a80425fb\n",
		  MTW_PRIVILEGE_LIMITED },
		{ "Name:\tx\nUid:\t0\t0\t0\t0\n", MTW_PRIVILEGE_FULL },
		{ "Name:\tx\nUid:\n", MTW_PRIVILEGE_NONE },
	};

	assert_int_equal(mtw_system_privilege(root->paths),
			 geteuid() == 0 ? MTW_PRIVILEGE_FULL : MTW_PRIVILEGE_NONE);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		fake_root_put(root, "proc/self/status", cases[i].text);
		assert_int_equal(mtw_system_privilege(root->paths), cases[i].privilege);
	}
}

static void test_space(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *absent = fake_root_path(root, "not/there/yet");
	g_autofree char *below_file = fake_root_path(root, "file/x");
	g_autofree char *loop = fake_root_path(root, "loop/x");
	g_autoptr(GError) error = NULL;
	guint64 bytes = 0, parent_bytes = 0;

	assert_true(mtw_space_free(absent, &bytes, &error));
	assert_true(mtw_space_free(root->folder, &parent_bytes, &error));
	assert_true(bytes > 0 && parent_bytes > 0);
	fake_root_put(root, "file", "");
	assert_false(mtw_space_free(below_file, &bytes, &error));
	assert_non_null(error);
	g_clear_error(&error);
	fake_root_link(root, "loop", "loop");
	assert_false(mtw_space_free(loop, &bytes, &error));
	assert_non_null(error);
}

static void test_cpus(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = mtw_cpu_online_text(root->paths, &error);
	g_autoptr(GArray) possible = mtw_cpu_list(root->paths, "possible", &error);
	g_autofree char *written = NULL;
	g_autoptr(GArray) garbage = NULL;

	assert_string_equal(text, "0-3");
	assert_int_equal(possible->len, 8);
	assert_false(mtw_cpu_can_go_offline(root->paths, 0));
	assert_true(mtw_cpu_can_go_offline(root->paths, 3));
	assert_false(mtw_cpu_can_go_offline(root->paths, 4));
	assert_true(mtw_cpu_set_online(root->paths, 3, FALSE, &error));
	written = fake_root_read(root, "sys/devices/system/cpu/cpu3/online");
	assert_int_equal(written[0], '0');
	assert_false(mtw_cpu_set_online(root->paths, 4, TRUE, &error));
	g_clear_error(&error);
	fake_root_put(root, "sys/devices/system/cpu/online", "0-3,garbage\n");
	garbage = mtw_cpu_list(root->paths, "online", &error);
	assert_null(garbage);
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
	g_clear_error(&error);
	assert_null(mtw_cpu_list(root->paths, "absent", &error));
	assert_non_null(error);
}

static void test_lockdown(void **state)
{
	FakeRoot *root = *state;

	assert_int_equal(mtw_lockdown_get(root->paths), MTW_LOCKDOWN_UNKNOWN);
	fake_root_put(root, "sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	assert_int_equal(mtw_lockdown_get(root->paths), MTW_LOCKDOWN_INTEGRITY);
	assert_int_equal(mtw_lockdown_parse("[none] integrity confidentiality"), MTW_LOCKDOWN_NONE);
	assert_int_equal(mtw_lockdown_parse("none integrity [confidentiality]\n"),
			 MTW_LOCKDOWN_CONFIDENTIALITY);
	assert_int_equal(mtw_lockdown_parse("none integrity"), MTW_LOCKDOWN_UNKNOWN);
	assert_int_equal(mtw_lockdown_parse("[unheard-of]"), MTW_LOCKDOWN_UNKNOWN);
	assert_int_equal(mtw_lockdown_parse("[none"), MTW_LOCKDOWN_UNKNOWN);
	assert_int_equal(mtw_lockdown_parse(""), MTW_LOCKDOWN_UNKNOWN);
}

static MtwConfigValue parse(const char *text)
{
	return mtw_kernel_config_parse(text, strlen(text), "CONFIG_MMIOTRACE");
}

static void test_config_parse(void **state)
{
	static const char with_nul[] = "A\0CONFIG_MMIOTRACE=n\nCONFIG_MMIOTRACE=y\n";

	(void)state;
	assert_int_equal(parse("CONFIG_MMIOTRACE=y\n"), MTW_CONFIG_YES);
	assert_int_equal(parse("CONFIG_A=y\nCONFIG_MMIOTRACE=m"), MTW_CONFIG_MODULE);
	assert_int_equal(parse("CONFIG_MMIOTRACE=n\n"), MTW_CONFIG_NO);
	assert_int_equal(parse("# CONFIG_MMIOTRACE is not set\n"), MTW_CONFIG_NO);
	assert_int_equal(parse("CONFIG_MMIOTRACE_TEST=y\n"), MTW_CONFIG_NO);
	assert_int_equal(parse("XCONFIG_MMIOTRACE=y\n"), MTW_CONFIG_NO);
	assert_int_equal(parse(""), MTW_CONFIG_NO);
	assert_int_equal(parse("CONFIG_MMIOTRACE="), MTW_CONFIG_NO);
	assert_int_equal(mtw_kernel_config_parse(with_nul, sizeof with_nul - 1, "CONFIG_MMIOTRACE"),
			 MTW_CONFIG_YES);
}

/* @text as a compressed file. */
static void put_compressed(FakeRoot *root, const char *path, const char *text,
			   int (*add_filter)(struct archive *archive))
{
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	g_autofree char *buffer = g_malloc(65536);
	size_t used = 0;

	archive_write_set_format_raw(archive);
	add_filter(archive);
	assert_int_equal(archive_write_open_memory(archive, buffer, 65536, &used), ARCHIVE_OK);
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	archive_write_data(archive, text, strlen(text));
	archive_write_close(archive);
	archive_write_free(archive);
	archive_entry_free(entry);
	fake_root_put_bytes(root, path, buffer, used);
}

static void assert_loads(FakeRoot *root, const char *expected_source, const char *expected_text)
{
	g_autofree char *source = NULL;
	g_autofree char *text = mtw_kernel_config_load(root->paths, &source);
	g_autofree char *path =
		expected_source != NULL ? fake_root_path(root, expected_source) : NULL;

	if (expected_source == NULL) {
		assert_null(text);
		assert_null(source);
		return;
	}
	assert_string_equal(text, expected_text);
	assert_string_equal(source, path);
}

static void test_config_load(void **state)
{
	FakeRoot *root = *state;
	static const char text[] = "CONFIG_MMIOTRACE=y\n";

	fake_root_put(root, "proc/sys/kernel/osrelease", "1.2.3\n");
	assert_loads(root, NULL, NULL);
	put_compressed(root, "lib/modules/1.2.3/config", text, archive_write_add_filter_xz);
	assert_loads(root, "lib/modules/1.2.3/config", text);
	fake_root_put(root, "boot/config-1.2.3", text);
	assert_loads(root, "boot/config-1.2.3", text);
	put_compressed(root, "proc/config.gz", text, archive_write_add_filter_gzip);
	assert_loads(root, "proc/config.gz", text);
}

static void test_config_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *huge = g_malloc0(8 * 1024 * 1024);
	static const guint8 broken[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff };

	fake_root_put(root, "proc/sys/kernel/osrelease", "1.2.3\n");
	fake_root_put_bytes(root, "proc/config.gz", broken, sizeof broken);
	assert_loads(root, NULL, NULL);
	fake_root_put(root, "proc/config.gz", "");
	assert_loads(root, NULL, NULL);
	fake_root_put(root, "proc/config.gz", "\x01\x02 not a configuration");
	assert_loads(root, NULL, NULL);
	memset(huge, 'C', 8 * 1024 * 1024 - 1);
	put_compressed(root, "proc/config.gz", huge, archive_write_add_filter_gzip);
	assert_loads(root, NULL, NULL);
	fake_root_put(root, "boot/config-1.2.3", huge);
	assert_loads(root, NULL, NULL);
	fake_root_link(root, "boot/config-1.2.3", "config-1.2.3");
	assert_loads(root, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_ROOT_TEST(test_release),	  FAKE_DESKTOP_TEST(test_names),
		FAKE_ROOT_TEST(test_os_name_odd), cmocka_unit_test(test_cmdline_value),
		FAKE_ROOT_TEST(test_memory),	  FAKE_ROOT_TEST(test_privilege),
		FAKE_ROOT_TEST(test_space),	  FAKE_DESKTOP_TEST(test_cpus),
		FAKE_ROOT_TEST(test_lockdown),	  cmocka_unit_test(test_config_parse),
		FAKE_ROOT_TEST(test_config_load), FAKE_ROOT_TEST(test_config_hostile),
	};

	return cmocka_run_group_tests_name("machine-system", tests, NULL, NULL);
}
