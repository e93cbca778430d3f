/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `profiles`: what driver projects wish. */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "cli/cli.h"
#include "wizard/profile.h"
#include "wizard/scenario.h"

#include <glib/gi18n.h>
#include <string.h>

static void print_json(const MtwProfile *profile)
{
	g_autoptr(JsonObject) facts = mtw_profile_to_json(profile);
	g_autoptr(JsonObject) event = mtw_event_of("profile", facts);

	mtw_cli_print_json(event);
}

static void print_problems(MtwCli *cli)
{
	g_autoptr(GPtrArray) problems = mtw_profile_problems(cli->paths);

	for (guint i = 0; i < problems->len; i++) {
		g_autoptr(JsonObject) event = mtw_event_message(problems->pdata[i]);
		if (cli->json)
			mtw_cli_print_json(event);
		else
			mtw_cli_print_event(stderr, event);
	}
}

static const MtwCliWord origins[] = {
	/* TRANSLATORS: where a profile comes from: the package, the administrator, the person, a file that was named */
	{ "shipped", NC_("profile", "shipped") },
	{ "system", NC_("profile", "system") },
	{ "user", NC_("profile", "user") },
	{ "file", NC_("profile", "file") },
	{ NULL, NULL },
};

static void print_row(const MtwProfile *profile)
{
	g_autofree char *origin =
		mtw_cli_word_padded(origins, "profile", mtw_profile_origin_name(profile->origin));

	printf("%-16s %s  %s\n", profile->id, origin, profile->title);
}

static gboolean list(MtwCli *cli, const char *argument, GError **error)
{
	g_autoptr(GPtrArray) profiles = mtw_profile_list(cli->paths);

	(void)argument;
	(void)error;
	for (guint i = 0; i < profiles->len; i++) {
		const MtwProfile *profile = profiles->pdata[i];
		if (cli->json)
			print_json(profile);
		else
			print_row(profile);
	}
	if (profiles->len == 0)
		fputs(_("There is no profile on this computer.\n"), stderr);
	print_problems(cli);
	return TRUE;
}

/* @first before the first line of @text, as many spaces before the others. */
static void print_lines(const char *first, const char *text, const char *end)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	int indent = (int)mtw_text_columns(first);

	for (char **line = lines; *line != NULL; line++)
		printf("%*s%s%s\n", line == lines ? 0 : indent, line == lines ? first : "", *line,
		       line[1] == NULL ? end : "");
}

/* "Title: text"; nothing for an empty text. */
static void print_fact(const char *title, const char *text)
{
	g_autofree char *first = g_strdup_printf("%s: ", title);

	if (text != NULL && text[0] != '\0')
		print_lines(first, text, "");
}

static void print_list(const char *title, char **list)
{
	g_autofree char *text = list != NULL ? g_strjoinv(", ", list) : NULL;

	print_fact(title, text);
}

static void print_devices(const MtwProfile *profile)
{
	if (profile->vendors == NULL && profile->devices == NULL && profile->classes == NULL &&
	    profile->drivers == NULL)
		puts(_("For: devices without a profile of their own, or when named"));
	print_list(_("Vendor"), profile->vendors);
	print_list(_("Device"), profile->devices);
	print_list(_("Class"), profile->classes);
	print_list(_("Driver"), profile->drivers);
}

static void print_steps(const MtwProfile *profile)
{
	if (profile->scenario->len > 0)
		puts(_("\nSteps:"));
	for (guint i = 0; i < profile->scenario->len; i++) {
		const MtwScenarioStep *step = profile->scenario->pdata[i];
		g_autofree char *first = g_strdup_printf("  %u. ", i + 1);
		/* TRANSLATORS: behind the text of a step that may be left out */
		const char *end = step->optional ? _(" (optional)") : "";
		print_lines(first, step->say, end);
		if (step->command != NULL)
			printf("     $ %s\n", step->command);
		printf(_("     marker: %s\n"), step->marker);
	}
}

static void print_questions(const MtwProfile *profile)
{
	if (profile->questions->len > 0)
		puts(_("\nQuestions:"));
	for (guint i = 0; i < profile->questions->len; i++) {
		const MtwQuestion *question = profile->questions->pdata[i];
		print_lines("  - ", question->ask, question->required ? " *" : "");
	}
}

static void print_hints(const MtwProfile *profile)
{
	if (profile->hints->len > 0)
		puts(_("\nOn some computers:"));
	for (guint i = 0; i < profile->hints->len; i++) {
		const MtwHint *hint = profile->hints->pdata[i];
		print_lines("  - ", hint->say, "");
		if (hint->options != NULL)
			printf(_("    options of the driver: %s\n"), hint->options);
	}
}

static void print_people(const MtwProfile *profile)
{
	printf("%s: %s\n", profile->id, profile->title);
	print_fact(C_("profile", "File"), profile->path);
	print_fact(_("Contact"), profile->contact);
	print_fact(C_("profile", "Request"), profile->request);
	print_devices(profile);
	print_fact(C_("profile", "Privacy"), profile->privacy);
	print_fact(_("Options of the driver"), profile->driver_options);
	print_list(_("Collectors"), profile->collectors);
	print_fact(_("Archive"), profile->archive_format);
	print_list(_("Sent to"), profile->targets);
	print_steps(profile);
	print_questions(profile);
	print_hints(profile);
}

static gboolean show(MtwCli *cli, const char *id, GError **error)
{
	g_autoptr(MtwProfile) profile = mtw_profile_find(cli->paths, id, error);

	if (profile == NULL)
		return FALSE;
	if (cli->json)
		print_json(profile);
	else
		print_people(profile);
	return TRUE;
}

static gboolean check(MtwCli *cli, const char *path, GError **error)
{
	g_autoptr(MtwProfile) profile = mtw_profile_load(path, error);

	if (profile == NULL)
		return FALSE;
	if (cli->json)
		print_json(profile);
	else
		printf(_("%s: a good profile: %s\n"), path, profile->title);
	return TRUE;
}

static const struct {
	const char *name;
	const char *missing; /* (nullable): what to say when its argument is not there */
	gboolean (*run)(MtwCli *cli, const char *argument, GError **error);
} actions[] = {
	{ "list", NULL, list },
	{ "show", "which profile? `mmiotrace-wizard profiles list` lists them", show },
	{ "check", "which file?", check },
};

static gboolean dispatch(MtwCli *cli, int argc, char **argv, GError **error)
{
	const char *name = argc > 1 ? argv[1] : "list";

	for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
		int most = actions[i].missing != NULL ? 3 : 2;
		if (strcmp(actions[i].name, name) != 0)
			continue;
		if (argc <= most && (actions[i].missing == NULL || argc == most))
			return actions[i].run(cli, argc == 3 ? argv[2] : NULL, error);
		if (argc > most)
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?",
				    argv[most]);
		else
			g_set_error_literal(error, MTW_ERROR, MTW_ERROR_USAGE, actions[i].missing);
		return FALSE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "what is \"%s\"? There are list, show ID and check FILE", name);
	return FALSE;
}

/* "file:line: reason" by itself, as editors understand it. */
static int tell_reason(const GError *error)
{
	g_autofree char *reason = mtw_text_clean_line(error->message);

	fprintf(stderr, "%s\n", reason);
	return mtw_error_exit_status(error);
}

int mtw_verb_profiles(MtwCli *cli, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "profiles", "list | show ID | check FILE",
			  N_("What driver projects ask for: list and show the profiles, check a "
			     "new one."),
			  NULL, &argc, &argv, &error))
		dispatch(cli, argc, argv, &error);
	if (!cli->json && g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID))
		return tell_reason(error);
	return mtw_cli_finish(cli, error);
}
