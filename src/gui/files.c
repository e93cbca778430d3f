/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/files.h"

#include "gui/background.h"
#include "gui/window.h"

#include <glib/gi18n.h>

typedef struct {
	GtkWidget *widget; /* (nullable): not of the thread */
	GFile *from;
	GFile *to; /* (nullable) */
	void (*failed)(GtkWidget *widget, const char *reason);
} Copy;

void mtw_files_show(GtkWidget *widget, const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *uri = g_filename_to_uri(folder, NULL, NULL);

	if (uri != NULL)
		gtk_show_uri(GTK_WINDOW(gtk_widget_get_root(widget)), uri, GDK_CURRENT_TIME);
}

static void copy_free(gpointer data)
{
	Copy *copy = data;

	g_clear_object(&copy->widget);
	g_object_unref(copy->from);
	g_clear_object(&copy->to);
	g_free(copy);
}

/* Under another name first: nothing half is left, and what had the name stays until all is there. */
static gboolean copy_whole(const Copy *copy, GError **error)
{
	g_autoptr(GFile) folder = g_file_get_parent(copy->to);
	g_autofree char *name = g_file_get_basename(copy->to);
	g_autofree char *part_name = g_strdup_printf(".%s.part", name);
	g_autoptr(GFile) part = g_file_get_child(folder, part_name);

	if (g_file_copy(copy->from, part, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error) &&
	    g_file_move(part, copy->to, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error))
		return TRUE;
	g_file_delete(part, NULL, NULL);
	return FALSE;
}

static void copy_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	GError *error = NULL;

	(void)source;
	(void)cancellable;
	if (copy_whole(data, &error))
		g_task_return_boolean(task, TRUE);
	else
		g_task_return_error(task, error);
}

static void set_working(GtkWidget *widget, gboolean working)
{
	GtkRoot *root = gtk_widget_get_root(widget);

	if (MTW_IS_WINDOW(root))
		mtw_window_set_working(MTW_WINDOW(root), working);
}

static void on_copied(GObject *source, GAsyncResult *result, gpointer user_data)
{
	const Copy *copy = g_task_get_task_data(G_TASK(result));
	g_autoptr(GError) error = NULL;
	gboolean copied = g_task_propagate_boolean(G_TASK(result), &error);

	(void)user_data;
	if (source == NULL) {
		mtw_background_too_late(error);
		return;
	}
	set_working(GTK_WIDGET(source), FALSE);
	if (!copied)
		copy->failed(GTK_WIDGET(source), error->message);
}

static void on_place(GtkNativeDialog *dialog, int response, gpointer user_data)
{
	Copy *copy = user_data;
	g_autoptr(GtkWidget) widget = g_steal_pointer(&copy->widget);

	if (response == GTK_RESPONSE_ACCEPT)
		copy->to = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
	if (copy->to != NULL) {
		set_working(widget, TRUE);
		mtw_background(widget, copy_in_thread, copy, copy_free, on_copied, NULL);
	} else {
		copy_free(copy);
	}
	g_object_unref(dialog);
}

void mtw_files_save_copy(GtkWidget *widget, const char *path,
			 void (*failed)(GtkWidget *widget, const char *reason))
{
	GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
		_("Save a Copy"), GTK_WINDOW(gtk_widget_get_root(widget)),
		GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
	g_autofree char *name = g_path_get_basename(path);
	Copy *copy = g_new0(Copy, 1);

	copy->widget = g_object_ref(widget);
	copy->from = g_file_new_for_path(path);
	copy->failed = failed;
	gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
	g_signal_connect(dialog, "response", G_CALLBACK(on_place), copy);
	gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}
