/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake-root.h"

#include "base/cleanup.h"
#include "machine/users.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#define NIC "0000:00:03.0"
#define GPU "0000:01:00.0"
#define DISK "0000:02:00.0"
#define GPU_FOLDER "sys/devices/pci0000:00/0000:00:01.0/" GPU

static MtwDeviceUse *use_of(FakeRoot *root, const char *address)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, address, NULL);

	assert_non_null(device);
	return mtw_device_use_get(root->paths, device);
}

static void assert_list(const GPtrArray *list, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
				       (const char *)list->pdata[i]);
	assert_string_equal(text->str, expected);
}

static void test_files(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *card = fake_root_path(root, "dev/dri/card0");
	g_autofree char *absent = fake_root_path(root, "dev/absent");
	g_autoptr(GPtrArray) users =
		mtw_users_of_files(root->paths, (const char *const[]){ absent, card, NULL });
	g_autoptr(GPtrArray) none =
		mtw_users_of_files(root->paths, (const char *const[]){ absent, NULL });
	g_autofree char *text = mtw_users_text(users);
	g_autofree char *nobody = mtw_users_text(none);

	assert_string_equal(text, "Xorg (1042)");
	assert_string_equal(nobody, "");
}

static void test_files_hostile(void **state)
{
	FakeRoot *root = *state;
	g_autofree char *card = fake_root_path(root, "dev/dri/card0");
	g_autoptr(GPtrArray) users = NULL;
	g_autofree char *text = NULL;

	fake_root_link(root, "proc/7/fd/1", "/dev/dri/card0");
	fake_root_put(root, "proc/8/comm", "e\x1b]0;evil\n");
	fake_root_link(root, "proc/8/fd/1", card);
	fake_root_link(root, "proc/9/fd", "fd");
	fake_root_link(root, "proc/0/fd/1", "/dev/dri/card0");
	fake_root_link(root, "proc/99999999999/fd/1", "/dev/dri/card0");
	users = mtw_users_of_files(root->paths, (const char *const[]){ card, NULL });
	text = mtw_users_text(users);
	assert_string_equal(text, "Xorg (1042), ? (7), e ]0;evil (8)");
}

/* A child has the file open; this process has, too, but does not count. */
static void test_files_live(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwPaths) live = mtw_paths_new(NULL);
	g_autofree char *path = fake_root_path(root, "open");
	g_autofree char *other_name = fake_root_path(root, "link");
	g_auto(MtwFd) fd = -1;
	g_autoptr(GPtrArray) users = NULL;
	pid_t child;

	fake_root_put(root, "open", "");
	fake_root_link(root, "link", "open");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	users = mtw_users_of_files(live, (const char *const[]){ other_name, NULL });
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_int_equal(users->len, 1);
	assert_int_equal(((const MtwProcess *)users->pdata[0])->pid, child);
}

static void test_network(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDeviceUse) use = use_of(root, NIC);

	assert_list(use->interfaces, "eth0");
	assert_true(use->default_route);
	assert_list(use->mounts, "");
	assert_false(use->console);
	assert_int_equal(use->processes->len, 0);
}

static gboolean has_default(FakeRoot *root, const char *ipv4, const char *ipv6)
{
	g_autoptr(MtwDeviceUse) use = NULL;

	fake_root_put(root, "proc/net/route", ipv4);
	fake_root_put(root, "proc/net/ipv6_route", ipv6);
	use = use_of(root, NIC);
	assert_list(use->interfaces, "eth0");
	return use->default_route;
}

#define ZEROS "00000000000000000000000000000000"
#define IPV6_ROUTE(length, interface)           \
	ZEROS " " length " " ZEROS " 00 " ZEROS \
	      " 00000400 00000001 00000000 00000003     " interface "\n"

static void test_default_route(void **state)
{
	FakeRoot *root = *state;

	assert_false(has_default(root, "", ""));
	assert_false(has_default(root, "eth0 00000000 0 0 0 0 0 00FFFFFF\n", ""));
	assert_false(has_default(root, "eth0 00000000\neth0\n\n", "garbage\n" ZEROS " 00\n"));
	assert_false(has_default(root, "wlan0\t00000000\t0\t3\t0\t0\t0\t00000000\n",
				 IPV6_ROUTE("00", "lo")));
	assert_false(has_default(root, "", IPV6_ROUTE("40", "eth0")));
	assert_true(has_default(root, "", IPV6_ROUTE("00", "eth0")));
	/* Through a bridge, and a VLAN on it that says it is below itself. */
	fake_root_put(root, "sys/class/net/br0/upper_br0.5/x", "");
	fake_root_put(root, "sys/class/net/br0.5/upper_br0/x", "");
	fake_root_put(root, "sys/devices/pci0000:00/" NIC "/net/eth0/upper_br0/x", "");
	assert_true(has_default(root, "br0.5 00000000 0 0 0 0 0 00000000\n", ""));
}

static void test_display(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDeviceUse) use = use_of(root, GPU);
	g_autofree char *users = mtw_users_text(use->processes);

	assert_string_equal(users, "Xorg (1042)");
	assert_true(use->console);
	assert_int_equal(use->nodes->len, 7);
	assert_int_equal(use->interfaces->len, 0);
}

static void test_console(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "sys/class/vtconsole/vtcon1/bind", "0\n");
	g_autoptr(MtwDeviceUse) unbound = use_of(root, GPU);
	assert_false(unbound->console);
	fake_root_put(root, "sys/class/vtconsole/vtcon1/bind", "1\n");
	/* fb0 belongs to somebody else: the consoles are there. */
	fake_root_remove(root, "sys/class/graphics/fb0");
	fake_root_put(root, "sys/class/graphics/fb0/x", "");
	fake_root_link(root, "sys/class/graphics/fb1", "../../../" GPU_FOLDER "/graphics/fb0");
	g_autoptr(MtwDeviceUse) second = use_of(root, GPU);
	assert_false(second->console);
}

static void test_nvidia_minor(void **state)
{
	FakeRoot *root = *state;
	static const char *const contents[] = { "", "Device Minor:", "Device Minor: x\n",
						"Device Minor: 99999\n", "\xff\xfe" };

	for (gsize i = 0; i < G_N_ELEMENTS(contents); i++) {
		g_autoptr(MtwDeviceUse) use = NULL;
		fake_root_put(root, "proc/driver/nvidia/gpus/" GPU "/information", contents[i]);
		use = use_of(root, GPU);
		assert_int_equal(use->nodes->len, 6);
	}
}

static void test_disk(void **state)
{
	FakeRoot *root = *state;
	g_autoptr(MtwDeviceUse) use = use_of(root, DISK);

	assert_list(use->mounts, "/ /boot/efi");
	assert_list(use->swaps, "/dev/dm-1");
	assert_list(use->claimed, "");
}

static void test_disk_by_name(void **state)
{
	FakeRoot *root = *state;

	/* btrfs: the number tells nothing; the source is a link, or a mapper's node. */
	fake_root_put(root, "proc/self/mountinfo",
		      "1 1 0:40 / /a rw - btrfs /dev/mapper/vg-root rw\n"
		      "2 1 0:41 / /b rw - btrfs /dev/disk/by-id/efi rw\n"
		      "3 1 0:42 / /c rw - btrfs /dev/sdz1 rw\n"
		      "4 1 0:43 / /d rw - nfs server:/dev/nvme0n1p1 rw\n"
		      "5 1 0:44 / /e rw - tmpfs nvme0n1p1 rw\n");
	fake_root_link(root, "dev/disk/by-id/efi", "../../nvme0n1p1");
	fake_root_put(root, "proc/swaps", "Filename Type\n/dev/mapper/vg-swap partition 1 0 -2\n");
	g_autoptr(MtwDeviceUse) use = use_of(root, DISK);
	assert_list(use->mounts, "/a /b");
	assert_list(use->swaps, "/dev/mapper/vg-swap");
	/* A mapper's node that is no link. */
	fake_root_remove(root, "dev/mapper/vg-root");
	fake_root_put(root, "dev/mapper/vg-root", "");
	g_autoptr(MtwDeviceUse) node = use_of(root, DISK);
	assert_list(node->mounts, "/a /b");
	/* The other disk of a btrfs that has one of ours. */
	fake_root_put(root, "sys/fs/btrfs/uuid/devices/nvme0n1p1/x", "");
	fake_root_put(root, "sys/fs/btrfs/uuid/devices/sdz1/x", "");
	fake_root_put(root, "sys/fs/btrfs/features/x", "");
	g_autoptr(MtwDeviceUse) several = use_of(root, DISK);
	assert_list(several->mounts, "/a /b /c");
}

static void test_disk_multipath(void **state)
{
	FakeRoot *root = *state;
	static const char subsystem[] = "sys/devices/virtual/nvme-subsystem/nvme-subsys0";
	g_autofree char *disk = g_strdup_printf("%s/nvme1n1/dev", subsystem);
	g_autofree char *controller = g_strdup_printf("%s/nvme0", subsystem);
	g_autofree char *loop = g_strdup_printf("%s/loop", subsystem);

	fake_root_put(root, disk, "259:9\n");
	fake_root_link(root, controller, "../../../pci0000:00/" DISK "/nvme/nvme0");
	fake_root_link(root, loop, "loop");
	fake_root_link(root, "sys/class/block/nvme1n1",
		       "../../devices/virtual/nvme-subsystem/nvme-subsys0/nvme1n1");
	fake_root_put(root, "proc/self/mountinfo", "1 1 259:9 / /mnt rw - ext4 /dev/nvme1n1 rw\n");
	g_autoptr(MtwDeviceUse) use = use_of(root, DISK);
	g_autoptr(MtwDeviceUse) other = use_of(root, NIC);
	assert_list(use->mounts, "/mnt");
	assert_list(other->mounts, "");
}

static void test_disk_circle(void **state)
{
	FakeRoot *root = *state;

	fake_root_put(root, "sys/devices/virtual/block/dm-0/holders/dm-1/x", "");
	fake_root_put(root, "sys/devices/virtual/block/dm-1/holders/dm-0/x", "");
	fake_root_link(root, "sys/class/block/self", "self");
	g_autoptr(MtwDeviceUse) use = use_of(root, DISK);
	assert_list(use->mounts, "/ /boot/efi");
}

static void test_nothing(void **state)
{
	FakeRoot *root = *state;
	MtwPciDevice gone = { .address = "0000:99:00.0" };
	g_autoptr(MtwDeviceUse) use = mtw_device_use_get(root->paths, &gone);

	assert_int_equal(use->mounts->len + use->nodes->len + use->processes->len, 0);
	assert_false(use->console || use->default_route);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKE_DESKTOP_TEST(test_files),		FAKE_DESKTOP_TEST(test_files_hostile),
		FAKE_ROOT_TEST(test_files_live),	FAKE_DESKTOP_TEST(test_network),
		FAKE_DESKTOP_TEST(test_default_route),	FAKE_DESKTOP_TEST(test_display),
		FAKE_DESKTOP_TEST(test_console),	FAKE_DESKTOP_TEST(test_nvidia_minor),
		FAKE_DESKTOP_TEST(test_disk),		FAKE_DESKTOP_TEST(test_disk_by_name),
		FAKE_DESKTOP_TEST(test_disk_multipath), FAKE_DESKTOP_TEST(test_disk_circle),
		FAKE_ROOT_TEST(test_nothing),
	};

	return cmocka_run_group_tests_name("machine-users", tests, NULL, NULL);
}
