/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define ID_CHARACTERS 16
#define LEFT_OVER_SEC 60

char *mtw_item_plan_id(const MtwItemPlan *plan)
{
	g_autofree char *place = mtw_item_place(plan->target);
	g_autofree char *text = g_strjoin("\n", plan->letter->report_id, plan->target->id, place,
					  plan->issue != NULL ? plan->issue->url : "", NULL);
	char *id = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);

	id[ID_CHARACTERS] = '\0';
	return id;
}

static JsonObject *link_to_json(const MtwLink *link)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "kind", link->kind);
	mtw_json_set_text(object, "base", link->base);
	mtw_json_set_text(object, "project", link->project);
	mtw_json_set_text(object, "number", link->number);
	mtw_json_set_text(object, "url", link->url);
	return object;
}

static void set_letter(JsonObject *meta, const MtwLetter *letter)
{
	mtw_json_set_text(meta, "report_id", letter->report_id);
	mtw_json_set_text(meta, "title", letter->title);
	mtw_json_set_text(meta, "body", letter->body);
}

static void set_store(JsonObject *meta, const MtwTarget *store)
{
	g_autofree char *place = store != NULL ? mtw_item_place(store) : g_strdup("");

	json_object_set_string_member(meta, "store_place", place);
}

static JsonObject *new_meta(const MtwItemPlan *plan, const MtwItemFiles *files)
{
	g_autofree char *place = mtw_item_place(plan->target);
	JsonObject *meta = json_object_new();

	json_object_set_string_member(meta, "target", plan->target->id);
	json_object_set_string_member(meta, "kind", plan->target->kind);
	json_object_set_string_member(meta, "host", plan->target->host);
	json_object_set_string_member(meta, "place", place);
	set_store(meta, plan->store);
	set_letter(meta, plan->letter);
	json_object_set_string_member(meta, "issue", plan->issue != NULL ? plan->issue->url : "");
	if (plan->issue != NULL)
		json_object_set_object_member(meta, "issue_link", link_to_json(plan->issue));
	json_object_set_string_member(meta, "archive_sha256", plan->archive_sha256);
	mtw_json_set_text(meta, "report_folder", plan->report_folder);
	json_object_set_int_member(meta, "created_sec", g_get_real_time() / G_USEC_PER_SEC);
	json_object_set_array_member(meta, "files", mtw_item_files_to_json(files));
	return meta;
}

/* ---- one that is not there yet ---- */

static gboolean store(MtwItem *item, const MtwItemFiles *files, GError **error)
{
	return mtw_item_files_prepare(files, item->folder, error) &&
	       mtw_item_files_swap(item->folder, error);
}

static gboolean fill(MtwItem *item, const MtwItemPlan *plan, const MtwItemFiles *files,
		     GError **error)
{
	if (!store(item, files, error))
		return FALSE;
	item->meta = new_meta(plan, files);
	item->state = mtw_item_new_state();
	return mtw_item_save_meta(item, error) && mtw_item_save_state(item, error);
}

static gboolean name_whole(const char *half, const char *whole, GError **error)
{
	if (g_rename(half, whole) == 0)
		return TRUE;
	if (errno == EEXIST || errno == ENOTEMPTY)
		g_set_error(error, MTW_ERROR, MTW_ERROR_BUSY,
			    "another mmiotrace-wizard has just made %s", whole);
	else
		mtw_set_error_errno(error, errno, "cannot make the folder %s", whole);
	return FALSE;
}

/* Made under another name, so that whatever has its real name is whole. */
static gboolean make(MtwItem *item, const char *queue, const MtwItemPlan *plan,
		     const MtwItemFiles *files, GError **error)
{
	g_autofree char *name = g_strconcat(".new-", item->id, NULL);
	g_autofree char *folder = g_steal_pointer(&item->folder);

	item->folder = g_build_filename(queue, name, NULL);
	if (!mtw_folder_ensure(item->folder, 0700, error))
		return FALSE;
	item->lock_fd = mtw_item_lock(item->folder, error);
	if (item->lock_fd < 0)
		return FALSE;
	if (!fill(item, plan, files, error)) {
		(void)mtw_folder_remove(item->folder, NULL);
		return FALSE;
	}
	if (!name_whole(item->folder, folder, error)) {
		(void)mtw_folder_remove(item->folder, NULL);
		return FALSE;
	}
	g_free(item->folder);
	item->folder = g_steal_pointer(&folder);
	return mtw_folder_sync(queue, error);
}

/* ---- a second run ---- */

/* What was done before the first step that carries a file does not depend on the files. */
static JsonObject *kept_phases(MtwItem *item, const MtwTarget *target)
{
	const MtwKind *kind = mtw_kind_find(target->kind);
	gboolean to_issue = *mtw_json_string(item->meta, "issue", "") != '\0';
	const MtwPhase *const *phases = NULL;
	JsonObject *old = mtw_item_phases(item);
	JsonObject *kept = json_object_new();

	if (kind != NULL)
		phases = to_issue ? kind->issue_phases : kind->phases;
	for (; phases != NULL && *phases != NULL && !(*phases)->carries_file; phases++)
		if (json_object_has_member(old, (*phases)->id))
			json_object_set_string_member(kept, (*phases)->id,
						      mtw_json_string(old, (*phases)->id, ""));
	return kept;
}

/* Other files: nothing of the old ones counts, but an issue that was filed is not filed twice. */
static void begin_anew(MtwItem *item, const MtwTarget *target)
{
	JsonObject *state = mtw_item_new_state();
	JsonObject *kept = kept_phases(item, target);

	if (json_object_get_size(kept) > 0)
		json_object_set_object_member(state, "facts",
					      json_object_ref(mtw_item_facts(item)));
	json_object_set_object_member(state, "phases", kept);
	json_object_unref(item->state);
	item->state = state;
}

static gboolean renew_files(MtwItem *item, const MtwItemPlan *plan, const MtwItemFiles *files,
			    GError **error)
{
	/* First what can fail for want of room. */
	if (!mtw_item_files_prepare(files, item->folder, error))
		return FALSE;
	json_object_set_array_member(item->meta, "files", mtw_item_files_to_json(files));
	json_object_set_string_member(item->meta, "archive_sha256", plan->archive_sha256);
	json_object_remove_member(item->meta, "consent");
	begin_anew(item, plan->target);
	/* From here on to the end a killed process leaves an item whose files are not those of the list: never sent. */
	return mtw_item_save_meta(item, error) && mtw_item_save_state(item, error) &&
	       mtw_item_files_swap(item->folder, error);
}

static gboolean is_other(JsonObject *meta, const char *name, const char *text)
{
	return strcmp(mtw_json_string(meta, name, ""), text) != 0;
}

/* What a person agreed to was shown with its text. */
static gboolean renew_letter(MtwItem *item, const MtwItemPlan *plan, GError **error)
{
	g_autofree char *store = plan->store != NULL ? mtw_item_place(plan->store) : g_strdup("");
	gboolean other = is_other(item->meta, "title", plan->letter->title) ||
			 is_other(item->meta, "body", plan->letter->body) ||
			 is_other(item->meta, "store_place", store);

	if (!other && !is_other(item->meta, "report_folder",
				plan->report_folder != NULL ? plan->report_folder : ""))
		return TRUE;
	set_letter(item->meta, plan->letter);
	set_store(item->meta, plan->store);
	mtw_json_set_text(item->meta, "report_folder", plan->report_folder);
	if (other)
		json_object_remove_member(item->meta, "consent");
	if (other && mtw_item_state(item) == MTW_ITEM_CONSENTED)
		mtw_item_set_state(item, MTW_ITEM_PREPARED);
	return mtw_item_save_meta(item, error) && mtw_item_save_state(item, error);
}

static gboolean is_stored(MtwItem *item)
{
	g_auto(MtwItemFiles) stored = { 0 };

	return mtw_item_open_files(item, NULL, &stored, NULL);
}

static gboolean reopen(MtwItem *item, const MtwItemPlan *plan, const MtwItemFiles *files,
		       GError **error)
{
	item->lock_fd = mtw_item_lock(item->folder, error);
	if (item->lock_fd < 0 || !mtw_item_load(item, error))
		return FALSE;
	/* The same report, sent to the same place: however it is packed, not a second time. */
	if (mtw_item_state(item) == MTW_ITEM_DONE)
		return TRUE;
	if (!renew_letter(item, plan, error))
		return FALSE;
	if (!mtw_item_files_are(item, files))
		return renew_files(item, plan, files, error);
	return is_stored(item) || store(item, files, error);
}

/* Half made or half removed, and not by a process that has only just begun and holds no lock yet. */
static gboolean is_left_over(const char *folder, const char *name)
{
	gint64 now_sec = g_get_real_time() / G_USEC_PER_SEC;
	struct stat status;

	return (g_str_has_prefix(name, ".new-") || g_str_has_prefix(name, ".drop-")) &&
	       lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_mtime < now_sec - LEFT_OVER_SEC;
}

/* What a killed process left. */
static void sweep(const char *queue)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(queue);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *folder = g_build_filename(queue, names->pdata[i], NULL);
		g_auto(MtwFd) lock = -1;
		if (!is_left_over(folder, names->pdata[i]))
			continue;
		lock = mtw_item_lock(folder, NULL);
		if (lock >= 0)
			(void)mtw_folder_remove(folder, NULL);
	}
}

MtwItem *mtw_item_new(const MtwCaller *caller, const MtwItemPlan *plan, GError **error)
{
	g_auto(MtwItemFiles) files = { 0 };
	g_autofree char *queue = mtw_queue_folder(caller, error);
	g_autofree char *id = mtw_item_plan_id(plan);
	g_autoptr(MtwItem) item = NULL;
	struct stat status;
	gboolean ok;

	if (queue == NULL || !mtw_item_files_open(plan->paths, NULL, &files, error))
		return NULL;
	sweep(queue);
	item = mtw_item_at(queue, id);
	if (lstat(item->folder, &status) == 0)
		ok = reopen(item, plan, &files, error);
	else
		ok = make(item, queue, plan, &files, error);
	return ok ? g_steal_pointer(&item) : NULL;
}
