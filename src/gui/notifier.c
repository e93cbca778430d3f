/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/notifier.h"

#include "wizard/settings.h"

#include <glib/gi18n.h>
#include <libnotify/notify.h>
#include <string.h>

#define DESKTOP_ID "org.mmiotrace.Wizard"
/* So long the end of the program may take. */
#define END_USEC (G_USEC_PER_SEC / 2)

/* Lives as long as the process: the thread may hang in a call when that ends. */
typedef struct {
	GMainContext *context; /* the thread's own: libnotify's signals come there */
	GHashTable *shown;     /* kind -> NotifyNotification */
	MtwNoticeFunc pressed;
	GMutex lock;
	GCond ended;
	gboolean has_ended;
} Notifier;

static Notifier *notifier;

static void notice_free(gpointer data)
{
	MtwNotice *notice = data;

	g_free(notice->kind);
	g_free(notice->title);
	g_free(notice->text);
	g_free(notice->link);
	g_free(notice);
}

/* ---- what the person presses ----------------------------------------------------------------- */

typedef struct {
	char *link;  /* (nullable) */
	char *token; /* (nullable) */
} Press;

static void press_free(gpointer data)
{
	Press *press = data;

	g_free(press->link);
	g_free(press->token);
	g_free(press);
}

static gboolean hand_over(gpointer user_data)
{
	const Press *press = user_data;

	notifier->pressed(press->link, press->token);
	return G_SOURCE_REMOVE;
}

static void on_pressed_in_thread(NotifyNotification *notification, char *action, gpointer link)
{
	Press *press = g_new0(Press, 1);

	(void)action;
	press->link = g_strdup(link);
	press->token = g_strdup(notify_notification_get_activation_token(notification));
	g_idle_add_full(G_PRIORITY_DEFAULT, hand_over, press, press_free);
}

static void add_action(NotifyNotification *notification, const char *action, const char *label,
		       const char *link)
{
	notify_notification_add_action(notification, action, label, on_pressed_in_thread,
				       g_strdup(link), g_free);
}

/* ---- showing --------------------------------------------------------------------------------- */

/* What the desktop can do; another one may be there the next time. */
typedef struct {
	gboolean has_actions;
	gboolean has_markup;
} Abilities;

static Abilities ask_abilities(void)
{
	GList *names = notify_get_server_caps();
	Abilities abilities = { 0 };

	for (GList *at = names; at != NULL; at = at->next) {
		abilities.has_actions |= strcmp(at->data, "actions") == 0;
		abilities.has_markup |= strcmp(at->data, "body-markup") == 0;
	}
	g_list_free_full(names, g_free);
	return abilities;
}

static void on_closed(NotifyNotification *notification, gpointer kind)
{
	if (g_hash_table_lookup(notifier->shown, kind) == notification)
		g_hash_table_remove(notifier->shown, kind);
}

static void free_kind(gpointer data, GClosure *closure)
{
	(void)closure;
	g_free(data);
}

/* Returns: (transfer none) */
static NotifyNotification *notification_of(const MtwNotice *notice, const char *text)
{
	NotifyNotification *notification = g_hash_table_lookup(notifier->shown, notice->kind);

	if (notification != NULL) {
		notify_notification_clear_actions(notification);
		notify_notification_update(notification, notice->title, text, DESKTOP_ID);
		return notification;
	}
	notification = notify_notification_new(notice->title, text, DESKTOP_ID);
	notify_notification_set_hint(notification, "desktop-entry",
				     g_variant_new_string(DESKTOP_ID));
	g_signal_connect_data(notification, "closed", G_CALLBACK(on_closed), g_strdup(notice->kind),
			      free_kind, 0);
	g_hash_table_insert(notifier->shown, g_strdup(notice->kind), notification);
	return notification;
}

/* "default" is the notification itself, for desktops on which it can be pressed. */
static void add_actions(NotifyNotification *notification, const MtwNotice *notice)
{
	add_action(notification, "default", _("Show"), NULL);
	add_action(notification, "show", _("Show"), NULL);
	if (notice->link != NULL)
		add_action(notification, "open", _("Open the Report"), notice->link);
}

static gboolean is_wanted(void)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(NULL);
	g_autoptr(MtwSettings) settings = caller != NULL ? mtw_settings_load(caller, NULL) : NULL;

	return settings == NULL || !settings->no_notifications;
}

static gboolean show_in_thread(gpointer user_data)
{
	const MtwNotice *notice = user_data;
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	NotifyNotification *notification;
	Abilities abilities;

	if (!is_wanted())
		return G_SOURCE_REMOVE;
	abilities = ask_abilities();
	text = abilities.has_markup ? g_markup_escape_text(notice->text, -1)
				    : g_strdup(notice->text);
	notification = notification_of(notice, text);
	if (abilities.has_actions)
		add_actions(notification, notice);
	/* A desktop without notifications is no fault. */
	if (!notify_notification_show(notification, &error))
		g_debug("no notification: %s", error->message);
	return G_SOURCE_REMOVE;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static gpointer run_in_thread(gpointer user_data)
{
	g_autoptr(GMainLoop) loop = g_main_loop_new(notifier->context, FALSE);

	(void)user_data;
	g_main_context_push_thread_default(notifier->context);
	notify_init(_("mmiotrace wizard"));
	g_main_loop_run(loop);
	return NULL;
}

static void start(MtwNoticeFunc pressed)
{
	notifier = g_new0(Notifier, 1);
	notifier->context = g_main_context_new();
	notifier->shown = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_object_unref);
	notifier->pressed = pressed;
	g_mutex_init(&notifier->lock);
	g_cond_init(&notifier->ended);
	g_thread_unref(g_thread_new("notifier", run_in_thread, NULL));
}

static void post(GSourceFunc function, gpointer data, GDestroyNotify destroy)
{
	g_autoptr(GSource) source = g_idle_source_new();

	g_source_set_priority(source, G_PRIORITY_DEFAULT);
	g_source_set_callback(source, function, data, destroy);
	g_source_attach(source, notifier->context);
}

void mtw_notifier_show(MtwNotice *notice, MtwNoticeFunc pressed)
{
	if (notifier == NULL)
		start(pressed);
	post(show_in_thread, notice, notice_free);
}

static gboolean end_in_thread(gpointer user_data)
{
	GHashTableIter iter;
	gpointer notification;

	(void)user_data;
	g_hash_table_iter_init(&iter, notifier->shown);
	while (g_hash_table_iter_next(&iter, NULL, &notification)) {
		g_signal_handlers_disconnect_matched(notification, G_SIGNAL_MATCH_FUNC, 0, 0, NULL,
						     on_closed, NULL);
		notify_notification_close(notification, NULL);
	}
	g_mutex_lock(&notifier->lock);
	notifier->has_ended = TRUE;
	g_cond_signal(&notifier->ended);
	g_mutex_unlock(&notifier->lock);
	return G_SOURCE_REMOVE;
}

void mtw_notifier_end(void)
{
	gint64 until = g_get_monotonic_time() + END_USEC;

	if (notifier == NULL)
		return;
	post(end_in_thread, NULL, NULL);
	g_mutex_lock(&notifier->lock);
	while (!notifier->has_ended && g_cond_wait_until(&notifier->ended, &notifier->lock, until))
		;
	g_mutex_unlock(&notifier->lock);
}
