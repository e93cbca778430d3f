/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wish for a capture at the next start: made, taken once, gone whatever happens. */
#include "fake-root.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/next-boot.h"
#include "capture/recover.h"
#include "capture/session.h"

#include <unistd.h>

#define NIC "0000:00:03.0"	/* e1000, module, bound */
#define BUILT_IN "0000:00:1d.0" /* ehci-pci */
#define DISK "0000:02:00.0"	/* nvme, with the file systems */
#define GPU "0000:01:00.0"	/* nvidia with modules on it */
#define CONF "etc/modprobe.d/mmiotrace-wizard-next-boot.conf"
#define UNITS "usr/lib/systemd/system/"
#define WANTED "etc/systemd/system/" MTW_NEXT_BOOT_TARGET ".wants/" MTW_NEXT_BOOT_UNIT
#define BOOT_ID "proc/sys/kernel/random/boot_id"
#define OTHER_BOOT "99999999-2222-3333-4444-555555555555\n"

static const MtwCaptureOptions wish_for_nic = {
	.device = NIC, .owner_uid = 1000, .buffer_kb = 64000, .load_driver = TRUE
};

static int setup(void **state)
{
	FakeRoot *root;

	if (fake_root_setup_desktop(state) != 0)
		return -1;
	root = *state;
	fake_root_put(root, "etc/modprobe.d/other.conf", "# of somebody else\n");
	fake_root_put(root, UNITS MTW_NEXT_BOOT_UNIT, "");
	fake_root_put(root, WANTED, "");
	fake_root_put(root, "run/systemd/system/x", "");
	return 0;
}

static gboolean exists(FakeRoot *root, const char *name)
{
	g_autofree char *path = fake_root_path(root, name);

	return access(path, F_OK) == 0;
}

static char *arrange(FakeRoot *root, const MtwCaptureOptions *options)
{
	g_autoptr(GError) error = NULL;
	char *session = mtw_next_boot_arrange(root->paths, options, 30, &error);

	if (session == NULL)
		fail_msg("%s", error->message);
	return session;
}

static char *state_of(FakeRoot *root, const char *id)
{
	g_autoptr(MtwSession) session = mtw_session_open(root->paths, id, FALSE, NULL);

	assert_non_null(session);
	return g_strdup(mtw_json_string(session->state, "state", "?"));
}

static void test_arrange_and_take(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_autofree char *text = fake_root_read(root, CONF);
	g_autofree char *pending = mtw_next_boot_pending(root->paths);
	g_autofree char *after = NULL;
	g_auto(MtwNextBoot) wish = { 0 };
	g_autoptr(GError) error = NULL;

	assert_non_null(strstr(text, "blacklist e1000\n"));
	assert_string_equal(pending, session);
	/* Not in the same life of the computer. */
	assert_false(mtw_next_boot_take(root->paths, &wish, &error));
	assert_null(error);
	assert_true(exists(root, CONF));
	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	assert_true(mtw_next_boot_take(root->paths, &wish, &error));
	assert_false(exists(root, CONF));
	assert_true(exists(root, "etc/modprobe.d/other.conf"));
	assert_string_equal(wish.session, session);
	assert_string_equal(wish.options.device, NIC);
	assert_int_equal(wish.options.owner_uid, 1000);
	assert_int_equal(wish.options.buffer_kb, 64000);
	assert_int_equal(wish.options.countdown_sec, 0);
	assert_int_equal(wish.duration_sec, 30);
	/* Which driver was clear only because it was bound. */
	assert_string_equal(wish.options.driver, "e1000");
	assert_true(wish.options.keep_driver);
	after = state_of(root, session);
	assert_string_equal(after, MTW_SESSION_PREPARING);
}

/* A wish is taken once. */
static void test_take_twice(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_auto(MtwNextBoot) first = { 0 };
	g_auto(MtwNextBoot) second = { 0 };

	(void)session;
	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	assert_true(mtw_next_boot_take(root->paths, &first, NULL));
	assert_false(mtw_next_boot_take(root->paths, &second, NULL));
	assert_null(second.session);
}

/* What stands on the driver would bring it along. */
static void test_whole_chain(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = { .device = GPU, .load_driver = TRUE };
	g_autofree char *session = NULL;
	g_autofree char *text = NULL;

	fake_root_put(root, "proc/1042/cgroup", "0::/system.slice/gdm.service\n");
	session = arrange(root, &options);
	text = fake_root_read(root, CONF);
	assert_non_null(strstr(text, "blacklist nvidia\n"));
	assert_non_null(strstr(text, "blacklist nvidia_drm\n"));
	assert_non_null(strstr(text, "blacklist nvidia_modeset\n"));
}

static void test_refused(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions built_in = { .device = BUILT_IN, .load_driver = TRUE };
	g_autofree char *session = NULL;
	g_autoptr(GError) error = NULL;

	assert_null(mtw_next_boot_arrange(root->paths, &built_in, 30, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE));
	assert_false(exists(root, CONF));
	g_clear_error(&error);
	session = arrange(root, &wish_for_nic);
	assert_null(mtw_next_boot_arrange(root->paths, &wish_for_nic, 30, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY));
}

static gboolean is_possible(FakeRoot *root)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) plan = mtw_next_boot_plan(root->paths, &wish_for_nic, &error);

	if (plan == NULL)
		assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE));
	return plan != NULL;
}

/* A file that nothing would remove again is not made. */
static void test_nothing_would_take_it(void **state)
{
	FakeRoot *root = *state;

	assert_true(is_possible(root));
	fake_root_remove(root, WANTED);
	assert_false(is_possible(root));
	fake_root_put(root, UNITS MTW_NEXT_BOOT_TARGET ".wants/" MTW_NEXT_BOOT_UNIT, "");
	assert_true(is_possible(root));
	fake_root_link(root, "etc/systemd/system/" MTW_NEXT_BOOT_UNIT, "/dev/null");
	assert_false(is_possible(root));
}

static void test_other_init(void **state)
{
	FakeRoot *root = *state;

	fake_root_remove(root, "run/systemd");
	assert_false(is_possible(root));
}

/* What stood on the driver and was loaded is loaded again at that start, the lowest first. */
static void test_others(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = { .device = GPU, .load_driver = TRUE };
	g_autofree char *session = NULL;
	g_auto(MtwNextBoot) wish = { 0 };

	fake_root_put(root, "proc/1042/cgroup", "0::/system.slice/gdm.service\n");
	session = arrange(root, &options);
	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	assert_true(mtw_next_boot_take(root->paths, &wish, NULL));
	assert_string_equal(wish.options.driver, "nvidia");
	assert_int_equal(g_strv_length(wish.others), 2);
	assert_string_equal(wish.others[0], "nvidia_modeset");
	assert_string_equal(wish.others[1], "nvidia_drm");
}

/* ---- what the checks say ---------------------------------------------------------------------- */

static MtwLevel level_of(FakeRoot *root, const char *device, gboolean next_boot, const char *id)
{
	const MtwCheckOptions options = { .device = device, .next_boot = next_boot };
	g_autoptr(GPtrArray) checks = mtw_check_run(root->paths, &options);
	const MtwMessage *message = mtw_messages_find(checks, id);

	return message != NULL ? message->level : MTW_LEVEL_OK;
}

/* Who packs it after the restart knows nothing else about it. */
static void test_issue(void **state)
{
	FakeRoot *root = *state;
	MtwCaptureOptions options = wish_for_nic;
	g_autofree char *id = NULL;
	g_autoptr(MtwSession) session = NULL;

	options.issue = "https://example.org/-/issues/7";
	id = arrange(root, &options);
	session = mtw_session_open(root->paths, id, FALSE, NULL);
	assert_string_equal(mtw_json_string(session->state, "issue", ""), options.issue);
}

static void test_check_of_now(void **state)
{
	FakeRoot *root = *state;

	/* Somebody draws on it, and cannot be started again. */
	assert_int_equal(level_of(root, GPU, FALSE, "device-display"), MTW_LEVEL_FAILURE);
	assert_int_equal(level_of(root, GPU, TRUE, "device-display"), MTW_LEVEL_OK);
	assert_int_equal(level_of(root, GPU, TRUE, "next-boot-early"), MTW_LEVEL_WARNING);
	fake_root_put(root, "sys/kernel/tracing/current_tracer", "function\n");
	assert_int_equal(level_of(root, NIC, FALSE, "current-tracer"), MTW_LEVEL_FAILURE);
	assert_int_equal(level_of(root, NIC, TRUE, "current-tracer"), MTW_LEVEL_OK);
}

static const char *fix_of(FakeRoot *root, const char *device, gboolean next_boot, const char *id)
{
	const MtwCheckOptions options = { .device = device, .next_boot = next_boot };
	g_autoptr(GPtrArray) checks = mtw_check_run(root->paths, &options);
	const MtwMessage *message = mtw_messages_find(checks, id);

	assert_non_null(message);
	return message->fix != NULL ? message->fix : "";
}

static void make_permanent(FakeRoot *root)
{
	fake_root_put(root, "proc/modules", "e1000 16384 0 [permanent], Live 0x0\n");
}

/* The next start is offered where it helps, and only there. */
static void test_fix(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwMessage) obstacle = NULL;

	assert_string_equal(fix_of(root, GPU, FALSE, "device-display"), "next-boot");
	assert_string_equal(fix_of(root, NIC, FALSE, "device-way"), "");
	make_permanent(root);
	assert_string_equal(fix_of(root, NIC, FALSE, "device-way"), "next-boot");
	fake_root_remove(root, "sys/bus/pci/drivers/e1000/unbind");
	assert_string_equal(fix_of(root, NIC, FALSE, "device-permanent"), "next-boot");
	obstacle = mtw_check_obstacle(root->paths, NIC);
	assert_string_equal(obstacle->fix, "next-boot");
	/* It is what the check is about. */
	assert_string_equal(fix_of(root, NIC, TRUE, "device-way"), "");
	/* Nothing would make the capture then. */
	fake_root_remove(root, WANTED);
	assert_string_equal(fix_of(root, NIC, FALSE, "device-permanent"), "");
}

static void test_fix_of_others(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = NULL;

	fake_root_remove(root, "sys/bus/pci/drivers/ehci-pci/unbind");
	assert_string_equal(fix_of(root, BUILT_IN, FALSE, "device-permanent"), "");
	assert_string_equal(fix_of(root, DISK, FALSE, "device-disk"), "");
	session = arrange(root, &wish_for_nic);
	assert_string_equal(fix_of(root, NIC, TRUE, "next-boot-waits"), "cancel-next-boot");
}

/* A driver that cannot be kept away, because the system's disks need it, too. */
static void test_fix_of_a_disk(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "proc/modules", "nvme 16384 0 [permanent], Live 0x0\n");
	assert_string_equal(fix_of(root, DISK, FALSE, "device-way"), "");
}

/* The start comes to its file systems before it comes to the capture. */
static void test_disks_need_it(void **state)
{
	FakeRoot *root = *state;
	const MtwCaptureOptions options = { .device = DISK, .load_driver = TRUE };
	g_autoptr(GError) error = NULL;

	assert_null(mtw_next_boot_arrange(root->paths, &options, 30, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE));
	assert_false(exists(root, CONF));
	assert_int_equal(level_of(root, DISK, TRUE, "next-boot-disks"), MTW_LEVEL_FAILURE);
}

static void test_check_of_next_boot(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = NULL;

	assert_int_equal(level_of(root, BUILT_IN, TRUE, "device-permanent"), MTW_LEVEL_FAILURE);
	assert_int_equal(level_of(root, NIC, TRUE, "next-boot-waits"), MTW_LEVEL_OK);
	session = arrange(root, &wish_for_nic);
	assert_int_equal(level_of(root, NIC, TRUE, "next-boot-waits"), MTW_LEVEL_FAILURE);
	fake_root_remove(root, WANTED);
	assert_int_equal(level_of(root, NIC, TRUE, "next-boot-unit"), MTW_LEVEL_FAILURE);
}

static void test_plan_changes_nothing(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(JsonObject) plan = mtw_next_boot_plan(root->paths, &wish_for_nic, NULL);
	JsonObject *change = mtw_json_object_at(mtw_json_array(plan, "changes"), 0);

	assert_string_equal(mtw_json_string(change, "kind", ""), "blacklist");
	assert_false(exists(root, CONF));
}

static void test_cancel(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_autofree char *pending = NULL;
	g_autoptr(GPtrArray) ids = NULL;

	assert_true(mtw_next_boot_cancel(root->paths, session, NULL));
	assert_false(exists(root, CONF));
	pending = mtw_next_boot_pending(root->paths);
	assert_null(pending);
	ids = mtw_session_list(root->paths);
	assert_int_equal(ids->len, 0);
}

/* Cancelling deletes: not a session that may have a trace by now. */
static void test_cancel_taken(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_autofree char *after = NULL;
	g_auto(MtwNextBoot) wish = { 0 };
	g_autoptr(GError) error = NULL;

	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	assert_true(mtw_next_boot_take(root->paths, &wish, NULL));
	assert_false(mtw_next_boot_cancel(root->paths, session, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
	after = state_of(root, session);
	assert_string_equal(after, MTW_SESSION_PREPARING);
}

/* A file that somebody else changed since is theirs. */
static void test_changed_by_somebody(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_auto(MtwNextBoot) wish = { 0 };
	g_autoptr(GError) error = NULL;

	(void)session;
	fake_root_put(root, CONF, "blacklist something\n");
	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	assert_false(mtw_next_boot_take(root->paths, &wish, &error));
	assert_true(g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED));
	assert_true(exists(root, CONF));
}

/* Until that start nothing is "recovered"; when the start did not take it, the file goes all the same. */
static void test_recovery(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *session = arrange(root, &wish_for_nic);
	g_autoptr(GPtrArray) before = mtw_recover_pending(root->paths);
	g_autoptr(GPtrArray) after = NULL;
	g_autoptr(GError) error = NULL;

	assert_int_equal(before->len, 0);
	fake_root_put(root, BOOT_ID, OTHER_BOOT);
	after = mtw_recover_pending(root->paths);
	assert_int_equal(after->len, 1);
	assert_string_equal(after->pdata[0], session);
	assert_true(mtw_recover_session(root->paths, session, NULL, NULL, &error));
	assert_false(exists(root, CONF));
}

#define BOOT_TEST(function) cmocka_unit_test_setup_teardown(function, setup, fake_root_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOT_TEST(test_arrange_and_take),
		BOOT_TEST(test_take_twice),
		BOOT_TEST(test_whole_chain),
		BOOT_TEST(test_refused),
		BOOT_TEST(test_plan_changes_nothing),
		BOOT_TEST(test_cancel),
		BOOT_TEST(test_changed_by_somebody),
		BOOT_TEST(test_recovery),
		BOOT_TEST(test_nothing_would_take_it),
		BOOT_TEST(test_other_init),
		BOOT_TEST(test_others),
		BOOT_TEST(test_check_of_now),
		BOOT_TEST(test_check_of_next_boot),
		BOOT_TEST(test_cancel_taken),
		BOOT_TEST(test_disks_need_it),
		BOOT_TEST(test_fix),
		BOOT_TEST(test_issue),
		BOOT_TEST(test_fix_of_others),
		BOOT_TEST(test_fix_of_a_disk),
	};

	return cmocka_run_group_tests_name("capture-next-boot", tests, NULL, NULL);
}
