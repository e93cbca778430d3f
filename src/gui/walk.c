/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/walk.h"

#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/device-json.h"
#include "capture/events.h"
#include "gui/kept.h"
#include "service/client.h"
#include "wizard/engine-given.h"
#include "wizard/sending.h"
#include "wizard/wizard.h"

#include <glib/gi18n.h>
#include <unistd.h>

struct _MtwWalk {
	const MtwWalkSetup *setup;
	MtwBridge *bridge;
	MtwWalkTask task;  /* its strings are owned */
	char *output;	   /* folder of the archives */
	int remote;	   /* atomic */
	GMutex lock;	   /* of the two below */
	MtwWizard *wizard; /* (nullable): while it runs */
	gboolean interrupted;
};

MtwEngine *mtw_walk_engine_in_thread(const MtwPaths *paths, GError **error)
{
	if (geteuid() == 0 || !mtw_paths_live(paths))
		return mtw_engine_new_local(paths);
	return mtw_engine_new_service(paths, error);
}

static void show_kept(const MtwWalk *walk, MtwEngine *engine, const MtwCaller *caller)
{
	MtwView *view = mtw_bridge_view(walk->bridge);
	g_autoptr(JsonObject) kept = mtw_kept_read(walk->setup->paths, engine, caller, NULL);

	if (kept != NULL)
		view->ops->show(view, kept);
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
			   const MtwWizardOptions *options,
			   gboolean (*work)(MtwWalk *walk, MtwWizard *wizard, GError **error),
			   GError **error)
{
	g_autoptr(MtwAnswers) none = mtw_answers_new();
	g_autoptr(MtwWizard) wizard = mtw_wizard_new(
		walk->setup->paths, engine, mtw_bridge_view(walk->bridge), none, caller, options);
	gboolean done;

	publish(walk, wizard);
	done = work(walk, wizard, error);
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

static gboolean trace_in_thread(MtwWalk *walk, MtwWizard *wizard, GError **error)
{
	(void)walk;
	return mtw_wizard_run(wizard, error);
}

static gboolean attach_in_thread(MtwWalk *walk, MtwWizard *wizard, GError **error)
{
	(void)walk;
	return mtw_wizard_attach(wizard, error);
}

static gboolean pack_in_thread(MtwWalk *walk, MtwWizard *wizard, GError **error)
{
	return mtw_wizard_pack(wizard, walk->task.session, error);
}

static MtwWizardOptions options_of(const MtwWalk *walk)
{
	return (MtwWizardOptions){ .device = walk->task.device,
				   .next_boot = walk->task.next_boot,
				   .ask_link = TRUE,
				   .output = walk->output,
				   .duration_sec = MTW_DURATION_UNSET,
				   .max_retries = MTW_RETRIES_DEFAULT,
				   .load_driver = TRUE };
}

/* To its capture when the service makes that now, else to its report. */
static gboolean go_on(MtwWalk *walk, MtwEngine *engine, MtwCaller *caller, GError **error)
{
	MtwWizardOptions options = options_of(walk);
	g_autoptr(JsonObject) json = NULL;
	g_auto(MtwCaptureOptions) running = { 0 };

	if (!mtw_kept_runs(walk->setup->paths, engine, walk->task.session))
		return run_wizard(walk, engine, caller, &options, pack_in_thread, error);
	if (!mtw_service_attach(engine, &running, &json, error))
		return FALSE;
	options.running = &running;
	return run_wizard(walk, engine, caller, &options, attach_in_thread, error);
}

static gboolean begin_trace(MtwWalk *walk, MtwEngine *engine, MtwCaller *caller, GError **error)
{
	const MtwWizardOptions options = options_of(walk);

	if (walk->task.device == NULL)
		show_devices(walk);
	return run_wizard(walk, engine, caller, &options, trace_in_thread, error);
}

static gboolean with_engine(MtwWalk *walk, MtwCaller *caller, GError **error)
{
	g_autoptr(MtwEngine) engine = walk->setup->make_engine(walk->setup->paths, error);

	if (engine == NULL)
		return FALSE;
	g_atomic_int_set(&walk->remote, engine->remote);
	show_kept(walk, engine, caller);
	return walk->task.session != NULL ? go_on(walk, engine, caller, error)
					  : begin_trace(walk, engine, caller, error);
}

/* ---- sending only ---------------------------------------------------------------------------- */

static gboolean send_report(MtwWalk *walk, MtwWizard *wizard, const MtwCaller *caller,
			    GError **error)
{
	g_autoptr(MtwItem) item = mtw_item_open(caller, walk->task.report, TRUE, error);

	return item != NULL && mtw_wizard_send_item(wizard, item, FALSE, error);
}

static void show_send_step(const MtwWalk *walk)
{
	MtwView *view = mtw_bridge_view(walk->bridge);
	g_autoptr(JsonObject) event = mtw_event_new("step");

	json_object_set_string_member(event, "step", "send");
	json_object_set_string_member(event, "title", N_("Sending"));
	view->ops->show(view, event);
}

static gboolean send_in_thread(MtwWalk *walk, MtwWizard *wizard, GError **error)
{
	g_autoptr(MtwCaller) caller = mtw_caller_get(error);

	if (caller == NULL)
		return FALSE;
	show_send_step(walk);
	return walk->task.report != NULL ? send_report(walk, wizard, caller, error)
					 : mtw_wizard_send(wizard, walk->task.archive, error);
}

/* What is sent is the person's own file: no engine is needed. */
static gboolean only_send(MtwWalk *walk, MtwCaller *caller, GError **error)
{
	const MtwWizardOptions options = { .output = walk->output };
	g_autoptr(JsonObject) facts = json_object_new();
	g_autoptr(MtwEngine) engine = mtw_engine_new_given("", facts, NULL);

	return run_wizard(walk, engine, caller, &options, send_in_thread, error);
}

/* Not where the person stands in a terminal, but where they look for their files: a file in their home tells. */
static char *output_folder(void)
{
	const char *documents = g_get_user_special_dir(G_USER_DIRECTORY_DOCUMENTS);

	return g_strdup(documents != NULL ? documents : g_get_home_dir());
}

static gboolean go(MtwWalk *walk, GError **error)
{
	g_autoptr(MtwCaller) caller = get_caller(error);

	if (caller == NULL)
		return FALSE;
	walk->output = output_folder();
	if (walk->task.report != NULL || walk->task.archive != NULL)
		return only_send(walk, caller, error);
	return with_engine(walk, caller, error);
}

static void interrupt(gpointer data)
{
	mtw_walk_interrupt(data);
}

static gpointer run_in_thread(gpointer data)
{
	MtwWalk *walk = data;
	g_autoptr(MtwBridge) bridge = mtw_bridge_ref(walk->bridge);
	g_autoptr(GError) error = NULL;

	go(walk, &error);
	/* Whoever hears it frees the walk: nobody has to wait for the thread. */
	mtw_bridge_end(bridge, error);
	return NULL;
}

MtwWalk *mtw_walk_new(const MtwWalkSetup *setup, MtwBridge *bridge, const MtwWalkTask *task)
{
	MtwWalk *walk = g_new0(MtwWalk, 1);

	walk->setup = setup;
	walk->bridge = mtw_bridge_ref(bridge);
	walk->task = (MtwWalkTask){ .session = g_strdup(task->session),
				    .device = g_strdup(task->device),
				    .next_boot = task->next_boot,
				    .report = g_strdup(task->report),
				    .archive = g_strdup(task->archive) };
	g_mutex_init(&walk->lock);
	mtw_bridge_set_interrupt(bridge, interrupt, walk);
	g_thread_unref(g_thread_new("walk", run_in_thread, walk));
	return walk;
}

static void free_task(MtwWalkTask *task)
{
	g_free((char *)task->session);
	g_free((char *)task->device);
	g_free((char *)task->report);
	g_free((char *)task->archive);
}

void mtw_walk_free(MtwWalk *walk)
{
	if (walk == NULL)
		return;
	mtw_bridge_unref(walk->bridge);
	g_mutex_clear(&walk->lock);
	free_task(&walk->task);
	g_free(walk->output);
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
