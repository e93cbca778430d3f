/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios: files of their own, waiting for a device, places in commands. */
#include "test-profile-data.h"

#include "base/error.h"
#include "wizard/scenario.h"

#include <string.h>

static GPtrArray *load(FakeRoot *root, const char *text, GError **error)
{
	g_autofree char *path = fake_root_path(root, "s.conf");

	fake_root_put(root, "s.conf", text);
	return mtw_scenario_load(path, error);
}

static void test_all_keys(void **state)
{
	g_autoptr(MtwProfile) profile = load_test_profile("all-keys");
	const MtwScenarioStep *first = profile->scenario->pdata[0];
	const MtwScenarioStep *second = profile->scenario->pdata[1];
	const MtwScenarioStep *third = profile->scenario->pdata[2];
	const MtwScenarioStep *fourth = profile->scenario->pdata[3];

	(void)state;
	assert_string_equal(first->id, "first");
	assert_string_equal(first->marker, "first done");
	assert_string_equal(first->marker_begin, "first starts");
	assert_string_equal(first->say, "Do it.\nThen wait.");
	assert_string_equal(first->command, "ip link set \"{interface}\" up");
	assert_int_equal(first->wait, MTW_WAIT_COMMAND);
	assert_true(first->optional);
	assert_null(first->wait_device);
	assert_int_equal(second->wait, MTW_WAIT_SECONDS);
	assert_int_equal(second->wait_sec, 86400);
	assert_null(second->marker_begin);
	assert_null(second->command);
	assert_int_equal(third->wait, MTW_WAIT_DEVICE);
	assert_string_equal(third->wait_device, "dri/card*");
	assert_int_equal(third->wait_sec, 5);
	assert_int_equal(fourth->wait, MTW_WAIT_USER);
	assert_false(fourth->optional);
}

static void test_defaults(void **state)
{
	g_autoptr(GPtrArray) steps =
		load(*state,
		     "[Step a]\nMarker=a\nSay=a\nCommand=true\n"
		     "[Step b]\nMarker=b\nSay=b\nWait=device\nWaitDevice=kmsg\n",
		     NULL);
	const MtwScenarioStep *with_command = steps->pdata[0];
	const MtwScenarioStep *with_device = steps->pdata[1];

	assert_int_equal(with_command->wait, MTW_WAIT_COMMAND);
	assert_int_equal(with_device->wait_sec, 60);
}

/* A whole profile can be given as a scenario; its other groups do not matter. */
static void test_profile_as_scenario(void **state)
{
	g_autofree char *path = g_build_filename(g_getenv("MTW_TEST_DATA"),
						 "../../data/profiles/nouveau.conf", NULL);
	g_autoptr(GPtrArray) steps = mtw_scenario_load(path, NULL);
	g_autoptr(GPtrArray) of_newer = NULL;

	assert_int_equal(steps->len, 4);
	of_newer = load(*state, "[Profile]\nNewKey=1\n[Step a]\nMarker=a\nSay=a\n", NULL);
	assert_int_equal(of_newer->len, 1);
}

static void test_bad(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "", "s.conf: there is no [Step ...] in it" },
		{ "[Profile]\nTitle=T\n", "s.conf: there is no [Step ...] in it" },
		{ "[Stp a]\nMarker=m\nSay=s\n", "s.conf:1: there is no group [Stp]" },
		{ "[Step a]\nMarker=m\nSay=s\nComand=x\n",
		  "s.conf:4: there is no key Comand in a group [Step]" },
		{ "[Step a]\nSay=s\n", "s.conf:1: [Step]: Marker is missing" },
		{ "[Step a]\nMarker=m\nSay=s\nWait=x\n",
		  "s.conf:4: [Step a]: Wait is user, command, device or a number of seconds, 1 to "
		  "86400" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(load(*state, cases[i].text, &error));
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		assert_true(g_str_has_suffix(error->message, cases[i].error));
	}
}

static gboolean is_there(FakeRoot *root, const char *pattern)
{
	const MtwScenarioStep step = { .wait = MTW_WAIT_DEVICE, .wait_device = (char *)pattern };

	return mtw_scenario_device_is_there(root->paths, &step);
}

static void test_device(void **state)
{
	FakeRoot *root = *state;

	assert_false(is_there(root, "dri/card*"));
	fake_root_put(root, "dev/dri/renderD128", "");
	fake_root_put(root, "dev/snd/by-path/pci-0000", "");
	assert_false(is_there(root, "dri/card*"));
	fake_root_put(root, "dev/dri/card1", "");
	assert_true(is_there(root, "dri/card*"));
	assert_true(is_there(root, "dri/card1"));
	assert_true(is_there(root, "d?i/card?"));
	assert_true(is_there(root, "*/*/pci-*"));
	assert_true(is_there(root, "dri"));
	/* "*" stays inside of a name. */
	assert_false(is_there(root, "*card1"));
	assert_false(is_there(root, "dri/card1/x"));
	assert_false(is_there(root, "kmsg"));
}

static char *command_of(FakeRoot *root, const char *command, GError **error)
{
	const MtwScenarioStep step = { .command = (char *)command };

	return mtw_scenario_command(root->paths, "0000:00:03.0", &step, error);
}

static void test_command(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *plain = command_of(root, "awk '{print}' {x}", NULL);
	g_autofree char *address = command_of(root, "lspci -s {address}", NULL);
	g_autofree char *interface = NULL;
	g_autoptr(GError) error = NULL;

	assert_string_equal(plain, "awk '{print}' {x}");
	assert_string_equal(address, "lspci -s 0000:00:03.0");
	assert_null(command_of(root, "ip link set {interface} up", &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	fake_root_put(root, "sys/bus/pci/devices/0000:00:03.0/net/ens3/operstate", "up");
	interface = command_of(root, "ip link set {interface} up {interface}", NULL);
	assert_string_equal(interface, "ip link set ens3 up ens3");
}

static void test_command_virtio(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *interface = NULL;

	fake_root_put(root, "sys/bus/pci/devices/0000:00:03.0/power/control", "on");
	fake_root_put(root, "sys/bus/pci/devices/0000:00:03.0/virtio0/net/enp3s0/operstate", "up");
	/* Not another card's, through a link. */
	fake_root_put(root, "sys/bus/other/net/wrong/operstate", "up");
	fake_root_link(root, "sys/bus/pci/devices/0000:00:03.0/subsystem", "../../../other");
	interface = command_of(root, "{interface}", NULL);
	assert_string_equal(interface, "enp3s0");
}

#define ON_NOTHING(test) cmocka_unit_test_setup_teardown(test, fake_root_setup, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_keys),
		ON_NOTHING(test_defaults),
		ON_NOTHING(test_profile_as_scenario),
		ON_NOTHING(test_bad),
		ON_NOTHING(test_device),
		ON_NOTHING(test_command),
		ON_NOTHING(test_command_virtio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
