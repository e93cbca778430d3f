/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes out of the running capture: its events, the news about them, and the end that comes when nobody watches. */
#include "base/json.h"
#include "service/host-private.h"

#include <string.h>

#define EVENT_WAIT_MSEC 500
#define EVENTS_AT_ONCE 256

/* ---- what the main context is told ----------------------------------------------------------- */

void mtw_host_notice_free(MtwHostNotice *notice)
{
	g_free(notice->session);
	g_free(notice);
}

static void deliver(MtwHost *host, const MtwHostNotice *notice)
{
	host->hooks.event_added(notice->session, notice->number, host->hooks.user_data);
	host->hooks.state_changed(host->hooks.user_data);
	if (notice->discard)
		host->hooks.discard(notice->session, host->hooks.user_data);
}

static gboolean deliver_all(gpointer user_data)
{
	MtwHost *host = user_data;
	GQueue notices;
	MtwHostNotice *notice;

	g_mutex_lock(&host->lock);
	notices = host->notices;
	g_queue_init(&host->notices);
	host->notice_id = 0;
	g_mutex_unlock(&host->lock);
	while ((notice = g_queue_pop_head(&notices)) != NULL) {
		deliver(host, notice);
		mtw_host_notice_free(notice);
	}
	return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void notify(MtwHost *host, guint number, gboolean discard)
{
	MtwHostNotice *notice = g_new0(MtwHostNotice, 1);

	notice->session = g_strdup(host->session);
	notice->number = number;
	notice->discard = discard;
	g_queue_push_tail(&host->notices, notice);
	if (host->notice_id == 0)
		host->notice_id = g_idle_add(deliver_all, host);
}

/* ---- the dead man's timer -------------------------------------------------------------------- */

static gboolean on_dead_man(gpointer user_data)
{
	MtwHost *host = user_data;

	g_mutex_lock(&host->lock);
	/* Another thread may have taken it back while this one waited for the lock. */
	if (!g_source_is_destroyed(g_main_current_source())) {
		host->dead_man_id = 0;
		if (host->running && !host->watched)
			mtw_engine_stop(host->engine);
	}
	g_mutex_unlock(&host->lock);
	return G_SOURCE_REMOVE;
}

void mtw_host_disarm(MtwHost *host)
{
	if (host->dead_man_id != 0)
		g_source_remove(host->dead_man_id);
	host->dead_man_id = 0;
}

void mtw_host_arm(MtwHost *host)
{
	if (!host->running || host->watched)
		mtw_host_disarm(host);
	else if (host->dead_man_id == 0)
		host->dead_man_id = g_timeout_add_seconds(host->unattended_sec, on_dead_man, host);
}

void mtw_host_set_watched(MtwHost *host, gboolean watched)
{
	g_mutex_lock(&host->lock);
	host->watched = watched;
	mtw_host_arm(host);
	g_mutex_unlock(&host->lock);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* @event: (transfer full). Returns: whether it was the last one */
static gboolean take_event(MtwHost *host, JsonObject *event)
{
	const char *name = mtw_json_string(event, "event", "");
	gboolean done = g_str_equal(name, "done");

	g_mutex_lock(&host->lock);
	if (g_str_equal(name, "state"))
		host->state = g_intern_string(mtw_json_string(event, "state", ""));
	if (done) {
		host->running = FALSE;
		host->state = "idle";
		mtw_host_arm(host);
	}
	g_ptr_array_add(host->events, event);
	notify(host, host->events->len, done && host->discard);
	g_mutex_unlock(&host->lock);
	return done;
}

gpointer mtw_host_pump(gpointer user_data)
{
	MtwHost *host = user_data;
	gboolean done = FALSE;

	while (!done) {
		JsonObject *event = mtw_engine_next_event(host->engine, EVENT_WAIT_MSEC);
		if (event != NULL)
			done = take_event(host, event);
	}
	return NULL;
}

JsonArray *mtw_host_events(MtwHost *host, const char *session, guint after, guint *ret_last)
{
	JsonArray *array = NULL;

	g_mutex_lock(&host->lock);
	if (g_strcmp0(host->session, session) == 0) {
		array = json_array_new();
		*ret_last = MIN(after, host->events->len);
		while (*ret_last < host->events->len && *ret_last - after < EVENTS_AT_ONCE)
			json_array_add_object_element(
				array, json_object_ref(host->events->pdata[(*ret_last)++]));
	}
	g_mutex_unlock(&host->lock);
	return array;
}
