/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-report-fixture.h"

#include "base/lines.h"
#include "capture/collect-private.h"

#define NIC "0000:00:02.0"
#define BRIDGE "0000:00:01.0"
#define NIC_FOLDER "sys/bus/pci/devices/" NIC "/"
#define BRIDGE_FOLDER "sys/bus/pci/devices/" BRIDGE "/"

/* Config space as sysfs gives it to root: 256 bytes, with something to see in the last one. */
static void write_config(const char *root, const char *name, guint16 device, gboolean capabilities,
			 guint8 header_type)
{
	guint8 config[256] = { 0x86, 0x80, (guint8)device, (guint8)(device >> 8) };

	config[0x04] = 0x03; /* I/O and memory are on */
	config[0x05] = 0x04; /* INTx is off */
	config[0x06] = capabilities ? 0x10 : 0x00;
	config[0x0e] = header_type;
	config[0x19] = header_type != 0 ? 0x01 : 0;
	config[0x1a] = header_type != 0 ? 0x03 : 0;
	config[0x34] = capabilities ? 0x40 : 0;
	config[0x3d] = 1;
	config[0x40] = 0x01; /* power management */
	config[0xff] = 0xab;
	fixture_write_bytes(root, name, (const char *)config, sizeof config);
}

static void make_nic(const char *root)
{
	fixture_write(root, NIC_FOLDER "vendor", "0x8086\n");
	fixture_write(root, NIC_FOLDER "device", "0x100e\n");
	fixture_write(root, NIC_FOLDER "class", "0x020000\n");
	fixture_write(root, NIC_FOLDER "subsystem_vendor", "0x1af4\n");
	fixture_write(root, NIC_FOLDER "subsystem_device", "0x1100\n");
	fixture_write(root, NIC_FOLDER "revision", "0x03\n");
	fixture_write(root, NIC_FOLDER "irq", "11\n");
	fixture_write(root, NIC_FOLDER "enable", "1\n");
	fixture_write(root, NIC_FOLDER "modalias",
		      "pci:v00008086d0000100Esv00001AF4sd00001100bc02sc00i00\n");
	fixture_write(root, NIC_FOLDER "resource",
		      "0x00000000febc0000 0x00000000febdffff 0x0000000000040200\n"
		      "0x000000000000c000 0x000000000000c03f 0x0000000000040101\n"
		      "0x0000004000000000 0x000000400fffffff 0x000000000014220c\n"
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		      "0x00000000feb80000 0x00000000febbffff 0x0000000000046200\n");
	write_config(root, NIC_FOLDER "config", 0x100e, TRUE, 0);
	fixture_write(root, "sys/bus/pci/drivers/e1000/bind", "");
	fixture_write(root, "sys/module/e1000/parameters/copybreak", "256\n");
	fixture_write(root, "sys/module/e1000/initstate", "live\n");
	fixture_link(root, "sys/bus/pci/drivers/e1000/module", "../../../../module/e1000");
	fixture_link(root, NIC_FOLDER "driver", "../../drivers/e1000");
}

static void make_bridge(const char *root)
{
	fixture_write(root, BRIDGE_FOLDER "vendor", "0x8086\n");
	fixture_write(root, BRIDGE_FOLDER "device", "0xfffe\n");
	fixture_write(root, BRIDGE_FOLDER "class", "0x060400\n");
	fixture_write(root, BRIDGE_FOLDER "modalias", "pci:v00008086d0000FFFE\n");
	write_config(root, BRIDGE_FOLDER "config", 0xfffe, FALSE, 0x81);
}

static void make_machine(const char *root)
{
	make_nic(root);
	make_bridge(root);
	fixture_write(root, "proc/sys/kernel/osrelease", "6.1.0-test\n");
	fixture_write(root, "proc/cmdline", "root=/dev/sda1 quiet\n");
	fixture_write(
		root, "etc/os-release",
		"# comment\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\nbroken\n"
		"EVIL='a\033[31m'\n");
	fixture_write(root, "dev/kmsg",
		      "6,0,0,-;Linux version 6.1.0-test\n SUBSYSTEM=none\n"
		      "4,1,5140900,-;e1000 0000:00:02.0: up \\x1b[31m\n");
	fixture_write(root, "out/.keep", "");
}

/* Whether @text has the line @line. */
static gboolean has_line(const char *text, const char *line)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	return g_strv_contains((const char *const *)lines, line);
}

static void expect_line(const char *text, const char *line)
{
	if (!has_line(text, line))
		fail_msg("no line \"%s\" in:\n%s", line, text);
}

/* Runs all collectors on @paths; the files go to out/. */
static GPtrArray *collect(const char *root, const MtwPaths *paths, guint timeout_sec)
{
	g_autofree char *folder = g_build_filename(root, "out", NULL);
	g_autoptr(MtwPaths) fake = mtw_paths_new(root);
	g_autoptr(MtwPciDevice) device = mtw_pci_get(fake, NIC, NULL);
	const MtwCollectOptions options = {
		.paths = paths != NULL ? paths : fake,
		.device = device,
		.module = "e1000",
		.driver = "e1000",
		.folder = folder,
		.timeout_sec = timeout_sec,
	};

	assert_non_null(device);
	return mtw_collect_run(&options);
}

static void expect_level(const GPtrArray *messages, const char *id, MtwLevel level)
{
	const MtwMessage *message = mtw_messages_find(messages, id);

	assert_non_null(message);
	if (message->level != level)
		fail_msg("%s: %s (%s)", id, message->sentence, message->detail);
}

static void test_fake_root(void **state)
{
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *lspci = NULL;
	g_autofree char *dmesg = NULL;
	g_autofree char *system_text = NULL;

	make_machine(*state);
	messages = collect(*state, NULL, 0);
	assert_int_equal(messages->len, 8);
	expect_level(messages, "lspci.txt", MTW_LEVEL_WARNING);
	expect_level(messages, "dmesg.txt", MTW_LEVEL_OK);
	expect_level(messages, "system.txt", MTW_LEVEL_OK);
	lspci = fixture_read(*state, "out/lspci.txt");
	dmesg = fixture_read(*state, "out/dmesg.txt");
	system_text = fixture_read(*state, "out/system.txt");
	assert_true(g_str_has_prefix(lspci, "Made by mmiotrace-wizard "));
	assert_non_null(strstr(dmesg, "Linux version 6.1.0-test\n"));
	assert_non_null(strstr(dmesg, "[    5.140900] e1000 0000:00:02.0: up"));
	assert_null(strchr(dmesg, '\033'));
	assert_non_null(strstr(system_text, "6.1.0-test"));
}

static void test_files_private(void **state)
{
	static const char *const names[] = { "lspci.txt", "dmesg.txt", "system.txt" };

	make_machine(*state);
	g_ptr_array_unref(collect(*state, NULL, 0));
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(*state, "out", names[i], NULL);
		struct stat status;
		assert_int_equal(stat(path, &status), 0);
		assert_int_equal(status.st_mode & 07777, 0600);
	}
}

static void test_lspci_text(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(*state);
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *text = NULL;

	make_machine(*state);
	text = mtw_lspci_text(paths, reader);
	assert_non_null(strstr(text, "\n" NIC " Ethernet controller [0200]: "));
	assert_non_null(strstr(text, " [8086:100e] (rev 03)\n"));
	expect_line(text, "\tSubsystem: [1af4:1100]");
	expect_line(text, "\tControl: I/O+ Mem+ BusMaster- SpecCycle- MemWINV- VGASnoop- ParErr- "
			  "Stepping- SERR- FastB2B- DisINTx+");
	expect_line(text, "\tInterrupt: pin A routed to IRQ 11");
	expect_line(text, "\tRegion 0: Memory at febc0000 (32-bit, non-prefetchable) [size=128K]");
	expect_line(text, "\tRegion 1: I/O ports at c000 [size=64]");
	expect_line(text, "\tRegion 2: Memory at 4000000000 (64-bit, prefetchable) [size=256M]");
	expect_line(text, "\tExpansion ROM at feb80000 [size=256K]");
	expect_line(text, "\tKernel driver in use: e1000");
	expect_line(text, "f0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ab");
}

/* Without a capability list only the header is read. */
static void test_lspci_bridge(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(*state);
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *text = NULL;

	make_bridge(*state);
	text = mtw_lspci_text(paths, reader);
	assert_non_null(strstr(text, "\n" BRIDGE " PCI bridge [0604]: "));
	expect_line(text, "\tBus: primary=00, secondary=01, subordinate=03");
	expect_line(text, "30: 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00");
	assert_null(strstr(text, "\n40:"));
}

/* The dump can be decoded by a real lspci. */
static void test_lspci_decodes(void **state)
{
	g_autofree char *path = g_build_filename(*state, "out", "lspci.txt", NULL);
	const char *const argv[] = { "lspci", "-n", "-vvv", "-F", path, NULL };
	g_autofree char *output = NULL;
	int status = 0;

	make_machine(*state);
	g_ptr_array_unref(collect(*state, NULL, 0));
	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL,
			  &status, NULL))
		skip();
	assert_int_equal(status, 0);
	assert_non_null(strstr(output, "00:02.0 0000: 8086:100e"));
	assert_non_null(strstr(output, "Capabilities: [40] Power Management"));
	assert_non_null(strstr(output, "00:01.0 0000: 8086:fffe"));
}

static void test_empty_machine(void **state)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(*state);
	g_autoptr(MtwReader) reader = mtw_reader_new();
	g_autofree char *text = mtw_lspci_text(paths, reader);

	assert_true(g_str_has_prefix(text, "Made by mmiotrace-wizard "));
}

static void test_system_text(void **state)
{
	g_autofree char *text = NULL;

	make_machine(*state);
	g_ptr_array_unref(collect(*state, NULL, 0));
	text = fixture_read(*state, "out/system.txt");
	assert_true(g_str_has_prefix(text, "Made by mmiotrace-wizard "));
	expect_line(text, "== System ==");
	expect_line(text, "Operating system: Debian GNU/Linux 12 (bookworm)");
	expect_line(text, "Kernel: 6.1.0-test");
	expect_line(text, "Kernel command line: root=/dev/sda1 quiet");
	expect_line(text, "== os-release ==");
	expect_line(text, "ID: debian");
	assert_null(strchr(text, '\033'));
	expect_line(text, "== Device ==");
	expect_line(text, "Address: " NIC);
	expect_line(text, "Vendor and device: 8086:100e");
	expect_line(text, "Subsystem: 1af4:1100");
	expect_line(text, "BAR 0: memory 0xfebc0000, 131072 bytes, 32-bit, not prefetchable");
	expect_line(text, "BAR 2: memory 0x4000000000, 268435456 bytes, 64-bit, prefetchable");
	expect_line(text, "BAR 1: I/O ports 0xc000, 64 bytes");
	assert_null(strstr(text, "BAR 3"));
	expect_line(text, "== Driver ==");
	expect_line(text, "PCI driver: e1000");
	expect_line(text, "Module: e1000");
	expect_line(text, "parameter copybreak: 256");
}

static void test_no_dmesg(void **state)
{
	g_autofree char *kmsg = g_build_filename(*state, "dev", "kmsg", NULL);
	g_autoptr(GPtrArray) messages = NULL;

	make_machine(*state);
	assert_int_equal(unlink(kmsg), 0);
	messages = collect(*state, NULL, 0);
	expect_level(messages, "dmesg.txt", MTW_LEVEL_WARNING);
	assert_false(fixture_exists(*state, "out/dmesg.txt"));
}

static void test_folder_gone(void **state)
{
	g_autofree char *folder = g_build_filename(*state, "out", NULL);
	g_autoptr(GPtrArray) messages = NULL;

	make_machine(*state);
	nftw(folder, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	messages = collect(*state, NULL, 0);
	assert_int_equal(messages->len, 8);
	for (guint i = 0; i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		assert_int_equal(message->level, MTW_LEVEL_WARNING);
		assert_true(strlen(message->detail) > 0);
	}
}

/* The real machine, but with an lspci of our own: its script is @script, NULL: there is none. */
static char *collect_with_tool(const char *root, const char *script, MtwLevel level)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new(NULL);
	g_autofree char *sysfs = g_build_filename(root, "sys", NULL);
	g_autofree char *tool = g_build_filename(root, "usr", "bin", "lspci", NULL);
	g_autoptr(GPtrArray) messages = NULL;

	make_machine(root);
	mtw_paths_set(paths, MTW_PATH_ROOT, root);
	mtw_paths_set(paths, MTW_PATH_SYSFS, sysfs);
	if (script != NULL) {
		fixture_write(root, "usr/bin/lspci", script);
		assert_int_equal(chmod(tool, 0755), 0);
	}
	messages = collect(root, paths, 1);
	expect_level(messages, "lspci.txt", level);
	return fixture_read(root, "out/lspci.txt");
}

static void test_tool_runs(void **state)
{
	g_autofree char *text = collect_with_tool(
		*state, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nprintf 'a\\tb\\033[31m\\r\\nz'\n",
		MTW_LEVEL_OK);

	assert_string_equal(text, "-vvv\n-nn\na\tb [31m\nz\n");
}

static void test_tool_fails(void **state)
{
	g_autofree char *text =
		collect_with_tool(*state, "#!/bin/sh\necho partial\nexit 1\n", MTW_LEVEL_WARNING);

	assert_true(g_str_has_prefix(text, "Made by mmiotrace-wizard "));
	assert_non_null(strstr(text, NIC));
}

/* What it could not read is said in its output, which still is the better one. */
static void test_tool_reads_partly(void **state)
{
	g_autofree char *text =
		collect_with_tool(*state, "#!/bin/sh\necho partial\nexit 2\n", MTW_LEVEL_WARNING);

	assert_string_equal(text, "partial\n");
}

static void test_tool_hangs(void **state)
{
	gint64 start_usec = g_get_monotonic_time();
	g_autofree char *text =
		collect_with_tool(*state, "#!/bin/sh\necho partial\nsleep 60\n", MTW_LEVEL_WARNING);

	assert_true(g_str_has_prefix(text, "Made by mmiotrace-wizard "));
	assert_true(g_get_monotonic_time() - start_usec < 10 * G_USEC_PER_SEC);
}

static void test_tool_missing(void **state)
{
	g_autofree char *text = collect_with_tool(*state, NULL, MTW_LEVEL_WARNING);

	assert_true(g_str_has_prefix(text, "Made by mmiotrace-wizard "));
}

static void test_tool_floods(void **state)
{
	g_autofree char *text = collect_with_tool(
		*state, "#!/bin/sh\nhead -c 9000000 /dev/zero | tr '\\0' 'x'\n", MTW_LEVEL_WARNING);

	assert_int_equal(strlen(text), 8 * 1024 * 1024 + 1);
}

static void test_lines(void **state)
{
	static const struct {
		const char *text;
		gssize bytes;
		const char *clean;
	} rows[] = {
		{ "", -1, "" },
		{ "a", -1, "a\n" },
		{ "a\n", -1, "a\n" },
		{ "a\r\nb\rc\n\n", -1, "a\nb\nc\n\n" },
		{ "\ta\tb", -1, "\ta\tb\n" },
		{ "a\0b", 3, "a b\n" },
		{ "a\r", -1, "a\n" },
		{ "\r\n", -1, "\n" },
		{ "\033[2J\x7f", -1, " [2J \n" },
		{ "\xff", -1, "\xef\xbf\xbd\n" },
		{ "gr\xc3\xbc\xc3\x9f", -1, "gr\xc3\xbc\xc3\x9f\n" },
		{ "a\u202ab\u2028c", -1, "a b c\n" },
	};
	(void)state;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *clean = mtw_lines_clean(rows[i].text, rows[i].bytes);
		assert_string_equal(clean, rows[i].clean);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(test_fake_root),	      FIXTURE_TEST(test_files_private),
		FIXTURE_TEST(test_lspci_text),	      FIXTURE_TEST(test_lspci_bridge),
		FIXTURE_TEST(test_lspci_decodes),     FIXTURE_TEST(test_empty_machine),
		FIXTURE_TEST(test_system_text),	      FIXTURE_TEST(test_no_dmesg),
		FIXTURE_TEST(test_folder_gone),	      FIXTURE_TEST(test_tool_runs),
		FIXTURE_TEST(test_tool_fails),	      FIXTURE_TEST(test_tool_hangs),
		FIXTURE_TEST(test_tool_reads_partly), FIXTURE_TEST(test_tool_missing),
		FIXTURE_TEST(test_tool_floods),	      cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests_name("report-collect", tests, NULL, NULL);
}
