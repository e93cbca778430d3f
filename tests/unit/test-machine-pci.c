/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "machine/pci-names.h"
#include "machine/pci.h"
#include "machine/sysfs.h"

#include <string.h>

#define GPU "0000:01:00.0"
#define DEVICES "sys/bus/pci/devices/"

static void test_parse_resource(void **state)
{
	MtwPciBar bar;

	(void)state;
	assert_true(mtw_pci_parse_resource(
		"0x00000000feb40000 0x00000000feb5ffff 0x0000000000040200", &bar));
	assert_int_equal(bar.kind, MTW_BAR_MEMORY);
	assert_int_equal(bar.start, 0xfeb40000);
	assert_int_equal(bar.length, 0x20000);
	assert_false(bar.prefetchable);
	assert_false(bar.is_64bit);
	assert_true(mtw_pci_parse_resource("0xe0000000 0xefffffff 0x14220c\n", &bar));
	assert_true(bar.prefetchable);
	assert_true(bar.is_64bit);
	assert_true(mtw_pci_parse_resource("0xc000 0xc03f 0x40101", &bar));
	assert_int_equal(bar.kind, MTW_BAR_IO);
	assert_int_equal(bar.length, 0x40);
	assert_true(mtw_pci_parse_resource("0x0 0x0 0x0", &bar));
	assert_int_equal(bar.kind, MTW_BAR_NONE);
	assert_int_equal(bar.length, 0);
	assert_true(mtw_pci_parse_resource("0x0 0x0 0x200", &bar));
	assert_int_equal(bar.kind, MTW_BAR_NONE);
}

static void test_parse_resource_malformed(void **state)
{
	static const char *const lines[] = {
		"",
		"0x1",
		"0x1 0x2",
		"0x1 0x2 0x3 0x4",
		"0x1  0x2 0x3",
		"-1 0x2 0x3",
		"0x2 0x1 0x200",
		"0x0 0xffffffffffffffff 0x200",
		"0x1 0x10000000000000000 0x200",
		"one two three",
	};
	MtwPciBar bar = { .start = 42 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
		assert_false(mtw_pci_parse_resource(lines[i], &bar));
	assert_int_equal(bar.start, 42);
}

static void test_list(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) devices = mtw_pci_list(root->paths);

	assert_int_equal(devices->len, 14);
	for (guint i = 1; i < devices->len; i++) {
		const MtwPciDevice *before = devices->pdata[i - 1];
		const MtwPciDevice *device = devices->pdata[i];
		assert_true(strcmp(before->address, device->address) < 0);
	}
}

static void test_get(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwPciDevice) gpu = mtw_pci_get(root->paths, "01:00.0", &error);

	assert_string_equal(gpu->address, GPU);
	assert_int_equal(gpu->vendor, 0x10de);
	assert_int_equal(gpu->device, 0x1b80);
	assert_int_equal(gpu->subsystem_vendor, 0x1043);
	assert_int_equal(gpu->subsystem_device, 0x85aa);
	assert_int_equal(gpu->class_code, 0x030000);
	assert_int_equal(gpu->revision, 2);
	assert_true(gpu->enabled);
	assert_true(gpu->boot_vga);
	assert_string_equal(gpu->driver, "nvidia");
	assert_string_equal(gpu->module, "nvidia");
	assert_string_equal(gpu->class_name, "VGA compatible controller");
	assert_string_equal(gpu->modalias, "pci:v000010DEd00001B80sv00001043sd000085AAbc03sc00i00");
	assert_null(gpu->driver_override);
	assert_int_equal(gpu->bars[0].length, 16 * 1024 * 1024);
	assert_int_equal(gpu->bars[2].kind, MTW_BAR_NONE);
	assert_int_equal(gpu->bars[5].kind, MTW_BAR_IO);
	assert_int_equal(gpu->bars[6].kind, MTW_BAR_MEMORY);
	assert_true(mtw_pci_has_memory_bar(gpu));
}

static void test_get_absent(void **state)
{
	FakeRoot *root = *state;
	static const char *const addresses[] = { "0000:99:00.0", "",	  "../../x",
						 "0000:01:00",	 GPU "x", "module" };

	for (gsize i = 0; i < G_N_ELEMENTS(addresses); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(mtw_pci_get(root->paths, addresses[i], &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	}
}

static void test_memory_bar(void **state)
{
	MtwPciDevice device = { 0 };

	(void)state;
	assert_false(mtw_pci_has_memory_bar(&device));
	device.bars[6] = (MtwPciBar){ .kind = MTW_BAR_MEMORY, .start = 1, .length = 1 };
	assert_false(mtw_pci_has_memory_bar(&device));
	device.bars[5] = (MtwPciBar){ .kind = MTW_BAR_MEMORY, .start = 0, .length = 4096 };
	assert_false(mtw_pci_has_memory_bar(&device));
	device.bars[5].start = 0xf0000000;
	assert_true(mtw_pci_has_memory_bar(&device));
	device.bars[5].kind = MTW_BAR_IO;
	assert_false(mtw_pci_has_memory_bar(&device));
}

/* Devices whose files are missing, nonsense, too large, or lead in circles. */
static void test_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *huge = g_strnfill(2 * 1024 * 1024, '0');
	g_autoptr(GPtrArray) devices = NULL;
	const MtwPciDevice *survivor;

	fake_root_link(root, DEVICES "0000:00:01.0", "0000:00:01.0");
	fake_root_put(root, DEVICES "0000:00:02.0/vendor", "0x8086\n");
	fake_root_put(root, DEVICES "0000:00:03.0/vendor", huge);
	fake_root_put(root, DEVICES "0000:00:04.0/vendor", "0x12345\n");
	fake_root_put(root, DEVICES "not-an-address/vendor", "0x8086\n");
	fake_root_put(root, DEVICES "0000:00:05.0/vendor", "0x8086\n");
	fake_root_put(root, DEVICES "0000:00:05.0/device", "0x100e\n");
	fake_root_put(root, DEVICES "0000:00:05.0/class", "0x020000\n");
	fake_root_put(root, DEVICES "0000:00:05.0/resource", "\xff\xfe\n0x10000 0x1ffff 0x200\n");
	fake_root_put(root, DEVICES "0000:00:05.0/driver_override", "\n");
	fake_root_link(root, DEVICES "0000:00:05.0/driver", "../../nowhere/gone");
	devices = mtw_pci_list(root->paths);
	assert_int_equal(devices->len, 1);
	survivor = devices->pdata[0];
	assert_string_equal(survivor->driver, "gone");
	assert_null(survivor->module);
	assert_null(survivor->driver_override);
	assert_string_equal(survivor->modalias, "");
	assert_int_equal(survivor->bars[0].kind, MTW_BAR_NONE);
	assert_int_equal(survivor->bars[1].length, 0x10000);
}

static void test_driver(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *gpu = mtw_pci_driver(root->paths, GPU);
	g_autofree char *module = mtw_pci_driver_module(root->paths, "snd_hda_intel");
	g_autoptr(GPtrArray) shared = mtw_pci_driver_devices(root->paths, "snd_hda_intel");
	g_autoptr(GPtrArray) none = mtw_pci_driver_devices(root->paths, "absent");
	g_autoptr(GPtrArray) hostile = mtw_pci_driver_devices(root->paths, "../devices");

	assert_string_equal(gpu, "nvidia");
	assert_null(mtw_pci_driver(root->paths, "0000:04:00.0"));
	assert_string_equal(module, "snd_hda_intel");
	assert_int_equal(shared->len, 2);
	assert_string_equal(shared->pdata[0], "0000:00:1b.0");
	assert_string_equal(shared->pdata[1], "0000:01:00.1");
	assert_int_equal(none->len, 0);
	assert_int_equal(hostile->len, 0);
	/* Built in: one without a folder in /sys/module, one with. */
	assert_null(mtw_pci_driver_module(root->paths, "pcieport"));
	assert_null(mtw_pci_driver_module(root->paths, "ehci-pci"));
	assert_null(mtw_pci_driver_module(root->paths, "../../../.."));
}

static void assert_content(FakeRoot *root, const char *path, const char *expected)
{
	g_autofree char *content = fake_root_read(root, path);

	assert_string_equal(content, expected);
}

static void test_bind(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	assert_true(mtw_pci_unbind(root->paths, GPU, &error));
	assert_content(root, "sys/bus/pci/drivers/nvidia/unbind", GPU);
	assert_true(mtw_pci_unbind(root->paths, "0000:04:00.0", &error));
	assert_true(mtw_pci_bind(root->paths, "0000:04:00.0", "e1000", &error));
	assert_content(root, "sys/bus/pci/drivers/e1000/bind", "0000:04:00.0");
	/* Bound to it already: nothing is written. */
	assert_true(mtw_pci_bind(root->paths, GPU, "nvidia", &error));
	assert_content(root, "sys/bus/pci/drivers/nvidia/bind", "");
	assert_false(mtw_pci_bind(root->paths, GPU, "absent", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	assert_non_null(strstr(error->message, "absent"));
	g_clear_error(&error);
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/bind");
	assert_false(mtw_pci_bind(root->paths, GPU, "e1000", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
	g_clear_error(&error);
	assert_false(mtw_pci_bind(root->paths, GPU, "../devices", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
}

static void test_override(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autofree char *set = mtw_pci_override(root->paths, "0000:03:00.0");
	g_autofree char *read_back = NULL;

	assert_string_equal(set, "vfio-pci");
	assert_null(mtw_pci_override(root->paths, GPU));
	fake_root_put(root, DEVICES GPU "/driver_override", "");
	assert_true(mtw_pci_set_override(root->paths, GPU, "nouveau", &error));
	read_back = mtw_pci_override(root->paths, GPU);
	assert_string_equal(read_back, "nouveau");
	fake_root_put(root, DEVICES GPU "/driver_override", "");
	assert_true(mtw_pci_set_override(root->paths, GPU, NULL, &error));
	assert_content(root, DEVICES GPU "/driver_override", "\n");
	assert_null(mtw_pci_override(root->paths, GPU));
	assert_false(mtw_pci_set_override(root->paths, GPU, "a/b", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
}

static void test_names(void **state)
{
	g_autofree char *vendor = NULL;
	g_autofree char *device = NULL;

	(void)state;
	/* Whatever pci.ids this machine has, or none. */
	mtw_pci_names(0xfffe, 0xfffe, &vendor, &device);
	assert_non_null(vendor);
	assert_non_null(device);
	assert_string_equal(mtw_pci_class_name(0x030000), "VGA compatible controller");
	assert_string_equal(mtw_pci_class_name(0x038000), "Display controller");
	assert_string_equal(mtw_pci_class_name(0x770000), "");
}

static gpointer ask_names(gpointer data)
{
	(void)data;
	for (guint id = 0; id < 300; id++) {
		g_autofree char *vendor = NULL;
		g_autofree char *device = NULL;
		mtw_pci_names((guint16)(0x1000 + id), (guint16)id, &vendor, &device);
	}
	return NULL;
}

static void test_names_from_threads(void **state)
{
	GThread *threads[4];

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
		threads[i] = g_thread_new("names", ask_names, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(threads); i++)
		g_thread_join(threads[i]);
}

static void test_sysfs(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *loop = fake_root_path(root, "loop");

	assert_true(mtw_sysfs_is_below("/a/b", "/a/b"));
	assert_true(mtw_sysfs_is_below("/a/b/c", "/a/b"));
	assert_false(mtw_sysfs_is_below("/a/bc", "/a/b"));
	assert_false(mtw_sysfs_is_below("/a", "/a/b"));
	assert_true(mtw_sysfs_is_name("e1000"));
	assert_false(mtw_sysfs_is_name(""));
	assert_false(mtw_sysfs_is_name("."));
	assert_false(mtw_sysfs_is_name(".."));
	assert_false(mtw_sysfs_is_name("a/b"));
	fake_root_link(root, "loop", "loop");
	assert_null(mtw_sysfs_resolve(loop));
	assert_null(mtw_sysfs_attribute(root->folder, "absent"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_resource),
		cmocka_unit_test(test_parse_resource_malformed),
		FAKE_DESKTOP_TEST(test_list),
		FAKE_DESKTOP_TEST(test_get),
		FAKE_DESKTOP_TEST(test_get_absent),
		cmocka_unit_test(test_memory_bar),
		FAKE_ROOT_TEST(test_hostile),
		FAKE_DESKTOP_TEST(test_driver),
		FAKE_DESKTOP_TEST(test_bind),
		FAKE_DESKTOP_TEST(test_override),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_from_threads),
		FAKE_ROOT_TEST(test_sysfs),
	};

	return cmocka_run_group_tests_name("machine-pci", tests, NULL, NULL);
}
