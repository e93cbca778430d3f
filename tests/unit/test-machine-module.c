/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/error.h"
#include "machine/module-install.h"
#include "machine/module.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define E1000E_ALIAS "pci:v00008086d000010D3sv00001043sd000085AAbc02sc00i00"
#define GPU_ALIAS "pci:v000010DEd00001B80sv00001043sd000085AAbc03sc00i00"
#define RADEON_ALIAS "pci:v00001002d000067DFsv00001043sd000085AAbc03sc00i00"
#define EHCI_ALIAS "pci:v00008086d000024CDsv00001043sd000085AAbc0Csc03i20"

static void test_get(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwModule) nvidia = mtw_module_get(root->paths, "nvidia");
	g_autoptr(MtwModule) dashes = mtw_module_get(root->paths, "snd-hda-intel");
	g_autoptr(MtwModule) builtin = mtw_module_get(root->paths, "ehci-pci");
	g_autoptr(MtwModule) absent = mtw_module_get(root->paths, "nonsense");
	g_autoptr(MtwModule) hostile = mtw_module_get(root->paths, "../../etc");

	assert_true(nvidia->loaded);
	assert_false(nvidia->builtin);
	assert_false(nvidia->permanent);
	assert_int_equal(nvidia->reference_count, 30);
	assert_int_equal(nvidia->holders->len, 1);
	assert_string_equal(nvidia->holders->pdata[0], "nvidia_modeset");
	assert_int_equal(nvidia->drivers->len, 1);
	assert_string_equal(nvidia->drivers->pdata[0], "nvidia");
	assert_string_equal(dashes->name, "snd_hda_intel");
	assert_true(dashes->loaded);
	assert_true(builtin->builtin);
	assert_false(builtin->loaded);
	assert_string_equal(builtin->drivers->pdata[0], "ehci-pci");
	assert_false(absent->loaded || absent->builtin || absent->permanent);
	assert_int_equal(absent->reference_count, -1);
	assert_false(hostile->loaded || hostile->builtin);
}

static void test_states(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwModule) module = NULL;

	assert_true(mtw_module_is_loaded(root->paths, "e1000"));
	assert_false(mtw_module_is_loaded(root->paths, "ehci_pci"));
	assert_false(mtw_module_is_loaded(root->paths, ""));
	assert_false(mtw_module_is_loaded(root->paths, ".."));
	fake_root_put(root, "sys/module/e1000/initstate", "going\n");
	assert_false(mtw_module_is_loaded(root->paths, "e1000"));
	fake_root_put(root, "proc/modules", "e1000 16384 0 other,[permanent], Live 0x0\nx\n\n");
	fake_root_put(root, "sys/module/e1000/initstate", "live\n");
	fake_root_put(root, "sys/module/e1000/refcnt", "garbage\n");
	module = mtw_module_get(root->paths, "e1000");
	assert_true(module->permanent);
	assert_int_equal(module->reference_count, -1);
}

static void test_same_name(void **state)
{
	(void)state;
	assert_true(mtw_module_same_name("snd-hda-intel", "snd_hda_intel"));
	assert_false(mtw_module_same_name("snd_hda", "snd_hda_intel"));
}

static void test_devices(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) devices = mtw_module_devices(root->paths, "snd_hda_intel");
	g_autoptr(GPtrArray) none = mtw_module_devices(root->paths, "nonsense");
	g_autofree char *expected = fake_root_path(root, "sys/devices/pci0000:00/0000:00:1b.0");

	assert_int_equal(devices->len, 2);
	assert_string_equal(devices->pdata[0], expected);
	assert_int_equal(none->len, 0);
	fake_root_link(root, "sys/bus/pci/drivers/snd_hda_intel/broken", "nowhere");
	fake_root_link(root, "sys/bus/pci/drivers/snd_hda_intel/circle", "circle");
	g_autoptr(GPtrArray) again = mtw_module_devices(root->paths, "snd_hda_intel");
	assert_int_equal(again->len, 2);
}

static void assert_names(GPtrArray *names, const char *first, const char *second)
{
	assert_int_equal(names->len, (first != NULL) + (second != NULL));
	if (first != NULL)
		assert_true(g_ptr_array_find_with_equal_func(names, first, g_str_equal, NULL));
	if (second != NULL)
		assert_true(g_ptr_array_find_with_equal_func(names, second, g_str_equal, NULL));
	g_ptr_array_unref(names);
}

static void test_candidates(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *long_alias = g_strnfill(100000, 'a');

	assert_names(mtw_module_candidates(root->paths, E1000E_ALIAS), "e1000e", NULL);
	/* nouveau is blacklisted. */
	assert_names(mtw_module_candidates(root->paths, GPU_ALIAS), "nvidia_current", NULL);
	assert_names(mtw_module_matches(root->paths, GPU_ALIAS), "nvidia_current", "nouveau");
	assert_names(mtw_module_candidates(root->paths, RADEON_ALIAS), "amdgpu", "radeon");
	assert_names(mtw_module_candidates(root->paths, EHCI_ALIAS), "ehci_pci", NULL);
	assert_names(mtw_module_candidates(root->paths, "pci:v00001B36d00000005sv*"), NULL, NULL);
	assert_names(mtw_module_candidates(root->paths, ""), NULL, NULL);
	assert_names(mtw_module_candidates(root->paths, "[[[\\*?"), NULL, NULL);
	assert_names(mtw_module_candidates(root->paths, long_alias), NULL, NULL);
}

static void test_exists(void **state)
{
	FakeRoot *root = *state;

	assert_true(mtw_module_exists(root->paths, "e1000e"));
	assert_true(mtw_module_exists(root->paths, "snd-hda-intel"));
	assert_true(mtw_module_exists(root->paths, "ehci-pci"));
	/* No file of this name: an install line stands for it. */
	assert_true(mtw_module_exists(root->paths, "nvidia"));
	assert_false(mtw_module_exists(root->paths, "nonsense"));
	assert_false(mtw_module_exists(root->paths, ""));
}

static void test_would_bind(void **state)
{
	FakeRoot *root = *state;

	assert_true(mtw_module_would_bind(root->paths, "e1000e", E1000E_ALIAS));
	assert_false(mtw_module_would_bind(root->paths, "e1000", E1000E_ALIAS));
	assert_true(mtw_module_would_bind(root->paths, "nouveau", GPU_ALIAS));
	assert_true(mtw_module_would_bind(root->paths, "nvidia-current", GPU_ALIAS));
	/* Through its install line. */
	assert_true(mtw_module_would_bind(root->paths, "nvidia", GPU_ALIAS));
	assert_true(mtw_module_would_bind(root->paths, "nvidia_modeset", GPU_ALIAS));
	assert_false(mtw_module_would_bind(root->paths, "scary", GPU_ALIAS));
	assert_false(mtw_module_would_bind(root->paths, "nonsense", GPU_ALIAS));
	fake_root_put(root, "etc/modprobe.d/circle.conf",
		      "install one modprobe two\ninstall two modprobe one\n");
	assert_false(mtw_module_would_bind(root->paths, "one", GPU_ALIAS));
}

/* libkmod would print what it thinks of a line that it does not know. */
static void test_silence(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *path = fake_root_path(root, "stderr");
	g_autofree char *printed = NULL;
	int saved = dup(STDERR_FILENO);
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	fake_root_put(root, "etc/modprobe.d/bad.conf", "gibberish\nalias\n");
	dup2(file, STDERR_FILENO);
	assert_names(mtw_module_candidates(root->paths, E1000E_ALIAS), "e1000e", NULL);
	dup2(saved, STDERR_FILENO);
	close(file);
	close(saved);
	printed = fake_root_read(root, "stderr");
	assert_string_equal(printed, "");
}

static void test_no_indexes(void **state)
{
	FakeRoot *root = *state;
	static const char garbage[] = "\xb0\x07\xf4\x57\x00\x02\x00\x01 garbage";

	assert_names(mtw_module_candidates(root->paths, E1000E_ALIAS), NULL, NULL);
	assert_false(mtw_module_exists(root->paths, "e1000e"));
	fake_root_put(root, "proc/sys/kernel/osrelease", "1.0\n");
	fake_root_put_bytes(root, "lib/modules/1.0/modules.dep.bin", garbage, 4);
	fake_root_put(root, "lib/modules/1.0/modules.alias.bin", "");
	assert_names(mtw_module_candidates(root->paths, E1000E_ALIAS), NULL, NULL);
	assert_false(mtw_module_exists(root->paths, "e1000e"));
}

static void test_chain(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) chain = NULL;
	g_autoptr(GPtrArray) not_loaded = mtw_module_chain(root->paths, "e1000e", &error);

	assert_int_equal(not_loaded->len, 0);
	assert_null(mtw_module_chain(root->paths, "nvidia", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	assert_non_null(strstr(error->message, "nvidia_drm"));
	g_clear_error(&error);
	fake_root_put(root, "sys/module/nvidia_drm/refcnt", "0\n");
	fake_root_put(root, "sys/module/nvidia_modeset/refcnt", "1\n");
	fake_root_put(root, "sys/module/nvidia/refcnt", "1\n");
	chain = mtw_module_chain(root->paths, "nvidia", &error);
	assert_int_equal(chain->len, 3);
	assert_string_equal(chain->pdata[0], "nvidia_drm");
	assert_string_equal(chain->pdata[1], "nvidia_modeset");
	assert_string_equal(chain->pdata[2], "nvidia");
}

static void test_chain_obstacles(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	fake_root_put(root, "proc/modules", "e1000 16384 0 [permanent], Live 0x0\n");
	assert_null(mtw_module_chain(root->paths, "e1000", &error));
	assert_non_null(strstr(error->message, "permanent"));
	g_clear_error(&error);
	fake_root_put(root, "proc/modules", "e1000 16384 0 - Live 0x0\n");
	fake_root_remove(root, "sys/module/e1000/refcnt");
	assert_null(mtw_module_chain(root->paths, "e1000", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
	g_clear_error(&error);
	/* Two modules that say they hold each other. */
	fake_root_put(root, "sys/module/e1000/refcnt", "1\n");
	fake_root_put(root, "sys/module/e1000/holders/vfio_pci", "");
	fake_root_put(root, "sys/module/vfio_pci/holders/e1000", "");
	fake_root_put(root, "sys/module/vfio_pci/refcnt", "1\n");
	g_autoptr(GPtrArray) circle = mtw_module_chain(root->paths, "e1000", &error);
	assert_int_equal(circle->len, 2);
}

static void test_loaded_names(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GPtrArray) names = mtw_module_loaded_names(root->paths);

	assert_int_equal(names->len, 8);
	assert_string_equal(names->pdata[0], "ata_piix");
	assert_string_equal(names->pdata[7], "vfio_pci");
}

static void test_refused(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	assert_false(mtw_module_load(root->paths, "e1000", NULL, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
	g_clear_error(&error);
	assert_false(mtw_module_unload(root->paths, "e1000", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_FAILED));
}

static void test_facts(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *facts = NULL;
	g_autofree char *builtin = mtw_module_facts(root->paths, "ehci-pci");
	g_autofree char *nothing = mtw_module_facts(root->paths, "nonsense");
	g_autofree char *hostile = mtw_module_facts(root->paths, "../..");
	g_autofree char *huge = g_strnfill(100000, 'x');

	fake_root_put(root, "sys/module/e1000/parameters/speed", "fast\n");
	fake_root_put(root, "sys/module/e1000/parameters/binary", "a\x1b[2Jb\n");
	fake_root_put(root, "sys/module/e1000/parameters/huge", huge);
	facts = mtw_module_facts(root->paths, "e1000");
	assert_non_null(strstr(facts, "/kernel/drivers/net/e1000.ko\n"));
	assert_non_null(strstr(facts, "\nversion: 1.0-test\n"));
	assert_non_null(strstr(facts, "\nsrcversion: 0123456789ABCDEF\n"));
	assert_non_null(strstr(facts, "\nlicense: GPL\n"));
	assert_non_null(strstr(facts, "\nparameter speed: fast\n"));
	assert_non_null(strstr(facts, "parameter binary: a [2Jb\n"));
	assert_null(strstr(facts, "huge"));
	assert_non_null(builtin);
	assert_string_equal(nothing, "");
	assert_string_equal(hostile, "");
	assert_false(mtw_module_is_signed(root->paths, "e1000"));
	assert_false(mtw_module_is_signed(root->paths, "nonsense"));
}

static void test_broken_file(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *facts = NULL;

	fake_root_put(root, "lib/modules/6.1.0-57-amd64/kernel/drivers/net/e1000.ko",
		      "\x7f"
		      "ELF\x02");
	facts = mtw_module_facts(root->paths, "e1000");
	assert_true(g_str_has_prefix(facts, "filename: "));
	assert_false(mtw_module_is_signed(root->paths, "e1000"));
}

static void assert_step(const GPtrArray *steps, guint index, const char *name, const char *options,
			gboolean ignore_own)
{
	const MtwInstallStep *step = steps->pdata[index];

	assert_string_equal(step->name, name);
	assert_string_equal(step->options, options);
	assert_int_equal(step->ignore_own, ignore_own);
}

static void test_install_lines(void **state)
{
	g_autoptr(GPtrArray) one = mtw_module_install_parse("modprobe -i nvidia-current a=1  b=2");
	g_autoptr(GPtrArray) two = mtw_module_install_parse(
		"/sbin/modprobe nvidia ; modprobe --ignore-install nvidia-current-modeset ;");
	g_autoptr(GPtrArray) three =
		mtw_module_install_parse("modprobe -q a && modprobe 'b' && modprobe c");

	(void)state;
	assert_int_equal(one->len, 1);
	assert_step(one, 0, "nvidia-current", "a=1 b=2", TRUE);
	assert_int_equal(two->len, 2);
	assert_step(two, 0, "nvidia", "", FALSE);
	assert_step(two, 1, "nvidia-current-modeset", "", TRUE);
	assert_int_equal(three->len, 3);
}

static void test_install_lines_refused(void **state)
{
	static const char *const commands[] = {
		"",
		" ; ;",
		"/bin/true",
		"modprobe",
		"modprobe -i",
		"modprobe -r e1000",
		"modprobe --remove e1000",
		"modprobe -C /tmp/evil e1000",
		"modprobe e1000; rm -rf x",
		"modprobe e1000 || true",
		"modprobe e1000 & true",
		"modprobe $(echo e1000)",
		"modprobe `echo e1000`",
		"modprobe e1000 > /dev/null",
		"modprobe $CMDLINE_OPTS e1000",
		"./modprobe e1000",
		"/tmp/modprobe e1000",
		"modprobe 'unfinished",
		"modprobe \"a;b\"",
		"modprobe ''",
		"echo modprobe e1000",
		"modprobe e1000\nreboot",
		"{ modprobe e1000; }",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
		assert_null(mtw_module_install_parse(commands[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_get),
		FAKE_DESKTOP_TEST(test_states),
		cmocka_unit_test(test_same_name),
		FAKE_DESKTOP_TEST(test_devices),
		FAKE_DESKTOP_TEST(test_candidates),
		FAKE_DESKTOP_TEST(test_exists),
		FAKE_DESKTOP_TEST(test_would_bind),
		FAKE_DESKTOP_TEST(test_silence),
		FAKE_ROOT_TEST(test_no_indexes),
		FAKE_DESKTOP_TEST(test_chain),
		FAKE_DESKTOP_TEST(test_chain_obstacles),
		FAKE_DESKTOP_TEST(test_loaded_names),
		FAKE_DESKTOP_TEST(test_refused),
		FAKE_DESKTOP_TEST(test_facts),
		FAKE_DESKTOP_TEST(test_broken_file),
		cmocka_unit_test(test_install_lines),
		cmocka_unit_test(test_install_lines_refused),
	};

	return cmocka_run_group_tests_name("machine-module", tests, NULL, NULL);
}
