/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connectors, siblings, the vendor driver's files, X11 or Wayland. */
#include "test-edid-data.h"

#include "machine/display-nvidia.h"
#include "machine/display.h"
#include "machine/session-type.h"

#include <string.h>
#include <sys/stat.h>

#define CARD "0000:01:00.0"
#define CARD_FOLDER "sys/devices/pci0000:00/0000:00:01.0/" CARD "/drm/card0/"
#define NVIDIA "proc/driver/nvidia/"
#define INFORMATION NVIDIA "gpus/" CARD "/information"
#define SESSIONS "run/systemd/sessions/"

static MtwPciDevice *card(FakeRoot *root)
{
	MtwPciDevice *device = mtw_pci_get(root->paths, CARD, NULL);

	assert_non_null(device);
	return device;
}

static void put_connector(FakeRoot *root, const char *name, const char *status, const char *enabled,
			  const char *modes)
{
	const struct {
		const char *file, *text;
	} files[] = { { "status", status }, { "enabled", enabled }, { "modes", modes } };

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path =
			g_strdup_printf(CARD_FOLDER "card0-%s/%s", name, files[i].file);
		fake_root_put(root, path, files[i].text);
	}
}

static void test_connectors(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);
	g_autoptr(GPtrArray) connectors = NULL;
	const MtwConnector *connector;

	put_connector(root, "DP-1", "disconnected\n", "disabled\n", "");
	put_connector(root, "HDMI-A-1", "connected\n", "enabled\n", "1920x1200\n1920x1080\n");
	put_edid(root, CARD_FOLDER "card0-HDMI-A-1/edid", "desktop");
	fake_root_put(root, CARD_FOLDER "card0-DP-1/edid", "");
	/* Others in the folder are no connectors. */
	fake_root_put(root, CARD_FOLDER "power/control", "auto\n");
	connectors = mtw_display_connectors(root->paths, device);
	assert_int_equal(connectors->len, 2);
	connector = connectors->pdata[0];
	assert_string_equal(connector->name, "DP-1");
	assert_string_equal(connector->status, "disconnected");
	assert_false(connector->enabled);
	assert_null(connector->mode);
	assert_null(connector->edid);
	connector = connectors->pdata[1];
	assert_string_equal(connector->name, "HDMI-A-1");
	assert_string_equal(connector->status, "connected");
	assert_true(connector->enabled);
	assert_string_equal(connector->mode, "1920x1200");
	assert_string_equal(connector->edid->name, "DELL U2415");
}

static void test_connectors_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);
	g_autoptr(GPtrArray) connectors = NULL;
	const MtwConnector *connector;
	g_autofree char *huge = g_strnfill(100000, 'x');

	put_connector(root, "A\033[1m", "con\033[2Jnected\nmore", "", "\n\n");
	fake_root_put(root, CARD_FOLDER "card0-A\033[1m/edid", huge);
	fake_root_put(root, CARD_FOLDER "card0-B/nothing", "");
	connectors = mtw_display_connectors(root->paths, device);
	assert_int_equal(connectors->len, 2);
	connector = connectors->pdata[0];
	assert_string_equal(connector->name, "A [1m");
	assert_string_equal(connector->status, "con [2Jnected");
	assert_null(connector->mode);
	assert_null(connector->edid);
	connector = connectors->pdata[1];
	assert_string_equal(connector->status, "unknown");
}

static void test_no_connectors(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) nic = mtw_pci_get(root->paths, "0000:00:03.0", NULL);
	g_autoptr(GPtrArray) connectors = mtw_display_connectors(root->paths, nic);

	assert_int_equal(connectors->len, 0);
	assert_false(mtw_display_is_card(nic));
}

static void test_siblings(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);
	g_autoptr(GPtrArray) siblings = mtw_display_siblings(root->paths, device);
	const MtwPciDevice *other = siblings->pdata[0];

	assert_true(mtw_display_is_card(device));
	assert_int_equal(siblings->len, 1);
	assert_string_equal(other->address, "0000:06:00.0");
}

/* The two forms of the file that the vendor's modules have. */
static void test_nvidia_version(void **state)
{
	static const struct {
		const char *text, *version;
	} cases[] = {
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 "
		  "UTC 2024\nGCC version:  gcc version 12.2.0\n",
		  "535.183.01" },
		{ "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  560.35.03  Release "
		  "Build  (dvs-builder@U16)  Fri Aug 16 21:42:42 UTC 2024\n",
		  "560.35.03" },
		{ "NVRM version: \n", NULL },
		{ "GCC version:  gcc version 12.2.0\n", NULL },
		{ "NVRM version: 1 x.1 1.x 12\n", NULL },
		{ "", NULL },
	};
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwNvidiaFacts) facts = NULL;
		fake_root_put(root, NVIDIA "version", cases[i].text);
		facts = mtw_nvidia_facts(root->paths, device);
		assert_true(g_strcmp0(facts->driver_version, cases[i].version) == 0);
	}
}

static void test_gsp(void **state)
{
	static const struct {
		const char *information, *params;
		MtwGspState gsp;
		const char *gsp_version;
	} cases[] = {
		{ "GPU Firmware: \t 580.173.02\n", "EnableGpuFirmware: 18\n", MTW_GSP_ON,
		  "580.173.02" },
		{ "GPU Firmware: \t N/A\n", "EnableGpuFirmware: 18\n", MTW_GSP_OFF, NULL },
		/* What the card says is more than what was asked for. */
		{ "GPU Firmware: \t N/A\n", "EnableGpuFirmware: 1\n", MTW_GSP_OFF, NULL },
		{ "Model: \t\t Quadro\n", "EnableGpuFirmwareLogs: 2\nEnableGpuFirmware: 0\n",
		  MTW_GSP_OFF, NULL },
		{ "", "EnableGpuFirmware: 16\n", MTW_GSP_OFF, NULL },
		{ "", "EnableGpuFirmware: 1\n", MTW_GSP_ON, NULL },
		{ "", "EnableGpuFirmware: 17\n", MTW_GSP_UNKNOWN, NULL },
		{ "", "EnableGpuFirmware: 18\n", MTW_GSP_UNKNOWN, NULL },
		{ "", "EnableGpuFirmware: -1\n", MTW_GSP_UNKNOWN, NULL },
		{ "GPU Firmware: \n", "", MTW_GSP_UNKNOWN, NULL },
	};
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(MtwNvidiaFacts) facts = NULL;
		fake_root_put(root, INFORMATION, cases[i].information);
		fake_root_put(root, NVIDIA "params", cases[i].params);
		facts = mtw_nvidia_facts(root->paths, device);
		assert_int_equal(facts->gsp, cases[i].gsp);
		assert_true(g_strcmp0(facts->gsp_version, cases[i].gsp_version) == 0);
	}
}

static void test_vbios_version(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPciDevice) device = card(root);
	g_autoptr(MtwNvidiaFacts) facts = NULL;
	g_autoptr(MtwNvidiaFacts) none = NULL;

	fake_root_put(root, INFORMATION, "GPU UUID: \t GPU-1\nVideo BIOS: \t 90.02.30.00.01\n");
	facts = mtw_nvidia_facts(root->paths, device);
	assert_string_equal(facts->vbios_version, "90.02.30.00.01");
	fake_root_remove(root, "proc/driver");
	none = mtw_nvidia_facts(root->paths, device);
	assert_null(none->vbios_version);
	assert_null(none->driver_version);
	assert_int_equal(none->gsp, MTW_GSP_UNKNOWN);
}

static void test_session_of_logind(void **state)
{
	static const struct {
		const char *text;
		MtwSessionType type;
	} cases[] = {
		{ "UID=1000\nACTIVE=1\nSEAT=seat0\nTYPE=wayland\n", MTW_SESSION_TYPE_WAYLAND },
		{ "UID=1000\nACTIVE=1\nSEAT=seat0\nTYPE=x11\n", MTW_SESSION_TYPE_X11 },
		/* In the background, over SSH, a text console: the processes decide (Xorg). */
		{ "ACTIVE=0\nSEAT=seat0\nTYPE=wayland\n", MTW_SESSION_TYPE_X11 },
		{ "ACTIVE=1\nTYPE=wayland\n", MTW_SESSION_TYPE_X11 },
		{ "ACTIVE=1\nSEAT=seat0\nTYPE=tty\n", MTW_SESSION_TYPE_X11 },
		{ "XTYPE=wayland", MTW_SESSION_TYPE_X11 },
		{ "", MTW_SESSION_TYPE_X11 },
	};
	FakeRoot *root = *state;
	g_autofree char *fifo = NULL;

	fake_root_put(root, SESSIONS "1", "ACTIVE=1\nTYPE=tty\n");
	fifo = fake_root_path(root, SESSIONS "1.ref");
	/* A reader that opens it without looking would hang. */
	assert_int_equal(mkfifo(fifo, 0600), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		fake_root_put(root, SESSIONS "c2", cases[i].text);
		assert_int_equal(mtw_session_type(root->paths), cases[i].type);
	}
}

static void test_session_of_programs(void **state)
{
	static const struct {
		const char *comm;
		MtwSessionType type;
	} cases[] = {
		{ "Xorg\n", MTW_SESSION_TYPE_X11 },
		{ "gnome-shell\n", MTW_SESSION_TYPE_WAYLAND },
		{ "kwin_x11\n", MTW_SESSION_TYPE_X11 },
		{ "sway\n", MTW_SESSION_TYPE_WAYLAND },
		{ "bash\n", MTW_SESSION_TYPE_NONE },
		{ "", MTW_SESSION_TYPE_NONE },
	};
	FakeRoot *root = *state;

	fake_root_put(root, "proc/sys/comm", "sway\n");
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		fake_root_put(root, "proc/7/comm", cases[i].comm);
		assert_int_equal(mtw_session_type(root->paths), cases[i].type);
	}
	fake_root_put(root, "proc/7/comm", "gnome-shell\n");
	fake_root_put(root, "proc/8/comm", "Xorg\n");
	assert_int_equal(mtw_session_type(root->paths), MTW_SESSION_TYPE_X11);
	fake_root_put(root, "proc/9/comm", "Xwayland\n");
	assert_int_equal(mtw_session_type(root->paths), MTW_SESSION_TYPE_WAYLAND);
}

static void test_session_programs(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) programs = NULL;

	fake_root_put(root, "proc/9/comm", "Xwayland\n");
	fake_root_put(root, "proc/10/comm", "gnome-shell\n");
	fake_root_put(root, "proc/11/comm", "Xwayland\n");
	fake_root_put(root, "proc/12/comm", "evil\033[31m\n");
	programs = mtw_session_programs(root->paths);
	assert_int_equal(programs->len, 2);
	assert_string_equal(programs->pdata[0], "Xwayland");
	assert_string_equal(programs->pdata[1], "gnome-shell");
}

#define ON_DESKTOP(test) \
	cmocka_unit_test_setup_teardown(test, fake_root_setup_desktop, fake_root_teardown)
#define ON_NOTHING(test) cmocka_unit_test_setup_teardown(test, fake_root_setup, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_DESKTOP(test_connectors),	      ON_DESKTOP(test_connectors_hostile),
		ON_DESKTOP(test_no_connectors),	      ON_DESKTOP(test_siblings),
		ON_DESKTOP(test_nvidia_version),      ON_DESKTOP(test_gsp),
		ON_DESKTOP(test_vbios_version),	      ON_DESKTOP(test_session_of_logind),
		ON_NOTHING(test_session_of_programs), ON_NOTHING(test_session_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
