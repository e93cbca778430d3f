/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How each device of the desktop is traced, and why. */
#include "fake-root.h"

#include "base/error.h"
#include "capture/sentences.h"
#include "capture/way.h"

#include <string.h>

#define NIC "0000:00:03.0"
#define GPU "0000:01:00.0"
#define FREE_NIC "0000:04:00.0"
#define OTHER_FREE_NIC "0000:05:00.0"

static MtwWay *choose(FakeRoot *root, const char *address, const char *wanted, GError **error)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, address, NULL);

	assert_non_null(device);
	return mtw_way_choose(root->paths, device, wanted, error);
}

static MtwWay *choose_kind(FakeRoot *root, const char *address, const char *wanted, MtwWayKind kind)
{
	g_autoptr(GError) error = NULL;
	MtwWay *way = choose(root, address, wanted, &error);

	assert_null(error);
	assert_int_equal(way->kind, kind);
	assert_non_null(way->reason);
	assert_int_equal(way->reason->level == MTW_LEVEL_FAILURE, kind == MTW_WAY_NONE);
	if (kind == MTW_WAY_NONE || kind == MTW_WAY_REBIND || kind == MTW_WAY_BIND)
		assert_int_equal(way->keep_away->len, 0);
	return way;
}

static void assert_list(const GPtrArray *list, const char *expected)
{
	g_autofree char *text = mtw_sentence_list(list);

	assert_string_equal(text, expected);
}

static void assert_refused(FakeRoot *root, const char *address, const char *wanted,
			   const char *message)
{
	g_autoptr(GError) error = NULL;

	assert_null(choose(root, address, wanted, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
	assert_non_null(strstr(error->message, message));
}

static void test_reload(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwWay) way = choose_kind(root, NIC, NULL, MTW_WAY_RELOAD);
	g_autoptr(MtwWay) named = choose_kind(root, NIC, "e1000", MTW_WAY_RELOAD);

	assert_string_equal(way->driver, "e1000");
	assert_string_equal(way->module, "e1000");
	assert_string_equal(way->old_driver, "e1000");
	assert_list(way->unload, "e1000");
	assert_list(way->keep_away, "");
	assert_list(named->unload, "e1000");
}

static void test_reload_chain(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "sys/module/nvidia_drm/refcnt", "0\n");
	fake_root_put(root, "sys/module/nvidia_modeset/refcnt", "1\n");
	fake_root_put(root, "sys/module/nvidia/refcnt", "1\n");
	g_autoptr(MtwWay) way = choose_kind(root, GPU, NULL, MTW_WAY_RELOAD);
	assert_list(way->unload, "nvidia_drm, nvidia_modeset, nvidia");
	assert_string_equal(way->module, "nvidia");
	/* A driver of the chain, on another bus, has a device of its own elsewhere ... */
	fake_root_put(root, "sys/devices/platform/other/x", "");
	fake_root_link(root, "sys/bus/platform/drivers/nv/other",
		       "../../../../devices/platform/other");
	fake_root_link(root, "sys/module/nvidia_drm/drivers/platform:nv",
		       "../../../bus/platform/drivers/nv");
	g_autoptr(MtwWay) shared = choose_kind(root, GPU, NULL, MTW_WAY_REBIND);
	assert_list(shared->unload, "");
	assert_non_null(strstr(shared->reason->detail, "other"));
	/* ... and one that is on the target. */
	fake_root_link(root, "sys/bus/platform/drivers/nv/other",
		       "../../../../devices/pci0000:00/0000:00:01.0/" GPU "/drm/card0");
	g_autoptr(MtwWay) own = choose_kind(root, GPU, NULL, MTW_WAY_RELOAD);
	assert_int_equal(own->unload->len, 3);
}

static void test_reload_not_installed(void **state)
{
	FakeRoot *root = *state;

	fake_root_remove(root, "lib/modules");
	g_autoptr(MtwWay) way = choose_kind(root, NIC, NULL, MTW_WAY_REBIND);
	assert_int_equal(way->reason->level, MTW_LEVEL_WARNING);
	assert_list(way->unload, "");
}

static void test_rebind(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwWay) in_use = choose_kind(root, GPU, NULL, MTW_WAY_REBIND);
	g_autoptr(MtwWay) built_in = choose_kind(root, "0000:00:1d.0", NULL, MTW_WAY_REBIND);
	g_autoptr(MtwWay) shared = NULL;

	assert_string_equal(in_use->driver, "nvidia");
	assert_list(in_use->unload, "");
	assert_string_equal(built_in->driver, "ehci-pci");
	assert_null(built_in->module);
	fake_root_put(root, "sys/module/snd_hda_intel/refcnt", "0\n");
	shared = choose_kind(root, "0000:01:00.1", NULL, MTW_WAY_REBIND);
	assert_string_equal(shared->reason->detail, "snd_hda_intel: 0000:00:1b.0");
}

static void test_stuck(void **state)
{
	FakeRoot *root = *state;

	fake_root_remove(root, "sys/bus/pci/drivers/nvidia/unbind");
	fake_root_remove(root, "sys/bus/pci/drivers/ehci-pci/unbind");
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/unbind");
	g_autoptr(MtwWay) in_use = choose_kind(root, GPU, NULL, MTW_WAY_NONE);
	g_autoptr(MtwWay) built_in = choose_kind(root, "0000:00:1d.0", NULL, MTW_WAY_NONE);
	g_autoptr(MtwWay) fine = choose_kind(root, NIC, NULL, MTW_WAY_RELOAD);
	assert_string_equal(in_use->reason->id, "device-permanent");
	assert_string_equal(built_in->reason->id, "device-permanent");
	assert_string_not_equal(in_use->reason->sentence, built_in->reason->sentence);
	assert_list(fine->unload, "e1000");
}

static void test_load(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwWay) way = choose_kind(root, FREE_NIC, NULL, MTW_WAY_LOAD);

	assert_string_equal(way->module, "e1000e");
	assert_null(way->driver);
	assert_null(way->old_driver);
	assert_list(way->candidates, "e1000e");
	assert_list(way->keep_away, OTHER_FREE_NIC);
	/* Kept away by somebody already. */
	fake_root_put(root, "sys/bus/pci/devices/" OTHER_FREE_NIC "/driver_override", "none\n");
	g_autoptr(MtwWay) alone = choose_kind(root, FREE_NIC, NULL, MTW_WAY_LOAD);
	assert_list(alone->keep_away, "");
}

static void test_load_blacklisted(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "etc/modprobe.d/no.conf", "blacklist e1000e\n");
	g_autoptr(MtwWay) way = choose_kind(root, FREE_NIC, NULL, MTW_WAY_LOAD);
	assert_string_equal(way->module, "e1000e");
}

static void test_bind(void **state)
{
	FakeRoot *root = *state;
	static const char *const unbound[] = { NIC, "0000:00:1d.0" };

	for (gsize i = 0; i < G_N_ELEMENTS(unbound); i++) {
		g_autofree char *link =
			g_strdup_printf("sys/bus/pci/devices/%s/driver", unbound[i]);
		fake_root_remove(root, link);
	}
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/" NIC);
	g_autoptr(MtwWay) module = choose_kind(root, NIC, NULL, MTW_WAY_BIND);
	g_autoptr(MtwWay) built_in = choose_kind(root, "0000:00:1d.0", NULL, MTW_WAY_BIND);
	assert_string_equal(module->driver, "e1000");
	assert_string_equal(module->module, "e1000");
	assert_string_equal(built_in->driver, "ehci-pci");
	assert_null(built_in->module);
	/* Built in without a folder of its own in /sys/module: found by the driver's name. */
	fake_root_remove(root, "sys/module/ehci_pci");
	g_autoptr(MtwWay) by_name = choose_kind(root, "0000:00:1d.0", NULL, MTW_WAY_BIND);
	assert_string_equal(by_name->driver, "ehci-pci");
	/* Loaded, but it registered nothing. */
	fake_root_remove(root, "sys/module/e1000/drivers");
	fake_root_remove(root, "sys/bus/pci/drivers/e1000");
	g_autoptr(MtwWay) nothing = choose_kind(root, NIC, NULL, MTW_WAY_NONE);
	assert_string_equal(nothing->reason->id, "device-driver");
}

static void test_none(void **state)
{
	FakeRoot *root = *state;
	static const struct {
		const char *address;
		const char *id;
	} cases[] = {
		{ "0000:00:00.0", "device-bridge" }, { "0000:00:01.0", "device-bridge" },
		{ "0000:00:1f.1", "device-bars" },   { "0000:03:00.0", "device-userspace" },
		{ "0000:07:00.0", "device-driver" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwWay) way = choose_kind(root, cases[i].address, NULL, MTW_WAY_NONE);
		assert_string_equal(way->reason->id, cases[i].id);
	}
}

/* An empty slot is a bridge that nothing is reached through. */
static void test_empty_slot(void **state)
{
	FakeRoot *root = *state;
	static const char folder[] = "sys/devices/pci0000:00/0000:07:00.0";
	g_autofree char *class_path = g_strdup_printf("%s/class", folder);
	g_autofree char *behind = g_strdup_printf("%s/0000:08:00.0/vendor", folder);

	fake_root_put(root, class_path, "0x060400\n");
	g_autoptr(MtwWay) empty = choose_kind(root, "0000:07:00.0", NULL, MTW_WAY_NONE);
	assert_string_equal(empty->reason->id, "device-driver");
	fake_root_put(root, behind, "0x8086\n");
	g_autoptr(MtwWay) used = choose_kind(root, "0000:07:00.0", NULL, MTW_WAY_NONE);
	assert_string_equal(used->reason->id, "device-bridge");
}

static void test_userspace_drivers(void **state)
{
	FakeRoot *root = *state;
	static const char *const drivers[] = { "uio_pci_generic", "pci-stub", "mlx5-vfio-pci" };

	for (gsize i = 0; i < G_N_ELEMENTS(drivers); i++) {
		g_autofree char *target =
			g_strdup_printf("../../../bus/pci/drivers/%s", drivers[i]);
		fake_root_link(root, "sys/bus/pci/devices/" NIC "/driver", target);
		g_autoptr(MtwWay) way = choose_kind(root, NIC, NULL, MTW_WAY_NONE);
		assert_string_equal(way->reason->id, "device-userspace");
	}
}

static void test_several(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwWay) named = choose_kind(root, "0000:06:00.0", "amdgpu", MTW_WAY_LOAD);

	assert_refused(root, "0000:06:00.0", NULL, "radeon");
	assert_refused(root, "0000:06:00.0", NULL, "--driver");
	assert_string_equal(named->module, "amdgpu");
	assert_int_equal(named->candidates->len, 2);
}

static void test_wanted(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwWay) other = choose_kind(root, GPU, "nouveau", MTW_WAY_LOAD);
	g_autoptr(MtwWay) unload = NULL;

	/* The old driver's modules are in use: the plan unbinds just the device. */
	assert_string_equal(other->module, "nouveau");
	assert_string_equal(other->old_driver, "nvidia");
	assert_list(other->unload, "");
	fake_root_put(root, "sys/module/nvidia_drm/refcnt", "0\n");
	fake_root_put(root, "sys/module/nvidia_modeset/refcnt", "1\n");
	fake_root_put(root, "sys/module/nvidia/refcnt", "1\n");
	unload = choose_kind(root, GPU, "nouveau", MTW_WAY_LOAD);
	assert_list(unload->unload, "nvidia_drm, nvidia_modeset, nvidia");
	assert_refused(root, GPU, "nonsense", "nonsense");
	assert_refused(root, GPU, "../../x", "no driver");
	assert_refused(root, GPU, "", "no driver");
	assert_refused(root, FREE_NIC, "nouveau", "e1000e");
	/* Neither can be unloaded nor lets go. */
	fake_root_put(root, "sys/module/nvidia/refcnt", "2\n");
	fake_root_remove(root, "sys/bus/pci/drivers/nvidia/unbind");
	g_autoptr(MtwWay) stuck = choose_kind(root, GPU, "nouveau", MTW_WAY_NONE);
	assert_string_equal(stuck->reason->id, "device-permanent");
	assert_null(stuck->module);
}

static void test_override(void **state)
{
	FakeRoot *root = *state;
	static const char path[] = "sys/bus/pci/devices/" FREE_NIC "/driver_override";

	/* Given to vfio-pci by driver_override: another driver would not get it. */
	g_autoptr(MtwWay) vfio = choose_kind(root, "0000:03:00.0", "xhci-pci", MTW_WAY_NONE);
	assert_string_equal(vfio->reason->id, "device-override");
	assert_list(vfio->unload, "");
	fake_root_put(root, path, "e1000e\n");
	g_autoptr(MtwWay) same = choose_kind(root, FREE_NIC, NULL, MTW_WAY_LOAD);
	fake_root_put(root, path, "vfio-pci\n");
	g_autoptr(MtwWay) reserved = choose_kind(root, FREE_NIC, NULL, MTW_WAY_NONE);
	assert_string_equal(reserved->reason->id, "device-override");
	assert_string_equal(same->module, "e1000e");
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(mtw_way_name(MTW_WAY_NONE), "none");
	assert_string_equal(mtw_way_name(MTW_WAY_LOAD), "load");
	assert_string_equal(mtw_way_name(MTW_WAY_BIND), "bind");
	assert_string_equal(mtw_way_name(MTW_WAY_RELOAD), "reload");
	assert_string_equal(mtw_way_name(MTW_WAY_REBIND), "rebind");
}

/* Every row of the table is filled. */
static void test_sentences(void **state)
{
	(void)state;
	for (int i = 0; i < MTW_N_SENTENCES; i++) {
		g_autoptr(MtwMessage) message = mtw_sentence_new((MtwSentence)i, NULL);
		assert_non_null(message->id);
		assert_non_null(message->sentence);
		assert_non_null(message->hint);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_reload),
		FAKE_DESKTOP_TEST(test_reload_chain),
		FAKE_DESKTOP_TEST(test_reload_not_installed),
		FAKE_DESKTOP_TEST(test_rebind),
		FAKE_DESKTOP_TEST(test_stuck),
		FAKE_DESKTOP_TEST(test_load),
		FAKE_DESKTOP_TEST(test_load_blacklisted),
		FAKE_DESKTOP_TEST(test_bind),
		FAKE_DESKTOP_TEST(test_none),
		FAKE_DESKTOP_TEST(test_empty_slot),
		FAKE_DESKTOP_TEST(test_userspace_drivers),
		FAKE_DESKTOP_TEST(test_several),
		FAKE_DESKTOP_TEST(test_wanted),
		FAKE_DESKTOP_TEST(test_override),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_sentences),
	};

	return cmocka_run_group_tests_name("check-way", tests, NULL, NULL);
}
