/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/files.h"

#include <glib/gi18n.h>

typedef struct {
	GtkWidget *widget;
	GFile *from;
	void (*failed)(GtkWidget *widget, const char *reason);
} Copy;

void mtw_files_show(GtkWidget *widget, const char *path)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *uri = g_filename_to_uri(folder, NULL, NULL);

	if (uri != NULL)
		gtk_show_uri(GTK_WINDOW(gtk_widget_get_root(widget)), uri, GDK_CURRENT_TIME);
}

static void copy_free(Copy *copy)
{
	g_object_unref(copy->widget);
	g_object_unref(copy->from);
	g_free(copy);
}

static void on_copied(GObject *source, GAsyncResult *result, gpointer user_data)
{
	Copy *copy = user_data;
	g_autoptr(GError) error = NULL;

	if (!g_file_copy_finish(G_FILE(source), result, &error))
		copy->failed(copy->widget, error->message);
	copy_free(copy);
}

static void on_place(GtkNativeDialog *dialog, int response, gpointer user_data)
{
	Copy *copy = user_data;
	g_autoptr(GFile) to = NULL;

	if (response == GTK_RESPONSE_ACCEPT)
		to = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
	if (to != NULL)
		g_file_copy_async(copy->from, to, G_FILE_COPY_OVERWRITE, G_PRIORITY_DEFAULT, NULL,
				  NULL, NULL, on_copied, copy);
	else
		copy_free(copy);
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
