/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which profile is for which device. */
#include "test-profile-data.h"

static guint fits(const char *match, guint16 vendor, guint16 id, guint32 class_code,
		  const char *driver)
{
	g_autofree char *text = g_strconcat("[Match]\n", match, NULL);
	g_autoptr(MtwProfile) profile = parse_profile(text);
	const MtwPciDevice device = {
		.vendor = vendor,
		.device = id,
		.class_code = class_code,
		.driver = (char *)driver,
	};

	return mtw_profile_matches(profile, &device);
}

static void test_ids(void **state)
{
	(void)state;
	assert_true(fits("Vendor=10de\n", 0x10de, 0, 0, NULL) > 0);
	assert_true(fits("Vendor=10DE\n", 0x10de, 0, 0, NULL) > 0);
	assert_true(fits("Vendor=8086;10de\n", 0x10de, 0, 0, NULL) > 0);
	assert_int_equal(fits("Vendor=8086\n", 0x10de, 0, 0, NULL), 0);
	assert_true(fits("Device=1e00-2fff\n", 0, 0x1e00, 0, NULL) > 0);
	assert_true(fits("Device=1e00-2fff\n", 0, 0x2fff, 0, NULL) > 0);
	assert_int_equal(fits("Device=1e00-2fff\n", 0, 0x1dff, 0, NULL), 0);
	assert_int_equal(fits("Device=1e00-2fff\n", 0, 0x3000, 0, NULL), 0);
	assert_true(fits("Device=0001;1e00-1e00\n", 0, 0x1e00, 0, NULL) > 0);
	assert_true(fits("Vendor=0000-ffff\n", 0xffff, 0, 0, NULL) > 0);
}

static void test_class(void **state)
{
	(void)state;
	assert_true(fits("Class=03\n", 0, 0, 0x030000, NULL) > 0);
	assert_true(fits("Class=03\n", 0, 0, 0x0380ff, NULL) > 0);
	assert_int_equal(fits("Class=03\n", 0, 0, 0x040300, NULL), 0);
	/* The same digits elsewhere do not count. */
	assert_int_equal(fits("Class=03\n", 0, 0, 0x000003, NULL), 0);
	assert_true(fits("Class=0302\n", 0, 0, 0x030200, NULL) > 0);
	assert_true(fits("Class=0108-010c\n", 0, 0, 0x010802, NULL) > 0);
	assert_true(fits("Class=010802\n", 0, 0, 0x010802, NULL) > 0);
	assert_int_equal(fits("Class=010801\n", 0, 0, 0x010802, NULL), 0);
}

static void test_driver(void **state)
{
	(void)state;
	assert_true(fits("Driver=nvidia*\n", 0, 0, 0, "nvidia-current") > 0);
	assert_true(fits("Driver=nvidia_c*\n", 0, 0, 0, "nvidia-current") > 0);
	assert_true(fits("Driver=snd-hda-?ntel\n", 0, 0, 0, "snd_hda_intel") > 0);
	assert_int_equal(fits("Driver=nvidia\n", 0, 0, 0, "nvidiafb"), 0);
	assert_int_equal(fits("Driver=nvidia\n", 0, 0, 0, NULL), 0);
	assert_int_equal(fits("Driver=*\n", 0, 0, 0, NULL), 0);
}

static void test_better(void **state)
{
	guint one, two, deep;

	(void)state;
	one = fits("Class=03\n", 0x10de, 0x1e00, 0x030000, "nvidia");
	deep = fits("Class=030000\n", 0x10de, 0x1e00, 0x030000, "nvidia");
	two = fits("Class=03\nVendor=10de\n", 0x10de, 0x1e00, 0x030000, "nvidia");
	/* A vendor says more than the last digits of a class. */
	assert_true(one < deep && deep < two);
	assert_int_equal(fits("Class=03\nVendor=1002\n", 0x10de, 0x1e00, 0x030000, "nvidia"), 0);
}

/* Without [Match] it is only for those who ask for it. */
static void test_without_match(void **state)
{
	g_autoptr(MtwProfile) profile = parse_profile("");
	const MtwPciDevice device = { .vendor = 0x10de };

	(void)state;
	assert_int_equal(mtw_profile_matches(profile, &device), 0);
}

static void assert_for(FakeRoot *root, const char *address, const char *id)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, address, NULL);
	g_autoptr(MtwProfile) profile = mtw_profile_for(root->paths, device);

	assert_string_equal(profile->id, id);
}

static void test_shipped(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *data = g_build_filename(g_getenv("MTW_TEST_DATA"), "../../data", NULL);
	const char *wifi = "sys/devices/pci0000:00/0000:04:00.0/class";

	mtw_paths_set(root->paths, MTW_PATH_DATA, data);
	assert_for(root, "0000:00:00.0", "generic");
	assert_for(root, "0000:00:03.0", "network");
	assert_for(root, "0000:00:1b.0", "audio");
	assert_for(root, "0000:00:1f.1", "storage");
	assert_for(root, "0000:01:00.0", "nouveau");
	assert_for(root, "0000:01:00.1", "audio");
	assert_for(root, "0000:02:00.0", "storage");
	assert_for(root, "0000:06:00.0", "generic");
	fake_root_put(root, wifi, "0x028000\n");
	assert_for(root, "0000:04:00.0", "wireless");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_class),
		cmocka_unit_test(test_driver),
		cmocka_unit_test(test_better),
		cmocka_unit_test(test_without_match),
		cmocka_unit_test_setup_teardown(test_shipped, fake_root_setup_desktop,
						fake_root_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
