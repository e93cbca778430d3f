/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/background.h"

typedef struct {
	GWeakRef source;
	GAsyncReadyCallback done;
	gpointer user_data;
} Ending;

static void on_done(GObject *nothing, GAsyncResult *result, gpointer user_data)
{
	Ending *ending = user_data;
	g_autoptr(GObject) source = g_weak_ref_get(&ending->source);

	(void)nothing;
	ending->done(source, result, ending->user_data);
	g_weak_ref_clear(&ending->source);
	g_free(ending);
	g_application_release(g_application_get_default());
}

void mtw_background(gpointer source, GTaskThreadFunc work, gpointer data, GDestroyNotify free_data,
		    GAsyncReadyCallback done, gpointer user_data)
{
	Ending *ending = g_new0(Ending, 1);
	g_autoptr(GTask) task = g_task_new(NULL, NULL, on_done, ending);

	g_weak_ref_init(&ending->source, source);
	ending->done = done;
	ending->user_data = user_data;
	g_application_hold(g_application_get_default());
	g_task_set_task_data(task, data, free_data);
	g_task_run_in_thread(task, work);
}

void mtw_background_too_late(const GError *error)
{
	if (error != NULL)
		g_printerr("mmiotrace-wizard-gtk: %s\n", error->message);
}
