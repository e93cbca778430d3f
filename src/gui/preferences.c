/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/preferences.h"

#include "base/text.h"
#include "gui/background.h"
#include "gui/widgets.h"
#include "submit/kind.h"
#include "submit/target.h"
#include "wizard/settings.h"

#include <glib/gi18n.h>

struct _MtwPreferences {
	GtkWindow parent;
	GtkWidget *problem, *form;
	GtkSpinner *spinner;
	GtkButton *discard;
	GtkListBox *messages;
	GtkEntry *nick, *contact;
	GtkDropDown *target;
	GtkTextView *words;
	GtkCheckButton *ask, *notifications;
	GPtrArray *ids; /* (element-type utf8): of the targets in the list; "" for the first */
	MtwSettings
		*settings; /* (nullable): as they are in the file; NULL: nothing is to be saved */
	gboolean saving;
};

G_DEFINE_FINAL_TYPE(MtwPreferences, mtw_preferences, GTK_TYPE_WINDOW)

/* @button: what leaves it at that */
static void show_problem(MtwPreferences *self, const char *sentence, const char *detail,
			 const char *button)
{
	mtw_clear(GTK_WIDGET(self->messages));
	mtw_list_add(self->messages, mtw_row_new(mtw_level_icon("failure"), sentence, detail),
		     sentence);
	gtk_widget_set_visible(self->problem, TRUE);
	mtw_button_set_text(self->discard, button);
	gtk_widget_grab_focus(GTK_WIDGET(self->discard));
}

/* What is read or written just now cannot be changed. */
static void set_busy(MtwPreferences *self, gboolean busy)
{
	gtk_widget_set_sensitive(self->form, !busy);
	gtk_spinner_set_spinning(self->spinner, busy);
	gtk_accessible_update_state(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_STATE_BUSY, busy, -1);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct {
	MtwSettings *settings;
	GPtrArray *targets; /* (element-type MtwTarget) */
} Loaded;

static void loaded_free(gpointer data)
{
	Loaded *loaded = data;

	mtw_settings_free(loaded->settings);
	g_ptr_array_unref(loaded->targets);
	g_free(loaded);
}

static void load_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new_from_environment();
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwCaller) caller = mtw_caller_get(&error);
	g_autoptr(MtwSettings) settings = caller != NULL ? mtw_settings_load(caller, &error) : NULL;
	Loaded *loaded;

	(void)source, (void)data, (void)cancellable;
	if (settings == NULL) {
		g_task_return_error(task, g_steal_pointer(&error));
		return;
	}
	loaded = g_new0(Loaded, 1);
	loaded->settings = g_steal_pointer(&settings);
	loaded->targets = mtw_target_list(paths, NULL);
	g_task_return_pointer(task, loaded, loaded_free);
}

static guint add_target(MtwPreferences *self, GtkStringList *names, const char *id,
			const char *name)
{
	gtk_string_list_append(names, name);
	g_ptr_array_add(self->ids, g_strdup(id));
	return self->ids->len - 1;
}

static gboolean can_be_used(const MtwTarget *target)
{
	return target->enabled && mtw_kind_find(target->kind) != NULL;
}

/* One that is set but not there any more stays in the list, so that it does not get lost by a look at it. */
static void show_targets(MtwPreferences *self, const GPtrArray *targets)
{
	g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
	const char *wanted = self->settings->target;
	guint chosen = add_target(self, names, "", _("Ask each time"));

	for (guint i = 0; i < targets->len; i++) {
		const MtwTarget *target = targets->pdata[i];
		guint at;
		if (!can_be_used(target))
			continue;
		at = add_target(self, names, target->id, target->name);
		if (g_str_equal(target->id, wanted))
			chosen = at;
	}
	if (wanted[0] != '\0' && chosen == 0)
		chosen = add_target(self, names, wanted, wanted);
	gtk_drop_down_set_model(self->target, G_LIST_MODEL(names));
	gtk_drop_down_set_selected(self->target, chosen);
}

static void show_settings(MtwPreferences *self)
{
	const MtwSettings *settings = self->settings;
	g_autofree char *words = g_strjoinv("\n", settings->redact_words);

	gtk_editable_set_text(GTK_EDITABLE(self->nick), settings->nick);
	gtk_editable_set_text(GTK_EDITABLE(self->contact), settings->contact);
	gtk_text_buffer_set_text(gtk_text_view_get_buffer(self->words), words, -1);
	gtk_check_button_set_active(self->ask, !settings->never_ask);
	gtk_check_button_set_active(self->notifications, !settings->no_notifications);
}

static void on_loaded(GObject *source, GAsyncResult *result, gpointer user_data)
{
	MtwPreferences *self = (MtwPreferences *)source;
	g_autoptr(GError) error = NULL;
	Loaded *loaded = g_task_propagate_pointer(G_TASK(result), &error);

	(void)user_data;
	/* It was closed before. */
	if (self == NULL) {
		g_clear_pointer(&loaded, loaded_free);
		return;
	}
	set_busy(self, FALSE);
	if (loaded == NULL) {
		gtk_widget_set_visible(self->form, FALSE);
		show_problem(self,
			     _("Your settings cannot be read. Correct that file, or remove it."),
			     error->message, _("_Close"));
		return;
	}
	self->settings = g_steal_pointer(&loaded->settings);
	show_settings(self);
	show_targets(self, loaded->targets);
	loaded_free(loaded);
	gtk_widget_grab_focus(GTK_WIDGET(self->nick));
}

/* ---- saving ---------------------------------------------------------------------------------- */

static char **words_of(GtkTextView *view)
{
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(view);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GtkTextIter start, end;

	gtk_text_buffer_get_bounds(buffer, &start, &end);
	text = gtk_text_buffer_get_text(buffer, &start, &end, FALSE);
	lines = g_strsplit(text, "\n", -1);
	return mtw_settings_words((const char *const *)lines);
}

static MtwSettings *collect(MtwPreferences *self)
{
	MtwSettings *settings = g_new0(MtwSettings, 1);
	guint chosen = gtk_drop_down_get_selected(self->target);

	settings->nick = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->nick)));
	settings->contact = g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->contact)));
	settings->target = g_strdup(chosen < self->ids->len ? self->ids->pdata[chosen] : "");
	settings->redact_words = words_of(self->words);
	settings->never_ask = !gtk_check_button_get_active(self->ask);
	settings->no_notifications = !gtk_check_button_get_active(self->notifications);
	return settings;
}

static gboolean is_same(const MtwSettings *a, const MtwSettings *b)
{
	return g_str_equal(a->nick, b->nick) && g_str_equal(a->contact, b->contact) &&
	       g_str_equal(a->target, b->target) &&
	       g_strv_equal((const char *const *)a->redact_words,
			    (const char *const *)b->redact_words) &&
	       a->never_ask == b->never_ask && a->no_notifications == b->no_notifications;
}

static void save_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwCaller) caller = mtw_caller_get(&error);

	(void)source, (void)cancellable;
	if (caller != NULL && mtw_settings_save(caller, data, &error))
		g_task_return_boolean(task, TRUE);
	else
		g_task_return_error(task, g_steal_pointer(&error));
}

static void settings_free(gpointer data)
{
	mtw_settings_free(data);
}

static void on_saved(GObject *source, GAsyncResult *result, gpointer user_data)
{
	MtwPreferences *self = (MtwPreferences *)source;
	g_autoptr(GError) error = NULL;
	gboolean saved = g_task_propagate_boolean(G_TASK(result), &error);

	(void)user_data;
	if (self == NULL) {
		mtw_background_too_late(error);
		return;
	}
	self->saving = FALSE;
	if (saved) {
		g_clear_pointer(&self->settings, mtw_settings_free);
		gtk_window_destroy(GTK_WINDOW(self));
		return;
	}
	set_busy(self, FALSE);
	show_problem(self, _("The preferences could not be saved."), error->message,
		     _("Close Without Sa_ving"));
}

/* @self: (nullable): NULL when the window is gone */
static void start_save(MtwPreferences *self, MtwSettings *settings)
{
	mtw_background(self, save_in_thread, settings, settings_free, on_saved, NULL);
}

/* Returns: (transfer full) (nullable): NULL when there is nothing to be saved */
static MtwSettings *changed(MtwPreferences *self)
{
	g_autoptr(MtwSettings) settings = NULL;

	if (self->settings == NULL || self->saving)
		return NULL;
	settings = collect(self);
	return is_same(settings, self->settings) ? NULL : g_steal_pointer(&settings);
}

/* Of one without a letter nothing would be left. */
static gboolean check_nick(MtwPreferences *self, const char *nick)
{
	g_autofree char *name = mtw_text_clean_name(nick);

	if (nick[0] == '\0' || name != NULL)
		return TRUE;
	show_problem(self, _("A nickname needs a letter from A to Z or a digit."), nick,
		     _("Close Without Sa_ving"));
	return FALSE;
}

static gboolean on_close(GtkWindow *window, gpointer user_data)
{
	MtwPreferences *self = MTW_PREFERENCES(window);
	MtwSettings *settings = changed(self);

	(void)user_data;
	mtw_release_focus(self->form);
	if (settings == NULL)
		return self->saving;
	if (!check_nick(self, settings->nick)) {
		mtw_settings_free(settings);
		return TRUE;
	}
	self->saving = TRUE;
	set_busy(self, TRUE);
	start_save(self, settings);
	return TRUE;
}

static void on_discard(MtwPreferences *self)
{
	g_clear_pointer(&self->settings, mtw_settings_free);
	gtk_window_close(GTK_WINDOW(self));
}

/* ---- the list of places ---------------------------------------------------------------------- */

static void on_row_setup(GtkListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *label = gtk_label_new(NULL);

	(void)factory;
	gtk_label_set_xalign(GTK_LABEL(label), 0);
	gtk_list_item_set_child(item, label);
}

/* GTK's own rows have no name for a screen reader. */
static void on_row_bind(GtkListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *label = gtk_list_item_get_child(item);
	const char *name =
		gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item)));

	(void)factory;
	gtk_label_set_text(GTK_LABEL(label), name);
	mtw_set_name(gtk_widget_get_parent(label), name);
}

/* What of a drop-down's inside a screen reader comes to: its button, and its list. */
static void name_inside(GtkWidget *widget, const char *name)
{
	GtkWidget *child = gtk_widget_get_first_child(widget);

	if (GTK_IS_TOGGLE_BUTTON(widget) || GTK_IS_LIST_VIEW(widget))
		mtw_set_name(widget, name);
	for (; child != NULL; child = gtk_widget_get_next_sibling(child))
		name_inside(child, name);
}

static void name_places(GtkDropDown *list)
{
	g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();

	g_signal_connect(factory, "setup", G_CALLBACK(on_row_setup), NULL);
	g_signal_connect(factory, "bind", G_CALLBACK(on_row_bind), NULL);
	gtk_drop_down_set_list_factory(list, factory);
	name_inside(GTK_WIDGET(list), _("Proposed place"));
}

/* ---- the window ------------------------------------------------------------------------------ */

static void dispose(GObject *object)
{
	MtwPreferences *self = MTW_PREFERENCES(object);
	MtwSettings *settings = self->form != NULL ? changed(self) : NULL;

	/* The program's window was closed over it. */
	if (settings != NULL)
		start_save(NULL, settings);
	g_clear_pointer(&self->settings, mtw_settings_free);
	g_clear_pointer(&self->ids, g_ptr_array_unref);
	gtk_widget_dispose_template(GTK_WIDGET(self), MTW_TYPE_PREFERENCES);
	G_OBJECT_CLASS(mtw_preferences_parent_class)->dispose(object);
}

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPreferences, name)

static void mtw_preferences_class_init(MtwPreferencesClass *class)
{
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/preferences.ui");
	gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
	BIND(problem);
	BIND(discard);
	BIND(form);
	BIND(spinner);
	BIND(messages);
	BIND(nick);
	BIND(contact);
	BIND(target);
	BIND(words);
	BIND(ask);
	BIND(notifications);
}

static void mtw_preferences_init(MtwPreferences *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	self->ids = g_ptr_array_new_with_free_func(g_free);
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->messages), _("Messages"));
	name_places(self->target);
	g_signal_connect_swapped(self->discard, "clicked", G_CALLBACK(on_discard), self);
	g_signal_connect(self, "close-request", G_CALLBACK(on_close), NULL);
	set_busy(self, TRUE);
	mtw_background(self, load_in_thread, NULL, NULL, on_loaded, NULL);
}

static GtkWindow *find(GtkApplication *application)
{
	for (GList *at = gtk_application_get_windows(application); at != NULL; at = at->next)
		if (MTW_IS_PREFERENCES(at->data))
			return at->data;
	return NULL;
}

void mtw_preferences_show(GtkWindow *parent)
{
	GtkApplication *application = gtk_window_get_application(parent);
	GtkWindow *window = find(application);

	if (window == NULL)
		window = g_object_new(MTW_TYPE_PREFERENCES, "application", application,
				      "transient-for", parent, NULL);
	gtk_window_present(window);
}
