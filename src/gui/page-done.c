/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DONE: where the result is, and the proof that the computer is as before; also the end after an error. */
#include "gui/page-done.h"
#include "base/json.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

struct _MtwPageDone {
	MtwPage parent;
	GtkListBox *facts;
	GtkWidget *show_file, *save_copy, *copy_link, *again;
	char *archive; /* (nullable) path */
	char *link;    /* (nullable) */
	gboolean captured, restored;
};

G_DEFINE_FINAL_TYPE(MtwPageDone, mtw_page_done, MTW_TYPE_PAGE)

static void clear(MtwPageDone *self)
{
	g_clear_pointer(&self->archive, g_free);
	g_clear_pointer(&self->link, g_free);
	self->captured = FALSE;
}

static void begin(MtwPage *page)
{
	mtw_clear(GTK_WIDGET(MTW_PAGE_DONE(page)->facts));
}

static void add_fact(MtwPageDone *self, const char *level, const char *title, const char *text)
{
	g_autofree char *name = g_strdup_printf("%s %s", title, text != NULL ? text : "");

	mtw_list_add(self->facts, mtw_row_new(mtw_level_icon(level), title, text), name);
}

static void add_restored(MtwPageDone *self)
{
	if (!self->captured)
		return;
	if (self->restored)
		add_fact(self, "ok", _("This computer is as it was before."),
			 _("Tracer off, the same processors on, the same drivers bound. All of it "
			   "was read back."));
	else
		add_fact(self, "failure", _("Something of this computer is not as it was before."),
			 _("A restart puts everything right; “Details” in the menu says what it "
			   "is."));
}

static void update_buttons(MtwPageDone *self)
{
	gtk_widget_set_visible(self->show_file, self->archive != NULL);
	gtk_widget_set_visible(self->save_copy, self->archive != NULL);
	gtk_widget_set_visible(self->copy_link, self->link != NULL);
}

static void add_result(MtwPageDone *self)
{
	if (self->archive != NULL)
		add_fact(self, "ok", _("The archive is saved on this computer."), self->archive);
	if (self->link != NULL)
		add_fact(self, "ok", _("It was sent, and is here:"), self->link);
	update_buttons(self);
}

void mtw_page_done_finish(MtwPageDone *self, const char *sentence, const char *detail,
			  const char *hint)
{
	g_autofree char *text =
		g_strdup_printf("%s%s%s", detail, hint[0] != '\0' ? "\n" : "", hint);

	if (sentence != NULL)
		add_fact(self, "failure", sentence, text);
	add_result(self);
	add_restored(self);
}

void mtw_page_done_note(MtwPageDone *self, const char *name, JsonObject *event)
{
	if (g_str_equal(name, "archive")) {
		g_free(self->archive);
		self->archive = g_strdup(mtw_json_string(event, "path", NULL));
	} else if (g_str_equal(name, "sent") || g_str_equal(name, "duplicate")) {
		const char *url = mtw_json_string(event, "url", "");
		g_clear_pointer(&self->link, g_free);
		if (url[0] != '\0')
			self->link = g_strdup(url);
	} else if (g_str_equal(name, "done")) {
		self->captured = TRUE;
		self->restored = mtw_json_bool(event, "restored", FALSE);
	} else if (g_str_equal(name, "sessions")) {
		clear(self);
	}
}

/* ---- buttons --------------------------------------------------------------------------------- */

static void on_show_file(MtwPageDone *self)
{
	g_autofree char *folder = g_path_get_dirname(self->archive);
	g_autofree char *uri = g_filename_to_uri(folder, NULL, NULL);
	GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));

	if (uri != NULL)
		gtk_show_uri(GTK_WINDOW(root), uri, GDK_CURRENT_TIME);
}

static void on_copy_link(MtwPageDone *self)
{
	gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(self)), self->link);
}

static void on_copied(GObject *source, GAsyncResult *result, gpointer user_data)
{
	g_autoptr(MtwPageDone) self = user_data;
	g_autoptr(GError) error = NULL;

	if (!g_file_copy_finish(G_FILE(source), result, &error))
		add_fact(self, "failure", _("The copy could not be saved."), error->message);
}

static void on_place(GtkNativeDialog *dialog, int response, gpointer user_data)
{
	MtwPageDone *self = user_data;
	g_autoptr(GFile) from = g_file_new_for_path(self->archive);
	g_autoptr(GFile) to = NULL;

	if (response == GTK_RESPONSE_ACCEPT)
		to = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
	if (to != NULL)
		g_file_copy_async(from, to, G_FILE_COPY_OVERWRITE, G_PRIORITY_DEFAULT, NULL, NULL,
				  NULL, on_copied, g_object_ref(self));
	g_object_unref(dialog);
}

static void on_save_copy(MtwPageDone *self)
{
	GtkWindow *window = GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self)));
	GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
		_("Save a Copy"), window, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
	g_autofree char *name = g_path_get_basename(self->archive);

	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect(dialog, "response", G_CALLBACK(on_place), self);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void finalize(GObject *object)
{
	clear(MTW_PAGE_DONE(object));
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
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, show_file);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, save_copy);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, copy_link);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDone, again);
}

static void mtw_page_done_init(MtwPageDone *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->facts), _("Result"));
	g_signal_connect_swapped(self->show_file, "clicked", G_CALLBACK(on_show_file), self);
	g_signal_connect_swapped(self->save_copy, "clicked", G_CALLBACK(on_save_copy), self);
	g_signal_connect_swapped(self->copy_link, "clicked", G_CALLBACK(on_copy_link), self);
	update_buttons(self);
}
