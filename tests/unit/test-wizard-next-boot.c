/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk to a capture at the next start of the computer; and leaving a capture that the service goes on with. */
#include "test-wizard-script.h"

/* The driver is a module that is loaded. */
static void put_module(void)
{
	kernel_put("sys/module/nic/initstate", "live\n");
	kernel_put("sys/module/nic/refcnt", "0\n");
	fake_root_link(kernel.root, "sys/bus/pci/drivers/nic/module", "../../../../module/nic");
}

static void put_unit(void)
{
	put_module();
	fake_root_put(kernel.root, "usr/lib/systemd/system/" MTW_NEXT_BOOT_UNIT, "");
	fake_root_put(kernel.root,
		      "etc/systemd/system/" MTW_NEXT_BOOT_TARGET ".wants/" MTW_NEXT_BOOT_UNIT, "");
	fake_root_put(kernel.root, "run/systemd/system/x", "");
}

static void test_batch(void **state)
{
	g_autofree char *profiles =
		g_canonicalize_filename("../../data/profiles", g_getenv("MTW_TEST_DATA"));

	(void)state;
	put_unit();
	fake_root_link(kernel.root, "usr/share/mmiotrace-wizard/profiles", profiles);
	script.options.next_boot = TRUE;
	script.options.duration_sec = 25;
	script_run(NULL);
	assert_calls("arrange " NIC " 25;");
	assert_seen("step check;");
	assert_seen("step prepare;plan;explain;next-boot;explain;step done;done-summary;");
	assert_not_seen("step capture;");
	assert_not_seen("step describe;");
	assert_string_equal(script.view.asked->str, "");
	assert_packed(FALSE);
	/* Which project it is for is known when it is packed. */
	assert_string_equal(mtw_wizard_capture_options(script.wizard).profile, "network");
}

static void test_a_person_says_no(void **state)
{
	(void)state;
	put_unit();
	script.options.next_boot = TRUE;
	script.options.batch = FALSE;
	script.view.answers = ANSWERS("welcome=yes", "warnings=yes", "prepare=no");
	script_run("declined");
	assert_calls("");
}

static void test_default_duration(void **state)
{
	(void)state;
	put_unit();
	script.options.next_boot = TRUE;
	script_run(NULL);
	assert_calls("arrange " NIC " 60;");
}

/* Nothing would remove the file again. */
static void test_no_unit(void **state)
{
	(void)state;
	put_module();
	script.options.next_boot = TRUE;
	script_run("cannot-trace");
	assert_calls("");
}

/* ---- leaving ---------------------------------------------------------------------------------- */

static const char *const until_stop[] = { UP, UNTIL_STOP, GOOD, NULL };
static const char *const *const one_try[] = { until_stop, NULL };

static void walk_until(const char *const *lines)
{
	script.options.batch = FALSE;
	script.engine.base.remote = TRUE;
	script.engine.tries = one_try;
	script.view.answers = willing;
	script.view.lines = lines;
}

/* The window was closed, the SSH connection broke: that is nobody's wish to stop. */
static void test_terminal_gone(void **state)
{
	(void)state;
	walk_until(TRY("first", "<end>"));
	script.view.gone = TRUE;
	script_run("failed");
	assert_calls("start 64000;mark first;");
	assert_non_null(strstr(script.message, "attach"));
	assert_packed(FALSE);
}

/* Ctrl-D. */
static void test_end_of_input(void **state)
{
	(void)state;
	walk_until(TRY("first", "<end>"));
	script_run(NULL);
	assert_calls("start 64000;mark first;stop;");
	assert_packed(TRUE);
}

static void leave(void)
{
	mtw_wizard_leave(script.wizard);
}

static void test_login_ends(void **state)
{
	(void)state;
	walk_until(NULL);
	script.engine.on_poll = leave;
	script_run("failed");
	assert_calls("start 64000;");
}

/* Without the service nobody else would end it. */
static void test_own_capture_ends(void **state)
{
	(void)state;
	walk_until(NULL);
	script.engine.base.remote = FALSE;
	script.engine.on_poll = leave;
	script_run(NULL);
	assert_calls("start 64000;stop;");
}

/* `timeout 60 mmiotrace-wizard --batch ...` */
static void test_batch_ends(void **state)
{
	(void)state;
	walk_until(NULL);
	script.options.batch = TRUE;
	script.options.duration_sec = 0;
	script.engine.on_poll = leave;
	script_run(NULL);
	assert_calls("start 64000;stop;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCRIPT_TEST(test_batch),
		SCRIPT_TEST(test_a_person_says_no),
		SCRIPT_TEST(test_default_duration),
		SCRIPT_TEST(test_no_unit),
		SCRIPT_TEST(test_terminal_gone),
		SCRIPT_TEST(test_end_of_input),
		SCRIPT_TEST(test_login_ends),
		SCRIPT_TEST(test_own_capture_ends),
		SCRIPT_TEST(test_batch_ends),
	};

	return cmocka_run_group_tests_name("wizard-next-boot", tests, NULL, NULL);
}
