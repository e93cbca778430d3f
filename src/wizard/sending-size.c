/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An archive that is larger than the place takes: smaller, in parts, elsewhere, or saved. */
#include "base/caller.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "capture/events.h"
#include "submit/shrink.h"
#include "wizard/sending-private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

/* When nobody says what is not too big. Several trackers take 10 MB. */
#define GUESSED_PART_BYTES (9u * 1024 * 1024)
#define PARTS_MAX 20

static guint64 file_bytes(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (guint64)status.st_size : 0;
}

static guint64 largest(const GPtrArray *paths)
{
	guint64 bytes = 0;

	for (guint i = 0; i < paths->len; i++)
		bytes = MAX(bytes, file_bytes(paths->pdata[i]));
	return bytes;
}

/* Beside the queue, so that it gets there without a copy. */
static gboolean make_work_folder(MtwSending *sending, GError **error)
{
	g_autofree char *state = NULL;

	if (sending->work_folder != NULL)
		return TRUE;
	state = mtw_caller_state_dir(sending->wizard->caller);
	if (!mtw_folder_ensure(state, 0700, error))
		return FALSE;
	sending->work_folder = g_build_filename(state, "smaller-XXXXXX", NULL);
	if (g_mkdtemp(sending->work_folder) != NULL)
		return TRUE;
	mtw_set_error_errno(error, errno, "a folder for a smaller archive in %s", state);
	g_clear_pointer(&sending->work_folder, g_free);
	return FALSE;
}

static void on_progress(guint64 done, guint64 total, gpointer user_data)
{
	MtwSending *sending = user_data;
	gint64 now = g_get_monotonic_time();
	JsonObject *event;

	if (now - sending->shown_usec < G_USEC_PER_SEC / 2)
		return;
	sending->shown_usec = now;
	event = mtw_event_new("packing");
	json_object_set_int_member(event, "done", (gint64)done);
	json_object_set_int_member(event, "total", (gint64)total);
	mtw_wizard_show(sending->wizard, event);
}

static MtwShrinkHooks hooks_of(MtwSending *sending)
{
	return (MtwShrinkHooks){ .cancel = &sending->wizard->interrupted,
				 .progress = on_progress,
				 .user_data = sending };
}

/* ---- the ways ------------------------------------------------------------------------------- */

/* One of them that the target takes and the archive is not. Returns: (nullable) */
static const char *smaller_format(const MtwSending *sending)
{
	static const char *const formats[] = { "tar.xz", "tar.zst" };

	if (!g_str_has_suffix(sending->parcel->name, ".tar.gz") &&
	    !g_str_has_suffix(sending->parcel->name, ".tgz") &&
	    !g_str_has_suffix(sending->parcel->name, ".tar"))
		return NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_autofree char *name = g_strconcat("x.", formats[i], NULL);
		if (mtw_sending_takes(sending->target, name))
			return formats[i];
	}
	return NULL;
}

static gboolean recompress(MtwSending *sending, GError **error)
{
	const MtwShrinkHooks hooks = hooks_of(sending);
	g_autofree char *path = NULL;

	if (!make_work_folder(sending, error))
		return FALSE;
	sending->recompressed = TRUE;
	path = mtw_shrink_recompress(sending->parcel->path, sending->work_folder,
				     smaller_format(sending), &hooks, error);
	return path != NULL && mtw_sending_take(sending, path, error);
}

static guint64 part_bytes(guint64 max_bytes)
{
	return max_bytes != 0 ? max_bytes : GUESSED_PART_BYTES;
}

/* The smaller copy, if there is one, in parts. */
static gboolean split(MtwSending *sending, guint64 max_bytes, GError **error)
{
	const MtwShrinkHooks hooks = hooks_of(sending);
	GPtrArray *parts;

	if (!make_work_folder(sending, error))
		return FALSE;
	parts = mtw_shrink_split(sending->whole, sending->work_folder, part_bytes(max_bytes),
				 &hooks, error);
	if (parts == NULL)
		return FALSE;
	g_ptr_array_unref(sending->paths);
	sending->paths = parts;
	return TRUE;
}

/* Parts are attachments beside each other; more than a handful nobody wants to join. */
static gboolean can_split(const MtwSending *sending, guint64 max_bytes)
{
	guint64 bytes = largest(sending->paths);

	return sending->paths->len == 1 && bytes / part_bytes(max_bytes) < PARTS_MAX;
}

static gboolean can_recompress(const MtwSending *sending)
{
	return !sending->recompressed && sending->paths->len == 1 &&
	       smaller_format(sending) != NULL;
}

/* The place that the target itself names; consent that was given beforehand holds for its host only. */
static MtwTarget *fallback_of(const MtwSending *sending)
{
	for (guint i = 0; i < sending->targets->len; i++) {
		MtwTarget *target = sending->targets->pdata[i];
		const MtwKind *kind = mtw_kind_find(target->kind);
		if (strcmp(target->id, sending->target->fallback) == 0 && kind != NULL &&
		    (kind->is_local || strcmp(target->host, sending->target->host) == 0))
			return target;
	}
	return NULL;
}

/* The archive as it is, for a place with other limits. */
static gboolean start_anew(MtwSending *sending, GError **error)
{
	sending->recompressed = FALSE;
	sending->too_big_at = 0;
	return mtw_sending_take(sending, sending->parcel->path, error);
}

static gboolean go_elsewhere(MtwSending *sending, MtwTarget *target, GError **error)
{
	return start_anew(sending, error) && mtw_sending_set_target(sending, target, error);
}

static gboolean ask_elsewhere(MtwSending *sending, GError **error)
{
	gboolean saved;

	if (!start_anew(sending, error) || !mtw_sending_ask_target(sending, &saved, error))
		return FALSE;
	if (!saved)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED, "the archive is saved: %s",
		    sending->parcel->path);
	return FALSE;
}

/* ---- by the target's list ------------------------------------------------------------------- */

static gboolean refuse(const MtwSending *sending, guint64 max_bytes, GError **error)
{
	g_autofree char *size = mtw_text_bytes_data(largest(sending->paths));
	g_autofree char *limit = mtw_text_bytes_data(max_bytes);

	g_set_error(error, MTW_ERROR, MTW_ERROR_REJECTED,
		    "%s does not take a file of %s%s%s; the archive is saved: %s",
		    sending->target->host, size, max_bytes != 0 ? ", at most " : "",
		    max_bytes != 0 ? limit : "", sending->parcel->path);
	return FALSE;
}

static gboolean go_by_list(MtwSending *sending, guint64 max_bytes, GError **error)
{
	const GArray *list = sending->target->too_big;

	while (sending->too_big_at < list->len) {
		MtwTooBig way = g_array_index(list, MtwTooBig, sending->too_big_at++);
		MtwTarget *fallback = fallback_of(sending);
		if (way == MTW_TOO_BIG_RECOMPRESS && can_recompress(sending))
			return recompress(sending, error);
		if (way == MTW_TOO_BIG_SPLIT && can_split(sending, max_bytes))
			return split(sending, max_bytes, error);
		if (way == MTW_TOO_BIG_FALLBACK && fallback != NULL)
			return go_elsewhere(sending, fallback, error);
		if (way == MTW_TOO_BIG_SAVE)
			break;
	}
	return refuse(sending, max_bytes, error);
}

/* ---- asked for ------------------------------------------------------------------------------ */

static char *size_detail(const MtwSending *sending, guint64 max_bytes)
{
	g_autofree char *size = mtw_text_bytes_data(largest(sending->paths));
	g_autofree char *limit = mtw_text_bytes_data(max_bytes);

	if (max_bytes == 0)
		return g_strdup_printf("%s, %s", sending->target->host, size);
	return g_strdup_printf("%s, %s > %s", sending->target->host, size, limit);
}

static void add_way(GPtrArray *choices, GPtrArray *labels, const char *choice, const char *label)
{
	g_ptr_array_add(choices, (gpointer)choice);
	g_ptr_array_add(labels, (gpointer)label);
}

static char *ask_way(MtwSending *sending, guint64 max_bytes, GError **error)
{
	g_autoptr(GPtrArray) choices = g_ptr_array_new();
	g_autoptr(GPtrArray) labels = g_ptr_array_new();
	g_autofree char *detail = size_detail(sending, max_bytes);
	MtwRequest request = {
		.id = "too-big",
		.kind = MTW_REQUEST_CHOICE,
		.sentence = N_("The file is too big for this place. What now?"),
		.detail = detail,
		.harmless = "save",
	};

	if (can_recompress(sending))
		add_way(choices, labels, "recompress", N_("Pack it tighter, and see"));
	if (can_split(sending, max_bytes))
		add_way(choices, labels, "split",
			N_("Send it in parts, with a note on how to join them"));
	add_way(choices, labels, "other", N_("Send it to another place"));
	add_way(choices, labels, "save", N_("Save it, and send nothing"));
	add_way(choices, labels, NULL, NULL);
	request.choices = (const char *const *)choices->pdata;
	request.labels = (const char *const *)labels->pdata;
	request.proposal = request.choices[0];
	return mtw_wizard_ask(sending->wizard, &request, error);
}

static gboolean go_by_answer(MtwSending *sending, guint64 max_bytes, GError **error)
{
	g_autofree char *answer = ask_way(sending, max_bytes, error);

	if (answer == NULL)
		return FALSE;
	if (g_str_equal(answer, "recompress"))
		return recompress(sending, error);
	if (g_str_equal(answer, "split"))
		return split(sending, max_bytes, error);
	if (g_str_equal(answer, "other"))
		return ask_elsewhere(sending, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED,
		    "the archive is too big for %s, and saved: %s", sending->target->host,
		    sending->parcel->path);
	return FALSE;
}

gboolean mtw_sending_fit(MtwSending *sending, guint64 max_bytes, GError **error)
{
	const MtwTarget *target = sending->target;
	gboolean known = max_bytes != 0;

	while (!known || largest(sending->paths) > max_bytes) {
		if (!(mtw_sending_is_unattended(sending) ? go_by_list(sending, max_bytes, error)
							 : go_by_answer(sending, max_bytes, error)))
			return FALSE;
		/* Another place has another limit; and where none is known, only a try tells. */
		if (sending->target != target || !known)
			return TRUE;
	}
	return TRUE;
}
