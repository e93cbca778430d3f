/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of change: made, read back, undone, and left alone when somebody else was there. */
#include "test-capture-kernel.h"

#include "capture/change.h"

#include <errno.h>

static MtwMachine machine;

static int setup(void **state)
{
	kernel_setup(state);
	machine = (MtwMachine){ .paths = kernel.root->paths };
	return 0;
}

static int teardown(void **state)
{
	mtw_machine_clear(&machine);
	return kernel_teardown(state);
}

/* Prepares and makes it; it must be needed. */
static MtwChange *make(MtwChangeKind kind, const char *subject, const char *after)
{
	g_autoptr(GError) error = NULL;
	MtwChange *change = mtw_change_new(kind, subject, NULL, after);

	assert_true(mtw_change_prepare(change, &machine, &error));
	assert_true(mtw_change_needed(change));
	if (!mtw_change_apply(change, &machine, &error))
		fail_msg("%s", error->message);
	assert_int_equal(change->status, MTW_CHANGE_APPLIED);
	return change;
}

static void undo(MtwChange *change)
{
	g_autoptr(GError) error = NULL;

	if (!mtw_change_undo(change, &machine, &error))
		fail_msg("%s", error->message);
	assert_int_equal(change->status, MTW_CHANGE_UNDONE);
	/* What is undone stays as it is, however often it is undone. */
	assert_true(mtw_change_undo(change, &machine, &error));
}

/* The thing is as somebody else wants it: it stays so, and the person is told how it is. */
static void assert_left(MtwChange *change, const char *now)
{
	g_autoptr(GError) error = NULL;

	g_string_truncate(kernel.written, 0);
	assert_false(mtw_change_undo(change, &machine, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED));
	assert_non_null(strstr(error->message, change->subject));
	assert_non_null(strstr(error->message, now));
	assert_int_equal(change->status, MTW_CHANGE_LEFT);
	assert_string_equal(kernel.written->str, "");
}

static void test_setting(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_SETTING, "options/overwrite", "1");

	(void)state;
	assert_string_equal(change->before, "0");
	assert_kernel(TRACING "options/overwrite", "1");
	undo(change);
	assert_kernel(TRACING "options/overwrite", "0");
}

static void test_not_needed(void **state)
{
	g_autoptr(MtwChange) change =
		mtw_change_new(MTW_CHANGE_SETTING, "options/overwrite", NULL, "0");

	(void)state;
	/* Not known yet: perhaps. */
	assert_true(mtw_change_needed(change));
	assert_true(mtw_change_prepare(change, &machine, NULL));
	assert_false(mtw_change_needed(change));
}

/* Stopping switches recording off, so it has to be undone even when it was on before. */
static void test_recording(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_RECORDING, "tracing_on", "1");

	(void)state;
	assert_string_equal(change->before, "1");
	kernel_put(TRACING "tracing_on", "0");
	undo(change);
	assert_kernel(TRACING "tracing_on", "1");
}

static void test_recording_was_off(void **state)
{
	g_autoptr(MtwChange) change = NULL;

	(void)state;
	kernel_put(TRACING "tracing_on", "0");
	change = make(MTW_CHANGE_RECORDING, "tracing_on", "1");
	assert_kernel(TRACING "tracing_on", "1");
	undo(change);
	assert_kernel(TRACING "tracing_on", "0");
}

static void test_clock(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_CLOCK, "trace_clock", "mono");

	(void)state;
	assert_string_equal(change->before, "local");
	assert_kernel(TRACING "trace_clock", "local global [mono] boot");
	kernel_set_clock("global");
	assert_left(change, "\"global\"");
	assert_kernel(TRACING "trace_clock", "local [global] mono boot");
	kernel_set_clock("mono");
	undo(change);
	assert_kernel(TRACING "trace_clock", "[local] global mono boot");
}

#define BUFFER "per_cpu/cpu0/buffer_size_kb"

/* A buffer that was never used: afterwards it has the size of its first use, on all CPUs. */
static void test_buffer_unused(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_BUFFER, BUFFER, "64000");

	(void)state;
	assert_string_equal(change->before, "1408");
	assert_kernel(TRACING BUFFER, "64001");
	assert_kernel(TRACING "per_cpu/cpu1/buffer_size_kb", "1408");
	undo(change);
	assert_kernel(TRACING BUFFER, "1410");
	assert_kernel(TRACING "per_cpu/cpu1/buffer_size_kb", "1408");
}

static void test_buffer_used(void **state)
{
	g_autoptr(MtwChange) change = NULL;

	(void)state;
	kernel_put(TRACING BUFFER, "4000");
	kernel_put(TRACING "buffer_size_kb", "X");
	change = make(MTW_CHANGE_BUFFER, BUFFER, "64000");
	assert_string_equal(change->before, "4000");
	/* Our own retry made it larger still. */
	kernel_put(TRACING BUFFER, "128000");
	undo(change);
	assert_null(strstr(kernel.written->str, "current_tracer"));
}

/* Not enough memory: the kernel says so and keeps the size. */
static void test_buffer_refused(void **state)
{
	g_autoptr(MtwChange) change =
		mtw_change_new(MTW_CHANGE_BUFFER, BUFFER, NULL, "99999999999");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel.refused = BUFFER;
	kernel.refused_errno = ENOMEM;
	assert_true(mtw_change_prepare(change, &machine, &error));
	assert_false(mtw_change_apply(change, &machine, &error));
	assert_non_null(strstr(error->message, "99999999999"));
	assert_int_equal(change->status, MTW_CHANGE_PLANNED);
	undo(change);
}

static void test_buffer_unreadable(void **state)
{
	g_autoptr(MtwChange) change = mtw_change_new(MTW_CHANGE_BUFFER, BUFFER, NULL, "64000");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel_put(TRACING BUFFER, "X");
	kernel_put(TRACING "buffer_size_kb", "X");
	assert_false(mtw_change_prepare(change, &machine, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
}

static void test_tracer(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");

	(void)state;
	assert_string_equal(change->before, "nop");
	assert_kernel(CPUS "online", "0");
	undo(change);
	assert_kernel(TRACING "current_tracer", "nop");
	assert_kernel(CPUS "online", "0-1");
}

static void test_tracer_of_somebody_else(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");

	(void)state;
	kernel_set_tracer("function");
	assert_left(change, "\"function\"");
	assert_kernel(TRACING "current_tracer", "function");
}

/* Two CPUs on one traced page crash the kernel (KERNEL-FACTS 3.4): off again at once. */
static void test_tracer_with_a_stubborn_cpu(void **state)
{
	g_autoptr(MtwChange) change =
		mtw_change_new(MTW_CHANGE_TRACER, "current_tracer", NULL, "mmiotrace");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel.stubborn_cpu = TRUE;
	assert_true(mtw_change_prepare(change, &machine, &error));
	assert_false(mtw_change_apply(change, &machine, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE));
	assert_kernel(TRACING "current_tracer", "nop");
	undo(change);
}

/* Somebody reads the trace: nothing is forced. */
static void test_tracer_busy(void **state)
{
	g_autoptr(MtwChange) change =
		mtw_change_new(MTW_CHANGE_TRACER, "current_tracer", NULL, "mmiotrace");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel.refused = "current_tracer";
	kernel.refused_errno = EBUSY;
	assert_true(mtw_change_prepare(change, &machine, &error));
	assert_false(mtw_change_apply(change, &machine, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	assert_kernel(TRACING "current_tracer", "nop");
}

/* A reader that was killed holds the tracer for a moment longer (KERNEL-FACTS 1.3). */
static void test_tracer_busy_for_a_moment(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_TRACER, "current_tracer", "mmiotrace");

	(void)state;
	kernel.refused = "current_tracer";
	kernel.refused_errno = EBUSY;
	kernel.refused_times = 2;
	undo(change);
	assert_kernel(TRACING "current_tracer", "nop");
}

static void test_cpus(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_CPUS, "cpus", "");

	(void)state;
	assert_string_equal(change->before, "0-1");
	assert_string_equal(kernel.written->str, "");
	kernel_set_cpu(1, "0");
	undo(change);
	assert_kernel(CPUS "online", "0-1");
}

/* A CPU that is on in addition is nobody's harm. */
static void test_cpus_more_than_before(void **state)
{
	g_autoptr(MtwChange) change = mtw_change_new(MTW_CHANGE_CPUS, "cpus", "0", "");

	(void)state;
	undo(change);
	assert_kernel(CPUS "online", "0-1");
}

static void test_cpu_does_not_come_back(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_CPUS, "cpus", "");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel_set_cpu(1, "0");
	kernel.ignored = "cpu1/online";
	assert_false(mtw_change_undo(change, &machine, &error));
	assert_non_null(strstr(error->message, "\"0\""));
	assert_int_not_equal(change->status, MTW_CHANGE_UNDONE);
}

static void test_keep_away(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_KEEP_AWAY, OTHER_NIC, "mmiotrace-wizard");

	(void)state;
	assert_string_equal(change->before, "");
	assert_kernel(PCI "devices/" OTHER_NIC "/driver_override", "mmiotrace-wizard");
	kernel_put(PCI "devices/" OTHER_NIC "/driver_override", "vfio-pci");
	assert_left(change, "\"vfio-pci\"");
	kernel_put(PCI "devices/" OTHER_NIC "/driver_override", "mmiotrace-wizard");
	undo(change);
	assert_kernel(PCI "devices/" OTHER_NIC "/driver_override", "(null)");
}

static void test_keep_away_had_one(void **state)
{
	g_autoptr(MtwChange) change = NULL;

	(void)state;
	kernel_put(PCI "devices/" OTHER_NIC "/driver_override", "old");
	change = make(MTW_CHANGE_KEEP_AWAY, OTHER_NIC, "mmiotrace-wizard");
	undo(change);
	assert_kernel(PCI "devices/" OTHER_NIC "/driver_override", "old");
}

static void test_unbind(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_UNBIND, NIC, "");

	(void)state;
	assert_string_equal(change->before, "nic");
	assert_driver(NIC, NULL);
	kernel_bind(NIC, "vfio-pci");
	assert_left(change, "\"vfio-pci\"");
	assert_driver(NIC, "vfio-pci");
	kernel_unbind(NIC);
	undo(change);
	assert_driver(NIC, "nic");
}

/* The kernel took the word and did nothing. */
static void test_unbind_without_effect(void **state)
{
	g_autoptr(MtwChange) change = mtw_change_new(MTW_CHANGE_UNBIND, NIC, NULL, "");
	g_autoptr(GError) error = NULL;

	(void)state;
	kernel.ignored = "nic/unbind";
	assert_true(mtw_change_prepare(change, &machine, &error));
	assert_false(mtw_change_apply(change, &machine, &error));
	assert_non_null(strstr(error->message, NIC));
	assert_non_null(strstr(error->message, "\"nic\""));
	assert_int_equal(change->status, MTW_CHANGE_PLANNED);
	undo(change);
}

static void test_bind(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_BIND, OTHER_NIC, "nic");

	(void)state;
	assert_driver(OTHER_NIC, "nic");
	undo(change);
	assert_driver(OTHER_NIC, NULL);
}

/* A driver that had the device before keeps it: the unbinding before it decides. */
static void test_keep(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_BIND, OTHER_NIC, "nic");

	(void)state;
	change->keep = TRUE;
	g_string_truncate(kernel.written, 0);
	undo(change);
	assert_driver(OTHER_NIC, "nic");
	assert_string_equal(kernel.written->str, "");
}

/* Modules are never loaded below a fake root; the error names the module. */
static void test_modules_are_refused(void **state)
{
	g_autoptr(MtwChange) load = mtw_change_new(MTW_CHANGE_LOAD, "e1000", NULL, "loaded");
	g_autoptr(MtwChange) unload = mtw_change_new(MTW_CHANGE_UNLOAD, "e1000", NULL, "");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(mtw_change_prepare(load, &machine, &error));
	assert_string_equal(load->before, "");
	assert_false(mtw_change_apply(load, &machine, &error));
	assert_non_null(strstr(error->message, "e1000"));
	g_clear_error(&error);
	undo(load);
	kernel_put("sys/module/e1000/initstate", "live");
	assert_true(mtw_change_prepare(unload, &machine, &error));
	assert_string_equal(unload->before, "loaded");
	assert_false(mtw_change_apply(unload, &machine, &error));
	assert_non_null(strstr(error->message, "e1000"));
	undo(unload);
}

static void test_tracefs_is_not_mounted(void **state)
{
	g_autofree char *folder = fake_root_path(kernel.root, "sys/kernel/tracing");
	g_autoptr(MtwChange) mount =
		mtw_change_new(MTW_CHANGE_MOUNT_TRACEFS, folder, NULL, "mounted");
	g_autoptr(MtwChange) setting =
		mtw_change_new(MTW_CHANGE_SETTING, "options/overwrite", NULL, "1");
	g_autoptr(GError) error = NULL;

	(void)state;
	fake_root_remove(kernel.root, "sys/kernel/tracing");
	assert_false(mtw_change_prepare(setting, &machine, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	g_clear_error(&error);
	assert_true(mtw_change_prepare(mount, &machine, &error));
	assert_string_equal(mount->before, "");
	assert_false(mtw_change_apply(mount, &machine, &error));
	undo(mount);
}

/*
 * A restart of tracing by the dead run is not repeated: tracefs is gone (unmounted by hand), so
 * what was in it cannot be read. That is said, not taken for done.
 */
static void test_undo_without_tracefs(void **state)
{
	g_autoptr(MtwChange) change = make(MTW_CHANGE_SETTING, "options/overwrite", "1");
	g_autoptr(GError) error = NULL;

	(void)state;
	mtw_machine_clear(&machine);
	fake_root_remove(kernel.root, "sys/kernel/tracing");
	assert_false(mtw_change_undo(change, &machine, &error));
	assert_non_null(strstr(error->message, "options/overwrite"));
	assert_int_equal(change->status, MTW_CHANGE_APPLIED);
}

static void test_names(void **state)
{
	MtwChangeKind kind;

	(void)state;
	for (int i = 0; i < MTW_N_CHANGES; i++) {
		g_autoptr(MtwChange) change = mtw_change_new((MtwChangeKind)i, "s", "b", "a");
		assert_true(
			mtw_change_kind_from_name(mtw_change_kind_name((MtwChangeKind)i), &kind));
		assert_int_equal(kind, i);
		assert_true(strlen(mtw_change_sentence(change)) > 10);
		assert_true(strlen(mtw_change_undo_sentence(change)) > 5);
	}
	assert_false(mtw_change_kind_from_name("", &kind));
	assert_false(mtw_change_kind_from_name("format-disk", &kind));
}

#define CHANGE_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CHANGE_TEST(test_setting),
		CHANGE_TEST(test_not_needed),
		CHANGE_TEST(test_recording),
		CHANGE_TEST(test_recording_was_off),
		CHANGE_TEST(test_clock),
		CHANGE_TEST(test_buffer_unused),
		CHANGE_TEST(test_buffer_used),
		CHANGE_TEST(test_buffer_refused),
		CHANGE_TEST(test_buffer_unreadable),
		CHANGE_TEST(test_tracer),
		CHANGE_TEST(test_tracer_of_somebody_else),
		CHANGE_TEST(test_tracer_with_a_stubborn_cpu),
		CHANGE_TEST(test_tracer_busy),
		CHANGE_TEST(test_tracer_busy_for_a_moment),
		CHANGE_TEST(test_cpus),
		CHANGE_TEST(test_cpus_more_than_before),
		CHANGE_TEST(test_cpu_does_not_come_back),
		CHANGE_TEST(test_keep_away),
		CHANGE_TEST(test_keep_away_had_one),
		CHANGE_TEST(test_unbind),
		CHANGE_TEST(test_unbind_without_effect),
		CHANGE_TEST(test_bind),
		CHANGE_TEST(test_keep),
		CHANGE_TEST(test_modules_are_refused),
		CHANGE_TEST(test_tracefs_is_not_mounted),
		CHANGE_TEST(test_undo_without_tracefs),
		CHANGE_TEST(test_names),
	};

	return cmocka_run_group_tests_name("capture-change", tests, NULL, NULL);
}
