/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program can do about a check that is not passed (MtwMessage.fix), and about a machine that is not as before. */
#include "base/json.h"
#include "gui/window-private.h"

/* The same walk, with the answers so far, for the next start of the computer. */
static void trace_at_next_boot(MtwWindow *window)
{
	window->next_boot = TRUE;
	mtw_window_restart(window, TRUE);
}

static void run_checks(MtwWindow *window)
{
	if (g_str_equal(window->step, "check"))
		g_action_group_activate_action(G_ACTION_GROUP(window), "again", NULL);
}

/* When the person has deleted what they can spare. */
static void free_room(MtwWindow *window)
{
	gboolean is_open = window->kept_window != NULL;

	g_action_group_activate_action(G_ACTION_GROUP(window), "kept", NULL);
	if (!is_open)
		g_signal_connect_object(window->kept_window, "close-request",
					G_CALLBACK(run_checks), window, G_CONNECT_SWAPPED);
}

static void on_fix(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;
	const char *fix = g_variant_get_string(parameter, NULL);

	(void)action;
	if (g_str_equal(fix, "next-boot"))
		trace_at_next_boot(window);
	else if (g_str_equal(fix, "recover"))
		mtw_window_work(window, MTW_WORK_CLEAN_UP, NULL);
	else if (g_str_equal(fix, "free-room"))
		free_room(window);
	else if (g_str_equal(fix, "cancel-next-boot"))
		mtw_window_work(window, MTW_WORK_TAKE_BACK, NULL);
}

/* For a device that is not offered for a trace now. */
static void on_next_boot(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	g_ptr_array_add(window->history,
			mtw_bridge_answer_new("device", g_variant_get_string(parameter, NULL)));
	trace_at_next_boot(window);
}

void mtw_window_add_fix_actions(MtwWindow *window)
{
	static const GActionEntry entries[] = {
		{ .name = "fix", .activate = on_fix, .parameter_type = "s" },
		{ .name = "next-boot", .activate = on_next_boot, .parameter_type = "s" },
	};

	g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries),
					window);
}
