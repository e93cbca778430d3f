/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PACK and SEND: the archive; where to, exactly what, and how far it is. */
#include "base/json.h"
#include "base/text.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"
#include "submit/target.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkLabel *status, *body, *preview_title;
	GtkProgressBar *progress;
	GtkListBox *server; /* what it says of the account, and what it takes */
	GtkWidget *preview;
	GtkGrid *facts;
	int rows;
	gint64 begin_usec; /* of the transfer; 0: not begun */
	gint64 begin_bytes;
	char *problem; /* (nullable): why it is tried once more */
	gint64 retry_usec;
	int retry, retries;
	guint countdown; /* source; 0: none */
} MtwPageSend;

typedef struct {
	MtwPageClass parent;
} MtwPageSendClass;

G_DEFINE_FINAL_TYPE(MtwPageSend, mtw_page_send, MTW_TYPE_PAGE)

static void end_countdown(MtwPageSend *self)
{
	g_clear_handle_id(&self->countdown, g_source_remove);
	g_clear_pointer(&self->problem, g_free);
}

static void begin(MtwPage *page)
{
	MtwPageSend *self = (MtwPageSend *)page;

	end_countdown(self);
	self->begin_usec = 0;
	mtw_clear(GTK_WIDGET(self->server));
	gtk_widget_set_visible(GTK_WIDGET(self->server), FALSE);
	gtk_label_set_text(self->status, "");
	gtk_widget_set_visible(GTK_WIDGET(self->progress), FALSE);
	gtk_widget_set_visible(self->preview, FALSE);
}

/* ---- packing and progress -------------------------------------------------------------------- */

static void show_fraction(MtwPageSend *self, gint64 done, gint64 total, const char *text)
{
	gtk_widget_set_visible(GTK_WIDGET(self->progress), total > 0);
	if (total > 0)
		gtk_progress_bar_set_fraction(self->progress, (double)done / (double)total);
	gtk_label_set_text(self->status, text);
	mtw_set_name(GTK_WIDGET(self->progress), text);
}

static void show_packing(MtwPageSend *self, JsonObject *event)
{
	show_fraction(self, mtw_json_int(event, "done", 0), mtw_json_int(event, "total", 0),
		      _("Packing"));
}

static void show_archive(MtwPageSend *self, JsonObject *event)
{
	g_autofree char *bytes = mtw_gui_bytes(event, "bytes");
	g_autofree char *text =
		g_strdup_printf(_("Packed: %s (%s)"), mtw_json_string(event, "path", ""), bytes);

	gtk_label_set_text(self->status, text);
	gtk_widget_set_visible(GTK_WIDGET(self->progress), FALSE);
}

/* ---- the transfer ---------------------------------------------------------------------------- */

static char *time_text(gint64 seconds)
{
	return g_strdup_printf("%d:%02d", (int)seconds / 60, (int)seconds % 60);
}

/* Since it began: what it is in this very moment jumps. Returns: (transfer full) (nullable) */
static char *rate_text(MtwPageSend *self, gint64 bytes)
{
	gint64 now = g_get_monotonic_time();
	double seconds;

	if (self->begin_usec == 0) {
		self->begin_usec = now;
		self->begin_bytes = bytes;
	}
	seconds = (double)(now - self->begin_usec) / G_USEC_PER_SEC;
	if (seconds < 1 || bytes <= self->begin_bytes)
		return NULL;
	return mtw_text_bytes((guint64)((double)(bytes - self->begin_bytes) / seconds));
}

/* The last byte is only counted when the server has said that it has them all. */
static char *progress_text(MtwPageSend *self, JsonObject *event)
{
	gint64 bytes = mtw_json_int(event, "bytes", 0);
	gint64 eta_sec = mtw_json_int(event, "eta_sec", -1);
	g_autofree char *done = mtw_gui_bytes(event, "bytes");
	g_autofree char *all = mtw_gui_bytes(event, "total");
	g_autofree char *rate = rate_text(self, bytes);
	g_autofree char *time = eta_sec > 0 ? time_text(eta_sec) : NULL;

	if (bytes + 1 >= mtw_json_int(event, "total", 0) &&
	    !mtw_json_bool(event, "confirmed", FALSE))
		return g_strdup_printf(
			_("All %s are on their way; the server has not answered yet."), all);
	if (rate != NULL && time != NULL)
		return g_strdup_printf(_("Sending: %s of %s, %s a second, %s left"), done, all,
				       rate, time);
	if (rate != NULL)
		return g_strdup_printf(_("Sending: %s of %s, %s a second"), done, all, rate);
	if (time != NULL)
		return g_strdup_printf(_("Sending: %s of %s, %s left"), done, all, time);
	return g_strdup_printf(_("Sending: %s of %s"), done, all);
}

static void show_progress(MtwPageSend *self, JsonObject *event)
{
	g_autofree char *text = progress_text(self, event);

	show_fraction(self, mtw_json_int(event, "bytes", 0), mtw_json_int(event, "total", 0), text);
}

/* Each phase has a rate of its own. What was agreed to makes room for it. */
static void show_sending(MtwPageSend *self, JsonObject *event)
{
	g_autofree char *text =
		g_strdup_printf(_("Sending to %s"), mtw_json_string(event, "host", ""));

	self->begin_usec = 0;
	gtk_widget_set_visible(self->preview, FALSE);
	gtk_label_set_text(self->status, text);
}

static gboolean count_down(gpointer user_data)
{
	MtwPageSend *self = user_data;
	gint64 left =
		(self->retry_usec - g_get_monotonic_time() + G_USEC_PER_SEC / 2) / G_USEC_PER_SEC;
	g_autofree char *time = time_text(MAX(left, 0));
	g_autofree char *text = g_strdup_printf(
		_("That did not work (%s). Once more in %s; this was try %d of %d."), self->problem,
		time, self->retry, self->retries);

	gtk_label_set_text(self->status, text);
	return G_SOURCE_CONTINUE;
}

static void show_retry(MtwPageSend *self, JsonObject *event)
{
	gint64 in_sec = mtw_json_int(event, "in_sec", 0);

	self->problem = g_strdup(mtw_json_string(event, "message", ""));
	self->retry_usec = g_get_monotonic_time() + in_sec * G_USEC_PER_SEC;
	self->retry = (int)mtw_json_int(event, "try", 0);
	self->retries = (int)mtw_json_int(event, "of", 0);
	gtk_widget_set_visible(GTK_WIDGET(self->progress), FALSE);
	count_down(self);
	self->countdown = g_timeout_add_seconds(1, count_down, self);
}

static void show_sent(MtwPageSend *self, JsonObject *event)
{
	gtk_widget_set_visible(GTK_WIDGET(self->progress), FALSE);
	gtk_label_set_text(self->status, mtw_json_string(event, "url", "")[0] != '\0'
						 ? _("Sent")
						 : C_("status", "Done"));
}

/* ---- what the server says before ------------------------------------------------------------- */

static void add_said(MtwPageSend *self, const char *level, const char *text)
{
	mtw_list_add(self->server, mtw_row_new(mtw_level_icon(level), text, NULL), text);
	gtk_widget_set_visible(GTK_WIDGET(self->server), TRUE);
}

static void show_inquiry(MtwPageSend *self, JsonObject *event)
{
	const char *who = mtw_json_string(event, "who", "");
	g_autofree char *limit = mtw_gui_bytes(event, "limit");
	g_autofree char *account = g_strdup_printf(_("Signed in as %s"), who);
	g_autofree char *takes = g_strdup_printf(_("The server takes files of at most %s."), limit);

	mtw_clear(GTK_WIDGET(self->server));
	gtk_widget_set_visible(GTK_WIDGET(self->server), FALSE);
	if (who[0] != '\0')
		add_said(self, "ok", account);
	if (mtw_json_int(event, "limit", 0) > 0)
		add_said(self, "ok", takes);
}

/* The question for it is open again. */
static void show_refused(MtwPageSend *self, JsonObject *message)
{
	g_autofree char *sentence = mtw_gui_sentence(message);

	mtw_clear(GTK_WIDGET(self->server));
	add_said(self, "warning", sentence);
}

static gboolean is_refusal(const char *name, JsonObject *event)
{
	return g_str_equal(name, "message") &&
	       g_str_equal(mtw_json_string(event, "id", ""), "token");
}

/* ---- the preview ----------------------------------------------------------------------------- */

static void add_row(MtwPageSend *self, const char *label, const char *value)
{
	mtw_grid_set(self->facts, self->rows++, label, value);
}

static void add_place(MtwPageSend *self, JsonObject *event)
{
	const char *issue = mtw_json_string(event, "issue", "");
	const char *store = mtw_json_string(event, "store", "");
	g_autofree char *place = g_strdup_printf("%s (%s)", mtw_json_string(event, "name", ""),
						 mtw_json_string(event, "host", ""));
	g_autofree char *file_place =
		g_strdup_printf("%s (%s)", store, mtw_json_string(event, "store_host", ""));

	add_row(self, C_("preview", "To"), place);
	add_row(self, _("Project"), mtw_json_string(event, "project", ""));
	if (store[0] != '\0')
		add_row(self, _("File to"), file_place);
	if (mtw_json_bool(event, "local", FALSE))
		return;
	if (!mtw_json_bool(event, "bare_store", FALSE))
		add_row(self, _("As"), issue[0] != '\0' ? issue : _("a new report"));
	add_row(self, _("Account"), mtw_json_string(event, "who", ""));
	add_row(self, _("Can be read by"),
		_(mtw_visibility_readers(mtw_json_string(event, "visibility", ""))));
	add_row(self, C_("preview", "Privacy"), mtw_json_string(event, "privacy_uri", ""));
}

static void add_files(MtwPageSend *self, const char *label, JsonArray *files)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++) {
		JsonObject *file = mtw_json_object_at(files, i);
		g_autofree char *bytes = mtw_gui_bytes(file, "bytes");
		g_string_append_printf(text, "%s%s, %s", i > 0 ? "\n" : "",
				       mtw_json_string(file, "name", ""), bytes);
	}
	add_row(self, label, text->str);
}

static void show_preview(MtwPageSend *self, JsonObject *event)
{
	mtw_clear(GTK_WIDGET(self->facts));
	self->rows = 0;
	gtk_label_set_text(self->preview_title, mtw_json_bool(event, "local", FALSE)
							? _("This is saved")
							: _("Exactly this is sent"));
	add_place(self, event);
	add_files(self, _("File"), mtw_json_array(event, "files"));
	add_row(self, "SHA-256", mtw_json_string(event, "sha256", ""));
	add_files(self, _("In it"), mtw_json_array(event, "members"));
	add_row(self, _("Title"), mtw_json_string(event, "title", ""));
	gtk_label_set_text(self->body, mtw_json_string(event, "body", ""));
	gtk_widget_set_visible(GTK_WIDGET(self->body),
			       mtw_json_string(event, "body", "")[0] != '\0');
	gtk_widget_set_visible(self->preview, TRUE);
}

static const struct {
	const char *event;
	void (*show)(MtwPageSend *self, JsonObject *event);
} shows[] = {
	{ "packing", show_packing }, { "archive", show_archive }, { "preview", show_preview },
	{ "inquiry", show_inquiry }, { "sending", show_sending }, { "progress", show_progress },
	{ "retry", show_retry },     { "sent", show_sent },
};

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageSend *self = (MtwPageSend *)page;

	end_countdown(self);
	if (is_refusal(name, event)) {
		show_refused(self, event);
		return TRUE;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(shows); i++) {
		if (!g_str_equal(name, shows[i].event))
			continue;
		shows[i].show(self, event);
		return TRUE;
	}
	return FALSE;
}

/* What was said is over with its question, and with the walk. */
static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	(void)request;
	end_countdown((MtwPageSend *)page);
	return FALSE;
}

static void dispose(GObject *object)
{
	end_countdown((MtwPageSend *)object);
	G_OBJECT_CLASS(mtw_page_send_parent_class)->dispose(object);
}

static void mtw_page_send_class_init(MtwPageSendClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	page_class->ask = ask;
	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-send.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, status);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, body);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, preview_title);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, progress);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, server);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, preview);
	gtk_widget_class_bind_template_child(widget_class, MtwPageSend, facts);
}

static void mtw_page_send_init(MtwPageSend *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->progress), _("Progress"));
	mtw_set_name(GTK_WIDGET(self->server), _("What the server says"));
}
