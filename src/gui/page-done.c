/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DONE: where the result is, and the proof that the computer is as before; also the end after an error. */
#include "gui/page-done.h"
#include "base/json.h"
#include "gui/files.h"
#include "gui/proof.h"
#include "gui/row-button.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define COPIED_MSEC 2500

struct _MtwPageDone {
	MtwPage parent;
	GtkListBox *facts;
	GtkWidget *again;
	GtkWidget *failed_copy;		/* (nullable) (weak): what is said of the last try */
	char *archive;			/* (nullable) path */
	char *session;			/* (nullable) */
	char *link;			/* (nullable) */
	char *queued;			/* (nullable) id of a report that waits */
	char *next_boot;		/* (nullable) session that waits for the next start */
	GPtrArray *undone;		/* (element-type JsonObject) events */
	char *sentence, *detail, *hint; /* (nullable) what went wrong */
	gboolean of_machine;		/* this: the computer is not as before */
	gboolean stopped;		/* the person has ended it */
	gboolean captured, traced, restored, packed, sent, deleted, taken_back;
};

G_DEFINE_FINAL_TYPE(MtwPageDone, mtw_page_done, MTW_TYPE_PAGE)

static void forget_sending(MtwPageDone *self)
{
	g_clear_pointer(&self->link, g_free);
	g_clear_pointer(&self->queued, g_free);
	g_clear_pointer(&self->sentence, g_free);
	g_clear_pointer(&self->detail, g_free);
	g_clear_pointer(&self->hint, g_free);
	self->sent = self->stopped = self->of_machine = FALSE;
}

static void forget_capture(MtwPageDone *self)
{
	g_clear_pointer(&self->archive, g_free);
	g_clear_pointer(&self->session, g_free);
	g_clear_pointer(&self->next_boot, g_free);
	g_ptr_array_set_size(self->undone, 0);
	self->captured = self->traced = self->restored = self->packed = FALSE;
	self->deleted = self->taken_back = FALSE;
}

void mtw_page_done_forget(MtwPageDone *self, gboolean only_sends)
{
	forget_sending(self);
	if (!only_sends)
		forget_capture(self);
}

static GtkWidget *add_fact(MtwPageDone *self, const char *level, const char *title,
			   const char *text)
{
	g_autofree char *name = g_strdup_printf("%s %s", title, text != NULL ? text : "");
	GtkWidget *row = mtw_row_new(mtw_level_icon(level), title, text);

	mtw_list_add(self->facts, row, name);
	return row;
}

static GtkWidget *add_button(GtkWidget *row, const char *text, const char *action,
			     const char *target)
{
	g_autofree char *name = mtw_gui_without_mnemonic(text);

	return mtw_row_add_button(row, text, name, action, target);
}

/* ---- the rows -------------------------------------------------------------------------------- */

static void add_error(MtwPageDone *self)
{
	g_autofree char *text = NULL;

	/* What add_machine says needs no second row. */
	if (self->sentence == NULL || (self->of_machine && self->captured))
		return;
	text = g_strdup_printf("%s%s%s", self->detail,
			       self->detail[0] != '\0' && self->hint[0] != '\0' ? "\n" : "",
			       self->hint);
	add_fact(self, self->stopped ? "warning" : "failure", self->sentence, text);
}

static void set_text(GtkWidget *button, const char *text)
{
	g_autofree char *name = mtw_gui_without_mnemonic(text);

	gtk_label_set_text_with_mnemonic(GTK_LABEL(gtk_button_get_child(GTK_BUTTON(button))), text);
	mtw_set_name(button, name);
}

static gboolean set_back(gpointer button)
{
	set_text(button, _("_Copy the Link"));
	return G_SOURCE_REMOVE;
}

static void on_copy_link(GtkWidget *button, gpointer user_data)
{
	MtwPageDone *self = user_data;

	gdk_clipboard_set_text(gtk_widget_get_clipboard(button), self->link);
	set_text(button, _("Copied"));
	g_timeout_add_full(G_PRIORITY_DEFAULT, COPIED_MSEC, set_back, g_object_ref(button),
			   g_object_unref);
}

static void add_sent(MtwPageDone *self)
{
	GtkWidget *row, *button;

	if (self->link == NULL) {
		if (self->sent)
			add_fact(self, "ok", _("The archive was delivered."), NULL);
		return;
	}
	row = add_fact(self, "ok", _("The report was sent."), self->link);
	button = add_button(row, _("_Copy the Link"), NULL, NULL);
	g_signal_connect(button, "clicked", G_CALLBACK(on_copy_link), self);
}

static void add_queued(MtwPageDone *self)
{
	GtkWidget *row;

	if (self->queued == NULL)
		return;
	row = add_fact(self, "warning", _("The report is not sent yet, and is kept."), NULL);
	add_button(row, _("_Send Now"), "win.send-report", self->queued);
}

static void on_show_file(MtwPageDone *self)
{
	mtw_files_show(GTK_WIDGET(self), self->archive);
}

static void on_copy_failed(GtkWidget *widget, const char *reason)
{
	MtwPageDone *self = MTW_PAGE_DONE(widget);
	GtkWidget *row = add_fact(self, "failure", _("The copy could not be saved."), reason);

	g_set_weak_pointer(&self->failed_copy, gtk_widget_get_parent(row));
}

static void on_save_copy(MtwPageDone *self)
{
	if (self->failed_copy != NULL)
		gtk_list_box_remove(self->facts, self->failed_copy);
	mtw_files_save_copy(GTK_WIDGET(self), self->archive, on_copy_failed);
}

static void add_archive(MtwPageDone *self)
{
	GtkWidget *row, *show, *copy;

	if (self->archive == NULL)
		return;
	row = add_fact(self, "ok", _("The archive is saved on this computer."), self->archive);
	show = add_button(row, _("Show the F_older"), NULL, NULL);
	copy = add_button(row, _("Save a Cop_y…"), NULL, NULL);
	g_signal_connect_swapped(show, "clicked", G_CALLBACK(on_show_file), self);
	g_signal_connect_swapped(copy, "clicked", G_CALLBACK(on_save_copy), self);
	if (!self->sent && self->queued == NULL)
		add_button(row, _("S_end It…"), "win.send-archive", self->archive);
}

static void add_next_boot(MtwPageDone *self)
{
	GtkWidget *row;

	if (self->next_boot == NULL)
		return;
	if (self->taken_back) {
		add_fact(self, "ok", _("It was taken back: the next start is a usual one."), NULL);
		return;
	}
	row = add_fact(
		self, "ok", _("The driver is traced at the next start of this computer."),
		_("Restart it when it suits you; until then nothing changes. That start is slow, "
		  "on one processor, and takes a minute longer. When the computer is up again, use "
		  "the device, then start this program: its first page has the trace, to describe "
		  "and pack it. The start after that is a usual one."));
	add_button(row, _("_Take It Back"), "win.take-back", self->next_boot);
}

/* Returns: (transfer full): why it is not as before; "" when that is not known */
static char *reason_of(const MtwPageDone *self)
{
	g_autofree char *failures = mtw_proof_failures(self->undone);

	if (failures[0] == '\0' && self->of_machine)
		return g_strdup(self->detail);
	return g_steal_pointer(&failures);
}

static GtkWidget *add_not_restored(MtwPageDone *self)
{
	g_autofree char *reason = reason_of(self);
	gboolean known = reason[0] != '\0';
	g_autofree char *text = g_strdup_printf(
		"%s%s%s", reason, known ? "\n" : "",
		_("“Clean Up” puts it right, as far as that can be done. If that does not help, "
		  "restart the computer: no change survives a restart."));
	GtkWidget *row =
		add_fact(self, "failure",
			 known ? _("Something on this computer is not as it was before.")
			       : _("It is not known whether this computer is as it was before."),
			 text);

	add_button(row, _("C_lean Up"), "win.fix", "recover");
	return row;
}

static void add_machine(MtwPageDone *self)
{
	GtkWidget *row;

	if (!self->captured)
		return;
	if (self->restored)
		row = add_fact(self, "ok", _("This computer is as it was before."),
			       _("Tracer off, the same processors on, the same drivers bound. All "
				 "of it was read back."));
	else
		row = add_not_restored(self);
	if (self->undone->len > 0)
		gtk_box_append(GTK_BOX(gtk_widget_get_last_child(row)),
			       mtw_proof_new(self->undone));
}

static void add_not_packed(MtwPageDone *self)
{
	GtkWidget *row;

	if (!self->traced || self->deleted)
		return;
	row = add_fact(self, "ok", _("There is a trace, which is not packed yet."), NULL);
	add_button(row, _("Go On"), "win.session", self->session);
}

/* Only what is in an archive can be spared. */
static void add_session(MtwPageDone *self)
{
	GtkWidget *row;

	if (self->session == NULL)
		return;
	if (!self->packed) {
		add_not_packed(self);
		return;
	}
	if (self->deleted) {
		add_fact(self, "ok", _("The capture was deleted; the archive stays."), NULL);
		return;
	}
	row = add_fact(self, "ok", _("The capture is kept, too."),
		       _("It takes room on the disk, and is not needed any more when the archive "
			 "has arrived."));
	add_button(row, _("_Delete the Capture…"), "win.delete-session", self->session);
}

static void fill(MtwPageDone *self)
{
	mtw_release_focus(GTK_WIDGET(self->facts));
	mtw_clear(GTK_WIDGET(self->facts));
	/* What has to be done comes first. */
	if (!self->restored)
		add_machine(self);
	add_error(self);
	add_sent(self);
	add_queued(self);
	add_next_boot(self);
	add_archive(self);
	if (self->restored)
		add_machine(self);
	add_session(self);
}

/* ---- what happens ---------------------------------------------------------------------------- */

void mtw_page_done_finish(MtwPageDone *self, const char *sentence, const char *detail,
			  const char *hint)
{
	self->sentence = g_strdup(sentence);
	self->detail = g_strdup(detail);
	self->hint = g_strdup(hint);
	fill(self);
}

void mtw_page_done_not_restored(MtwPageDone *self, const char *sentence, const char *detail,
				const char *hint)
{
	self->of_machine = TRUE;
	mtw_page_done_finish(self, sentence, detail, hint);
}

/* Where the way on is. */
static const char *hint_of_stop(const MtwPageDone *self)
{
	if (self->queued == NULL && self->archive != NULL)
		return _("Nothing is lost: the archive is saved on this computer. “Send It…” sends "
			 "it when you like.");
	return _("Nothing is lost, and what has arrived is not sent again. “Send Now” goes on with "
		 "it, here or on the first page of this program.");
}

void mtw_page_done_stop(MtwPageDone *self)
{
	self->stopped = TRUE;
	mtw_page_done_finish(self, _("You have stopped the sending."), "", hint_of_stop(self));
}

gboolean mtw_page_done_is_packed(MtwPageDone *self)
{
	return self->archive != NULL;
}

static gboolean is_gone(const char *session, JsonObject *kept)
{
	JsonArray *sessions = mtw_json_array(kept, "sessions");

	for (guint i = 0; sessions != NULL && i < json_array_get_length(sessions); i++)
		if (g_strcmp0(mtw_json_string(mtw_json_object_at(sessions, i), "id", ""),
			      session) == 0)
			return FALSE;
	return TRUE;
}

gboolean mtw_page_done_is_well(MtwPageDone *self)
{
	return self->packed && self->of_machine && self->restored;
}

void mtw_page_done_worked(MtwPageDone *self, MtwWorkKind kind, JsonObject *kept)
{
	self->deleted |= kind == MTW_WORK_DELETE && is_gone(self->session, kept);
	self->taken_back |= kind == MTW_WORK_TAKE_BACK && is_gone(self->next_boot, kept);
	if (kind == MTW_WORK_CLEAN_UP) {
		self->restored = TRUE;
		/* What they say of the end of the capture does not hold any more. */
		g_ptr_array_set_size(self->undone, 0);
	}
	fill(self);
}

static void set(char **place, JsonObject *event, const char *member)
{
	const char *value = mtw_json_string(event, member, "");

	g_clear_pointer(place, g_free);
	if (value[0] != '\0')
		*place = g_strdup(value);
}

static void note_archive(MtwPageDone *self, JsonObject *event)
{
	set(&self->archive, event, "path");
	self->packed = TRUE;
}

static void note_sent(MtwPageDone *self, JsonObject *event)
{
	set(&self->link, event, "url");
	g_clear_pointer(&self->queued, g_free);
	self->sent = TRUE;
}

static void note_queued(MtwPageDone *self, JsonObject *event)
{
	set(&self->queued, event, "id");
}

static void note_next_boot(MtwPageDone *self, JsonObject *event)
{
	set(&self->next_boot, event, "session");
}

static void note_done(MtwPageDone *self, JsonObject *event)
{
	set(&self->session, event, "session");
	self->captured = TRUE;
	self->traced = mtw_json_bool(event, "trace", FALSE);
	self->restored = mtw_json_bool(event, "restored", FALSE);
}

static void note_summary(MtwPageDone *self, JsonObject *event)
{
	set(&self->session, event, "session");
}

static void note_change(MtwPageDone *self, JsonObject *event)
{
	mtw_proof_note(self->undone, event);
}

void mtw_page_done_note(MtwPageDone *self, const char *name, JsonObject *event)
{
	static const struct {
		const char *event;
		void (*note)(MtwPageDone *self, JsonObject *event);
	} notes[] = {
		{ "archive", note_archive },	  { "sent", note_sent },
		{ "duplicate", note_sent },	  { "queued", note_queued },
		{ "next-boot", note_next_boot },  { "done", note_done },
		{ "done-summary", note_summary }, { "change", note_change },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(notes); i++)
		if (g_str_equal(notes[i].event, name))
			notes[i].note(self, event);
}

/* ---- the widget ------------------------------------------------------------------------------ */

static void begin(MtwPage *page)
{
	mtw_clear(GTK_WIDGET(MTW_PAGE_DONE(page)->facts));
}

static void finalize(GObject *object)
{
	MtwPageDone *self = MTW_PAGE_DONE(object);

	mtw_page_done_forget(self, FALSE);
	g_clear_weak_pointer(&self->failed_copy);
	g_ptr_array_unref(self->undone);
	G_OBJECT_CLASS(mtw_page_done_parent_class)->finalize(object);
}

static void mtw_page_done_class_init(MtwPageDoneClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->finalize = finalize;
	page_class->begin = begin;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-done.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, facts);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, again);
}

static void mtw_page_done_init(MtwPageDone *self)
{
	self->undone = g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref);
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->facts), _("Result"));
}
