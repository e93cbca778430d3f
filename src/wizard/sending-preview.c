/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exactly what is going to be sent, and what to think of before. */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "report/archive.h"
#include "report/leaks.h"
#include "wizard/sending-private.h"

#include <glib/gi18n.h>
#include <sys/stat.h>

static JsonObject *name_and_bytes(const char *name, guint64 bytes)
{
	JsonObject *object = json_object_new();

	mtw_json_set_text(object, "name", name);
	json_object_set_int_member(object, "bytes", (gint64)MIN(bytes, (guint64)G_MAXINT64));
	return object;
}

/* The archive, or its parts with the note how to join them. */
static JsonArray *files_to_json(const GPtrArray *paths)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *name = g_path_get_basename(paths->pdata[i]);
		struct stat status = { 0 };
		(void)stat(paths->pdata[i], &status);
		json_array_add_object_element(array, name_and_bytes(name, (guint64)status.st_size));
	}
	return array;
}

static JsonArray *members_to_json(const GPtrArray *members)
{
	JsonArray *array = json_array_new();

	for (guint i = 0; members != NULL && i < members->len; i++) {
		const MtwMemberFacts *member = members->pdata[i];
		json_array_add_object_element(array, name_and_bytes(member->name, member->bytes));
	}
	return array;
}

static void set_target(JsonObject *event, const MtwSending *sending)
{
	const MtwTarget *target = sending->target;

	mtw_json_set_text(event, "target", target->id);
	mtw_json_set_text(event, "name", target->name);
	mtw_json_set_text(event, "kind", target->kind);
	mtw_json_set_text(event, "host", target->host);
	mtw_json_set_text(event, "project", target->project);
	json_object_set_string_member(event, "visibility", mtw_visibility_name(target->visibility));
	mtw_json_set_text(event, "privacy_uri", target->privacy_uri);
	json_object_set_boolean_member(event, "local", sending->kind->is_local);
	json_object_set_boolean_member(event, "bare_store", sending->kind->is_bare_store);
	if (sending->store != NULL) {
		mtw_json_set_text(event, "store", sending->store->name);
		mtw_json_set_text(event, "store_host", sending->store->host);
	}
	mtw_json_set_text(event, "who", sending->inquiry.who);
	json_object_set_int_member(event, "limit",
				   (gint64)MIN(sending->inquiry.max_bytes, (guint64)G_MAXINT64));
}

void mtw_sending_show_preview(MtwSending *sending)
{
	JsonObject *event = mtw_event_new("preview");
	const MtwParcel *parcel = sending->parcel;

	set_target(event, sending);
	mtw_json_set_text(event, "issue", sending->link != NULL ? sending->link->url : "");
	mtw_json_set_text(event, "title", sending->letter->title);
	mtw_json_set_text(event, "body", sending->letter->body);
	mtw_json_set_text(event, "report_id", sending->letter->report_id);
	mtw_json_set_text(event, "archive", sending->whole);
	json_object_set_int_member(event, "bytes", (gint64)sending->whole_bytes);
	mtw_json_set_text(event, "sha256", sending->whole_sha256);
	json_object_set_array_member(event, "files", files_to_json(sending->paths));
	json_object_set_array_member(event, "members", members_to_json(parcel->members));
	mtw_wizard_show(sending->wizard, event);
}

void mtw_sending_show_item(MtwSending *sending, const MtwItem *item)
{
	static const char *const copied[] = { "issue", "title", "body", "report_id" };
	JsonObject *event = mtw_event_new("preview");
	JsonObject *meta = mtw_item_meta(item);
	JsonArray *files = mtw_json_array(meta, "files");

	set_target(event, sending);
	for (gsize i = 0; i < G_N_ELEMENTS(copied); i++)
		mtw_json_set_text(event, copied[i], mtw_json_string(meta, copied[i], ""));
	if (files != NULL)
		json_object_set_array_member(event, "files", json_array_ref(files));
	mtw_wizard_show(sending->wizard, event);
}

/* ---- warnings ------------------------------------------------------------------------------- */

static void warn(MtwSending *sending, const char *id, const char *sentence, const char *hint)
{
	mtw_wizard_tell(sending->wizard,
			mtw_message_new(id, MTW_LEVEL_WARNING, sentence, hint, NULL));
}

/* Where nobody was asked, there was no "no". */
static gboolean was_asked_to_agree(const MtwWizard *wizard)
{
	return !wizard->options->batch || mtw_answers_get(wizard->answers, "agree") != NULL;
}

/* What the review of this walk settled, and the look through the archive that came after it. */
static gboolean warn_of_report(MtwSending *sending, GError **error)
{
	const MtwWizard *wizard = sending->wizard;

	if (!mtw_report_redacts(wizard->report))
		warn(sending, "not-masked",
		     N_("Private values are not masked in this archive, as you decided."), "");
	if (!mtw_report_agreed(wizard->report) && was_asked_to_agree(wizard))
		warn(sending, "not-agreed",
		     N_("In the review you did not agree to hand this trace out."), "");
	if (wizard->leaks == 0)
		return TRUE;
	warn(sending, "leak", N_("Private values still stand in the archive."),
	     N_("`mmiotrace-wizard verify` names the files."));
	/* Consent that was given before there was an archive did not mean this. */
	if (!mtw_sending_is_unattended(sending))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED,
		    "%" G_GUINT64_FORMAT
		    " private values stand in %s; look at it, and send it with `upload`",
		    wizard->leaks, sending->parcel->path);
	return FALSE;
}

/* An archive from anywhere: with what is known about this machine and its people. */
static gboolean look_for_leaks(MtwSending *sending, GPtrArray *messages, GError **error)
{
	MtwWizard *wizard = sending->wizard;
	g_autoptr(MtwRedactFacts) facts =
		mtw_redact_facts_gather(wizard->paths, wizard->caller->name);
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load(wizard->paths, error);
	g_autoptr(MtwRedactor) redactor = rules != NULL ? mtw_redactor_new(rules) : NULL;
	const char *nick;
	guint64 leaks;

	if (redactor == NULL)
		return FALSE;
	mtw_redactor_add_facts(redactor, facts);
	/* What the person wants to be called in public. */
	nick = mtw_json_string(sending->parcel->facts, "nick", NULL);
	if (nick != NULL)
		mtw_redactor_keep(redactor, nick);
	return mtw_leaks_count(redactor, sending->parcel->path, messages, &leaks, error);
}

static void warn_of_archive(MtwSending *sending)
{
	g_autoptr(GPtrArray) messages = mtw_messages_new();
	g_autoptr(GError) error = NULL;

	if (!sending->parcel->has_manifest)
		warn(sending, "foreign-archive",
		     N_("The archive was not made by this program: what is in it nobody has "
			"reviewed."),
		     "");
	if (sending->parcel->members == NULL || !look_for_leaks(sending, messages, &error))
		mtw_wizard_tell(
			sending->wizard,
			mtw_message_new("no-look", MTW_LEVEL_WARNING,
					N_("It could not be searched for private values."), "",
					"%s",
					error != NULL ? error->message : sending->parcel->name));
	for (guint i = 0; i < messages->len; i++)
		mtw_wizard_show(sending->wizard, mtw_event_message(messages->pdata[i]));
}

static const char cannot_be_masked[] = N_(
	"What the driver read from and wrote to the device cannot be masked: it is in the trace\n"
	"as it was, and with it there may be MAC addresses, serial numbers of monitors, parts of\n"
	"what was on the screen or went over the network, firmware, and keys. What was sent can\n"
	"seldom be taken back.\n");

gboolean mtw_sending_warn(MtwSending *sending, GError **error)
{
	if (sending->wizard->report == NULL)
		warn_of_archive(sending);
	else if (!warn_of_report(sending, error))
		return FALSE;
	mtw_wizard_explain(sending->wizard, cannot_be_masked);
	return TRUE;
}
