/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test-capture-collect-fixture.h"

#include "base/parse.h"

#define MODULES "lib/modules/" RELEASE "/"
#define SHA256_OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static void make_index(FakeRoot *root)
{
	const char *const argv[] = { "/sbin/depmod", "-b", root->folder, RELEASE, NULL };
	int wait_status = -1;

	assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, NULL, NULL, &wait_status,
				 NULL));
	assert_true(g_spawn_check_wait_status(wait_status, NULL));
}

/* A module that is built in tells of itself in a file, which a test can make. */
static void put_module_facts(FakeRoot *root)
{
	static const char facts[] = "nvidia.license=NVIDIA\0nvidia.version=535.183.01\0"
				    "nvidia.firmware=nvidia/gsp_tu10x.bin\0"
				    "nvidia.firmware=nvidia/gsp_ga10x.bin\0"
				    "nvidia.firmware=nvidia/gone.bin\0"
				    "nvidia.firmware=../../etc/passwd\0"
				    "nvidia_drm.license=MIT";

	fake_root_put(root, MODULES "modules.builtin",
		      "kernel/drivers/nvidia.ko\nkernel/drivers/nvidia-drm.ko\n");
	fake_root_put_bytes(root, MODULES "modules.builtin.modinfo", facts, sizeof facts);
	fake_root_put(root, MODULES "modules.order", "");
	make_index(root);
}

/* ---- the table ---- */

static void test_table(void **state)
{
	gsize count;
	const MtwCollector *collectors = mtw_collectors(&count);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	(void)state;

	for (gsize i = 0; i < count; i++) {
		const MtwCollector *collector = &collectors[i];
		assert_true(g_hash_table_add(seen, (gpointer)collector->name));
		assert_true(g_hash_table_add(seen, (gpointer)collector->file));
		assert_null(strchr(collector->file, '/'));
		assert_true(collector->limit_sec > 0);
		assert_true(collector->max_bytes > 0);
		assert_true(strlen(collector->what) > 0);
		assert_true(strlen(collector->done) > 0);
		assert_true(strlen(collector->failed) > 0);
		assert_non_null(collector->collect);
		assert_true(collector->phase == MTW_COLLECT_AFTER || collector->limit_sec <= 3);
		/* Nothing that needs an agreement goes without somebody asking for it. */
		assert_false(collector->is_default && collector->consent != MTW_CONSENT_NONE);
		assert_false(collector->always && !collector->is_default);
		assert_true(mtw_collector_is_known(collector->name));
		assert_true(mtw_collector_is_known(collector->file));
	}
	assert_true(mtw_collector_is_known("default"));
	assert_false(mtw_collector_is_known("passwords"));
	assert_false(mtw_collector_is_known(""));
}

static void test_wanted(void **state)
{
	static const struct {
		const char *wanted[3];
		guint live, after;
	} rows[] = {
		{ { "iomem" }, 0, 4 },
		{ { "iomem.txt", "dmesg" }, 0, 4 },
		{ { "interrupts", "iomem" }, 1, 4 },
		{ { NULL }, 4, 8 },
		{ { "default" }, 4, 8 },
		{ { "default", "vbios" }, 4, 9 },
		{ { "default", "edid-binary" }, 5, 8 },
		{ { "nobody-knows-it" }, 0, 3 },
	};
	g_autoptr(GPtrArray) live =
		collect_with(*state, mtw_collect_live, (MtwCollectOptions){ 0 });
	g_autoptr(GPtrArray) after =
		collect_with(*state, mtw_collect_run, (MtwCollectOptions){ 0 });

	assert_int_equal(live->len, 4);
	assert_int_equal(after->len, 8);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		MtwCollectOptions options = { .wanted = rows[i].wanted };
		g_autoptr(GPtrArray) some_live = collect_with(*state, mtw_collect_live, options);
		g_autoptr(GPtrArray) some_after = collect_with(*state, mtw_collect_run, options);
		assert_int_equal(some_live->len, rows[i].live);
		assert_int_equal(some_after->len, rows[i].after);
	}
}

static void test_cut(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) first = NULL;
	g_autoptr(GString) last = NULL;
	g_autoptr(GString) no_line = g_string_new(NULL);
	(void)state;

	for (int i = 0; i < 100; i++)
		g_string_append_printf(text, "line %d\n", i);
	first = g_string_new(text->str);
	mtw_collect_cut(first, 300, FALSE);
	assert_true(first->len <= 300);
	assert_true(g_str_has_prefix(first->str, "line 0\nline 1\n"));
	expect_text(first->str,
		    "\n---- cut by mmiotrace-wizard: only the first 166 bytes are here ----\n");
	last = g_string_new(text->str);
	mtw_collect_cut(last, 300, TRUE);
	assert_true(last->len <= 300);
	expect_text(last->str,
		    "\nline 98\nline 99\n---- cut by mmiotrace-wizard: only the last 168 "
		    "bytes are here ----\n");
	assert_true(g_str_has_prefix(last->str, "line 79\n"));
	for (int i = 0; i < 1000; i++)
		g_string_append_c(no_line, 'x');
	mtw_collect_cut(no_line, 300, FALSE);
	assert_true(
		g_str_has_prefix(no_line->str, "---- cut by mmiotrace-wizard: only the first 0 "));
}

/* ---- dmesg.txt ---- */

static const char log_text[] = "[    0.000000] Linux version\n[    5.000000] before\n"
			       "[    6.000001] driver\n[    6.500000][  T12] driver 2\n"
			       "  a line without time\n[   12.000000] after\n";

static void test_marks(void **state)
{
	static const struct {
		gint64 start, end;
		const char *parts[3];
	} rows[] = {
		{ 5500000,
		  7000000,
		  { "before\n---- capture starts at 5.500000 (line added by mmiotrace-wizard) "
		    "----\n"
		    "[    6.000001] driver\n",
		    "without time\n---- capture ends at 7.000000 (line added by mmiotrace-wizard) "
		    "----\n"
		    "[   12.000000] after\n" } },
		{ 6000001,
		  6500000,
		  { "before\n---- capture starts ", "without time\n---- capture ends " } },
		{ 5500000,
		  5600000,
		  { "before\n---- capture starts at 5.500000 (line added by "
		    "mmiotrace-wizard) ----\n---- capture ends at 5.600000 (line" } },
		{ 20000000,
		  21000000,
		  { "after\n---- capture starts ", "----\n---- capture ends at 21." } },
		{ 7000000, 0, { "without time\n---- capture starts at 7.0" } },
		{ 0, 7000000, { "without time\n---- capture ends at 7.0" } },
	};
	g_autoptr(GString) unmarked = mtw_dmesg_mark(log_text, 0, 0);
	(void)state;

	assert_string_equal(unmarked->str, log_text);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GString) text = mtw_dmesg_mark(log_text, rows[i].start, rows[i].end);
		for (gsize k = 0; k < 3 && rows[i].parts[k] != NULL; k++)
			expect_text(text->str, rows[i].parts[k]);
	}
}

static void test_clock_offset(void **state)
{
	static const char sched[] = "Sched Debug Version: v0.11, 6.1.0-57-amd64 #1\n"
				    "ktime                                   : 5140900.123456\n"
				    "sched_clk                               : 5140800.000000\n"
				    "cpu_clk                                 : 5140902.623456\n";
	gint64 usec = 0;
	(void)state;

	assert_true(mtw_sched_clock_offset(sched, &usec));
	assert_int_equal(usec, 2500);
	assert_false(mtw_sched_clock_offset("", &usec));
	assert_false(mtw_sched_clock_offset("\nktime : 1\n\ncpu_clk : 2\n", &usec));
	assert_false(mtw_sched_clock_offset("\nktime : 1.000000\n", &usec));
	assert_false(mtw_sched_clock_offset(
		"\nktime : 99999999999999999999.000000\ncpu_clk : 1.000000\n", &usec));
}

static void put_log(FakeRoot *root)
{
	fake_root_put(root, "dev/kmsg",
		      "6,0,0,-;Linux version 6.1\n6,1,5000000,-;before\n6,2,6000000,-;driver\n"
		      "6,3,12000000,-;after\n");
}

static void test_dmesg(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *text = NULL;

	put_log(root);
	fake_root_put(root, "sys/kernel/debug/sched/debug",
		      "v\nktime : 20000.000000\ncpu_clk : 19500.000000\n");
	/* Half a second later by the trace's clock. */
	g_ptr_array_unref(collect_with(root, mtw_collect_run,
				       (MtwCollectOptions){ .session_start_usec = 6400000,
							    .session_end_usec = 12400000 }));
	text = fake_root_read(root, "out/dmesg.txt");
	expect_text(text, "Made by mmiotrace-wizard ");
	expect_text(text, "are not the kernel's");
	expect_text(text, "minus the clock of the trace: -0.500000 seconds.\n");
	expect_text(text, "] before\n---- capture starts at 5.900000 ");
	expect_text(text, "] driver\n---- capture ends at 11.900000 ");
}

static void test_dmesg_no_session(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_log(root);
	messages = collect_only(root, mtw_collect_run, "dmesg");
	expect_message(messages, "dmesg.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/dmesg.txt");
	assert_null(strstr(text, "capture"));
}

static void test_dmesg_begins_late(void **state)
{
	g_autoptr(GPtrArray) messages = NULL;

	fake_root_put(*state, "dev/kmsg", "6,900,86400000000,-;a day later\n");
	messages = collect_only(*state, mtw_collect_run, "dmesg");
	expect_message(messages, "dmesg.txt", MTW_LEVEL_WARNING, "begins 86400 seconds after");
}

/* ---- the others ---- */

static void test_config_space(void **state)
{
	FakeRoot *root = *state;
	guint8 config[4096] = { 0xde, 0x10, 0x80, 0x1b };
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	config[4095] = 0xab;
	fake_root_put_bytes(root, CARD_FOLDER "config", config, sizeof config);
	messages = collect_only(root, mtw_collect_run, "config-space");
	expect_message(messages, "config-space.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/config-space.txt");
	expect_text(text, "\n" CARD " ");
	expect_text(text, "[10de:1b80] (rev a1)\n00: de 10 80 1b 00");
	expect_text(text, "\n100: 00 00 ");
	expect_text(text, "\nff0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ab\n");
	expect_text(text, "\nBAR 0: 0x00000000de000000 0x00000000deffffff 0x0000000000040200 "
			  "(16777216 bytes, memory)\n");
	assert_null(strstr(text, "BAR 1"));
}

static void test_config_space_not_root(void **state)
{
	FakeRoot *root = *state;
	const guint8 config[64] = { 0xde, 0x10 };
	g_autoptr(GPtrArray) messages = NULL;

	fake_root_put_bytes(root, CARD_FOLDER "config", config, sizeof config);
	messages = collect_only(root, mtw_collect_run, "config-space");
	expect_message(messages, "config-space.txt", MTW_LEVEL_WARNING, "only 64 bytes");
}

/* A dead device: what is known without it is there. */
static void test_config_space_hangs(void **state)
{
	static const char *const wanted[] = { "config-space", NULL };
	FakeRoot *root = *state;
	gint64 start_usec = g_get_monotonic_time();
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_fifo(root, CARD_FOLDER "config");
	messages = collect_with(root, mtw_collect_run,
				(MtwCollectOptions){ .wanted = wanted, .timeout_sec = 1 });
	assert_true(g_get_monotonic_time() - start_usec < 40 * G_USEC_PER_SEC);
	expect_message(messages, "config-space.txt", MTW_LEVEL_WARNING, "gave no answer in time");
	text = fake_root_read(root, "out/config-space.txt");
	expect_text(text, "Config space could not be read\n");
	/* lspci.txt without lspci reads that file too. */
	assert_true(is_there(root, "out/lspci.txt"));
}

static void test_iomem(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autoptr(GPtrArray) hidden = NULL;

	fake_root_put(root, "proc/iomem",
		      "00000000-00000fff : Reserved\nde000000-deffffff : " CARD "\n");
	messages = collect_only(root, mtw_collect_run, "iomem");
	expect_message(messages, "iomem.txt", MTW_LEVEL_OK, "");
	fake_root_put(root, "proc/iomem",
		      "00000000-00000000 : Reserved\n  00000000-00000000 : PCI Bus 0000:00\n");
	hidden = collect_only(root, mtw_collect_run, "iomem");
	expect_message(hidden, "iomem.txt", MTW_LEVEL_WARNING, "does not show the addresses");
}

static void test_modinfo(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_module_facts(root);
	fake_root_put(root, "sys/module/nvidia/parameters/of_now", "1\n");
	/* The live phase saw one more. */
	fake_root_put(root, "out/module.txt",
		      "x\n== Module nvidia ==\n== Module nvidia_drm ==\n== Module ../.. ==\n");
	messages = collect_only(root, mtw_collect_run, "modinfo");
	expect_message(messages, "modinfo.txt", MTW_LEVEL_OK, "");
	text = fake_root_read(root, "out/modinfo.txt");
	expect_text(text, "\n== Module nvidia ==\n");
	expect_text(text, "\nlicense: NVIDIA\nversion: 535.183.01\n");
	expect_text(text, "\n== Module nvidia_drm ==\n");
	expect_text(text, "\nlicense: MIT\n");
	assert_null(strstr(text, "of_now"));
	assert_null(strstr(text, "Module .."));
}

static void test_firmware(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_module_facts(root);
	fake_root_put(root, "lib/firmware/nvidia/gsp_tu10x.bin", "abc");
	fake_root_put(root, "lib/firmware/nvidia/gsp_ga10x.bin.xz", "compressed");
	fake_root_put(root, "lib/firmware/updates/nvidia/gsp_ga10x.bin.zst", "abc");
	fake_root_put(root, "etc/passwd", "abc");
	fake_root_put(root, "dev/kmsg",
		      "6,0,1,-;nvidia " CARD ": loaded firmware version 535.1\n"
		      "6,1,2,-;usb 1-1: firmware of another device\n");
	messages = collect_only(root, mtw_collect_run, "firmware");
	expect_message(messages, "firmware.txt", MTW_LEVEL_OK, "4 files named, 2 installed");
	text = fake_root_read(root, "out/firmware.txt");
	expect_text(text, "\nnvidia/gsp_tu10x.bin: ");
	expect_text(text,
		    "/lib/firmware/nvidia/gsp_tu10x.bin, 3 bytes, SHA-256 " SHA256_OF_ABC "\n");
	expect_text(
		text,
		"/lib/firmware/updates/nvidia/gsp_ga10x.bin.zst, 3 bytes, SHA-256 " SHA256_OF_ABC);
	expect_text(text, "\n== Named by the modules, but not installed "
			  "==\nnvidia/gone.bin\n../../etc/passwd\n");
	expect_text(text, "] nvidia " CARD ": loaded firmware version 535.1\n");
	assert_null(strstr(text, "another device"));
	assert_null(strstr(text, "compressed"));
}

static void test_firmware_hangs(void **state)
{
	static const char *const wanted[] = { "firmware", NULL };
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	put_module_facts(root);
	put_fifo(root, "lib/firmware/nvidia/gsp_tu10x.bin");
	messages = collect_with(
		root, mtw_collect_run,
		(MtwCollectOptions){ .module = "nvidia", .wanted = wanted, .timeout_sec = 1 });
	expect_message(messages, "firmware.txt", MTW_LEVEL_WARNING,
		       "gsp_tu10x.bin: gave no answer");
	text = fake_root_read(root, "out/firmware.txt");
	expect_text(text, "\nnvidia/gsp_tu10x.bin: could not be read\n");
}

static void test_kernel_config(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) none = NULL;
	g_autoptr(GPtrArray) messages = NULL;
	g_autofree char *text = NULL;

	none = collect_only(root, mtw_collect_run, "kernel-config");
	expect_message(none, "kernel-config.txt", MTW_LEVEL_WARNING, "no configuration");
	fake_root_put(root, "boot/config-" RELEASE,
		      "# Linux/x86\nCONFIG_MMIOTRACE=y\nCONFIG_DRM_NOUVEAU=m\n"
		      "CONFIG_RANDOMIZE_BASE=y\n# CONFIG_KASAN is not set\n"
		      "CONFIG_SENSORS_NVIDIA_GPU=m\nCONFIG_EXT4_FS=m\n# CONFIG_BTRFS is not set\n");
	messages = collect_only(root, mtw_collect_run, "kernel-config");
	expect_message(messages, "kernel-config.txt", MTW_LEVEL_OK, "5 options; from ");
	text = fake_root_read(root, "out/kernel-config.txt");
	expect_text(text, "/boot/config-" RELEASE "\n\nCONFIG_MMIOTRACE=y\nCONFIG_DRM_NOUVEAU=m\n"
			  "CONFIG_RANDOMIZE_BASE=y\n# CONFIG_KASAN is not set\n"
			  "CONFIG_SENSORS_NVIDIA_GPU=m\n");
	assert_null(strstr(text, "Module .."));
}

static GPtrArray *collect_vbios(FakeRoot *root, gboolean consent)
{
	static const char *const wanted[] = { "vbios", NULL };

	return collect_with(root, mtw_collect_run,
			    (MtwCollectOptions){ .module = "nvidia",
						 .wanted = wanted,
						 .consent_vbios = consent });
}

static void test_vbios(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) refused = NULL;
	g_autoptr(GPtrArray) from_rom = NULL;
	g_autoptr(GPtrArray) from_driver = NULL;
	g_autofree char *rom = NULL;
	g_autofree char *copy = NULL;

	fake_root_put(root, CARD_FOLDER "rom", "U\xaa rom");
	fake_root_put(root, "out/vbios.rom", "of an earlier try");
	refused = collect_vbios(root, FALSE);
	expect_message(refused, "vbios.rom", MTW_LEVEL_OK, "");
	from_rom = collect_vbios(root, TRUE);
	expect_message(from_rom, "vbios.rom", MTW_LEVEL_OK, "/rom");
	rom = fake_root_read(root, "out/vbios.rom");
	assert_string_equal(rom, "U\xaa rom");
	fake_root_put(root, CARD_FOLDER "drm/card1/dev", "226:1\n");
	fake_root_put(root, "sys/kernel/debug/dri/1/vbios.rom", "U\xaa copy");
	from_driver = collect_vbios(root, TRUE);
	expect_message(from_driver, "vbios.rom", MTW_LEVEL_OK, "/dri/1/vbios.rom");
	copy = fake_root_read(root, "out/vbios.rom");
	assert_string_equal(copy, "U\xaa copy");
}

static void test_no_vbios(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) none = collect_vbios(root, TRUE);
	g_autoptr(GPtrArray) empty = NULL;
	g_autoptr(GPtrArray) odd = NULL;

	expect_message(none, "vbios.rom", MTW_LEVEL_OK, "the device has no ROM");
	assert_false(is_there(root, "out/vbios.rom"));
	fake_root_put(root, CARD_FOLDER "rom", "");
	empty = collect_vbios(root, TRUE);
	expect_message(empty, "vbios.rom", MTW_LEVEL_WARNING, "empty");
	fake_root_put(root, CARD_FOLDER "rom", "\xff\xff\xff\xff");
	odd = collect_vbios(root, TRUE);
	expect_message(odd, "vbios.rom", MTW_LEVEL_OK, "does not begin as a ROM does");
}

/* All messages name what the file lacks; a long list is counted. */
static void test_many_missing(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) messages = NULL;

	for (int i = 0; i < 20; i++) {
		g_autofree char *name =
			g_strdup_printf("sys/module/nvidia/parameters/p%02d/is-a-folder", i);
		fake_root_put(root, name, "");
	}
	messages = collect_only(root, mtw_collect_live, "module");
	expect_message(messages, "module.txt", MTW_LEVEL_WARNING, "p07: ");
	expect_message(messages, "module.txt", MTW_LEVEL_WARNING, "; and 12 more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		CARD_TEST(test_wanted),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_clock_offset),
		CARD_TEST(test_dmesg),
		CARD_TEST(test_dmesg_no_session),
		CARD_TEST(test_dmesg_begins_late),
		CARD_TEST(test_config_space),
		CARD_TEST(test_config_space_not_root),
		CARD_TEST(test_config_space_hangs),
		CARD_TEST(test_iomem),
		CARD_TEST(test_modinfo),
		CARD_TEST(test_firmware),
		CARD_TEST(test_firmware_hangs),
		CARD_TEST(test_kernel_config),
		CARD_TEST(test_vbios),
		CARD_TEST(test_no_vbios),
		CARD_TEST(test_many_missing),
	};

	return cmocka_run_group_tests_name("capture-collect-after", tests, NULL, NULL);
}
