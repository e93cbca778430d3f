/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Earlier captures and reports that wait: going on with them, deleting, taking back, sending. */
#include "base/error.h"
#include "base/json.h"
#include "gui/confirm.h"
#include "gui/kept-window.h"
#include "gui/text.h"
#include "gui/window-private.h"

#include <glib/gi18n.h>

void mtw_window_set_kept(MtwWindow *window, JsonObject *kept)
{
	g_clear_pointer(&window->kept, json_object_unref);
	window->kept = json_object_ref(kept);
	mtw_page_show(mtw_window_page(window, "welcome"), "kept", kept);
	if (window->kept_window != NULL)
		mtw_kept_window_show(window->kept_window, kept);
}

/* ---- work ------------------------------------------------------------------------------------ */

static void tell_failure(MtwWindow *window, const GError *error)
{
	const char *sentence = mtw_gui_translate(mtw_error_sentence(error));
	g_autofree char *detail = mtw_gui_detail(error->message);

	if (window->kept_window != NULL) {
		mtw_kept_window_tell(window->kept_window, sentence, detail);
		return;
	}
	mtw_window_add_message(window, "failure", sentence, detail, "");
	g_set_weak_pointer(&window->failed_work,
			   gtk_widget_get_last_child(GTK_WIDGET(window->messages)));
}

static void forget_failure(MtwWindow *window)
{
	GtkWidget *messages = GTK_WIDGET(window->messages);

	if (window->failed_work == NULL)
		return;
	gtk_list_box_remove(window->messages, window->failed_work);
	gtk_widget_set_visible(messages, gtk_widget_get_first_child(messages) != NULL);
}

/* What was shown may be another now. */
static void follow(MtwWindow *window, MtwWorkKind kind, JsonObject *kept)
{
	MtwPageDone *done = MTW_PAGE_DONE(mtw_window_page(window, "done"));
	gboolean checks = g_str_equal(window->step, "check");

	if (checks && (kind == MTW_WORK_TAKE_BACK || kind == MTW_WORK_CLEAN_UP))
		g_action_group_activate_action(G_ACTION_GROUP(window), "again", NULL);
	else if (g_str_equal(window->step, "done"))
		mtw_page_done_worked(done, kind, kept);
	/* That was all that was not finished. */
	if (kind == MTW_WORK_CLEAN_UP && mtw_page_done_is_well(done))
		mtw_window_present_step(window);
}

static void on_ready(GObject *source, GAsyncResult *result, gpointer user_data)
{
	MtwWindow *window = (MtwWindow *)source;
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonObject) kept = mtw_work_finish(result, &error);

	/* Closed meanwhile. */
	if (window == NULL)
		return;
	mtw_window_set_working(window, FALSE);
	if (kept == NULL) {
		tell_failure(window, error);
		return;
	}
	mtw_window_set_kept(window, kept);
	follow(window, (MtwWorkKind)GPOINTER_TO_INT(user_data), kept);
}

void mtw_window_work(MtwWindow *window, MtwWorkKind kind, const char *id)
{
	if (window->working)
		return;
	forget_failure(window);
	mtw_work_start(window, window->setup, kind, id, on_ready, GINT_TO_POINTER((int)kind));
	mtw_window_set_working(window, TRUE);
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Returns: (transfer none) (nullable) */
static JsonObject *find_session(MtwWindow *window, const char *id)
{
	JsonArray *sessions = mtw_json_array(window->kept, "sessions");

	for (guint i = 0; sessions != NULL && i < json_array_get_length(sessions); i++) {
		JsonObject *session = mtw_json_object_at(sessions, i);
		if (g_str_equal(mtw_json_string(session, "id", ""), id))
			return session;
	}
	return NULL;
}

/* The parent of a question may be the window of kept captures. */
static MtwWindow *main_window(GtkWindow *parent)
{
	return MTW_WINDOW(MTW_IS_WINDOW(parent) ? parent : gtk_window_get_transient_for(parent));
}

static GtkWindow *front_window(MtwWindow *window)
{
	return GTK_WINDOW(window->kept_window != NULL ? window->kept_window : GTK_WIDGET(window));
}

static void delete (GtkWindow *parent, const char *id)
{
	mtw_window_work(main_window(parent), MTW_WORK_DELETE, id);
}

static void on_delete(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;
	const char *id = g_variant_get_string(parameter, NULL);
	JsonObject *session = find_session(window, id);

	(void)action;
	mtw_confirm(front_window(window), _("Delete this capture?"),
		    mtw_json_bool(session, "goes_on", FALSE)
			    ? _("Its trace was not packed yet. It is gone then, for good.")
			    : _("Its trace is gone then, for good. An archive that was made of it "
				"stays where it is."),
		    _("_Delete"), delete, g_strdup(id));
}

static void on_take_back(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	(void)action;
	mtw_window_work(user_data, MTW_WORK_TAKE_BACK, g_variant_get_string(parameter, NULL));
}

static void drop(GtkWindow *parent, const char *id)
{
	mtw_window_work(main_window(parent), MTW_WORK_DROP, id);
}

static void on_drop(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	(void)action;
	mtw_confirm(front_window(user_data), _("Drop this report?"),
		    _("It is not sent any more. Your own archive stays where it is."), _("_Drop"),
		    drop, g_variant_dup_string(parameter, NULL));
}

/* ---- other walks ----------------------------------------------------------------------------- */

static gboolean may_begin(MtwWindow *window)
{
	if (window->working)
		return FALSE;
	if (!mtw_window_is_at_work(window))
		return TRUE;
	mtw_window_tell_busy(window);
	return FALSE;
}

static void close_kept(MtwWindow *window)
{
	if (window->kept_window != NULL)
		gtk_window_destroy(GTK_WINDOW(window->kept_window));
}

static void on_session(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	(void)action;
	close_kept(user_data);
	mtw_window_start(user_data, g_variant_get_string(parameter, NULL), NULL);
}

/* @task: of the window: what it sends then */
static void begin_sending(MtwWindow *window, char **task, GVariant *parameter)
{
	if (!may_begin(window))
		return;
	mtw_window_forget_task(window);
	*task = g_variant_dup_string(parameter, NULL);
	mtw_window_restart(window, FALSE);
}

static void on_send_report(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	begin_sending(window, &window->report, parameter);
}

static void on_send_archive(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	begin_sending(window, &window->archive, parameter);
}

static void on_kept(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)action;
	(void)parameter;
	if (window->kept_window == NULL) {
		window->kept_window = mtw_kept_window_new(GTK_WINDOW(window));
		g_signal_connect_swapped(window->kept_window, "destroy",
					 G_CALLBACK(g_nullify_pointer), &window->kept_window);
		mtw_window_work(window, MTW_WORK_LIST, NULL);
	}
	gtk_window_present(GTK_WINDOW(window->kept_window));
}

void mtw_window_add_kept_actions(MtwWindow *window)
{
	static const GActionEntry entries[] = {
		{ .name = "kept", .activate = on_kept },
		{ .name = "session", .activate = on_session, .parameter_type = "s" },
		{ .name = "delete-session", .activate = on_delete, .parameter_type = "s" },
		{ .name = "take-back", .activate = on_take_back, .parameter_type = "s" },
		{ .name = "drop-report", .activate = on_drop, .parameter_type = "s" },
		{ .name = "send-report", .activate = on_send_report, .parameter_type = "s" },
		{ .name = "send-archive", .activate = on_send_archive, .parameter_type = "s" },
	};

	g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries),
					window);
}
