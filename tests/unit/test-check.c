/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks, their one decisive error, and the size of the buffer. */
#include "fake-root.h"

#include "base/error.h"
#include "capture/buffer.h"
#include "capture/check.h"

#include <string.h>

#define NIC "0000:00:03.0"
#define GPU "0000:01:00.0"
#define TRACING "sys/kernel/tracing/"
#define MIB (G_GUINT64_CONSTANT(1024) * 1024)

static GPtrArray *run_with(FakeRoot *root, const MtwCheckOptions *options)
{
	return mtw_check_run(root->paths, options);
}

static GPtrArray *run(FakeRoot *root, const char *device)
{
	MtwCheckOptions options = { .device = device, .min_free_bytes = 1 };

	return run_with(root, &options);
}

/* @detail: (nullable): a part of it. Frees @checks. */
static void assert_check(GPtrArray *checks, const char *id, MtwLevel level, const char *detail)
{
	const MtwMessage *message = mtw_messages_find(checks, id);

	assert_non_null(message);
	assert_int_equal(message->level, level);
	assert_true(strlen(message->sentence) > 10);
	if (detail != NULL)
		assert_non_null(strstr(message->detail, detail));
	g_ptr_array_unref(checks);
}

/* Frees @checks. */
static void assert_fix(GPtrArray *checks, const char *id, const char *wanted)
{
	const MtwMessage *message = mtw_messages_find(checks, id);

	assert_non_null(message);
	if (g_strcmp0(message->fix, wanted) != 0)
		fail_msg("%s: %s", id, message->fix);
	g_ptr_array_unref(checks);
}

/* Frees @checks. */
static void assert_error(GPtrArray *checks, MtwErrorCode code)
{
	g_autoptr(GError) error = NULL;

	assert_false(mtw_check_to_error(checks, &error));
	assert_true(g_error_matches(error, MTW_ERROR, (int)code));
	g_ptr_array_unref(checks);
}

static void assert_both(FakeRoot *root, const char *device, const char *id, const char *detail,
			MtwErrorCode code)
{
	assert_check(run(root, device), id, MTW_LEVEL_FAILURE, detail);
	assert_error(run(root, device), code);
}

static void test_all_well(void **state)
{
	FakeRoot *root = *state;
	static const char *const ids[] = {
		"architecture",	  "root",
		"tracefs",	  "kernel-config",
		"lockdown",	  "tracer-available",
		"current-tracer", "trace-reader",
		"trace-events",	  "tracing-cpumask",
		"cpus",		  "memory",
		"disk",		  "cmdline",
	};
	g_autoptr(GPtrArray) checks = run(root, NULL);

	assert_int_equal(checks->len, G_N_ELEMENTS(ids));
	for (gsize i = 0; i < G_N_ELEMENTS(ids); i++)
		assert_string_equal(((const MtwMessage *)checks->pdata[i])->id, ids[i]);
	assert_int_equal(mtw_messages_worst(checks), MTW_LEVEL_OK);
	assert_true(mtw_check_to_error(checks, NULL));
}

/* An empty root: nothing to read anywhere. It must say so, not break. */
static void test_empty_root(void **state)
{
	FakeRoot *root = *state;

	assert_check(run(root, NULL), "kernel-config", MTW_LEVEL_OK, "");
	assert_check(run(root, NULL), "lockdown", MTW_LEVEL_OK, "");
	assert_check(run(root, NULL), "tracefs", MTW_LEVEL_FAILURE, NULL);
	assert_check(run(root, NULL), "cpus", MTW_LEVEL_FAILURE, NULL);
	assert_check(run(root, GPU), "device", MTW_LEVEL_FAILURE, GPU);
}

static void test_architecture(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "proc/sys/kernel/arch", "i686\n");
	assert_check(run(root, NULL), "architecture", MTW_LEVEL_OK, "i686");
	fake_root_put(root, "proc/sys/kernel/arch", "aarch64\n");
	assert_both(root, NULL, "architecture", "aarch64", MTW_ERROR_CANNOT_TRACE);
}

static void test_root(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "proc/self/status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n");
	assert_both(root, NULL, "root", NULL, MTW_ERROR_PERMISSION);
	fake_root_put(root, "proc/self/status", "Name:\tx\nUid:\t0\t0\t0\t0\nCapEff:\t00\n");
	assert_both(root, NULL, "root", NULL, MTW_ERROR_PERMISSION);
}

static void test_kernel_config(void **state)
{
	FakeRoot *root = *state;
	static const char path[] = "boot/config-6.1.0-57-amd64";

	fake_root_put(root, path, "CONFIG_A=y\n# CONFIG_MMIOTRACE is not set\n");
	assert_check(run(root, NULL), "kernel-config", MTW_LEVEL_WARNING, "config-6.1");
	fake_root_put(root, TRACING "available_tracers", "function nop\n");
	assert_both(root, NULL, "kernel-config", "config-6.1", MTW_ERROR_CANNOT_TRACE);
	fake_root_remove(root, path);
	assert_check(run(root, NULL), "kernel-config", MTW_LEVEL_OK, "");
	assert_both(root, NULL, "tracer-available", "function", MTW_ERROR_CANNOT_TRACE);
}

static void test_lockdown(void **state)
{
	FakeRoot *root = *state;
	static const char path[] = "sys/kernel/security/lockdown";

	fake_root_put(root, path, "none [integrity] confidentiality\n");
	assert_check(run(root, NULL), "lockdown", MTW_LEVEL_OK, NULL);
	/* e1000 would have to be loaded again, and the file has no signature. */
	assert_check(run(root, NIC), "device-module", MTW_LEVEL_WARNING, "e1000");
	fake_root_put(root, path, "none integrity [confidentiality]\n");
	assert_both(root, NULL, "lockdown", NULL, MTW_ERROR_CANNOT_TRACE);
}

static void test_tracefs(void **state)
{
	FakeRoot *root = *state;

	fake_root_remove(root, "sys/kernel/tracing");
	fake_root_put(root, "sys/kernel/tracing/.empty", "");
	assert_check(run(root, NULL), "tracefs", MTW_LEVEL_OK, "/sys/kernel/tracing");
	assert_true(mtw_check_to_error(run(root, NULL), NULL));
	fake_root_put(root, "proc/filesystems", "nodev\tsysfs\n");
	assert_both(root, NULL, "tracefs", NULL, MTW_ERROR_CANNOT_TRACE);
}

static void test_current_tracer(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) checks = NULL;

	fake_root_put(root, TRACING "current_tracer", "function_graph\n");
	assert_both(root, NULL, "current-tracer", "function_graph", MTW_ERROR_BUSY);
	assert_fix(run(root, NULL), "current-tracer", NULL);
	fake_root_put(root, TRACING "current_tracer", "mmiotrace\n");
	assert_both(root, NULL, "current-tracer", NULL, MTW_ERROR_BUSY);
	assert_fix(run(root, NULL), "current-tracer", "recover");
	checks = run(root, NULL);
	assert_non_null(strstr(mtw_messages_find(checks, "current-tracer")->hint, "recover"));
}

static void test_trace_reader(void **state)
{
	FakeRoot *root = *state;
	static const char *const files[] = { "trace_pipe", "per_cpu/cpu3/trace_pipe",
					     "per_cpu/cpu0/trace_pipe_raw" };

	fake_root_put(root, "proc/555/comm", "trace-cmd\n");
	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *target = g_strconcat("/" TRACING, files[i], NULL);
		fake_root_link(root, "proc/555/fd/4", target);
		assert_both(root, NULL, "trace-reader", "trace-cmd (555)", MTW_ERROR_BUSY);
	}
	/* The file `trace` does not keep anybody away. */
	fake_root_link(root, "proc/555/fd/4", "/" TRACING "trace");
	assert_check(run(root, NULL), "trace-reader", MTW_LEVEL_OK, NULL);
}

static void test_trace_events(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *huge = g_strnfill(5 * 1024 * 1024, 'e');

	fake_root_put(root, TRACING "set_event", "sched:sched_switch\n");
	assert_check(run(root, NULL), "trace-events", MTW_LEVEL_WARNING, "sched:sched_switch");
	fake_root_put(root, TRACING "set_event", "a:a\nb:b\nc:c\nd:d\ne:e\n");
	assert_check(run(root, NULL), "trace-events", MTW_LEVEL_WARNING, "a:a, b:b, c:c, ... (5)");
	fake_root_put(root, TRACING "set_event", huge);
	assert_check(run(root, NULL), "trace-events", MTW_LEVEL_WARNING, NULL);
	fake_root_remove(root, TRACING "set_event");
	assert_check(run(root, NULL), "trace-events", MTW_LEVEL_OK, NULL);
}

static void test_tracing_cpumask(void **state)
{
	FakeRoot *root = *state;
	static const struct {
		const char *mask;
		const char *online;
		MtwLevel level;
	} cases[] = {
		{ "1", "0-3", MTW_LEVEL_OK },
		{ "e", "0-3", MTW_LEVEL_FAILURE },
		{ "e", "1-3", MTW_LEVEL_OK },
		{ "ffffffff,fffffffe", "0-3", MTW_LEVEL_FAILURE },
		{ "00000001,00000000", "32", MTW_LEVEL_OK },
		{ "00000001,00000000", "33", MTW_LEVEL_FAILURE },
		{ "1", "100", MTW_LEVEL_FAILURE },
		{ "", "0", MTW_LEVEL_FAILURE },
		{ "garbage", "0", MTW_LEVEL_FAILURE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		fake_root_put(root, TRACING "tracing_cpumask", cases[i].mask);
		fake_root_put(root, "sys/devices/system/cpu/online", cases[i].online);
		assert_check(run(root, NULL), "tracing-cpumask", cases[i].level, cases[i].mask);
	}
	fake_root_put(root, "sys/devices/system/cpu/online", "0");
	assert_both(root, NULL, "tracing-cpumask", NULL, MTW_ERROR_BUSY);
}

static void test_cpus(void **state)
{
	FakeRoot *root = *state;

	assert_check(run(root, NULL), "cpus", MTW_LEVEL_OK, "0-3");
	fake_root_remove(root, "sys/devices/system/cpu/cpu2/online");
	assert_both(root, NULL, "cpus", "2", MTW_ERROR_CANNOT_TRACE);
	fake_root_put(root, "sys/devices/system/cpu/online", "0\n");
	assert_check(run(root, NULL), "cpus", MTW_LEVEL_OK, "0");
	fake_root_put(root, "sys/devices/system/cpu/online", "\n");
	assert_both(root, NULL, "cpus", NULL, MTW_ERROR_CANNOT_TRACE);
}

static void test_memory(void **state)
{
	FakeRoot *root = *state;
	MtwCheckOptions options = { .buffer_kb = 8 * 1024 * 1024, .min_free_bytes = 1 };

	assert_check(run(root, NULL), "memory", MTW_LEVEL_OK, "512");
	assert_check(run_with(root, &options), "memory", MTW_LEVEL_OK, "8.0");
	options.buffer_kb = 16 * 1024 * 1024;
	assert_check(run_with(root, &options), "memory", MTW_LEVEL_FAILURE, "16.0");
	assert_error(run_with(root, &options), MTW_ERROR_CANNOT_TRACE);
	options.buffer_kb = G_MAXUINT64;
	assert_check(run_with(root, &options), "memory", MTW_LEVEL_FAILURE, NULL);
	fake_root_put(root, "proc/meminfo", "MemAvailable: 131072 kB\n");
	assert_check(run(root, NULL), "memory", MTW_LEVEL_WARNING, "32");
	fake_root_remove(root, "proc/meminfo");
	assert_check(run(root, NULL), "memory", MTW_LEVEL_OK, "?");
}

static void test_disk(void **state)
{
	FakeRoot *root = *state;
	MtwCheckOptions options = { .min_free_bytes = G_MAXUINT64 };

	assert_check(run_with(root, &options), "disk", MTW_LEVEL_FAILURE, "mmiotrace-wizard");
	assert_error(run_with(root, &options), MTW_ERROR_DISK);
	assert_fix(run_with(root, &options), "disk", "free-room");
	options.min_free_bytes = 1;
	assert_check(run_with(root, &options), "disk", MTW_LEVEL_OK, NULL);
	assert_fix(run_with(root, &options), "disk", NULL);
	fake_root_put(root, "file", "");
	g_autofree char *path = fake_root_path(root, "file/state");
	mtw_paths_set(root->paths, MTW_PATH_STATE, path);
	assert_check(run_with(root, &options), "disk", MTW_LEVEL_WARNING, NULL);
}

static void test_cmdline(void **state)
{
	FakeRoot *root = *state;
	static const struct {
		const char *cmdline;
		const char *device;
		MtwLevel level;
	} cases[] = {
		{ "quiet mmiotrace.trace_pc=1", NULL, MTW_LEVEL_OK },
		{ "mmiotrace.nommiotrace=0 mmiotrace.filter_offset=0", NULL, MTW_LEVEL_OK },
		{ "mmiotrace.nommiotrace", NULL, MTW_LEVEL_FAILURE },
		{ "mmiotrace.nommiotrace=Y", NULL, MTW_LEVEL_FAILURE },
		{ "mmiotrace.nommiotrace=on", NULL, MTW_LEVEL_FAILURE },
		{ "mmiotrace.nommiotrace=off", NULL, MTW_LEVEL_OK },
		{ "mmiotrace.filter_offset=0xfeb40000", NULL, MTW_LEVEL_WARNING },
		{ "mmiotrace.filter_offset=0xfeb40000", NIC, MTW_LEVEL_WARNING },
		{ "mmiotrace.filter-offset=0xfeb60000", NIC, MTW_LEVEL_FAILURE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		fake_root_put(root, "proc/cmdline", cases[i].cmdline);
		assert_check(run(root, cases[i].device), "cmdline", cases[i].level, NULL);
	}
	assert_error(run(root, NIC), MTW_ERROR_CANNOT_TRACE);
}

/* ---- the device --------------------------------------------------------------------------------
 */

static void test_device_absent(void **state)
{
	FakeRoot *root = *state;

	assert_both(root, "0000:99:00.0", "device", "0000:99:00.0", MTW_ERROR_NOT_FOUND);
	assert_both(root, "nonsense\x1b[2J", "device", "nonsense", MTW_ERROR_NOT_FOUND);
}

static void test_device_good(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) checks = run(root, NIC);

	assert_true(mtw_check_to_error(checks, NULL));
	assert_check(run(root, NIC), "device", MTW_LEVEL_OK, "[8086:100e]");
	assert_check(run(root, NIC), "device-bars", MTW_LEVEL_OK, "0: 0xfeb40000 (128.0");
	assert_check(run(root, NIC), "device-driver", MTW_LEVEL_OK, "e1000");
	assert_check(run(root, NIC), "device-module", MTW_LEVEL_OK, "e1000");
	assert_check(run(root, NIC), "device-way", MTW_LEVEL_OK, "e1000");
	assert_check(run(root, NIC), "device-network", MTW_LEVEL_WARNING, "eth0");
	assert_null(mtw_messages_find(checks, "device-users"));
	fake_root_put(root, "proc/net/route", "");
	assert_check(run(root, NIC), "device-network", MTW_LEVEL_OK, "eth0");
	assert_check(run(root, "0000:05:00.0"), "device-users", MTW_LEVEL_OK, NULL);
	assert_check(run(root, "0000:05:00.0"), "device-driver", MTW_LEVEL_OK, "e1000e");
}

static void test_device_ruled_out(void **state)
{
	FakeRoot *root = *state;

	assert_both(root, "0000:00:00.0", "device-bridge", NULL, MTW_ERROR_CANNOT_TRACE);
	assert_both(root, "0000:00:01.0", "device-bridge", NULL, MTW_ERROR_CANNOT_TRACE);
	assert_both(root, "0000:00:1f.1", "device-bars", NULL, MTW_ERROR_CANNOT_TRACE);
	assert_both(root, "0000:03:00.0", "device-userspace", "vfio-pci", MTW_ERROR_CANNOT_TRACE);
	assert_both(root, "0000:07:00.0", "device-driver", "pci:v", MTW_ERROR_CANNOT_TRACE);
	assert_both(root, "0000:06:00.0", "driver-choice", "amdgpu", MTW_ERROR_USAGE);
}

static void test_device_driver_option(void **state)
{
	FakeRoot *root = *state;
	MtwCheckOptions options = { .device = "0000:06:00.0",
				    .driver = "radeon",
				    .min_free_bytes = 1 };

	assert_check(run_with(root, &options), "device-way", MTW_LEVEL_OK, "radeon");
	options.driver = "nonsense";
	assert_check(run_with(root, &options), "driver-choice", MTW_LEVEL_FAILURE, "nonsense");
	assert_error(run_with(root, &options), MTW_ERROR_USAGE);
}

static void test_device_permanent(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "proc/modules", "e1000 16384 0 [permanent], Live 0x0\n");
	assert_check(run(root, NIC), "device-way", MTW_LEVEL_WARNING, "permanent");
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/unbind");
	assert_both(root, NIC, "device-permanent", "e1000", MTW_ERROR_CANNOT_TRACE);
}

static void test_device_shared(void **state)
{
	FakeRoot *root = *state;

	assert_check(run(root, "0000:01:00.1"), "device-shared", MTW_LEVEL_OK, "0000:00:1b.0");
	assert_check(run(root, "0000:00:1b.0"), "device-users", MTW_LEVEL_WARNING,
		     "pipewire (1100)");
	assert_check(run(root, "0000:00:1d.0"), "device-module", MTW_LEVEL_OK, "ehci-pci");
}

static void test_device_disk(void **state)
{
	FakeRoot *root = *state;

	assert_both(root, "0000:02:00.0", "device-disk", "/, /boot/efi", MTW_ERROR_CANNOT_TRACE);
	fake_root_put(root, "proc/self/mountinfo", "");
	assert_both(root, "0000:02:00.0", "device-disk", "/dev/dm-1", MTW_ERROR_CANNOT_TRACE);
	fake_root_put(root, "proc/swaps", "");
	assert_check(run(root, "0000:02:00.0"), "device-users", MTW_LEVEL_OK, NULL);
}

static void test_device_forbidden(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "proc/cmdline", "quiet module_blacklist=nouveau,e1000\n");
	assert_both(root, NIC, "device-module", "e1000", MTW_ERROR_CANNOT_TRACE);
	fake_root_put(root, "proc/cmdline", "quiet modprobe.blacklist=e1000\n");
	assert_check(run(root, NIC), "device-module", MTW_LEVEL_OK, "e1000");
}

static void test_device_display(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) idle = NULL;

	assert_both(root, GPU, "device-display", "Xorg (1042)", MTW_ERROR_CANNOT_TRACE);
	assert_check(run(root, GPU), "device-console", MTW_LEVEL_WARNING, NULL);
	fake_root_put(root, "proc/1042/cgroup", "0::/system.slice/gdm.service\n");
	assert_check(run(root, GPU), "device-display", MTW_LEVEL_WARNING, "gdm.service");
	fake_root_remove(root, "proc/1042");
	idle = run(root, GPU);
	assert_null(mtw_messages_find(idle, "device-display"));
	assert_true(mtw_check_to_error(idle, NULL));
	assert_int_equal(mtw_messages_worst(idle), MTW_LEVEL_WARNING);
}

/* What must be put right first is named first. */
static void test_decisive(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, TRACING "current_tracer", "function\n");
	assert_error(run(root, "0000:00:00.0"), MTW_ERROR_BUSY);
	fake_root_put(root, "sys/kernel/security/lockdown", "none [confidentiality]\n");
	assert_error(run(root, "0000:00:00.0"), MTW_ERROR_CANNOT_TRACE);
	fake_root_put(root, "proc/self/status", "Name:\tx\nUid:\t1\t1\t1\t1\n");
	assert_error(run(root, "0000:00:00.0"), MTW_ERROR_PERMISSION);
	assert_error(run(root, "0000:99:00.0"), MTW_ERROR_NOT_FOUND);
}

/* ---- the buffer --------------------------------------------------------------------------------
 */

static void test_buffer_default(void **state)
{
	(void)state;
	assert_int_equal(mtw_buffer_default_kb(12288 * MIB), 512 * 1024);
	assert_int_equal(mtw_buffer_default_kb(2048 * MIB), 512 * 1024);
	assert_int_equal(mtw_buffer_default_kb(1024 * MIB), 256 * 1024);
	assert_int_equal(mtw_buffer_default_kb(256 * MIB), 64 * 1024);
	assert_int_equal(mtw_buffer_default_kb(128 * MIB), 32 * 1024);
	assert_int_equal(mtw_buffer_default_kb(1), 1408);
	assert_int_equal(mtw_buffer_default_kb(0), 64 * 1024);
	assert_int_equal(mtw_buffer_default_kb(G_MAXUINT64), 512 * 1024);
}

static void test_buffer_next(void **state)
{
	(void)state;
	assert_int_equal(mtw_buffer_next_kb(1408, 1024 * MIB), 2816);
	assert_int_equal(mtw_buffer_next_kb(256 * 1024, 1024 * MIB), 512 * 1024);
	assert_int_equal(mtw_buffer_next_kb(256 * 1024 + 1, 1024 * MIB), 0);
	assert_int_equal(mtw_buffer_next_kb(7, 0), 0);
	assert_int_equal(mtw_buffer_next_kb(G_MAXUINT64, G_MAXUINT64), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_all_well),
		FAKE_ROOT_TEST(test_empty_root),
		FAKE_DESKTOP_TEST(test_architecture),
		FAKE_DESKTOP_TEST(test_root),
		FAKE_DESKTOP_TEST(test_kernel_config),
		FAKE_DESKTOP_TEST(test_lockdown),
		FAKE_DESKTOP_TEST(test_tracefs),
		FAKE_DESKTOP_TEST(test_current_tracer),
		FAKE_DESKTOP_TEST(test_trace_reader),
		FAKE_DESKTOP_TEST(test_trace_events),
		FAKE_DESKTOP_TEST(test_tracing_cpumask),
		FAKE_DESKTOP_TEST(test_cpus),
		FAKE_DESKTOP_TEST(test_memory),
		FAKE_DESKTOP_TEST(test_disk),
		FAKE_DESKTOP_TEST(test_cmdline),
		FAKE_DESKTOP_TEST(test_device_absent),
		FAKE_DESKTOP_TEST(test_device_good),
		FAKE_DESKTOP_TEST(test_device_ruled_out),
		FAKE_DESKTOP_TEST(test_device_driver_option),
		FAKE_DESKTOP_TEST(test_device_permanent),
		FAKE_DESKTOP_TEST(test_device_shared),
		FAKE_DESKTOP_TEST(test_device_disk),
		FAKE_DESKTOP_TEST(test_device_forbidden),
		FAKE_DESKTOP_TEST(test_device_display),
		FAKE_DESKTOP_TEST(test_decisive),
		cmocka_unit_test(test_buffer_default),
		cmocka_unit_test(test_buffer_next),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
