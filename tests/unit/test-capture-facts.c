/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts for a description: what is found, and that nothing bad gets through. */
#include "test-edid-data.h"

#include "base/json.h"
#include "capture/facts-private.h"

#include <string.h>

#define CARD "0000:01:00.0"
#define CARD_FOLDER "sys/devices/pci0000:00/0000:00:01.0/" CARD "/"
#define NVIDIA "proc/driver/nvidia/"
#define AUDIO_FOLDER "sys/devices/pci0000:00/0000:00:1b.0/"
#define DISK_FOLDER "sys/devices/pci0000:00/0000:02:00.0/"

static JsonObject *gather(FakeRoot *root, const char *address, const char *module)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, address, NULL);

	assert_non_null(device);
	return mtw_facts_gather(root->paths, device, module);
}

static void assert_fact(JsonObject *facts, const char *name, const char *value)
{
	assert_string_equal(mtw_json_string(facts, name, "(not there)"),
			    value != NULL ? value : "(not there)");
}

static void test_network_card(void **state)
{
	g_autoptr(JsonObject) facts = gather(*state, "0000:00:03.0", NULL);

	assert_fact(facts, "address", "0000:00:03.0");
	assert_fact(facts, "device-id", "8086:100e");
	assert_fact(facts, "driver", "e1000");
	assert_fact(facts, "module", "e1000");
	assert_fact(facts, "driver-version", "1.0-test");
	assert_fact(facts, "module-license", "GPL");
	assert_fact(facts, "kernel", "6.1.0-57-amd64");
	assert_fact(facts, "distribution", "Debian GNU/Linux 12 (bookworm)");
	assert_fact(facts, "interfaces", "eth0");
	/* Of display devices only. */
	assert_fact(facts, "session", NULL);
	assert_fact(facts, "siblings", NULL);
	assert_fact(facts, "gsp", NULL);
}

static void put_card(FakeRoot *root)
{
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-DP-1/status", "disconnected\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-DVI-D-1/status", "connected\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-DVI-D-1/enabled", "disabled\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-HDMI-A-1/status", "connected\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-HDMI-A-1/enabled", "enabled\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-VGA-1/status", "connected\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-VGA-1/enabled", "enabled\n");
	fake_root_put(root, CARD_FOLDER "drm/card0/card0-VGA-1/modes", "1280x1024\n");
	put_edid(root, CARD_FOLDER "drm/card0/card0-HDMI-A-1/edid", "desktop");
	put_edid(root, CARD_FOLDER "drm/card0/card0-VGA-1/edid", "analogue");
}

static void test_card(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;
	g_autofree char *all = NULL;

	put_card(root);
	facts = gather(root, CARD, NULL);
	assert_fact(
		facts, "connectors",
		"DP-1 disconnected, DVI-D-1 connected but off, HDMI-A-1 connected (DELL U2415), "
		"VGA-1 connected (SyncMaster)");
	assert_fact(facts, "monitors",
		    "HDMI-A-1: DELL U2415 1920x1200, VGA-1: SyncMaster 1280x1024");
	assert_fact(facts, "session", "X11");
	assert_fact(facts, "session-programs", "Xorg");
	assert_non_null(strstr(mtw_json_string(facts, "siblings", ""), "0000:06:00.0 "));
	assert_non_null(strstr(mtw_json_string(facts, "siblings", ""), "[1002:67df] (no driver)"));
	/* The serials of the monitor are in no fact. */
	all = mtw_json_line(facts);
	assert_null(strstr(all, "XKV0P4B5S0HL"));
	assert_null(strstr(all, "810044499"));
}

/* On Debian the file of the module has another name than the module. */
static void test_nvidia_installed(void **state)
{
	g_autoptr(JsonObject) facts = gather(*state, CARD, NULL);

	assert_fact(facts, "module", "nvidia");
	assert_fact(facts, "driver-version", "1.0-test");
	assert_fact(facts, "module-license", "GPL");
	assert_fact(facts, "gsp", "unknown");
}

static void test_nvidia_loaded(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;
	g_autoptr(JsonObject) of_nouveau = NULL;
	g_autofree char *all = NULL;

	fake_root_put(root, "sys/module/nvidia/version", "535.183.00\n");
	fake_root_put(root, NVIDIA "version",
		      "NVRM version: NVIDIA UNIX x86_64  535.183.01  Sun\n");
	fake_root_put(root, NVIDIA "gpus/" CARD "/information",
		      "GPU UUID: \t GPU-97e0449e\nVideo BIOS: \t 86.04.17.00.01\n"
		      "GPU Firmware: \t N/A\n");
	facts = gather(root, CARD, "nvidia");
	assert_fact(facts, "driver-version", "535.183.01");
	assert_fact(facts, "gsp", "off");
	assert_fact(facts, "gsp-version", NULL);
	assert_fact(facts, "vbios-version", "86.04.17.00.01");
	all = mtw_json_line(facts);
	assert_null(strstr(all, "97e0449e"));
	/* The version is that of the driver to be traced, not of the one that is loaded. */
	of_nouveau = gather(root, CARD, "nouveau");
	assert_fact(of_nouveau, "module", "nouveau");
	assert_fact(of_nouveau, "driver", "nvidia");
	assert_fact(of_nouveau, "driver-version", "1.0-test");
}

static void test_loaded_version_wins(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;

	fake_root_put(root, "sys/module/e1000/version", "9.9\n");
	facts = gather(root, "0000:00:03.0", "e1000");
	assert_fact(facts, "driver-version", "9.9");
}

static void test_audio(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;

	fake_root_put(root, AUDIO_FOLDER "sound/card0/hwC0D0/vendor_name", "Realtek\n");
	fake_root_put(root, AUDIO_FOLDER "sound/card0/hwC0D0/chip_name", "ALC892\n");
	fake_root_put(root, AUDIO_FOLDER "sound/card0/hwC0D2/chip_name", "Haswell\n");
	fake_root_link(root, "sys/class/sound/card0",
		       "../../devices/pci0000:00/0000:00:1b.0/sound/card0");
	fake_root_link(root, "sys/class/sound/hwC0D0",
		       "../../devices/pci0000:00/0000:00:1b.0/sound/card0/hwC0D0");
	fake_root_link(root, "sys/class/sound/hwC0D2",
		       "../../devices/pci0000:00/0000:00:1b.0/sound/card0/hwC0D2");
	facts = gather(root, "0000:00:1b.0", NULL);
	assert_fact(facts, "codecs", "hwC0D0: Realtek ALC892, hwC0D2: Haswell");
	assert_fact(facts, "disks", NULL);
}

static void test_disk(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;
	g_autoptr(JsonObject) other = NULL;
	g_autofree char *all = NULL;

	fake_root_put(root, DISK_FOLDER "nvme/nvme0/model", "Samsung SSD 970 EVO Plus 1TB   \n");
	fake_root_put(root, DISK_FOLDER "nvme/nvme0/firmware_rev", "2B2QEXM7\n");
	fake_root_put(root, DISK_FOLDER "nvme/nvme0/serial", "S4EWNX0R000001\n");
	fake_root_link(root, "sys/class/nvme/nvme0",
		       "../../devices/pci0000:00/0000:02:00.0/nvme/nvme0");
	facts = gather(root, "0000:02:00.0", NULL);
	assert_fact(facts, "disks", "nvme0: Samsung SSD 970 EVO Plus 1TB");
	assert_fact(facts, "firmware-version", "nvme0: 2B2QEXM7");
	all = mtw_json_line(facts);
	assert_null(strstr(all, "S4EWNX0R000001"));
	/* What belongs to another device is not this one's. */
	other = gather(root, "0000:00:1f.1", NULL);
	assert_fact(other, "disks", NULL);
	assert_fact(other, "firmware-version", NULL);
}

static void test_scsi_and_amd(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) disk = NULL;
	g_autoptr(JsonObject) card = NULL;

	fake_root_put(root, "sys/devices/pci0000:00/0000:00:1f.1/ata1/0:0:0:0/model",
		      "QEMU HARDDISK\n");
	fake_root_put(root, "sys/devices/pci0000:00/0000:00:1f.1/ata1/0:0:0:0/vendor",
		      "ATA     \n");
	fake_root_put(root, "sys/devices/pci0000:00/0000:00:1f.1/ata1/0:0:0:0/rev", "2.5+\n");
	fake_root_link(
		root, "sys/devices/pci0000:00/0000:00:1f.1/ata1/0:0:0:0/scsi_device/0:0:0:0/device",
		"../..");
	fake_root_link(root, "sys/class/scsi_device/0:0:0:0",
		       "../../devices/pci0000:00/0000:00:1f.1/ata1/0:0:0:0/scsi_device/0:0:0:0");
	disk = gather(root, "0000:00:1f.1", NULL);
	assert_fact(disk, "disks", "0:0:0:0: ATA QEMU HARDDISK");
	assert_fact(disk, "firmware-version", "0:0:0:0: 2.5+");

	fake_root_put(root, "sys/bus/pci/devices/0000:06:00.0/fw_version/smc_fw_version",
		      "0x1b4\n");
	fake_root_put(root, "sys/bus/pci/devices/0000:06:00.0/fw_version/other", "1\n");
	fake_root_put(root, "sys/bus/pci/devices/0000:06:00.0/vbios_version", "113-D00034\n");
	card = gather(root, "0000:06:00.0", NULL);
	assert_fact(card, "firmware-version", "smc: 0x1b4");
	assert_fact(card, "vbios-version", "113-D00034");
}

static void test_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;
	JsonObjectIter iter;
	const char *name;
	JsonNode *node;

	fake_root_put(root, "etc/os-release", "PRETTY_NAME=\"a\033[2J\nb\xff\"\n");
	fake_root_put(root, "sys/module/e1000/version", "1\r\n2\a\n");
	facts = gather(root, "0000:00:03.0", "../../../etc");
	assert_fact(facts, "module", NULL);
	json_object_unref(g_steal_pointer(&facts));
	facts = gather(root, "0000:00:03.0", "e1000");
	json_object_iter_init(&iter, facts);
	while (json_object_iter_next(&iter, &name, &node)) {
		const char *text = json_node_get_string(node);
		assert_true(mtw_facts_is_name(name));
		assert_true(g_utf8_validate(text, -1, NULL));
		assert_null(strpbrk(text, "\n\r\t\a\033"));
		assert_string_not_equal(text, "");
	}
}

static void test_nothing_there(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;

	fake_root_put(root, "sys/bus/pci/devices/0000:00:01.0/vendor", "0x10de\n");
	fake_root_put(root, "sys/bus/pci/devices/0000:00:01.0/device", "0x1eb8\n");
	fake_root_put(root, "sys/bus/pci/devices/0000:00:01.0/class", "0x030200\n");
	facts = gather(root, "0000:00:01.0", NULL);
	assert_fact(facts, "module", NULL);
	assert_fact(facts, "connectors", NULL);
	assert_fact(facts, "siblings", "none");
	assert_fact(facts, "session", "none");
	assert_fact(facts, "gsp", "unknown");
}

static void test_log_lines(void **state)
{
	static const struct {
		const char *line, *driver, *firmware;
	} cases[] = {
		{ "[    1.0] e1000: Intel(R) PRO/1000 Network Driver - version 7.3.21-k8-NAPI",
		  "7.3.21-k8-NAPI", NULL },
		{ "e1000 0000:00:03.0: driver version: 1.2", "1.2", NULL },
		{ "e1000 0000:00:03.0: loaded firmware version 72.daa05125.0 op_mode iwlmvm", NULL,
		  "72.daa05125.0" },
		{ "[ 2.0] other 0000:00:03.0: firmware ver WLAN.RM.4.4.1 api 6", NULL,
		  "WLAN.RM.4.4.1" },
		/* Of others, or no versions. */
		{ "e1000e: Intel(R) PRO/1000 Network Driver - version 3.2.6-k", NULL, NULL },
		{ "other 0000:00:04.0: firmware version 1.2", NULL, NULL },
		{ "e1000: version mismatch", NULL, NULL },
		{ "e1000: version ", NULL, NULL },
		{ "e1000: version (1.2)", NULL, NULL },
		{ "e1000", NULL, NULL },
		{ "[", NULL, NULL },
		{ "[]", NULL, NULL },
		{ "", NULL, NULL },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *driver = NULL;
		g_autofree char *firmware = NULL;
		mtw_facts_parse_log(cases[i].line, "e1000", "0000:00:03.0", &driver, &firmware);
		assert_true(g_strcmp0(driver, cases[i].driver) == 0);
		assert_true(g_strcmp0(firmware, cases[i].firmware) == 0);
	}
}

static void test_log(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) facts = NULL;
	g_autoptr(JsonObject) of_module = NULL;

	fake_root_put(root, "dev/kmsg",
		      "6,1,1,-;ehci-pci: EHCI PCI platform driver version 0.9\n"
		      "6,2,2,-;ehci_pci: EHCI PCI platform driver version 1.0\n"
		      "6,3,3,-;ehci-pci 0000:00:1d.0: firmware version 5\n");
	facts = gather(root, "0000:00:1d.0", "ehci-pci");
	assert_fact(facts, "driver-version", "1.0");
	assert_fact(facts, "firmware-version", "5");
	/* What the module says of itself comes first. */
	fake_root_put(root, "dev/kmsg", "6,1,1,-;e1000: version 0.0\n");
	of_module = gather(root, "0000:00:03.0", NULL);
	assert_fact(of_module, "driver-version", "1.0-test");
}

/* No driver has the device: the only module that fits, or none of several. */
static void test_no_driver(void **state)
{
	g_autoptr(JsonObject) one = gather(*state, "0000:04:00.0", NULL);
	g_autoptr(JsonObject) several = gather(*state, "0000:06:00.0", NULL);
	g_autoptr(JsonObject) none = gather(*state, "0000:07:00.0", NULL);

	assert_fact(one, "driver", NULL);
	assert_fact(one, "module", "e1000e");
	assert_fact(one, "driver-version", "1.0-test");
	assert_fact(several, "module", NULL);
	assert_fact(none, "module", NULL);
}

static void test_names(void **state)
{
	(void)state;
	assert_true(mtw_facts_is_name("driver-version"));
	assert_true(mtw_facts_is_name("disks"));
	assert_false(mtw_facts_is_name(""));
	assert_false(mtw_facts_is_name("Driver-Version"));
	assert_false(mtw_facts_is_name("serial"));
}

#define ON_DESKTOP(test) \
	cmocka_unit_test_setup_teardown(test, fake_root_setup_desktop, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_DESKTOP(test_network_card),
		ON_DESKTOP(test_card),
		ON_DESKTOP(test_nvidia_installed),
		ON_DESKTOP(test_nvidia_loaded),
		ON_DESKTOP(test_loaded_version_wins),
		ON_DESKTOP(test_audio),
		ON_DESKTOP(test_disk),
		ON_DESKTOP(test_scsi_and_amd),
		ON_DESKTOP(test_hostile),
		cmocka_unit_test(test_log_lines),
		ON_DESKTOP(test_log),
		ON_DESKTOP(test_no_driver),
		cmocka_unit_test_setup_teardown(test_nothing_there, fake_root_setup,
						fake_root_teardown),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
