/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PACK: collects what goes with the trace and makes the archive. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "machine/system.h"
#include "report/archive.h"
#include "report/description.h"
#include "report/manifest.h"
#include "wizard/hand-over.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#define PROGRESS_USEC (G_USEC_PER_SEC / 2)

/* What the report tells of the session: not the process, not our own folders. */
static JsonObject *capture_facts(MtwWizard *wizard)
{
	static const char *const private_facts[] = { "pid", "archive", "state", "restored",
						     "boot_id" };
	JsonObject *facts = json_object_new();
	g_autofree char *release = mtw_system_release(wizard->paths);
	JsonObject *state = mtw_engine_facts(wizard->engine);
	JsonObjectIter iter;
	const char *name;
	JsonNode *value;

	json_object_iter_init(&iter, state);
	while (json_object_iter_next(&iter, &name, &value))
		json_object_set_member(facts, name, json_node_copy(value));
	for (gsize i = 0; i < G_N_ELEMENTS(private_facts); i++)
		json_object_remove_member(facts, private_facts[i]);
	mtw_json_set_text(facts, "kernel", release);
	if (wizard->options->module_options != NULL)
		mtw_json_set_text(facts, "module_options", wizard->options->module_options);
	return facts;
}

static JsonObject *read_verdict(MtwWizard *wizard)
{
	g_auto(MtwFd) fd = mtw_engine_open_file(wizard->engine, "verdict.json", NULL);
	g_autofree char *text = g_malloc0(MTW_FILE_SMALL_BYTES);
	ssize_t got = fd >= 0 ? pread(fd, text, MTW_FILE_SMALL_BYTES - 1, 0) : -1;

	return got > 0 ? mtw_json_parse(text, got, "verdict.json", NULL) : NULL;
}

static void add_text(GPtrArray *members, const char *name, char *text)
{
	g_ptr_array_add(members, mtw_member_new_data(name, text, strlen(text)));
}

static void add_collected(MtwWizard *wizard, GPtrArray *members)
{
	for (guint i = 0; i < wizard->collected->len; i++) {
		const MtwMessage *message = wizard->collected->pdata[i];
		g_autofree char *path = g_build_filename("collected", message->id, NULL);
		int fd = mtw_engine_open_file(wizard->engine, path, NULL);
		/* Why it is missing, the message says; it is in the manifest. */
		if (fd >= 0)
			g_ptr_array_add(members, mtw_member_new_fd(message->id, fd));
	}
}

static void add_extras(MtwWizard *wizard, GPtrArray *members)
{
	while (wizard->extras->len > 0)
		g_ptr_array_add(members, g_ptr_array_steal_index(wizard->extras, 0));
}

static gboolean add_trace(MtwWizard *wizard, GPtrArray *members, GError **error)
{
	int fd = mtw_engine_open_file(wizard->engine, "trace.txt", error);

	if (fd < 0)
		return FALSE;
	g_ptr_array_add(members, mtw_member_new_fd("mydump.txt", fd));
	return TRUE;
}

/* The manifest lists and hashes all other members, so it comes last and goes first. */
static gboolean add_manifest(MtwWizard *wizard, GPtrArray *members, JsonObject *facts,
			     JsonObject *verdict, GError **error)
{
	MtwManifestFacts manifest = { .members = members,
				      .verdict = verdict,
				      .capture = facts,
				      .nick = wizard->nick,
				      .messages = wizard->collected,
				      .time_sec = mtw_json_int(facts, "time_sec", 0) };
	char *text;

	if (!mtw_archive_measure(members, error))
		return FALSE;
	text = mtw_manifest_new(&manifest);
	g_ptr_array_insert(members, 0, mtw_member_new_data("manifest.json", text, strlen(text)));
	return mtw_archive_measure(members, error);
}

static GPtrArray *make_members(MtwWizard *wizard, GError **error)
{
	g_autoptr(GPtrArray) members =
		g_ptr_array_new_with_free_func((GDestroyNotify)mtw_member_free);
	g_autoptr(JsonObject) facts = capture_facts(wizard);
	g_autoptr(JsonObject) verdict = read_verdict(wizard);

	add_text(members, "description.txt",
		 mtw_description_new(facts, verdict, wizard->nick, wizard->story));
	add_collected(wizard, members);
	add_extras(wizard, members);
	if (!add_trace(wizard, members, error) ||
	    !add_manifest(wizard, members, facts, verdict, error))
		return NULL;
	return g_steal_pointer(&members);
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
	Progress progress = { .wizard = wizard };

	if (stem == NULL || !mtw_make_output_folder(folder, error))
		return NULL;
	return mtw_archive_write(folder, stem, members, mtw_json_int(facts, "time_sec", 0),
				 on_progress, &progress, error);
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

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	g_autoptr(GPtrArray) members = make_members(wizard, error);

	(void)next;
	if (members == NULL)
		return FALSE;
	wizard->archive = write_archive(wizard, members, error);
	if (wizard->archive == NULL) {
		g_prefix_error(error, "the trace is kept in session %s, but packing failed: ",
			       mtw_engine_session_id(wizard->engine));
		return FALSE;
	}
	return note_packed(wizard, error);
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
