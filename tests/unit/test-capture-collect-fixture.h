/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A card on a fake root, and running the collectors on it; the files go to out/. */
#pragma once

#include "fake-root.h"

#include "base/error.h"
#include "capture/collect-private.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CARD "0000:01:00.0"
#define CARD_FOLDER "sys/bus/pci/devices/" CARD "/"
#define RELEASE "6.1.0-test"

static inline void put_card(FakeRoot *root)
{
	fake_root_put(root, CARD_FOLDER "vendor", "0x10de\n");
	fake_root_put(root, CARD_FOLDER "device", "0x1b80\n");
	fake_root_put(root, CARD_FOLDER "class", "0x030000\n");
	fake_root_put(root, CARD_FOLDER "revision", "0xa1\n");
	fake_root_put(root, CARD_FOLDER "modalias", "pci:v000010DEd00001B80\n");
	fake_root_put(root, CARD_FOLDER "resource",
		      "0x00000000de000000 0x00000000deffffff 0x0000000000040200\n"
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n");
	fake_root_put(root, "proc/sys/kernel/osrelease", RELEASE "\n");
	fake_root_put(root, "proc/cmdline", "quiet\n");
	fake_root_put(root, "out/.keep", "");
}

static inline int setup_card(void **state)
{
	fake_root_setup(state);
	put_card(*state);
	return 0;
}

#define CARD_TEST(function) \
	cmocka_unit_test_setup_teardown(function, setup_card, fake_root_teardown)

typedef GPtrArray *(*CollectPhase)(const MtwCollectOptions *options);

/* @options: the rest of it is filled in. */
static inline GPtrArray *collect_with(FakeRoot *root, CollectPhase phase, MtwCollectOptions options)
{
	g_autofree char *folder = fake_root_path(root, "out");
	g_autoptr(MtwPciDevice) device = mtw_pci_get(root->paths, CARD, NULL);

	assert_non_null(device);
	options.paths = root->paths;
	options.device = device;
	options.folder = folder;
	return phase(&options);
}

static inline GPtrArray *collect_only(FakeRoot *root, CollectPhase phase, const char *name)
{
	const char *const wanted[] = { name, NULL };

	return collect_with(
		root, phase,
		(MtwCollectOptions){ .module = "nvidia", .driver = "nvidia", .wanted = wanted });
}

static inline const MtwMessage *expect_message(const GPtrArray *messages, const char *id,
					       MtwLevel level, const char *detail)
{
	const MtwMessage *message = mtw_messages_find(messages, id);

	if (message == NULL)
		fail_msg("no message about %s", id);
	else if (message->level != level || strstr(message->detail, detail) == NULL)
		fail_msg("%s: %s (%s)", id, message->sentence, message->detail);
	return message;
}

static inline void expect_text(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static inline gboolean is_there(FakeRoot *root, const char *name)
{
	g_autofree char *path = fake_root_path(root, name);

	return access(path, F_OK) == 0;
}

static inline void put_fifo(FakeRoot *root, const char *name)
{
	g_autofree char *path = fake_root_path(root, name);

	/* Makes its folder. */
	fake_root_put(root, name, "");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
}
