/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"
#include "base/json.h"
#include "capture/events.h"
#include "cli/cli.h"
#include "report/leaks.h"
#include "report/verify.h"
#include "wizard/complete.h"

#include <glib/gi18n.h>

static void show(MtwCli *cli, JsonObject *event)
{
	if (cli->json)
		mtw_cli_print_json(event);
	else
		mtw_cli_print_event(stdout, event);
	json_object_unref(event);
}

static void show_verdict(MtwCli *cli, const MtwVerification *verification)
{
	JsonObject *event = mtw_event_new("verdict");

	json_object_set_string_member(event, "grade",
				      mtw_json_string(verification->verdict, "grade", ""));
	json_object_set_int_member(
		event, "lost",
		mtw_json_int(mtw_json_object(verification->verdict, "lost"), "events", 0));
	json_object_set_object_member(event, "verdict", json_object_ref(verification->verdict));
	show(cli, event);
}

/* The verdict as exit status, so that scripts can sort what they are sent. */
static gboolean grade_to_error(const MtwVerification *verification, GError **error)
{
	const char *grade = mtw_json_string(verification->verdict, "grade", "");

	if (g_str_equal(grade, "broken"))
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "this is not a usable mmiotrace log");
	else if (g_str_equal(grade, "lost"))
		g_set_error(
			error, MTW_ERROR, MTW_ERROR_LOST_EVENTS,
			"%" G_GINT64_FORMAT " events are missing",
			mtw_json_int(mtw_json_object(verification->verdict, "lost"), "events", 0));
	else if (g_str_equal(grade, "untouched") || g_str_equal(grade, "empty"))
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOTHING_TRACED,
			    "no access to the device is in it");
	else if (mtw_messages_worst(verification->messages) == MTW_LEVEL_FAILURE)
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "the archive is not as its manifest says");
	else
		return TRUE;
	return FALSE;
}

/* What a stranger could read in it. The rules alone: whose machine it was is not known here. */
static gboolean look_for_leaks(MtwCli *cli, const char *path, GPtrArray *messages, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load(cli->paths, &why);
	g_autoptr(MtwRedactor) redactor = rules != NULL ? mtw_redactor_new(rules) : NULL;
	guint64 leaks;

	if (redactor != NULL)
		return mtw_leaks_count(redactor, path, messages, &leaks, error);
	g_ptr_array_add(messages,
			mtw_message_new("no-rules", MTW_LEVEL_WARNING,
					N_("It could not be searched for private values."), "",
					"%s", why->message));
	return TRUE;
}

static gboolean verify(MtwCli *cli, const char *path, GError **error)
{
	g_autoptr(MtwVerification) verification = mtw_verify_file(path, error);

	if (verification == NULL ||
	    (verification->is_archive && !look_for_leaks(cli, path, verification->messages, error)))
		return FALSE;
	if (verification->manifest != NULL)
		mtw_complete_check(cli->paths, verification->manifest, verification->messages);
	for (guint i = 0; i < verification->messages->len; i++)
		show(cli, mtw_event_message(verification->messages->pdata[i]));
	show_verdict(cli, verification);
	return grade_to_error(verification, error);
}

int mtw_verb_verify(MtwCli *cli, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "verify", "FILE",
			  N_("Says what a trace, or an archive with one, is worth."), NULL, &argc,
			  &argv, &error)) {
		if (argc != 2)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "which file?");
		else
			verify(cli, argv[1], &error);
	}
	return mtw_cli_finish(cli, error);
}
