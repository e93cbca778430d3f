/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk up to SEND with targets of its own, and what is in the queue afterwards. No server is needed for that. */
#pragma once

#include "test-wizard-script.h"

#include "wizard/sending-private.h"

#define BROWSER                                                    \
	"[Target]\nVersion=1\nName=In the browser\nKind=browser\n" \
	"URL=https://tracker.invalid/new\nVisibility=public\n"
/* Nothing listens on port 1 of the loopback. */
#define SERVER                                                                                 \
	"[Target]\nVersion=1\nName=A server\nKind=put\nURL=http://127.0.0.1:1/in\nAuth=none\n" \
	"FileTypes=.tar.gz;.tar.xz\n"
#define ONCE "[Network]\nRetries=0\nConnectTimeout=2\n"

static inline void put_target(const char *id, const char *text)
{
	g_autofree char *path = g_strdup_printf("usr/share/mmiotrace-wizard/targets.d/%s.conf", id);

	fake_root_put(kernel.root, path, text);
}

static inline void walk(const char *const *answers)
{
	static const char *const good[] = { UP, GOOD, NULL };
	static const char *const *const one_good[] = { good, NULL };

	walk_with_person(answers);
	script.engine.tries = one_good;
}

#define WITH(...)                                                                          \
	ANSWERS("welcome=yes", "device=" NIC, "warnings=yes", "prepare=yes", "nick=alice", \
		"story=It worked.", "review=ok", "agree=yes", __VA_ARGS__)

/* What was asked from SEND on. */
static inline void assert_asked(const char *wanted)
{
	const char *from = strstr(script.view.asked->str, "agree;");

	assert_non_null(from);
	assert_string_equal(from + strlen("agree;"), wanted);
}

/* States of what is in the queue, by target: "here=consented;". */
static inline char *queued(void)
{
	g_autoptr(GPtrArray) items = mtw_queue_list(&script.caller, NULL);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < items->len; i++)
		g_string_append_printf(text, "%s=%s;", mtw_item_target(items->pdata[i]),
				       mtw_item_state_name(mtw_item_state(items->pdata[i])));
	return g_string_free(text, FALSE);
}

static inline void assert_queued(const char *wanted)
{
	g_autofree char *text = queued();

	assert_string_equal(text, wanted);
}

static inline MtwItem *queued_item(gboolean lock)
{
	g_autoptr(GPtrArray) items = mtw_queue_list(&script.caller, NULL);
	MtwItem *item;

	assert_int_equal(items->len, 1);
	item = mtw_item_open(&script.caller, mtw_item_id(items->pdata[0]), lock, NULL);
	assert_non_null(item);
	return item;
}

static inline int send_teardown(void **state)
{
	return script_teardown(state);
}

static inline int send_setup(void **state)
{
	int result = script_setup(state);

	g_unsetenv("XDG_CONFIG_HOME");
	g_setenv("HOME", script.caller.home, TRUE);
	/* A desktop would make a question more. */
	g_unsetenv("DISPLAY");
	g_unsetenv("WAYLAND_DISPLAY");
	return result;
}

#define SEND_TEST(function) cmocka_unit_test_setup_teardown(function, send_setup, send_teardown)
