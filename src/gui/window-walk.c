/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The window's side of the bridge: what the walk shows and asks, and its end. */
#include "base/error.h"
#include "base/json.h"
#include "gui/notify.h"
#include "gui/text.h"
#include "gui/widgets.h"
#include "gui/window-private.h"

#include <glib/gi18n.h>

/* ---- events ---------------------------------------------------------------------------------- */

/* Nobody would see what a page says when the next one comes at once. */
static gboolean may_show(const char *name, JsonObject *event, gpointer user_data)
{
	MtwWindow *window = user_data;

	(void)event;
	if (!g_str_equal(name, "step") || !MTW_PAGE_GET_CLASS(window->page)->is_read ||
	    window->was_asked || window->was_read)
		return TRUE;
	window->held = TRUE;
	mtw_window_update(window);
	gtk_widget_grab_focus(GTK_WIDGET(window->next));
	return FALSE;
}

static void show_text(MtwWindow *window, const char *text)
{
	g_autofree char *joined = mtw_gui_paragraphs(text);

	mtw_window_add_row(window, mtw_label_new(joined, NULL), joined);
}

/* What no page shows: nothing that was said gets lost. */
static void show_generally(MtwWindow *window, const char *name, JsonObject *event)
{
	if (g_str_equal(name, "message")) {
		g_autofree char *sentence = mtw_gui_sentence(event);
		mtw_window_add_row(window, mtw_message_row(event), sentence);
	} else if (g_str_equal(name, "warning")) {
		mtw_window_add_message(window, "warning", mtw_json_string(event, "message", ""), "",
				       "");
	} else if (g_str_equal(name, "note")) {
		show_text(window, mtw_json_string(event, "text", ""));
	} else if (g_str_equal(name, "explain")) {
		show_text(window, mtw_gui_translate(mtw_json_string(event, "text", "")));
	}
}

/* The service ended in the middle, for example: what is there is shown, and this beside it. */
static void show_trouble(MtwWindow *window)
{
	JsonObject *error = mtw_json_object(window->trouble, "error");
	gboolean whole = g_str_equal(mtw_json_string(error, "name", ""), "not-restored");
	g_autofree char *why = mtw_gui_detail(mtw_json_string(error, "message", ""));
	g_autofree char *detail = g_strdup_printf(
		"%s\n%s", why,
		mtw_json_bool(window->trouble, "restored", FALSE)
			? _("This computer is as it was before.")
			: _("Something on this computer may not be as it was before."));

	if (whole)
		mtw_window_add_message(window, "warning",
				       _("Something on this computer is not as it was before."),
				       why, "");
	else
		mtw_window_add_message(
			window, "warning",
			_("The capture was cut off; what was recorded until then is kept."), detail,
			"");
	g_clear_pointer(&window->trouble, json_object_unref);
}

static void begin_step(MtwWindow *window, const char *step)
{
	window->begun = TRUE;
	window->capturing = g_str_equal(step, "capture");
	window->stopping = FALSE;
	/* From here on the way back leads only to the questions after the capture. */
	if (window->capturing)
		g_ptr_array_set_size(window->history, 0);
	mtw_window_show_step(window, step);
	if (window->trouble != NULL && g_str_equal(step, "verdict"))
		show_trouble(window);
}

static void note_trouble(MtwWindow *window, JsonObject *event)
{
	g_clear_pointer(&window->trouble, json_object_unref);
	if (mtw_json_object(event, "error") != NULL)
		window->trouble = json_object_ref(event);
}

static void note(MtwWindow *window, const char *name, JsonObject *event)
{
	const char *session = mtw_json_string(event, "session", NULL);

	if (session != NULL && (g_str_equal(name, "state") || g_str_equal(name, "done"))) {
		g_free(window->session);
		window->session = g_strdup(session);
	}
	if (g_str_equal(name, "done")) {
		window->capturing = FALSE;
		note_trouble(window, event);
	}
	mtw_page_done_note(MTW_PAGE_DONE(mtw_window_page(window, "done")), name, event);
	mtw_notify(GTK_WINDOW(window), name, event);
}

static void show(const char *name, JsonObject *event, gpointer user_data)
{
	MtwWindow *window = user_data;
	MtwPage *page = window->page;

	mtw_details_add(window->details, name, event);
	note(window, name, event);
	if (g_str_equal(name, "step")) {
		begin_step(window, mtw_json_string(event, "step", ""));
		return;
	}
	if (g_str_equal(name, "kept")) {
		mtw_window_set_kept(window, event);
		return;
	}
	if (g_str_equal(name, "devices"))
		page = mtw_window_page(window, "device");
	else if (g_str_equal(name, "profile"))
		page = mtw_window_page(window, "check");
	if (!mtw_page_show(page, name, event))
		show_generally(window, name, event);
	if (!g_str_equal(name, "done"))
		return;
	mtw_window_update(window);
	/* The person wanted to close the window: what comes next has time. */
	if (window->closing)
		mtw_window_end(window);
}

/* ---- questions ------------------------------------------------------------------------------- */

static void ask(const MtwRequest *request, gpointer user_data)
{
	MtwWindow *window = user_data;

	window->request = request;
	window->was_asked = TRUE;
	window->page_asks = mtw_page_ask(window->page, request);
	if (!window->page_asks)
		mtw_question_set(window->question, request);
	mtw_window_show_question(window);
}

static void edit(const char *path, const char *text, gpointer user_data)
{
	MtwWindow *window = user_data;
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *sentence = g_strdup_printf(_("%s, as it was collected"), name);

	window->editing = TRUE;
	mtw_question_set_text(window->question, sentence, text);
	mtw_window_show_question(window);
}

static void edited(const GError *error, gpointer user_data)
{
	MtwWindow *window = user_data;

	window->saving = FALSE;
	window->editing = error != NULL;
	if (window->editing)
		mtw_window_add_message(window, "failure", _("The file could not be saved."),
				       error->message, "");
	else
		mtw_question_set(window->question, NULL);
	mtw_window_show_question(window);
}

/* ---- the end --------------------------------------------------------------------------------- */

static gboolean is_before_capture(const char *step)
{
	static const char *const steps[] = { "welcome", "device", "check", "prepare", NULL };

	return g_strv_contains(steps, step);
}

/* What the options asked for. */
static const char *wrong_sentence(const MtwWindow *window)
{
	if (window->session != NULL)
		return _("This capture cannot be continued.");
	return _("This device cannot be traced.");
}

/* Nothing was changed: the page stays, with the reason, and it can be tried again. */
static void show_failure(MtwWindow *window, const GError *error)
{
	g_autofree char *detail = mtw_gui_detail(error->message);

	if (!window->begun)
		mtw_window_show_step(window, "welcome");
	window->failed = TRUE;
	window->wrong = window->session != NULL ||
			(window->device != NULL && g_str_equal(window->step, "device"));
	if (window->wrong)
		mtw_window_add_message(window, "failure", wrong_sentence(window), detail, "");
	else
		mtw_window_add_message(window, "failure",
				       mtw_gui_translate(mtw_error_sentence(error)), detail,
				       mtw_gui_translate(mtw_error_hint(error)));
}

/*
 * A walk goes to its last step also when the report could not be sent, or the trace is poor.
 * Returns: (nullable): the step that is not done; NULL: all are
 */
static const char *stopped_at(const char *last, gboolean packed, const GError *error)
{
	if (!g_str_equal(last, "done") || error->domain != MTW_ERROR)
		return last;
	switch (error->code) {
	case MTW_ERROR_LOST_EVENTS:
	case MTW_ERROR_NOTHING_TRACED:
		return packed ? NULL : "describe";
	case MTW_ERROR_NETWORK:
	case MTW_ERROR_REJECTED:
	case MTW_ERROR_AUTH:
	case MTW_ERROR_TLS:
	case MTW_ERROR_NOT_FILED:
	case MTW_ERROR_INTERRUPTED:
		return "send";
	default:
		return last;
	}
}

static void show_error(MtwPageDone *done, const GError *error)
{
	const char *sentence = mtw_gui_translate(mtw_error_sentence(error));
	const char *hint = mtw_gui_translate(mtw_error_hint(error));
	g_autofree char *detail = mtw_gui_detail(error->message);

	if (g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED))
		mtw_page_done_not_restored(done, sentence, detail, hint);
	else
		mtw_page_done_finish(done, sentence, detail, hint);
}

static void show_result(MtwWindow *window, const GError *error)
{
	MtwPageDone *done = MTW_PAGE_DONE(mtw_window_page(window, "done"));
	const char *last = window->step;
	const char *at;

	if (!g_str_equal(last, "done"))
		mtw_window_show_step(window, "done");
	if (error == NULL) {
		mtw_page_done_finish(done, NULL, "", "");
		return;
	}
	at = stopped_at(last, mtw_page_done_is_packed(done), error);
	if (at != NULL)
		mtw_window_show_stop(window, at);
	if (g_strcmp0(at, "send") == 0 && g_error_matches(error, MTW_ERROR, MTW_ERROR_INTERRUPTED))
		mtw_page_done_stop(done);
	else
		show_error(done, error);
}

static void begin_walk(MtwWindow *window)
{
	window->ended = window->failed = window->held = window->stopping = FALSE;
	window->restarts = window->begun = window->wrong = FALSE;
	/* What the page of the last walk shows holds no step of this one. */
	window->was_read = TRUE;
	window->has_read = FALSE;
}

static void ended(const GError *error, gpointer user_data);

static const MtwBridgeOps bridge_ops = {
	.may_show = may_show,
	.show = show,
	.ask = ask,
	.edit = edit,
	.edited = edited,
	.ended = ended,
};

static void start_walk(MtwWindow *window)
{
	const MtwWalkTask task = { .session = window->session,
				   .device = window->device,
				   .next_boot = window->next_boot,
				   .report = window->report,
				   .archive = window->archive };
	gboolean only_sends = task.report != NULL || task.archive != NULL;

	begin_walk(window);
	window->passing = window->replays ? window->step : NULL;
	mtw_steps_begin(window->steps, only_sends ? "send" : "welcome");
	mtw_page_done_forget(MTW_PAGE_DONE(mtw_window_page(window, "done")), only_sends);
	if (!window->replays)
		g_ptr_array_set_size(window->history, 0);
	window->bridge = mtw_bridge_new(&bridge_ops, window, window->history);
	window->walk = mtw_walk_new(window->setup, window->bridge, &task);
	window->replays = FALSE;
	mtw_window_update(window);
}

static void close_question(MtwWindow *window)
{
	window->request = NULL;
	window->page_asks = FALSE;
	window->editing = window->saving = FALSE;
	mtw_page_ask(window->page, NULL);
	mtw_question_set(window->question, NULL);
	mtw_window_show_question(window);
}

static void ended(const GError *error, gpointer user_data)
{
	MtwWindow *window = user_data;

	close_question(window);
	g_clear_pointer(&window->walk, mtw_walk_free);
	g_clear_pointer(&window->bridge, mtw_bridge_unref);
	window->capturing = FALSE;
	if (window->closing) {
		gtk_window_destroy(GTK_WINDOW(window));
		return;
	}
	if (window->restarts) {
		start_walk(window);
		return;
	}
	window->ended = TRUE;
	if (error != NULL && is_before_capture(window->step) &&
	    (window->session == NULL || !window->begun))
		show_failure(window, error);
	else
		show_result(window, error);
	mtw_window_update(window);
	gtk_widget_grab_focus(GTK_WIDGET(window->next));
}

void mtw_window_end(MtwWindow *window)
{
	if (window->walk == NULL)
		return;
	mtw_walk_interrupt(window->walk);
	mtw_bridge_close(window->bridge);
	close_question(window);
}

void mtw_window_restart(MtwWindow *window, gboolean replay)
{
	window->replays = replay;
	window->restarts = TRUE;
	if (window->walk != NULL)
		mtw_window_end(window);
	else
		start_walk(window);
}

void mtw_window_forget_task(MtwWindow *window)
{
	g_clear_pointer(&window->session, g_free);
	g_clear_pointer(&window->device, g_free);
	g_clear_pointer(&window->report, g_free);
	g_clear_pointer(&window->archive, g_free);
	window->next_boot = FALSE;
}

/* A capture, and what a person is just writing, are not given up for an icon that is clicked twice. */
gboolean mtw_window_is_at_work(const MtwWindow *window)
{
	return window->walk != NULL && !is_before_capture(window->step);
}

void mtw_window_tell_busy(MtwWindow *window)
{
	if (window->busy_told)
		return;
	window->busy_told = TRUE;
	mtw_window_add_message(window, "warning",
			       window->report != NULL || window->archive != NULL
				       ? _("The report in this window is not sent yet.")
				       : _("The capture in this window is not finished yet."),
			       _("Finish that, or close the window; nothing else is begun before."),
			       "");
}

void mtw_window_start(MtwWindow *window, const char *session, const char *device)
{
	gboolean nothing_new = session == NULL && device == NULL;

	if (nothing_new && (window->walk != NULL || window->ended))
		return;
	if (mtw_window_is_at_work(window)) {
		if (session == NULL || g_strcmp0(session, window->session) != 0)
			mtw_window_tell_busy(window);
		return;
	}
	mtw_window_forget_task(window);
	window->session = g_strdup(session);
	window->device = g_strdup(device);
	mtw_window_restart(window, FALSE);
}
