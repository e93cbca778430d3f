/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a client adds to a session of its own: facts of the report, files, lines of the log. All of it lies on root's disk. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "capture/session.h"
#include "service/methods-private.h"

#include <string.h>
#include <sys/stat.h>

#define FILES_MAX 128
#define FILES_MAX_BYTES (64 * 1024 * 1024)
#define LOG_MAX_BYTES (1024 * 1024)

static MtwEngine *borrow(MtwCall *call, gboolean running, GError **error)
{
	return mtw_host_borrow(call->host, mtw_call_session(call), running, error);
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* A report decides about itself only; what the capture wrote down stays as it is. */
static gboolean may_keep(const char *name, const char *text)
{
	static const char *const names[] = { "archive", "profile", "notes", "url", "sent", NULL };
	static const char *const states[] = { MTW_SESSION_PACKED, "sent", NULL };

	if (text == NULL)
		return FALSE;
	if (strcmp(name, "state") == 0)
		return g_strv_contains(states, text);
	return g_strv_contains(names, name);
}

/* The parser wants an object around the value; a comma in @text does not make it two. Returns: (transfer full) (nullable) */
static JsonObject *parse_value(const char *text, GError **error)
{
	g_autofree char *whole = g_strdup_printf("{\"value\":%s}", text);
	g_autoptr(JsonObject) object = mtw_json_parse(whole, -1, "the fact", error);

	if (object == NULL || json_object_get_size(object) == 1)
		return g_steal_pointer(&object);
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "that is more than one fact");
	return NULL;
}

GVariant *mtw_method_keep_fact(MtwCall *call, GError **error)
{
	const char *name = mtw_call_text(call, 1, MTW_CALL_ABOUT_MAX_BYTES, error);
	const char *text =
		name != NULL ? mtw_call_text(call, 2, MTW_CALL_TEXT_MAX_BYTES, error) : NULL;
	g_autoptr(JsonObject) value = text != NULL ? parse_value(text, error) : NULL;
	const char *fact = mtw_json_string(value, "value", NULL);
	MtwEngine *engine;
	gboolean kept;

	if (value == NULL)
		return NULL;
	if (!may_keep(name, fact)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "that fact cannot be kept");
		return NULL;
	}
	engine = borrow(call, FALSE, error);
	if (engine == NULL)
		return NULL;
	kept = mtw_engine_keep_fact(engine, name, json_node_init_string(json_node_alloc(), fact),
				    error);
	mtw_host_give_back(call->host, engine);
	return kept ? mtw_reply_nothing() : NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

static guint64 size_of(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	struct stat status;

	return lstat(path, &status) == 0 ? (guint64)status.st_size : 0;
}

static gboolean refuse_file(const char *why, GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "the file is not taken: %s", why);
	return FALSE;
}

/*
 * Each file once: what is told about them is kept, too, in memory and in the session's state, which is not read when it
 * is too large.
 */
static gboolean has_room(const char *folder, const char *name, gsize bytes, GError **error)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);
	guint64 sum_bytes = bytes;

	for (guint i = 0; i < names->len; i++) {
		if (strcmp(names->pdata[i], name) == 0)
			return refuse_file("there is one of that name", error);
		sum_bytes += size_of(folder, names->pdata[i]);
	}
	if (bytes > MTW_CALL_FILE_MAX_BYTES || sum_bytes > FILES_MAX_BYTES)
		return refuse_file("it is too large", error);
	return names->len < FILES_MAX || refuse_file("there are too many", error);
}

static gboolean may_keep_file(MtwCall *call, const char *name, gsize bytes, GError **error)
{
	g_autofree char *clean = mtw_text_clean_name(name);
	g_autoptr(MtwSession) session = NULL;
	g_autofree char *folder = NULL;

	if (g_strcmp0(clean, name) != 0)
		return refuse_file("its name cannot be used", error);
	session = mtw_session_open(call->paths, mtw_call_session(call), FALSE, error);
	if (session == NULL)
		return FALSE;
	folder = mtw_session_path(session, "collected");
	return has_room(folder, name, bytes, error);
}

static gboolean keep(MtwCall *call, JsonObject *object, const void *content, gsize bytes,
		     GError **error)
{
	MtwEngine *engine = borrow(call, TRUE, error);
	g_autoptr(MtwMessage) about = NULL;
	gboolean kept;

	if (engine == NULL)
		return FALSE;
	about = mtw_message_from_json(object);
	kept = mtw_engine_keep_file(engine, about, content, bytes, error);
	mtw_host_give_back(call->host, engine);
	return kept;
}

GVariant *mtw_method_keep_file(MtwCall *call, GError **error)
{
	g_autoptr(JsonObject) about =
		mtw_call_json(call, 1, MTW_CALL_ABOUT_MAX_BYTES, "about", error);
	g_autoptr(GVariant) data = g_variant_get_child_value(call->arguments, 2);
	gsize bytes;
	const void *content = g_variant_get_fixed_array(data, &bytes, 1);

	if (about == NULL || !may_keep_file(call, mtw_json_string(about, "id", ""), bytes, error) ||
	    !keep(call, about, content, bytes, error))
		return NULL;
	return mtw_reply_nothing();
}

/* ---- the log --------------------------------------------------------------------------------- */

static gboolean log_has_room(MtwCall *call, GError **error)
{
	g_autoptr(MtwSession) session =
		mtw_session_open(call->paths, mtw_call_session(call), FALSE, error);

	if (session == NULL)
		return FALSE;
	if (size_of(session->folder, "log") <= LOG_MAX_BYTES)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "the log of this session is full");
	return FALSE;
}

GVariant *mtw_method_log(MtwCall *call, GError **error)
{
	const char *text = mtw_call_text(call, 1, MTW_CALL_ABOUT_MAX_BYTES, error);
	g_autofree char *clean = text != NULL ? mtw_text_clean_line(text) : NULL;
	MtwEngine *engine =
		clean != NULL && log_has_room(call, error) ? borrow(call, FALSE, error) : NULL;

	if (engine == NULL)
		return NULL;
	mtw_engine_log(engine, clean);
	mtw_host_give_back(call->host, engine);
	return mtw_reply_nothing();
}
