/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-capture-collect-fixture.h"

#include "capture/collect-worker.h"

#include <dirent.h>

/* The live phase has 3 seconds; so much is left for a machine that does many other things. */
#define BOUND_USEC (20 * G_USEC_PER_SEC)

static void put_modules(FakeRoot *root)
{
	fake_root_put(root, "sys/module/nvidia/initstate", "live\n");
	fake_root_put(root, "sys/module/nvidia/version", "535.183.01\n");
	fake_root_put(root, "sys/module/nvidia/refcnt", "2\n");
	fake_root_put(root, "sys/module/nvidia/parameters/NVreg_EnableGpuFirmware", "18\n");
	fake_root_put(root, "sys/module/nvidia/parameters/NVreg_RegistryDwords", "a\n\033[31mb\n");
	fake_root_put(root, "sys/module/nvidia/sections/.text", "0xffffffffc0a00000\n");
	fake_root_put(root, "sys/module/nvidia/sections/.data", "0xffffffffc0b00000\n");
	fake_root_link(root, "sys/module/nvidia/holders/nvidia_modeset", "../../nvidia_modeset");
	fake_root_put(root, "sys/module/nvidia_modeset/initstate", "live\n");
	fake_root_link(root, "sys/module/nvidia_modeset/holders/nvidia_drm", "../../nvidia_drm");
	fake_root_put(root, "sys/module/nvidia_drm/initstate", "live\n");
	fake_root_put(root, "sys/module/nvidia_drm/parameters/modeset", "Y\n");
	fake_root_put(root, "sys/module/drm/initstate", "live\n");
	fake_root_link(root, "sys/module/drm/holders/nvidia_drm", "../../nvidia_drm");
	fake_root_put(root, "sys/module/e1000/initstate", "live\n");
	fake_root_put(root, "proc/kallsyms",
		      "0000000000000000 A fixed_percpu_data\n"
		      "ffffffff81000000 T startup_64\nffffffff81000000 T _stext\n"
		      "ffffffff81000000 T _text\nffffffff82000000 T _etext\n");
	fake_root_put(root, "proc/interrupts", "           CPU0\n  9:  1   acpi\n");
}

static void put_edid(FakeRoot *root, const char *connector, const char *serial)
{
	g_autofree char *folder = g_strdup_printf(CARD_FOLDER "drm/card1/card1-%s/edid", connector);
	guint8 edid[128] = { 0, 255, 255, 255, 255, 255, 255, 0, 0x10, 0xac, 0xb1, 0xa0 };
	guint8 sum = 0;

	edid[18] = 1;
	edid[19] = 4;
	edid[0x48 + 3] = 0xfc; /* name */
	memcpy(edid + 0x48 + 5, "DELL U2412M\n ", 13);
	edid[0x5a + 3] = 0xff; /* serial number */
	memset(edid + 0x5a + 5, ' ', 13);
	memcpy(edid + 0x5a + 5, serial, strlen(serial));
	edid[0x5a + 5 + strlen(serial)] = '\n';
	for (int i = 0; i < 127; i++)
		sum = (guint8)(sum + edid[i]);
	edid[127] = (guint8)-sum;
	fake_root_put_bytes(root, folder, edid, sizeof edid);
}

static void put_connectors(FakeRoot *root)
{
	put_edid(root, "HDMI-A-1", "YMYH147Q0AAA");
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-HDMI-A-1/status", "connected\n");
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-HDMI-A-1/modes", "1920x1200\n1920x1080\n");
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-DP-1/status", "disconnected\n");
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-DP-1/edid", "");
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-DP-1/modes", "");
}

static void test_module(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;
	g_autofree char *write_only = fake_root_path(root, "sys/module/nvidia/parameters/hidden");

	put_modules(root);
	fake_root_put(root, "sys/module/nvidia/parameters/hidden", "secret\n");
	assert_int_equal(chmod(write_only, 0200), 0);
	messages = collect_only(root, mtw_collect_live, "module");
	assert_int_equal(messages->len, 1);
	expect_message(messages, "module.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/module.txt");
	expect_text(text, "Made by mmiotrace-wizard ");
	expect_text(text, "\n== Module nvidia ==\ninitstate: live\nversion: 535.183.01\nrefcnt: 2\n"
			  "used by: nvidia_modeset\n"
			  "parameter NVreg_EnableGpuFirmware: 18\n"
			  "parameter NVreg_RegistryDwords: a  [31mb\n"
			  "parameter hidden (write-only)\n"
			  "\n== Module nvidia_modeset ==\n");
	expect_text(text, "\n== Module nvidia_drm ==\n");
	expect_text(text, "\nparameter modeset: Y\n");
	expect_text(text, "\n== Module drm ==\n");
	assert_null(strstr(text, "e1000"));
}

static void test_module_private(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "out/module.txt");
	struct stat status;

	put_modules(root);
	g_ptr_array_unref(collect_only(root, mtw_collect_live, "module"));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
}

static void test_no_module(void **state)
{
	g_autoptr(GPtrArray) messages = collect_with(*state, mtw_collect_live,
						     (MtwCollectOptions){ .driver = "simpledrm" });

	expect_message(messages, "module.txt", MTW_LEVEL_OK, "the driver has no module");
	assert_false(is_there(*state, "out/module.txt"));
}

/* One parameter hangs: only that one is missing. */
static void test_parameter_hangs(void **state)
{
	FakeRoot *root = *state;
	gint64 start_usec = g_get_monotonic_time();
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_modules(root);
	put_fifo(root, "sys/module/nvidia/parameters/NVreg_Mobile");
	messages = collect_only(root, mtw_collect_live, "module");
	expect_message(messages, "module.txt", MTW_LEVEL_WARNING, "NVreg_Mobile: gave no answer");
	text = fake_root_read(root, "out/module.txt");
	expect_text(text, "\nparameter NVreg_Mobile: (could not be read)\n");
	expect_text(text, "\nparameter NVreg_RegistryDwords: a  [31mb\n");
	assert_true(g_get_monotonic_time() - start_usec < BOUND_USEC);
}

/* All hangs: the phase ends nevertheless, and says so of each file. */
static void test_all_hangs(void **state)
{
	static const char *const fifos[] = {
		"sys/module/nvidia/initstate",
		"sys/module/nvidia/version",
		"sys/module/nvidia/refcnt",
		"sys/module/nvidia/parameters/NVreg_EnableGpuFirmware",
		"sys/module/nvidia/parameters/NVreg_RegistryDwords",
		"sys/module/nvidia/sections/.text",
		"proc/kallsyms",
		"proc/interrupts",
		CARD_FOLDER "drm/card1/card1-HDMI-A-1/edid",
		CARD_FOLDER "drm/card1/card1-HDMI-A-1/status",
	};
	FakeRoot *root = *state;
	gint64 start_usec;
	g_autoptr(GPtrArray) messages = NULL;

	put_modules(root);
	put_connectors(root);
	for (gsize i = 0; i < G_N_ELEMENTS(fifos); i++)
		put_fifo(root, fifos[i]);
	start_usec = g_get_monotonic_time();
	messages = collect_with(root, mtw_collect_live,
				(MtwCollectOptions){ .module = "nvidia", .trace_pc = TRUE });
	assert_true(g_get_monotonic_time() - start_usec < BOUND_USEC);
	assert_int_equal(messages->len, 4);
	for (guint i = 0; i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		assert_int_equal(message->level, MTW_LEVEL_WARNING);
		assert_true(strlen(message->detail) > 0);
	}
}

static void test_sections_not_needed(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;

	put_modules(root);
	fake_root_put(root, "proc/cmdline", "quiet mmiotrace.trace_pc=0\n");
	fake_root_put(root, "out/sections.txt", "of an earlier try\n");
	messages = collect_only(root, mtw_collect_live, "sections");
	assert_string_equal(expect_message(messages, "sections.txt", MTW_LEVEL_OK, "")->sentence,
			    "Not needed: the trace has no program counters.");
	assert_false(is_there(root, "out/sections.txt"));
}

static void test_sections(void **state)
{
	static const char *const cmdlines[] = { "mmiotrace.trace_pc=1", "mmiotrace.trace_pc",
						"quiet mmiotrace.trace-pc=Y",
						"mmiotrace.trace_pc=on" };
	FakeRoot *root = *state;

	put_modules(root);
	for (gsize i = 0; i < G_N_ELEMENTS(cmdlines); i++) {
		g_autoptr(GPtrArray) messages = NULL;
		g_autofree char *text = NULL;
		fake_root_put(root, "proc/cmdline", cmdlines[i]);
		messages = collect_only(root, mtw_collect_live, "sections.txt");
		expect_message(messages, "sections.txt", MTW_LEVEL_OK, "");
		text = fake_root_read(root, "out/sections.txt");
		expect_text(text, "\n0xffffffff81000000 kernel _text\n"
				  "0xffffffff81000000 kernel _stext\n"
				  "0xffffffffc0b00000 nvidia .data\n"
				  "0xffffffffc0a00000 nvidia .text\n");
	}
}

static void test_sections_hidden(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;

	put_modules(root);
	fake_root_put(root, "sys/module/nvidia/sections/.text", "0x0000000000000000\n");
	fake_root_put(root, "sys/module/nvidia/sections/.data", "0x0000000000000000\n");
	messages = collect_with(root, mtw_collect_live,
				(MtwCollectOptions){ .module = "nvidia", .trace_pc = TRUE });
	expect_message(messages, "sections.txt", MTW_LEVEL_WARNING,
		       "nvidia: the kernel does not show the addresses");
}

static void test_interrupts(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_modules(root);
	messages = collect_only(root, mtw_collect_live, "interrupts");
	expect_message(messages, "interrupts.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/interrupts.txt");
	assert_string_equal(text, "           CPU0\n  9:  1   acpi\n");
}

/* A file that is larger than anybody wants: cut at a line's end, and both say so. */
static void test_huge(void **state)
{
	FakeRoot *root = *state;
	static const char *const interrupts[] = { "interrupts", NULL };
	g_autoptr(GString) huge = g_string_new(NULL);
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	while (huge->len < 5 * 1024 * 1024)
		g_string_append(huge, "  9:          1          0   IO-APIC   9-fasteoi   acpi\n");
	fake_root_put(root, "proc/interrupts", huge->str);
	/* A time of its own: the size is tested here, not how fast this machine is. */
	messages = collect_with(root, mtw_collect_live,
				(MtwCollectOptions){ .wanted = interrupts, .timeout_sec = 60 });
	expect_message(messages, "interrupts.txt", MTW_LEVEL_WARNING, "only the first ");
	text = fake_root_read(root, "out/interrupts.txt");
	assert_true(strlen(text) <= 4 * 1024 * 1024);
	assert_true(strlen(text) > 4 * 1024 * 1024 - 500);
	assert_non_null(strstr(text, " acpi\n---- cut by mmiotrace-wizard: only the first "));
	assert_true(g_str_has_suffix(text, " bytes are here ----\n"));
}

static void test_interrupts_missing(void **state)
{
	g_autoptr(GPtrArray) messages = NULL;

	fake_root_put(*state, "out/interrupts.txt", "of an earlier try\n");
	messages = collect_only(*state, mtw_collect_live, "interrupts");
	expect_message(messages, "interrupts.txt", MTW_LEVEL_WARNING, "/proc/interrupts: ");
	assert_false(is_there(*state, "out/interrupts.txt"));
}

static void test_edid(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_connectors(root);
	messages = collect_only(root, mtw_collect_live, "edid");
	expect_message(messages, "edid.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/edid.txt");
	expect_text(text, "\n== Connector DP-1 ==\nstatus: disconnected\nEDID: none\n");
	expect_text(text, "\n== Connector HDMI-A-1 ==\nstatus: connected\nEDID: 128 bytes\n");
	expect_text(text, "DELL U2412M");
	expect_text(text, "\nModes: 1920x1200 1920x1080\n");
	assert_null(strstr(text, "YMYH147Q0AAA"));
}

static void test_edid_broken(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *text = NULL;

	put_connectors(root);
	fake_root_put(root, CARD_FOLDER "drm/card1/card1-HDMI-A-1/edid", "YMYH147Q0AAA");
	g_ptr_array_unref(collect_only(root, mtw_collect_live, "edid"));
	text = fake_root_read(root, "out/edid.txt");
	expect_text(text, "\nEDID: 12 bytes\nEDID not understood: ");
	assert_null(strstr(text, "YMYH147Q0AAA"));
}

static void test_no_connector(void **state)
{
	g_autoptr(GPtrArray) messages = collect_only(*state, mtw_collect_live, "edid");

	expect_message(messages, "edid.txt", MTW_LEVEL_OK, "no connector");
	assert_false(is_there(*state, "out/edid.txt"));
}

static void test_edid_binary(void **state)
{
	static const char *const wanted[] = { "edid-binary", NULL };
	FakeRoot *root = *state;
	MtwCollectOptions options = { .module = "nvidia", .wanted = wanted };
	g_autofree char *path = fake_root_path(root, "out/edid-HDMI-A-1.bin");
	g_autoptr(GPtrArray) refused = NULL;
	g_autoptr(GPtrArray) agreed = NULL;
	struct stat status;

	put_connectors(root);
	refused = collect_with(root, mtw_collect_live, options);
	expect_message(refused, "edid-*.bin", MTW_LEVEL_OK, "");
	assert_false(is_there(root, "out/edid-HDMI-A-1.bin"));
	fake_root_put(root, "out/edid-VGA-1.bin", "of an earlier try");
	options.consent_edid = TRUE;
	agreed = collect_with(root, mtw_collect_live, options);
	assert_int_equal(agreed->len, 1);
	expect_message(agreed, "edid-HDMI-A-1.bin", MTW_LEVEL_OK, "");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 128);
	assert_false(is_there(root, "out/edid-VGA-1.bin"));
}

/* ---- a collector that does not come back ---- */

static GMutex lock;
static GCond released;
static gboolean may_end;
static int n_ended;

static void hang(MtwCollecting *collecting)
{
	g_mutex_lock(&lock);
	while (!may_end)
		g_cond_wait(&released, &lock);
	g_mutex_unlock(&lock);
	mtw_collecting_text(collecting, "too late", 8);
	g_atomic_int_inc(&n_ended);
}

static void test_given_up(void **state)
{
	static const MtwCollector collector = { .name = "hang",
						.file = "hang.txt",
						.max_bytes = 1000,
						.collect = hang,
						.done = "done",
						.failed = "failed" };
	static const MtwCollectTimes times = { .limit_usec = 100 * 1000,
					       .grace_usec = 100 * 1000,
					       .read_msec = 100 };
	FakeRoot *root = *state;
	g_autofree char *folder = fake_root_path(root, "out");
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, CARD, NULL);
	const MtwCollectOptions options = { .paths = root->paths,
					    .device = device,
					    .folder = folder };
	MtwCollectShared *shared = mtw_collect_shared_new(&options);
	g_autoptr(GPtrArray) messages = mtw_messages_new();

	mtw_collect_one(shared, &collector, &times, folder, messages);
	mtw_collect_shared_unref(shared);
	expect_message(messages, "hang.txt", MTW_LEVEL_WARNING, "was given up");
	g_mutex_lock(&lock);
	may_end = TRUE;
	g_cond_broadcast(&released);
	g_mutex_unlock(&lock);
	for (int i = 0; i < 2000 && g_atomic_int_get(&n_ended) == 0; i++)
		g_usleep(10 * 1000);
	assert_int_equal(g_atomic_int_get(&n_ended), 1);
	assert_false(is_there(root, "out/hang.txt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CARD_TEST(test_module),
		CARD_TEST(test_module_private),
		CARD_TEST(test_no_module),
		CARD_TEST(test_parameter_hangs),
		CARD_TEST(test_all_hangs),
		CARD_TEST(test_sections_not_needed),
		CARD_TEST(test_sections),
		CARD_TEST(test_sections_hidden),
		CARD_TEST(test_interrupts),
		CARD_TEST(test_huge),
		CARD_TEST(test_interrupts_missing),
		CARD_TEST(test_edid),
		CARD_TEST(test_edid_broken),
		CARD_TEST(test_no_connector),
		CARD_TEST(test_edid_binary),
		CARD_TEST(test_given_up),
	};

	return cmocka_run_group_tests_name("capture-collect-live", tests, NULL, NULL);
}
