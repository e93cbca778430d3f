/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/next-boot.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/events.h"
#include "capture/session.h"
#include "capture/undo.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/system.h"

#define FILE_NAME "mmiotrace-wizard-next-boot.conf"
#define DEFAULT_SEC 60
#define MAX_SEC (24 * 3600)

void mtw_next_boot_clear(MtwNextBoot *wish)
{
	mtw_capture_options_clear(&wish->options);
	g_clear_pointer(&wish->options_json, json_object_unref);
	g_clear_pointer(&wish->session, g_free);
}

/* ---- what is kept away ----------------------------------------------------------------------- */

static void add_module(GPtrArray *modules, const char *name)
{
	if (!mtw_sysfs_list_has(modules, name))
		g_ptr_array_add(modules, g_strdup(name));
}

/* The driver's module, what stands on it (which would bring it along), and whatever else fits the device. */
static GPtrArray *modules_of(const MtwWay *way)
{
	GPtrArray *modules = g_ptr_array_new_with_free_func(g_free);

	if (way->module != NULL)
		add_module(modules, way->module);
	for (guint i = 0; i < way->unload->len; i++)
		add_module(modules, way->unload->pdata[i]);
	for (guint i = 0; i < way->candidates->len; i++)
		add_module(modules, way->candidates->pdata[i]);
	return modules;
}

static char *file_text(const GPtrArray *modules)
{
	GString *text = g_string_new(
		"# Made by mmiotrace-wizard for one start of the computer, which removes it.\n");

	for (guint i = 0; i < modules->len; i++)
		g_string_append_printf(text, "blacklist %s\n", (char *)modules->pdata[i]);
	return g_string_free(text, FALSE);
}

static gboolean can_be_kept_away(const MtwPaths *paths, const MtwWay *way, GError **error)
{
	g_autoptr(MtwModule) module =
		way->module != NULL ? mtw_module_get(paths, way->module) : NULL;

	if (module != NULL && !module->builtin)
		return TRUE;
	g_set_error(
		error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
		"the driver %s is built into the kernel: it starts before anything could trace it",
		way->driver != NULL ? way->driver : "of the device");
	return FALSE;
}

/* Returns: (transfer full) (nullable): the one change */
static MtwChange *decide(const MtwPaths *paths, const MtwCaptureOptions *options,
			 MtwPciDevice **ret_device, GError **error)
{
	g_autoptr(MtwPciDevice) device = mtw_pci_get(paths, options->device, error);
	g_autoptr(MtwWay) way =
		device != NULL ? mtw_way_choose(paths, device, options->driver, error) : NULL;
	g_autoptr(GPtrArray) modules = NULL;
	g_autofree char *text = NULL;

	if (way == NULL || !can_be_kept_away(paths, way, error))
		return NULL;
	modules = modules_of(way);
	text = file_text(modules);
	*ret_device = g_steal_pointer(&device);
	return mtw_change_new(MTW_CHANGE_BLACKLIST, FILE_NAME, "", text);
}

JsonObject *mtw_next_boot_plan(const MtwPaths *paths, const MtwCaptureOptions *options,
			       GError **error)
{
	g_autoptr(MtwPciDevice) device = NULL;
	g_autoptr(MtwChange) change = decide(paths, options, &device, error);
	JsonArray *changes;
	JsonObject *plan;

	if (change == NULL)
		return NULL;
	changes = json_array_new();
	json_array_add_object_element(changes, mtw_change_to_json(change));
	plan = json_object_new();
	json_object_set_string_member(plan, "device", device->address);
	json_object_set_string_member(plan, "way", "next-boot");
	mtw_json_set_text(plan, "driver", device->driver);
	json_object_set_int_member(plan, "buffer_kb", (gint64)options->buffer_kb);
	json_object_set_array_member(plan, "changes", changes);
	return plan;
}

/* ---- arranging ------------------------------------------------------------------------------- */

static gboolean write_wish(MtwSession *session, const MtwPaths *paths,
			   const MtwCaptureOptions *options, guint duration_sec, GError **error)
{
	g_autofree char *boot_id = mtw_system_boot_id(paths);

	json_object_set_object_member(session->state, "next_boot",
				      mtw_capture_options_to_json(options));
	json_object_set_int_member(session->state, "duration_sec", duration_sec);
	json_object_set_int_member(session->state, "owner_uid", options->owner_uid);
	mtw_json_set_text(session->state, "device", options->device);
	mtw_json_set_text(session->state, "boot_id", boot_id);
	json_object_set_boolean_member(session->state, "restored", FALSE);
	return mtw_session_set_state(session, MTW_SESSION_WAITING, error);
}

/* Takes @change over. */
static gboolean make_change(MtwSession *session, const MtwPaths *paths, MtwChange *change,
			    GError **error)
{
	MtwMachine machine = { .paths = paths };
	g_autoptr(MtwJournal) journal = mtw_journal_open(session->folder, error);
	const MtwChangeMaker maker = { .machine = &machine, .journal = journal };

	if (journal != NULL)
		return mtw_changes_make(&maker, change, error);
	mtw_change_free(change);
	return FALSE;
}

static gboolean refuse_second(const MtwPaths *paths, GError **error)
{
	g_autofree char *pending = mtw_next_boot_pending(paths);

	if (pending != NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "session %s waits for the next start already", pending);
	return pending == NULL;
}

char *mtw_next_boot_arrange(const MtwPaths *paths, const MtwCaptureOptions *options,
			    guint duration_sec, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);
	g_autoptr(MtwPciDevice) device = NULL;
	g_autoptr(MtwChange) change = NULL;
	g_autoptr(MtwSession) session = NULL;

	if (lock < 0 || !refuse_second(paths, error))
		return NULL;
	change = decide(paths, options, &device, error);
	if (change == NULL)
		return NULL;
	session = mtw_session_create(paths, device->vendor, device->device, error);
	if (session == NULL)
		return NULL;
	if (!write_wish(session, paths, options, duration_sec, error) ||
	    !make_change(session, paths, g_steal_pointer(&change), error)) {
		(void)mtw_session_set_state(session, MTW_SESSION_FAILED, NULL);
		return NULL;
	}
	return g_strdup(session->id);
}

/* ---- the start ------------------------------------------------------------------------------- */

char *mtw_next_boot_pending(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = mtw_session_open(paths, ids->pdata[i], FALSE, NULL);
		if (session != NULL &&
		    g_str_equal(mtw_json_string(session->state, "state", ""), MTW_SESSION_WAITING))
			return g_strdup(ids->pdata[i]);
	}
	return NULL;
}

static gboolean undo_changes(MtwSession *session, const MtwPaths *paths, GError **error)
{
	MtwMachine machine = { .paths = paths };
	g_autoptr(MtwJournal) journal = mtw_journal_open(session->folder, error);
	const MtwChangeMaker maker = { .machine = &machine, .journal = journal };

	return journal != NULL && mtw_changes_undo_all(&maker, error);
}

gboolean mtw_next_boot_cancel(const MtwPaths *paths, const char *id, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);
	g_autoptr(MtwSession) session = lock >= 0 ? mtw_session_open(paths, id, TRUE, error) : NULL;

	if (session == NULL || !undo_changes(session, paths, error))
		return FALSE;
	json_object_set_boolean_member(session->state, "restored", TRUE);
	if (!mtw_session_set_state(session, MTW_SESSION_FAILED, error))
		return FALSE;
	g_clear_pointer(&session, mtw_session_free);
	return mtw_session_delete(paths, id, error);
}

static gboolean read_wish(MtwSession *session, MtwNextBoot *wish, GError **error)
{
	JsonObject *options = mtw_json_object(session->state, "next_boot");

	if (options == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "session %s has no wish in it",
			    session->id);
		return FALSE;
	}
	wish->session = g_strdup(session->id);
	wish->options_json = json_object_ref(options);
	wish->duration_sec =
		(guint)CLAMP(mtw_json_int(session->state, "duration_sec", DEFAULT_SEC), 1, MAX_SEC);
	if (!mtw_capture_options_from_json(options, &wish->options, error))
		return FALSE;
	wish->options.owner_uid = mtw_json_int(session->state, "owner_uid", 0);
	/* Nobody sits there who could say stop. */
	wish->options.countdown_sec = 0;
	return TRUE;
}

static gboolean was_restarted(const MtwSession *session, const MtwPaths *paths)
{
	g_autofree char *boot_id = mtw_system_boot_id(paths);

	return !g_str_equal(boot_id, mtw_json_string(session->state, "boot_id", ""));
}

/* From here on this session is one that died, should the computer crash; the file is gone in any case. */
static gboolean take(MtwSession *session, const MtwPaths *paths, MtwNextBoot *wish, GError **error)
{
	g_autofree char *boot_id = mtw_system_boot_id(paths);

	if (!undo_changes(session, paths, error))
		return FALSE;
	mtw_json_set_text(session->state, "boot_id", boot_id);
	json_object_set_boolean_member(session->state, "restored", TRUE);
	return mtw_session_set_state(session, MTW_SESSION_PREPARING, error) &&
	       read_wish(session, wish, error);
}

gboolean mtw_next_boot_take(const MtwPaths *paths, MtwNextBoot *ret_wish, GError **error)
{
	g_autofree char *id = mtw_next_boot_pending(paths);
	g_auto(MtwFd) lock = -1;
	g_autoptr(MtwSession) session = NULL;

	*ret_wish = (MtwNextBoot){ 0 };
	if (id == NULL)
		return FALSE;
	lock = mtw_capture_lock(paths, error);
	session = lock >= 0 ? mtw_session_open(paths, id, TRUE, error) : NULL;
	if (session == NULL || !was_restarted(session, paths))
		return FALSE;
	return take(session, paths, ret_wish, error);
}
