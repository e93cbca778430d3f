/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/confirm.h"

#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	GtkWindow *parent;
	void (*agreed)(GtkWindow *parent, const char *data);
	char *data;
} Question;

static void on_response(GtkDialog *dialog, int response, gpointer user_data)
{
	Question *question = user_data;

	if (response == GTK_RESPONSE_ACCEPT)
		question->agreed(question->parent, question->data);
	gtk_window_destroy(GTK_WINDOW(dialog));
}

static void question_free(gpointer data, GClosure *closure)
{
	Question *question = data;

	(void)closure;
	g_object_unref(question->parent);
	g_free(question->data);
	g_free(question);
}

void mtw_confirm(GtkWindow *parent, const char *sentence, const char *detail, const char *yes,
		 void (*agreed)(GtkWindow *parent, const char *data), char *data)
{
	GtkWidget *dialog =
		gtk_message_dialog_new(parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
				       GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", sentence);
	Question *question = g_new0(Question, 1);
	GtkWidget *button;

	question->parent = g_object_ref(parent);
	question->agreed = agreed;
	question->data = data;
	gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(dialog), "%s", detail);
	gtk_dialog_add_button(GTK_DIALOG(dialog), _("_Cancel"), GTK_RESPONSE_CANCEL);
	button = gtk_dialog_add_button(GTK_DIALOG(dialog), yes, GTK_RESPONSE_ACCEPT);
	gtk_widget_add_css_class(button, "destructive-action");
	mtw_fix_names(dialog);
	gtk_dialog_set_default_response(GTK_DIALOG(dialog), GTK_RESPONSE_CANCEL);
	g_signal_connect_data(dialog, "response", G_CALLBACK(on_response), question, question_free,
			      0);
	gtk_window_present(GTK_WINDOW(dialog));
}
