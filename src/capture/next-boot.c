/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/next-boot.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "capture/capture-json.h"
#include "capture/next-boot-private.h"
#include "capture/session.h"
#include "capture/undo.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/system.h"

void mtw_next_boot_clear(MtwNextBoot *wish)
{
	mtw_capture_options_clear(&wish->options);
	g_clear_pointer(&wish->options_json, json_object_unref);
	g_clear_pointer(&wish->session, g_free);
	g_clear_pointer(&wish->others, g_strfreev);
}

/* ---- arranging ------------------------------------------------------------------------------- */

/* What stood on the driver and was loaded: topmost last. */
static JsonArray *others_of(const MtwWay *way)
{
	JsonArray *others = json_array_new();

	for (guint i = way->unload->len; i > 0; i--)
		if (g_strcmp0(way->unload->pdata[i - 1], way->module) != 0)
			json_array_add_string_element(others, way->unload->pdata[i - 1]);
	return others;
}

static gboolean write_wish(MtwSession *session, const MtwPaths *paths,
			   const MtwCaptureOptions *options, const MtwNextBootChoice *choice,
			   GError **error)
{
	g_autofree char *boot_id = mtw_system_boot_id(paths);
	MtwCaptureOptions chosen = *options;

	/* What decides now (the driver that is bound) is not there in that moment. */
	chosen.driver = choice->way->module;
	mtw_capture_options_keep(options, session->state);
	json_object_set_object_member(session->state, "options",
				      mtw_capture_options_to_json(&chosen));
	json_object_set_array_member(session->state, "others", others_of(choice->way));
	mtw_json_set_text(session->state, "device", choice->device->address);
	mtw_json_set_text(session->state, "driver", choice->way->module);
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

/* One that came to nothing leaves nothing. */
static void give_up(MtwSession *session, const MtwPaths *paths)
{
	g_autofree char *id = g_strdup(session->id);

	json_object_set_boolean_member(session->state, "restored", TRUE);
	(void)mtw_session_set_state(session, MTW_SESSION_FAILED, NULL);
	mtw_session_free(session);
	(void)mtw_session_delete(paths, id, NULL);
}

char *mtw_next_boot_arrange(const MtwPaths *paths, const MtwCaptureOptions *options,
			    guint duration_sec, GError **error)
{
	g_auto(MtwFd) lock = mtw_capture_lock(paths, error);
	g_auto(MtwNextBootChoice) choice = { 0 };
	g_autoptr(MtwSession) session = NULL;

	if (lock < 0 || !refuse_second(paths, error) ||
	    !mtw_next_boot_choose(paths, options, &choice, error))
		return NULL;
	session = mtw_session_create(paths, choice.device->vendor, choice.device->device, error);
	if (session == NULL)
		return NULL;
	json_object_set_int_member(session->state, "duration_sec", duration_sec);
	if (!write_wish(session, paths, options, &choice, error) ||
	    !make_change(session, paths, g_steal_pointer(&choice.change), error)) {
		give_up(g_steal_pointer(&session), paths);
		return NULL;
	}
	return g_strdup(session->id);
}

/* ---- the start ------------------------------------------------------------------------------- */

static gboolean waits(const MtwSession *session)
{
	return g_str_equal(mtw_json_string(session->state, "state", ""), MTW_SESSION_WAITING);
}

char *mtw_next_boot_pending(const MtwPaths *paths)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = mtw_session_open(paths, ids->pdata[i], FALSE, NULL);
		if (session != NULL && waits(session))
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

	if (session == NULL)
		return FALSE;
	if (!waits(session)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "session %s does not wait for the next start", id);
		return FALSE;
	}
	if (!undo_changes(session, paths, error))
		return FALSE;
	json_object_set_boolean_member(session->state, "restored", TRUE);
	if (!mtw_session_set_state(session, MTW_SESSION_FAILED, error))
		return FALSE;
	g_clear_pointer(&session, mtw_session_free);
	return mtw_session_delete(paths, id, error);
}

/* Returns: (transfer full) */
static char **read_others(JsonObject *state)
{
	JsonArray *array = mtw_json_array(state, "others");
	g_autoptr(GStrvBuilder) others = g_strv_builder_new();

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		const char *name = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
		if (name != NULL)
			g_strv_builder_add(others, name);
	}
	return g_strv_builder_end(others);
}

static gboolean read_wish(MtwSession *session, MtwNextBoot *wish, GError **error)
{
	JsonObject *options = mtw_json_object(session->state, "options");

	if (options == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "session %s has no wish in it",
			    session->id);
		return FALSE;
	}
	wish->session = g_strdup(session->id);
	wish->options_json = json_object_ref(options);
	wish->duration_sec = (guint)CLAMP(mtw_json_int(session->state, "duration_sec", 0), 1,
					  MTW_NEXT_BOOT_MAX_SEC);
	wish->others = read_others(session->state);
	if (!mtw_capture_options_from_json(options, &wish->options, error))
		return FALSE;
	wish->options.owner_uid = mtw_json_int(session->state, "owner_uid", 0);
	/* Nobody sits there who could say stop. */
	wish->options.countdown_sec = 0;
	/* Not there before, but only because it was kept away. */
	wish->options.keep_driver = TRUE;
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

/* ---- as at any start ------------------------------------------------------------------------- */

void mtw_next_boot_load_others(const MtwPaths *paths, const MtwNextBoot *wish)
{
	for (char **name = wish->others; name != NULL && *name != NULL; name++)
		(void)mtw_module_load(paths, *name, NULL, NULL);
}

void mtw_next_boot_bind_others(const MtwPaths *paths, const MtwNextBoot *wish)
{
	g_autofree char *driver = mtw_pci_driver(paths, wish->options.device);
	g_autoptr(GPtrArray) devices = mtw_pci_list(paths);

	for (guint i = 0; driver != NULL && i < devices->len; i++) {
		const MtwPciDevice *device = devices->pdata[i];
		if (device->driver == NULL && device->driver_override == NULL &&
		    mtw_module_would_bind(paths, wish->options.driver, device->modalias))
			(void)mtw_pci_bind(paths, device->address, driver, NULL);
	}
}
