/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/verify.h"

#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "report/archive.h"
#include "report/manifest.h"
#include "trace/facts-json.h"
#include "trace/reader.h"
#include "trace/text.h"
#include "trace/verdict-json.h"

#include <glib/gi18n.h>
#include <string.h>

#define BLOCK_BYTES (256 * 1024)
#define MANIFEST_MAX_BYTES (16 * 1024 * 1024)
#define ARCHIVE_NAME_PARTS 3

void mtw_verification_free(MtwVerification *verification)
{
	if (verification == NULL)
		return;
	g_clear_pointer(&verification->verdict, json_object_unref);
	g_clear_pointer(&verification->manifest, json_object_unref);
	g_clear_pointer(&verification->messages, g_ptr_array_unref);
	g_free(verification);
}

static gboolean has_member(const GPtrArray *members, const char *name)
{
	for (guint i = 0; i < members->len; i++) {
		const MtwMemberFacts *member = members->pdata[i];
		if (strcmp(member->name, name) == 0)
			return TRUE;
	}
	return FALSE;
}

/* Why a file is missing, the manifest may tell. Returns: (transfer none): "" if it does not */
static const char *why_missing(const MtwVerification *verification, const char *name)
{
	JsonArray *collected = verification->manifest != NULL
				       ? mtw_json_array(verification->manifest, "collected")
				       : NULL;

	for (guint i = 0; collected != NULL && i < json_array_get_length(collected); i++) {
		JsonNode *node = json_array_get_element(collected, i);
		JsonObject *entry =
			JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
		if (entry != NULL && strcmp(mtw_json_string(entry, "id", ""), name) == 0)
			return mtw_json_string(entry, "detail", "");
	}
	return "";
}

/* What every project asks for. */
static void check_complete(MtwVerification *verification, const GPtrArray *members)
{
	static const char *const wanted[] = { "lspci.txt", "dmesg.txt", "system.txt",
					      "description.txt" };

	for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
		const char *why;
		if (has_member(members, wanted[i]))
			continue;
		why = why_missing(verification, wanted[i]);
		g_ptr_array_add(verification->messages,
				mtw_message_new("incomplete", MTW_LEVEL_WARNING,
						N_("A file that projects ask for is not in it."),
						N_("Ask the sender for it."), "%s%s%s", wanted[i],
						why[0] != '\0' ? ": " : "", why));
	}
}

/* The manifest, if there is one. Returns: FALSE on error */
static gboolean read_manifest(MtwVerification *verification, const char *path, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *text = NULL;
	gsize bytes = 0;

	text = mtw_archive_read_member(path, "manifest.json", MANIFEST_MAX_BYTES, &bytes, &why);
	if (text == NULL && !g_error_matches(why, MTW_ERROR, MTW_ERROR_NOT_FOUND)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	if (text != NULL) {
		verification->manifest =
			mtw_json_parse(text, (gssize)bytes, "manifest.json", error);
		return verification->manifest != NULL;
	}
	g_ptr_array_add(
		verification->messages,
		mtw_message_new("no-manifest", MTW_LEVEL_WARNING,
				N_("The archive has no manifest.json, so it cannot be checked "
				   "for changes."),
				"", NULL));
	return TRUE;
}

static gboolean check_archive(MtwVerification *verification, const char *path, GError **error)
{
	g_autoptr(GPtrArray) members = NULL;

	if (!read_manifest(verification, path, error))
		return FALSE;
	members = mtw_archive_list(path, error);
	if (members == NULL)
		return FALSE;
	if (verification->manifest != NULL)
		g_ptr_array_extend_and_steal(verification->messages,
					     mtw_manifest_check(verification->manifest, members));
	check_complete(verification, members);
	return TRUE;
}

/* The ids in an archive's name, "8086-100e-alice-...", tell the target of a trace without manifest.
 */
static gboolean ids_from_name(const char *path, guint *ret_vendor, guint *ret_device)
{
	g_autofree char *name = g_path_get_basename(path);
	g_auto(GStrv) parts = g_strsplit(name, "-", ARCHIVE_NAME_PARTS);
	guint64 vendor, device;

	if (g_strv_length(parts) < 2 || strlen(parts[0]) != 4 || strlen(parts[1]) != 4 ||
	    !mtw_parse_u64(parts[0], 16, &vendor) || !mtw_parse_u64(parts[1], 16, &device))
		return FALSE;
	*ret_vendor = (guint)vendor;
	*ret_device = (guint)device;
	return TRUE;
}

/* The PCIDEV lines at the beginning of a block tell the device's BARs. */
static gboolean add_bars_of_header(MtwStats *stats, const char *block, gsize bytes, guint vendor,
				   guint device)
{
	const char *end = block + bytes;

	while (block < end) {
		const char *newline = memchr(block, '\n', (gsize)(end - block));
		MtwRecord record;
		if (newline == NULL)
			return FALSE;
		if (mtw_record_parse(block, (gsize)(newline - block), &record) &&
		    record.kind == MTW_RECORD_PCIDEV && record.pcidev.vendor == vendor &&
		    record.pcidev.device == device) {
			mtw_stats_add_bars_of(stats, &record.pcidev);
			return TRUE;
		}
		block = newline + 1;
	}
	return FALSE;
}

typedef struct {
	MtwStats *stats;
	gboolean target_known;
	gboolean by_name; /* look for the target's ids in the header */
	guint vendor, device;
} Target;

static void find_target(Target *target, const MtwVerification *verification, const char *path)
{
	JsonObject *capture = verification->manifest != NULL
				      ? mtw_json_object(verification->manifest, "capture")
				      : NULL;

	if (capture != NULL)
		target->target_known =
			mtw_stats_add_bars_json(target->stats, mtw_json_array(capture, "bars")) > 0;
	if (!target->target_known)
		target->by_name = ids_from_name(path, &target->vendor, &target->device);
}

static gboolean count(Target *target, MtwTraceReader *reader, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	gboolean first = TRUE;
	gssize got;

	while ((got = mtw_trace_reader_read(reader, block, BLOCK_BYTES, error)) > 0) {
		if (first && target->by_name)
			target->target_known = add_bars_of_header(target->stats, block, (gsize)got,
								  target->vendor, target->device);
		first = FALSE;
		mtw_stats_feed(target->stats, block, (gsize)got);
	}
	return got == 0;
}

/*
 * What the recorder knew tells losses from accesses after the stop. But the manifest comes from the
 * sender: gaps that stand in the trace itself are not argued away.
 */
static MtwLoss find_loss(const MtwVerification *verification, const MtwCounts *counts)
{
	JsonObject *verdict = verification->manifest != NULL
				      ? mtw_json_object(verification->manifest, "verdict")
				      : NULL;
	JsonObject *lost = verdict != NULL ? mtw_json_object(verdict, "lost") : NULL;
	MtwLoss estimate = mtw_loss_estimate(counts);
	guint64 claimed;

	if (lost == NULL || !mtw_json_bool(lost, "exact", FALSE))
		return estimate;
	claimed = (guint64)MAX(mtw_json_int(lost, "events", 0), 0);
	return (MtwLoss){ .lost = MAX(claimed, counts->lost_gaps),
			  .after_stop = (guint64)MAX(mtw_json_int(lost, "after_stop", 0), 0),
			  .exact = claimed >= counts->lost_gaps };
}

MtwVerification *mtw_verify_file(const char *path, GError **error)
{
	g_autoptr(MtwVerification) verification = g_new0(MtwVerification, 1);
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(path, error);
	g_autoptr(MtwStats) stats = mtw_stats_new();
	g_autoptr(MtwVerdict) verdict = NULL;
	Target target = { .stats = stats };
	MtwLoss loss;

	if (reader == NULL)
		return NULL;
	verification->messages = mtw_messages_new();
	verification->is_archive = mtw_trace_reader_member(reader) != NULL;
	if (verification->is_archive && !check_archive(verification, path, error))
		return NULL;
	find_target(&target, verification, path);
	if (!count(&target, reader, error))
		return NULL;
	loss = find_loss(verification, mtw_stats_counts(stats));
	verdict = mtw_verdict_new(mtw_stats_counts(stats), &loss, target.target_known, NULL);
	verification->verdict = mtw_verdict_to_json(verdict, mtw_stats_counts(stats));
	return g_steal_pointer(&verification);
}
