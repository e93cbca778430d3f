/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stays of a report that was sent. */
#include "submit/send-private.h"

#include "base/file.h"
#include "base/json.h"

#include <string.h>

/* Of all that was sent. (transfer none) */
static const char *sent_sha256(const MtwItem *item)
{
	JsonObject *consent = mtw_json_object(item->meta, "consent");

	return mtw_json_string(consent, "sha256",
			       mtw_json_string(item->meta, "archive_sha256", ""));
}

static char *time_text(const MtwItem *item)
{
	gint64 done_sec = mtw_json_int(mtw_json_object(item->state, "facts"), "done", 0);
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(done_sec);

	return time != NULL ? g_date_time_format_iso8601(time) : g_strdup("");
}

static gboolean write_receipt(const MtwItem *item, const char *folder, GError **error)
{
	g_autoptr(JsonObject) receipt = json_object_new();
	g_autofree char *path = g_build_filename(folder, "submission.json", NULL);
	g_autofree char *time = time_text(item);
	g_autofree char *text = NULL;

	mtw_json_set_text(receipt, "url", mtw_item_url(item));
	mtw_json_set_text(receipt, "target", mtw_item_target(item));
	mtw_json_set_text(receipt, "report_id", mtw_json_string(item->meta, "report_id", ""));
	mtw_json_set_text(receipt, "sha256", sent_sha256(item));
	mtw_json_set_text(receipt, "time", time);
	text = mtw_json_pretty(receipt);
	return mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

/* The report is sent, and the item says so: a receipt less is no failure of sending. */
static void tell_warning(const MtwSendOptions *options, const GError *problem)
{
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", "warning");
	mtw_json_set_text(event, "message", problem->message);
	mtw_send_event(options, event);
}

static void tell_sent(const MtwItem *item, const MtwSendOptions *options)
{
	JsonObject *event = json_object_new();

	json_object_set_string_member(event, "event", "sent");
	mtw_json_set_text(event, "url", mtw_item_url(item));
	mtw_json_set_text(event, "id", item->id);
	mtw_json_set_text(event, "report_id", mtw_json_string(item->meta, "report_id", ""));
	mtw_json_set_text(event, "sha256", sent_sha256(item));
	mtw_send_event(options, event);
}

/* What a person has to finish may name the item's own files. */
static gboolean needs_files(MtwItem *item, const MtwKind *kind)
{
	JsonObject *facts = mtw_item_facts(item);

	return !kind->needs_network || json_object_has_member(facts, "open") ||
	       json_object_has_member(facts, "path");
}

void mtw_send_finish(MtwItem *item, const MtwKind *kind, const MtwSendOptions *options)
{
	const char *folder = mtw_json_string(item->meta, "report_folder", "");
	g_autoptr(GError) problem = NULL;

	if (g_path_is_absolute(folder) && g_file_test(folder, G_FILE_TEST_IS_DIR) &&
	    !write_receipt(item, folder, &problem))
		tell_warning(options, problem);
	if (!needs_files(item, kind))
		mtw_item_drop_files(item);
	tell_sent(item, options);
}
