/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of changes for each way, on the desktop of tests/data/make-fake-root. */
#include "fake-root.h"

#include "base/error.h"
#include "capture/plan.h"

#include <string.h>

#define NIC "0000:00:03.0"	      /* e1000, module, bound */
#define BUILT_IN "0000:00:1d.0"	      /* ehci-pci */
#define FREE_NIC "0000:04:00.0"	      /* e1000e, not loaded */
#define OTHER_FREE_NIC "0000:05:00.0" /* the same */

/* What the tracer needs, in its order: as below in each list. */
#define TRACER_LIST                                                                            \
	"setting options/overwrite 1>1;recording tracing_on 1>1;clock trace_clock local>mono;" \
	"buffer per_cpu/cpu0/buffer_size_kb 1408>64000;cpus cpus 0-3>;"                        \
	"tracer current_tracer nop>mmiotrace;"

static MtwPlan *try_plan(FakeRoot *root, const MtwCaptureOptions *options, GError **error)
{
	MtwMachine machine = { .paths = root->paths,
			       .tracefs = mtw_tracefs_find(root->paths, NULL) };
	g_autoptr(MtwTracer) tracer = mtw_tracer_new_builtin();
	MtwPlan *plan = mtw_plan_new(&machine, tracer, options, error);

	mtw_machine_clear(&machine);
	return plan;
}

static MtwPlan *plan(FakeRoot *root, const MtwCaptureOptions *options)
{
	g_autoptr(GError) error = NULL;
	MtwPlan *found = try_plan(root, options, &error);

	if (found == NULL)
		fail_msg("%s", error->message);
	return found;
}

static MtwCaptureOptions options_for(const char *device)
{
	return (MtwCaptureOptions){ .device = device, .buffer_kb = 64000, .load_driver = TRUE };
}

/* "kind subject before>after;" with a "*" for those that stay */
static void assert_changes(const MtwPlan *found, const char *wanted)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < found->changes->len; i++) {
		const MtwChange *change = found->changes->pdata[i];
		g_string_append_printf(text, "%s %s %s>%s%s;", mtw_change_kind_name(change->kind),
				       change->subject,
				       change->before != NULL ? change->before : "?", change->after,
				       change->keep ? "*" : "");
	}
	assert_string_equal(text->str, wanted);
}

static void test_reload(void **state)
{
	const MtwCaptureOptions options = options_for(NIC);
	g_autoptr(MtwPlan) found = plan(*state, &options);

	assert_int_equal(found->way->kind, MTW_WAY_RELOAD);
	assert_string_equal(found->device->address, NIC);
	assert_int_equal(found->buffer_kb, 64000);
	assert_changes(found, "unload e1000 loaded>;" TRACER_LIST "load e1000 >loaded*;");
}

#define GPU "0000:01:00.0"
#define GPU_CHAIN_UNLOAD \
	"unload nvidia_drm loaded>;unload nvidia_modeset loaded>;unload nvidia loaded>;"
#define GPU_DESKTOP "unit lightdm.service active>inactive;vtconsole vtcon1 1>0;"

static void draw_by_service(FakeRoot *root)
{
	fake_root_put(root, "proc/1042/cgroup", "0::/system.slice/lightdm.service\n");
}

/* The desktop goes first, and the whole chain is loaded for it before it comes back. */
static void test_display(void **state)
{
	const MtwCaptureOptions options = options_for(GPU);
	g_autoptr(MtwPlan) found = NULL;

	draw_by_service(*state);
	found = plan(*state, &options);
	assert_int_equal(found->way->kind, MTW_WAY_RELOAD);
	assert_changes(found, GPU_DESKTOP GPU_CHAIN_UNLOAD TRACER_LIST
		       "load nvidia >loaded*;load nvidia_modeset >loaded*;"
		       "load nvidia_drm >loaded*;");
}

/* A driver with options for the trace only is not kept, nor is what stands on it. */
static void test_display_options(void **state)
{
	MtwCaptureOptions options = options_for(GPU);
	g_autoptr(MtwPlan) found = NULL;

	draw_by_service(*state);
	options.module_options = "NVreg_EnableGpuFirmware=0";
	found = plan(*state, &options);
	assert_changes(found, GPU_DESKTOP GPU_CHAIN_UNLOAD TRACER_LIST
		       "load nvidia >loaded;load nvidia_modeset >loaded;"
		       "load nvidia_drm >loaded;");
}

/* Options that the driver did not have before: it is loaded again without them afterwards. */
static void test_module_options(void **state)
{
	MtwCaptureOptions options = options_for(NIC);
	g_autoptr(MtwPlan) found = NULL;
	const MtwChange *load;

	options.module_options = "debug=16";
	found = plan(*state, &options);
	load = found->changes->pdata[found->changes->len - 1];
	assert_int_equal(load->kind, MTW_CHANGE_LOAD);
	assert_string_equal(load->options, "debug=16");
	assert_false(load->keep);
}

/* Nothing is loaded that would read them. */
static void test_options_of_rebind(void **state)
{
	MtwCaptureOptions options = options_for(BUILT_IN);
	g_autoptr(GError) error = NULL;

	options.module_options = "debug=16";
	assert_null(try_plan(*state, &options, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
}

/* At the start of the computer the driver was not loaded, but belongs there. */
static void test_keep_driver(void **state)
{
	MtwCaptureOptions options = options_for(NIC);
	g_autoptr(MtwPlan) found = NULL;
	const MtwChange *load;

	options.module_options = "debug=16";
	options.keep_driver = TRUE;
	found = plan(*state, &options);
	load = found->changes->pdata[found->changes->len - 1];
	assert_true(load->keep);
}

static void test_rebind(void **state)
{
	const MtwCaptureOptions options = options_for(BUILT_IN);
	g_autoptr(MtwPlan) found = plan(*state, &options);

	assert_int_equal(found->way->kind, MTW_WAY_REBIND);
	assert_changes(found, "unbind " BUILT_IN " ehci-pci>;" TRACER_LIST "bind " BUILT_IN
			      " >ehci-pci*;");
}

static void test_load(void **state)
{
	const MtwCaptureOptions options = options_for(FREE_NIC);
	g_autoptr(MtwPlan) found = plan(*state, &options);

	assert_int_equal(found->way->kind, MTW_WAY_LOAD);
	assert_changes(found, "keep-away " OTHER_FREE_NIC " >mmiotrace-wizard;" TRACER_LIST
			      "load e1000e >loaded;");
}

/* The driver is there, the device is free. */
static void test_bind(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = options_for(NIC);
	g_autoptr(MtwPlan) found = NULL;

	fake_root_remove(root, "sys/bus/pci/devices/" NIC "/driver");
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/" NIC);
	found = plan(root, &options);
	assert_int_equal(found->way->kind, MTW_WAY_BIND);
	assert_changes(found, TRACER_LIST "bind " NIC " >e1000;");
}

/* Somebody else loads the driver while the tracer watches; the device is freed all the same. */
static void test_no_load_driver(void **state)
{
	MtwCaptureOptions options = options_for(NIC);
	g_autoptr(MtwPlan) bound = NULL;
	g_autoptr(MtwPlan) unbound = NULL;

	options.load_driver = FALSE;
	bound = plan(*state, &options);
	assert_changes(bound, "unload e1000 loaded>;" TRACER_LIST);
	options.device = FREE_NIC;
	unbound = plan(*state, &options);
	assert_changes(unbound, TRACER_LIST);
}

/* Mounting comes first; what is in tracefs will be known only then. */
static void test_tracefs_is_not_mounted(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = options_for(BUILT_IN);
	g_autofree char *folder = fake_root_path(root, "sys/kernel/tracing");
	g_autofree char *wanted = NULL;
	g_autoptr(MtwPlan) found = NULL;

	fake_root_remove(root, "sys/kernel/tracing");
	found = plan(root, &options);
	wanted = g_strconcat("mount-tracefs ", folder, " >mounted;unbind " BUILT_IN " ehci-pci>;",
			     "setting options/overwrite ?>1;recording tracing_on ?>1;"
			     "clock trace_clock ?>mono;buffer per_cpu/cpu0/buffer_size_kb ?>64000;"
			     "cpus cpus 0-3>;tracer current_tracer ?>mmiotrace;"
			     "bind " BUILT_IN " >ehci-pci*;",
			     NULL);
	assert_changes(found, wanted);
}

/* Of the CPU that stays on, which need not be 0. */
static void test_first_cpu_online(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = options_for(BUILT_IN);
	g_autoptr(MtwPlan) found = NULL;
	const MtwChange *buffer;

	fake_root_put(root, "sys/devices/system/cpu/online", "2-3\n");
	found = plan(root, &options);
	buffer = found->changes->pdata[4];
	assert_int_equal(buffer->kind, MTW_CHANGE_BUFFER);
	assert_string_equal(buffer->subject, "per_cpu/cpu2/buffer_size_kb");
}

static void test_default_buffer(void **state)
{
	MtwCaptureOptions options = options_for(BUILT_IN);
	g_autoptr(MtwPlan) found = NULL;

	options.buffer_kb = 0;
	found = plan(*state, &options);
	/* A quarter of 12 GiB is more than there is use for. */
	assert_int_equal(found->buffer_kb, 512 * 1024);
}

static void assert_refused(FakeRoot *root, const char *device, const char *driver,
			   MtwErrorCode code, const char *part)
{
	MtwCaptureOptions options = options_for(device);
	g_autoptr(GError) error = NULL;

	options.driver = driver;
	assert_null(try_plan(root, &options, &error));
	if (!g_error_matches(error, MTW_ERROR, (int)code) || strstr(error->message, part) == NULL)
		fail_msg("%s", error->message);
}

static void test_refused(void **state)
{
	FakeRoot *root = *state;

	assert_refused(root, "0000:00:01.0", NULL, MTW_ERROR_CANNOT_TRACE, "bridge");
	assert_refused(root, "0000:00:1f.1", NULL, MTW_ERROR_CANNOT_TRACE, "I/O ports");
	assert_refused(root, "0000:03:00.0", NULL, MTW_ERROR_CANNOT_TRACE, "vfio-pci");
	assert_refused(root, "0000:07:00.0", NULL, MTW_ERROR_CANNOT_TRACE, "0000:07:00.0");
	assert_refused(root, "0000:06:00.0", NULL, MTW_ERROR_USAGE, "amdgpu");
	assert_refused(root, "0000:99:00.0", NULL, MTW_ERROR_NOT_FOUND, "0000:99:00.0");
	assert_refused(root, NIC, "no-such-driver", MTW_ERROR_USAGE, "no-such-driver");
	assert_refused(root, "../../../etc", NULL, MTW_ERROR_NOT_FOUND, "etc");
}

/* Nothing on the machine was changed by all of it. */
static void test_changes_nothing(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = options_for(FREE_NIC);
	g_autoptr(MtwPlan) found = plan(root, &options);
	g_autofree char *tracer = fake_root_read(root, "sys/kernel/tracing/current_tracer");
	g_autofree char *size = fake_root_read(root, "sys/kernel/tracing/buffer_size_kb");
	g_autofree char *override =
		fake_root_read(root, "sys/bus/pci/devices/" OTHER_FREE_NIC "/driver_override");

	assert_string_equal(tracer, "nop\n");
	assert_string_equal(size, "7 (expanded: 1408)\n");
	assert_string_equal(override, "(null)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* on one desktop */
		cmocka_unit_test(test_reload),
		cmocka_unit_test(test_module_options),
		cmocka_unit_test(test_options_of_rebind),
		cmocka_unit_test(test_keep_driver),
		cmocka_unit_test(test_rebind),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_no_load_driver),
		cmocka_unit_test(test_default_buffer),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_changes_nothing),
		FAKE_DESKTOP_TEST(test_display),
		FAKE_DESKTOP_TEST(test_display_options),
		FAKE_DESKTOP_TEST(test_bind),
		FAKE_DESKTOP_TEST(test_tracefs_is_not_mounted),
		FAKE_DESKTOP_TEST(test_first_cpu_online),
	};

	return cmocka_run_group_tests_name("capture-plan", tests, fake_root_setup_desktop,
					   fake_root_teardown);
}
