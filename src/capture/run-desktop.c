/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/run-desktop.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "machine/vtconsole.h"

#define WATCH_USEC (100 * 1000)

static gboolean has_desktop(const MtwPlan *plan)
{
	const MtwDesktop *desktop = plan->way->desktop;

	return desktop != NULL && desktop->units->len > 0;
}

static gboolean must_stop(MtwRun *run, GError **error)
{
	if (!g_atomic_int_get(&run->stop))
		return FALSE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INTERRUPTED,
		    "stopped before the desktop was ended");
	return TRUE;
}

static void tell_countdown(MtwRun *run, const MtwPlan *plan, guint left_sec)
{
	JsonObject *event = mtw_event_new("countdown");

	json_object_set_int_member(event, "seconds", left_sec);
	json_object_set_array_member(event, "units", json_array_new());
	for (guint i = 0; i < plan->way->desktop->units->len; i++)
		json_array_add_string_element(json_object_get_array_member(event, "units"),
					      plan->way->desktop->units->pdata[i]);
	g_async_queue_push(run->events, event);
}

/* In small steps: who says stop does not wait for the second to end. */
static gboolean count_down(MtwRun *run, const MtwPlan *plan, GError **error)
{
	for (guint left_sec = run->options.countdown_sec; left_sec > 0; left_sec--) {
		gint64 next_usec = g_get_monotonic_time() + G_USEC_PER_SEC;
		tell_countdown(run, plan, left_sec);
		while (g_get_monotonic_time() < next_usec) {
			if (must_stop(run, error))
				return FALSE;
			g_usleep(WATCH_USEC);
		}
	}
	return !must_stop(run, error);
}

gboolean mtw_run_announce_desktop(MtwRun *run, const MtwPlan *plan, GError **error)
{
	if (!has_desktop(plan))
		return TRUE;
	if (!count_down(run, plan, error))
		return FALSE;
	mtw_vtconsole_say(
		run->paths,
		"mmiotrace-wizard: the desktop was ended to trace the driver of the display. "
		"It comes back by itself; please do not switch off.");
	return TRUE;
}

gboolean mtw_run_return_desktop(MtwRun *run, const MtwPlan *plan, const MtwChangeMaker *maker,
				GError **error)
{
	gboolean back;

	if (plan->way->desktop == NULL)
		return TRUE;
	back = mtw_changes_undo_desktop(maker, error);
	if (!back)
		mtw_vtconsole_say(run->paths, "mmiotrace-wizard: the desktop did not come back. "
					      "The capture ends now, and "
					      "then it is started again.");
	return back;
}

static gboolean driver_has_to_go(const MtwChangeMaker *maker)
{
	const GPtrArray *changes = mtw_journal_changes(maker->journal);

	for (guint i = 0; i < changes->len; i++) {
		const MtwChange *change = changes->pdata[i];
		if ((change->kind == MTW_CHANGE_LOAD || change->kind == MTW_CHANGE_BIND) &&
		    !change->keep && change->status != MTW_CHANGE_UNDONE)
			return TRUE;
	}
	return FALSE;
}

gboolean mtw_run_end_desktop_again(MtwRun *run, const MtwPlan *plan, const MtwChangeMaker *maker,
				   GError **error)
{
	if (!has_desktop(plan) || !driver_has_to_go(maker))
		return TRUE;
	if (!mtw_changes_end_desktop_again(maker, error))
		return FALSE;
	mtw_vtconsole_say(run->paths, "mmiotrace-wizard: the usual driver is loaded again; the "
				      "desktop comes back in a moment.");
	return TRUE;
}
