/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who shows pictures on the display device, and whether it can be ended and brought back. */
#include "fake-root.h"

#include "base/error.h"
#include "machine/desktop.h"
#include "machine/session-type.h"
#include "machine/systemd.h"
#include "machine/vtconsole.h"

#include <unistd.h>

#define GPU "0000:01:00.0"
#define NIC "0000:00:03.0"
#define XORG 1042

static void put_cgroup(FakeRoot *root, guint pid, const char *group)
{
	g_autofree char *path = g_strdup_printf("proc/%u/cgroup", pid);
	g_autofree char *text = g_strdup_printf("0::%s\n", group);

	fake_root_put(root, path, text);
}

static void put_self(FakeRoot *root, const char *group)
{
	put_cgroup(root, (guint)getpid(), group);
}

static MtwDesktop *desktop_of(FakeRoot *root, const char *address)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, address, NULL);

	assert_non_null(device);
	return mtw_desktop_get(root->paths, device);
}

static void assert_names(const GPtrArray *names, const char *first, guint n)
{
	assert_int_equal(names->len, n);
	if (n > 0)
		assert_string_equal(names->pdata[0], first);
}

static void test_unit_of(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *unit = NULL;
	g_autofree char *none = NULL;
	g_autofree char *legacy = NULL;

	put_cgroup(root, XORG, "/system.slice/gdm.service/below");
	unit = mtw_systemd_unit_of(root->paths, XORG);
	assert_string_equal(unit, "gdm.service");
	assert_false(mtw_systemd_is_in_session(root->paths, XORG));
	put_cgroup(root, XORG, "/user.slice/user-1000.slice/session-3.scope");
	none = mtw_systemd_unit_of(root->paths, XORG);
	assert_null(none);
	assert_true(mtw_systemd_is_in_session(root->paths, XORG));
	fake_root_put(root, "proc/1042/cgroup",
		      "12:pids:/x\n1:name=systemd:/system.slice/sddm.service\n");
	legacy = mtw_systemd_unit_of(root->paths, XORG);
	assert_string_equal(legacy, "sddm.service");
}

static void test_display_manager(void **state)
{
	FakeRoot *root = *state;
	const char *alias = "etc/systemd/system/display-manager.service";
	g_autofree char *none = mtw_systemd_display_manager(root->paths);
	g_autofree char *linked = NULL;
	g_autofree char *own = NULL;
	g_autofree char *masked = NULL;

	assert_null(none);
	fake_root_link(root, alias, "/lib/systemd/system/lightdm.service");
	linked = mtw_systemd_display_manager(root->paths);
	assert_string_equal(linked, "lightdm.service");
	fake_root_put(root, alias, "[Service]\n");
	own = mtw_systemd_display_manager(root->paths);
	assert_string_equal(own, "display-manager.service");
	fake_root_link(root, alias, "/dev/null");
	masked = mtw_systemd_display_manager(root->paths);
	assert_null(masked);
}

static void test_service_draws(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/system.slice/lightdm.service");
	desktop = desktop_of(root, GPU);
	assert_names(desktop->units, "lightdm.service", 1);
	assert_int_equal(desktop->others->len, 0);
	assert_true(mtw_desktop_can_pause(desktop));
	assert_true(desktop->consoles->len > 0);
	assert_string_equal(mtw_vtconsole_state(root->paths, desktop->consoles->pdata[0]), "1");
}

/* The display manager is stopped first, whatever order the processes have. */
static void test_manager_first(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	fake_root_link(root, "etc/systemd/system/display-manager.service", "sddm.service");
	put_cgroup(root, XORG, "/system.slice/nvidia-persistenced.service");
	fake_root_put(root, "proc/1043/comm", "Xorg\n");
	fake_root_link(root, "proc/1043/fd/5", "/dev/dri/card0");
	put_cgroup(root, 1043, "/system.slice/sddm.service");
	desktop = desktop_of(root, GPU);
	assert_names(desktop->units, "sddm.service", 2);
	assert_string_equal(desktop->units->pdata[1], "nvidia-persistenced.service");
}

/* A session that no display manager began would not come back. */
static void test_started_by_hand(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/user.slice/user-1000.slice/session-3.scope");
	desktop = desktop_of(root, GPU);
	assert_int_equal(desktop->units->len, 0);
	assert_int_equal(desktop->sessions->len, 0);
	assert_int_equal(desktop->others->len, 1);
	assert_false(mtw_desktop_can_pause(desktop));
}

/* logind has the card of the session it watches open; it lets go by itself. */
static void test_logind(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/system.slice/systemd-logind.service");
	desktop = desktop_of(root, GPU);
	assert_int_equal(desktop->units->len, 0);
	assert_int_equal(desktop->others->len, 0);
}

/* systemd keeps logind's cards; a process that draws is not to be mistaken for it. */
static void test_systemd_itself(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/system.slice/gdm.service");
	fake_root_link(root, "proc/1/fd/60", "/dev/dri/card0");
	put_cgroup(root, 1, "/init.scope");
	desktop = desktop_of(root, GPU);
	assert_names(desktop->units, "gdm.service", 1);
	assert_int_equal(desktop->others->len, 0);
}

/* A service that holds the card cannot end itself. */
static void test_own_service(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/system.slice/own.service");
	put_self(root, "/system.slice/own.service");
	desktop = desktop_of(root, GPU);
	assert_true(desktop->inside);
	assert_false(mtw_desktop_can_pause(desktop));
}

static void test_nothing_shown(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) nic = desktop_of(root, NIC);
	g_autoptr(MtwDesktop) card = NULL;

	assert_null(nic);
	fake_root_remove(root, "proc/1042");
	fake_root_remove(root, "sys/class/vtconsole");
	card = desktop_of(root, GPU);
	assert_null(card);
}

/* ---- where this very process runs ---- */

static void test_self(void **state)
{
	FakeRoot *root = *state;

	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_NONE);
	fake_root_put(root, "run/systemd/sessions/3", "UID=1000\nSEAT=seat0\nTYPE=wayland\n");
	fake_root_put(root, "run/systemd/sessions/5", "UID=1000\nTYPE=tty\nREMOTE=1\n");
	put_self(root, "/user.slice/user-1000.slice/session-3.scope");
	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_WAYLAND);
	put_self(root, "/user.slice/user-1000.slice/session-5.scope");
	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_NONE);
	put_self(root, "/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope");
	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_WAYLAND);
	put_self(root, "/user.slice/user-1001.slice/user@1001.service/app.slice/term.scope");
	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_NONE);
	put_self(root, "/system.slice/mmiotrace-wizardd.service");
	assert_int_equal(mtw_session_type_of_self(root->paths), MTW_SESSION_TYPE_NONE);
}

static void test_inside(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDesktop) desktop = NULL;

	put_cgroup(root, XORG, "/system.slice/lightdm.service");
	fake_root_put(root, "run/systemd/sessions/c2", "UID=1000\nSEAT=seat0\nTYPE=x11\n");
	put_self(root, "/user.slice/user-1000.slice/session-c2.scope");
	desktop = desktop_of(root, GPU);
	assert_true(desktop->inside);
	assert_false(mtw_desktop_can_pause(desktop));
}

/* ---- text consoles ---- */

static void test_vtconsole(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) bound = NULL;
	g_autofree char *text = NULL;

	fake_root_put(root, "sys/class/vtconsole/vtcon7/name", "(M) frame buffer device\n");
	fake_root_put(root, "sys/class/vtconsole/vtcon7/bind", "1\n");
	assert_true(mtw_vtconsole_set(root->paths, "vtcon7", "0", &error));
	text = fake_root_read(root, "sys/class/vtconsole/vtcon7/bind");
	assert_int_equal(text[0], '0');
	assert_string_equal(mtw_vtconsole_state(root->paths, "vtcon9"), "");
	assert_false(mtw_vtconsole_set(root->paths, "../vtcon7", "1", &error));
	bound = mtw_vtconsole_framebuffers(root->paths);
	assert_false(g_ptr_array_find_with_equal_func(bound, "vtcon7", g_str_equal, NULL));
}

static void test_no_systemd(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(GError) error = NULL;

	assert_null(mtw_systemd_unit_state(root->paths, "gdm.service", &error));
	assert_non_null(error);
	g_clear_error(&error);
	assert_false(mtw_systemd_stop(root->paths, "gdm.service", &error));
	assert_non_null(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_unit_of),	 FAKE_ROOT_TEST(test_display_manager),
		FAKE_DESKTOP_TEST(test_service_draws),	 FAKE_DESKTOP_TEST(test_manager_first),
		FAKE_DESKTOP_TEST(test_started_by_hand), FAKE_DESKTOP_TEST(test_logind),
		FAKE_DESKTOP_TEST(test_systemd_itself),	 FAKE_DESKTOP_TEST(test_own_service),
		FAKE_DESKTOP_TEST(test_nothing_shown),	 FAKE_ROOT_TEST(test_self),
		FAKE_DESKTOP_TEST(test_inside),		 FAKE_ROOT_TEST(test_vtconsole),
		FAKE_ROOT_TEST(test_no_systemd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
