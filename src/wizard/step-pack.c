/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PACK: the archive, from what was reviewed. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "report/manifest.h"
#include "wizard/hand-over.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRESS_USEC (G_USEC_PER_SEC / 2)

/* The manifest lists and hashes all other members, so it comes last and goes first. */
static gboolean add_manifest(MtwWizard *wizard, GPtrArray *members, GError **error)
{
	g_autoptr(JsonObject) facts = mtw_wizard_capture_facts(wizard);
	g_autoptr(JsonObject) verdict = mtw_wizard_read_verdict(wizard);
	MtwManifestFacts manifest = { .members = members,
				      .verdict = verdict,
				      .capture = facts,
				      .nick = wizard->nick,
				      .messages = wizard->collected,
				      .time_sec = mtw_json_int(facts, "time_sec", 0) };
	g_autofree char *text = NULL;
	char *clean;
	gsize bytes;

	if (!mtw_archive_measure(members, error))
		return FALSE;
	text = mtw_manifest_new(&manifest);
	clean = mtw_report_clean_text(wizard->report, "manifest.json", text, &bytes);
	g_ptr_array_insert(members, 0, mtw_member_new_data("manifest.json", clean, bytes));
	return mtw_archive_measure(members, error);
}

typedef struct {
	MtwWizard *wizard;
	gint64 shown_usec;
} Progress;

static gboolean on_progress(guint64 done, guint64 total, gpointer user_data)
{
	Progress *progress = user_data;
	gint64 now = g_get_monotonic_time();
	JsonObject *event;

	if (now - progress->shown_usec < PROGRESS_USEC)
		return TRUE;
	progress->shown_usec = now;
	event = mtw_event_new("packing");
	json_object_set_int_member(event, "done", (gint64)done);
	json_object_set_int_member(event, "total", (gint64)total);
	mtw_wizard_show(progress->wizard, event);
	return TRUE;
}

static char *write_archive(MtwWizard *wizard, GPtrArray *members, GError **error)
{
	JsonObject *facts = mtw_engine_facts(wizard->engine);
	g_autofree char *folder = mtw_wizard_output_folder(wizard);
	g_autofree char *stem = mtw_archive_stem((guint16)mtw_json_int(facts, "vendor_id", 0),
						 (guint16)mtw_json_int(facts, "device_id", 0),
						 wizard->nick, wizard->options->model, error);
	g_autoptr(MtwProfile) profile = NULL;
	Progress progress = { .wizard = wizard };

	if (stem == NULL || !mtw_make_output_folder(folder, error))
		return NULL;
	profile = mtw_wizard_session_profile(wizard);
	return mtw_archive_write_as(profile != NULL ? profile->archive_format : "tar.gz", folder,
				    stem, members, mtw_json_int(facts, "time_sec", 0), on_progress,
				    &progress, error);
}

/* The second look, at what really came out. It should never find anything. */
static gboolean scan(MtwWizard *wizard, GError **error)
{
	if (!mtw_report_scan_archive(wizard->report, wizard->archive, &wizard->leaks, error))
		return FALSE;
	if (wizard->leaks > 0)
		mtw_wizard_tell(
			wizard,
			mtw_message_new("leak", MTW_LEVEL_WARNING,
					N_("Private values still stand in the archive; look "
					   "through it before you hand it out."),
					N_("`mmiotrace-wizard verify` names the files."),
					"%" G_GUINT64_FORMAT, wizard->leaks));
	return TRUE;
}

static gboolean note_packed(MtwWizard *wizard, GError **error)
{
	JsonNode *state = json_node_init_string(json_node_alloc(), "packed");
	JsonNode *archive = json_node_init_string(json_node_alloc(), wizard->archive);
	JsonObject *event = mtw_event_new("archive");
	struct stat status;

	mtw_json_set_text(event, "path", wizard->archive);
	if (stat(wizard->archive, &status) == 0)
		json_object_set_int_member(event, "bytes", status.st_size);
	mtw_wizard_show(wizard, event);
	return mtw_engine_keep_fact(wizard->engine, "archive", archive, error) &&
	       mtw_engine_keep_fact(wizard->engine, "state", state, error);
}

static gboolean make_archive(MtwWizard *wizard, GError **error)
{
	g_autoptr(GPtrArray) members = mtw_report_members(wizard->report, error);

	if (members == NULL || !add_manifest(wizard, members, error))
		return FALSE;
	wizard->archive = write_archive(wizard, members, error);
	return wizard->archive != NULL;
}

/* After a review that is all a person wanted. */
static gboolean is_wanted(MtwWizard *wizard, gboolean *ret_wanted, GError **error)
{
	const MtwRequest request = {
		.id = "pack",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Make a new archive of it?"),
		.detail = "",
		.proposal = "no",
		.harmless = "no",
	};
	g_autofree char *answer = NULL;

	*ret_wanted = TRUE;
	if (!wizard->options->review_only)
		return TRUE;
	answer = mtw_wizard_ask(wizard, &request, error);
	*ret_wanted = g_strcmp0(answer, "yes") == 0;
	return answer != NULL;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	gboolean wanted;

	(void)next;
	if (!is_wanted(wizard, &wanted, error))
		return FALSE;
	if (!wanted)
		return TRUE;
	if (!make_archive(wizard, error)) {
		g_prefix_error(error, "the trace is kept in session %s, but packing failed: ",
			       mtw_engine_session_id(wizard->engine));
		return FALSE;
	}
	return note_packed(wizard, error) && scan(wizard, error);
}

static gboolean applicable(const MtwWizard *wizard)
{
	return wizard->have_trace && !wizard->give_up;
}

static char *summary(const MtwWizard *wizard)
{
	return g_strdup(wizard->archive);
}

const MtwStep mtw_step_pack = {
	.id = "pack",
	.title = N_("Packing"),
	.applicable = applicable,
	.run = run,
	.summary = summary,
};
