/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/walk.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/device-json.h"
#include "capture/events.h"
#include "capture/session.h"
#include "service/client.h"
#include "wizard/wizard.h"

#include <string.h>
#include <unistd.h>

#define RETRIES 3

struct _MtwWalk {
	const MtwWalkSetup *setup;
	MtwBridge *bridge;
	char *session; /* (nullable) */
	char *device;  /* (nullable) */
	GThread *thread;
	int remote;	   /* atomic */
	GMutex lock;	   /* of the two below */
	MtwWizard *wizard; /* (nullable): while it runs */
	gboolean interrupted;
};

MtwEngine *mtw_walk_make_engine(const MtwPaths *paths, GError **error)
{
	if (geteuid() == 0 || !mtw_paths_live(paths))
		return mtw_engine_new_local(paths);
	return mtw_engine_new_service(paths, error);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static JsonArray *local_sessions(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);
	JsonArray *array = json_array_new();

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = mtw_session_open(paths, ids->pdata[i], FALSE, NULL);
		if (session == NULL)
			continue;
		json_object_set_boolean_member(session->state, "live",
					       mtw_session_is_live(session));
		json_array_add_object_element(array, json_object_ref(session->state));
	}
	return array;
}

/* Returns: (transfer full) (nullable) */
static JsonArray *all_sessions(const MtwWalk *walk, MtwEngine *engine)
{
	return engine->remote ? mtw_service_sessions(engine, NULL)
			      : local_sessions(walk->setup->paths);
}

/* The service may still have a capture open that is over. */
static gboolean runs(JsonObject *facts)
{
	static const char *const states[] = { MTW_SESSION_PREPARING, MTW_SESSION_CAPTURING,
					      MTW_SESSION_RESTORING, NULL };

	return mtw_json_bool(facts, "live", FALSE) &&
	       g_strv_contains(states, mtw_json_string(facts, "state", ""));
}

/* A capture at work, or a trace that was not packed. What a dead run left is asked about by the wizard. */
static gboolean may_go_on(JsonObject *facts, gboolean remote)
{
	const char *state = mtw_json_string(facts, "state", "");

	if (runs(facts))
		return remote;
	return g_str_equal(state, MTW_SESSION_CAPTURED) ||
	       g_str_equal(state, MTW_SESSION_RECOVERED);
}

static void show_sessions(const MtwWalk *walk, MtwEngine *engine)
{
	MtwView *view = mtw_bridge_view(walk->bridge);
	g_autoptr(JsonArray) all = all_sessions(walk, engine);
	g_autoptr(JsonObject) event = mtw_event_new("sessions");
	JsonArray *kept = json_array_new();

	for (guint i = 0; all != NULL && i < json_array_get_length(all); i++) {
		JsonObject *facts = mtw_json_object_at(all, i);
		if (facts == NULL || !may_go_on(facts, engine->remote))
			continue;
		json_object_set_boolean_member(facts, "live", runs(facts));
		json_array_add_object_element(kept, json_object_ref(facts));
	}
	json_object_set_array_member(event, "sessions", kept);
	view->ops->show(view, event);
}

/* For the list of devices; those that the wizard offers are told by its question. */
static void show_devices(const MtwWalk *walk)
{
	MtwView *view = mtw_bridge_view(walk->bridge);
	g_autoptr(GPtrArray) devices = mtw_pci_list(walk->setup->paths);
	g_autoptr(JsonObject) event = mtw_event_new("devices");
	JsonArray *array = json_array_new();

	for (guint i = 0; i < devices->len; i++)
		json_array_add_object_element(
			array, mtw_device_to_json(walk->setup->paths, devices->pdata[i]));
	json_object_set_array_member(event, "devices", array);
	view->ops->show(view, event);
}

/* Whether the capture of that session is the one that the service makes now. */
static gboolean is_live(const MtwWalk *walk, MtwEngine *engine)
{
	g_autoptr(JsonArray) all = all_sessions(walk, engine);

	for (guint i = 0; all != NULL && i < json_array_get_length(all); i++) {
		JsonObject *facts = mtw_json_object_at(all, i);
		if (g_str_equal(mtw_json_string(facts, "id", ""), walk->session))
			return runs(facts);
	}
	return FALSE;
}

/* ---- the wizard ------------------------------------------------------------------------------ */

/* From now on it can be interrupted; NULL: not any more. */
static void publish(MtwWalk *walk, MtwWizard *wizard)
{
	g_mutex_lock(&walk->lock);
	walk->wizard = wizard;
	if (wizard != NULL && walk->interrupted)
		mtw_wizard_interrupt(wizard);
	g_mutex_unlock(&walk->lock);
}

static gboolean run_wizard(MtwWalk *walk, MtwEngine *engine, MtwCaller *caller,
			   const MtwWizardOptions *options, gboolean attach, GError **error)
{
	g_autoptr(MtwAnswers) none = mtw_answers_new();
	g_autoptr(MtwWizard) wizard = mtw_wizard_new(
		walk->setup->paths, engine, mtw_bridge_view(walk->bridge), none, caller, options);
	gboolean done;

	publish(walk, wizard);
	if (attach)
		done = mtw_wizard_attach(wizard, error);
	else if (walk->session != NULL)
		done = mtw_wizard_pack(wizard, walk->session, error);
	else
		done = mtw_wizard_run(wizard, error);
	publish(walk, NULL);
	return done;
}

/*
 * The steps of the report run as the person. On a terminal a child does that under sudo; a window has the rights of the
 * desktop's user from the beginning, and the service makes the changes.
 */
static MtwCaller *get_caller(GError **error)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);

	if (caller == NULL || mtw_caller_is_self(caller))
		return g_steal_pointer(&caller);
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "the window does not run under sudo or pkexec; start it as %s", caller->name);
	return NULL;
}

static gboolean go(MtwWalk *walk, GError **error)
{
	g_autoptr(MtwCaller) caller = get_caller(error);
	g_autoptr(MtwEngine) engine =
		caller != NULL ? walk->setup->make_engine(walk->setup->paths, error) : NULL;
	g_autofree char *attached = NULL;
	gboolean attach;
	MtwWizardOptions options = { .device = walk->device,
				     .output = walk->setup->output,
				     .duration_sec = MTW_DURATION_UNSET,
				     .max_retries = RETRIES,
				     .load_driver = TRUE };

	if (engine == NULL)
		return FALSE;
	g_atomic_int_set(&walk->remote, engine->remote);
	show_sessions(walk, engine);
	if (walk->session == NULL && walk->device == NULL)
		show_devices(walk);
	attach = walk->session != NULL && engine->remote && is_live(walk, engine);
	if (attach && !mtw_service_attach(engine, &attached, error))
		return FALSE;
	if (attach)
		options.device = attached;
	return run_wizard(walk, engine, caller, &options, attach, error);
}

static void interrupt(gpointer data)
{
	mtw_walk_interrupt(data);
}

static gpointer run(gpointer data)
{
	MtwWalk *walk = data;
	g_autoptr(GError) error = NULL;

	go(walk, &error);
	mtw_bridge_end(walk->bridge, error);
	return NULL;
}

MtwWalk *mtw_walk_new(const MtwWalkSetup *setup, MtwBridge *bridge, const char *session,
		      const char *device)
{
	MtwWalk *walk = g_new0(MtwWalk, 1);

	walk->setup = setup;
	walk->bridge = mtw_bridge_ref(bridge);
	walk->session = g_strdup(session);
	walk->device = g_strdup(device);
	g_mutex_init(&walk->lock);
	mtw_bridge_set_interrupt(bridge, interrupt, walk);
	walk->thread = g_thread_new("walk", run, walk);
	return walk;
}

void mtw_walk_free(MtwWalk *walk)
{
	if (walk == NULL)
		return;
	g_thread_join(walk->thread);
	mtw_bridge_unref(walk->bridge);
	g_mutex_clear(&walk->lock);
	g_free(walk->session);
	g_free(walk->device);
	g_free(walk);
}

void mtw_walk_interrupt(MtwWalk *walk)
{
	g_mutex_lock(&walk->lock);
	walk->interrupted = TRUE;
	if (walk->wizard != NULL)
		mtw_wizard_interrupt(walk->wizard);
	g_mutex_unlock(&walk->lock);
}

gboolean mtw_walk_is_remote(const MtwWalk *walk)
{
	return g_atomic_int_get(&walk->remote) != 0;
}
