/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `targets`: where reports can be sent. */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "cli/cli.h"
#include "submit/kind.h"
#include "submit/send.h"
#include "submit/target.h"

#include <glib/gi18n.h>
#include <string.h>

/* Of mtw_target_list: a file that cannot be used, not only a key that means nothing. */
#define UNUSABLE "target"

static gboolean show_all;
static MtwCliSendOptions send_options;

static void print_json(const MtwTarget *target)
{
	g_autoptr(JsonObject) facts = mtw_target_to_json(target);
	g_autoptr(JsonObject) event = mtw_event_of("target", facts);

	mtw_cli_print_json(event);
}

static void print_problems(MtwCli *cli, const GPtrArray *problems)
{
	for (guint i = 0; i < problems->len; i++) {
		g_autoptr(JsonObject) event = mtw_event_message(problems->pdata[i]);
		if (cli->json)
			mtw_cli_print_json(event);
		else
			mtw_cli_print_event(stderr, event);
	}
}

static const MtwCliWord visibilities[] = {
	/* TRANSLATORS: who can read what is sent there: anyone, the members of the project, or nobody knows */
	{ "public", NC_("visibility", "public") },
	{ "restricted", NC_("visibility", "restricted") },
	{ "unknown", NC_("visibility", "unknown") },
	{ NULL, NULL },
};

static void print_line(const MtwTarget *target)
{
	/* TRANSLATORS: behind the name of a target that is not used */
	const char *off = target->enabled ? "" : _(" (off)");
	g_autofree char *visibility = mtw_cli_word_padded(visibilities, "visibility",
							  mtw_visibility_name(target->visibility));

	printf("%-18s %-12s %s  %s%s\n", target->id, target->kind, visibility, target->name, off);
}

static gboolean list(MtwCli *cli, char **arguments, GError **error)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = mtw_target_list(cli->paths, problems);
	guint shown = 0;

	(void)arguments;
	(void)error;
	for (guint i = 0; i < targets->len; i++) {
		const MtwTarget *target = targets->pdata[i];
		if (!target->enabled && !show_all)
			continue;
		shown++;
		if (cli->json)
			print_json(target);
		else
			print_line(target);
	}
	if (shown == 0)
		fputs(_("No target is switched on on this computer.\n"), stderr);
	print_problems(cli, problems);
	return TRUE;
}

/* "Title: text"; nothing for an empty text. */
static void print_fact(const char *title, const char *text)
{
	if (text != NULL && text[0] != '\0')
		printf("%s: %s\n", title, text);
}

static void print_list(const char *title, char **items)
{
	g_autofree char *text = g_strjoinv(", ", items);

	print_fact(title, text);
}

static void print_files(const MtwTarget *target)
{
	for (guint i = 0; i < target->paths->len; i++)
		print_fact(_("File"), target->paths->pdata[i]);
}

static void print_state(const MtwTarget *target)
{
	if (target->disabled_why != NULL)
		print_fact(_("Cannot be used"), target->disabled_why);
	else
		puts(target->enabled ? _("Switched on") : _("Switched off (Enabled=false)"));
}

/* What people can read there later. */
static void print_visibility(const MtwTarget *target)
{
	if (target->visibility == MTW_VISIBILITY_PUBLIC)
		puts(_("What is sent there can be read by everybody."));
	else if (target->visibility == MTW_VISIBILITY_RESTRICTED)
		puts(_("What is sent there can be read by members of the project."));
	else
		puts(_("It is not known who can read what is sent there."));
}

static void print_place(const MtwTarget *target)
{
	print_fact(_("Address"), target->url);
	print_fact(_("Project"), target->project);
	print_fact(_("Product"), target->product);
	print_fact(_("Component"), target->component);
	print_fact(_("Version"), target->version);
	print_fact(_("Tracker"), target->tracker);
	print_fact(_("Queue"), target->queue);
	print_fact(C_("mail", "To"), target->to);
	print_fact(C_("mail", "From"), target->from);
	print_fact(C_("target", "User"), target->user);
	print_fact(_("File goes to the target"), target->store);
	print_list(_("Labels"), target->labels);
}

static void print_people(const MtwTarget *target)
{
	const MtwKind *kind = mtw_kind_find(target->kind);
	g_autofree char *limit = mtw_text_bytes(target->max_bytes);

	printf("%s: %s\n", target->id, target->name);
	print_state(target);
	print_files(target);
	print_fact(_("Kind"), kind != NULL ? _(kind->title) : target->kind);
	print_place(target);
	print_list(C_("target", "For"), target->match);
	print_visibility(target);
	if (target->max_bytes > 0)
		print_fact(_("Largest file"), limit);
	print_fact(C_("target", "Privacy"), target->privacy_uri);
	print_fact(_("Help"), target->help_uri);
	print_fact(_("How to get a token"), target->token_help_uri);
	printf(_("\nTitle: %s\n\n%s"), target->title, target->body);
}

static gboolean show(MtwCli *cli, char **arguments, GError **error)
{
	g_autoptr(MtwTarget) target = mtw_target_find(cli->paths, arguments[0], error);

	if (target == NULL)
		return FALSE;
	if (cli->json)
		print_json(target);
	else
		print_people(target);
	return TRUE;
}

/* "file:line: reason" by itself, as editors understand it. */
static void tell_reason(const char *text)
{
	g_autofree char *reason = mtw_text_clean_line(text);

	fprintf(stderr, "%s\n", reason);
}

static void tell_problems(MtwCli *cli, const GPtrArray *problems)
{
	if (cli->json)
		print_problems(cli, problems);
	for (guint i = 0; !cli->json && i < problems->len; i++) {
		const MtwMessage *problem = problems->pdata[i];
		tell_reason(problem->detail);
	}
}

static gboolean check_all(MtwCli *cli, GError **error)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) targets = mtw_target_list(cli->paths, problems);
	const MtwMessage *unusable = mtw_messages_find(problems, UNUSABLE);

	tell_problems(cli, problems);
	if (unusable != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s", unusable->detail);
		return FALSE;
	}
	if (!cli->json)
		printf(ngettext("%u target, no errors\n", "%u targets, no errors\n", targets->len),
		       targets->len);
	return TRUE;
}

static gboolean check_file(MtwCli *cli, const char *path, GError **error)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(MtwTarget) target = mtw_target_load(cli->paths, path, problems, error);

	tell_problems(cli, problems);
	if (target == NULL)
		return FALSE;
	if (target->disabled_why != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s", target->disabled_why);
		return FALSE;
	}
	if (cli->json)
		print_json(target);
	else
		printf(_("%s: a good target: %s\n"), path, target->name);
	return TRUE;
}

/* All of them are looked at; the first error is the result. */
static gboolean check(MtwCli *cli, char **arguments, GError **error)
{
	g_autoptr(GError) first = NULL;

	if (arguments[0] == NULL)
		return check_all(cli, error);
	for (char **path = arguments; *path != NULL; path++) {
		g_autoptr(GError) why = NULL;
		if (check_file(cli, *path, &why))
			continue;
		/* What is not told at the end. */
		if (!cli->json && (first != NULL || why->code == MTW_ERROR_INVALID))
			tell_reason(why->message);
		if (first == NULL)
			first = g_steal_pointer(&why);
	}
	if (first == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&first));
	return FALSE;
}

static void print_account(MtwCli *cli, const MtwTarget *target, const char *who)
{
	g_autoptr(JsonObject) event = mtw_event_new("account");

	mtw_json_set_text(event, "target", target->id);
	mtw_json_set_text(event, "host", target->host);
	mtw_json_set_text(event, "who", who);
	if (cli->json)
		mtw_cli_print_json(event);
	else if (who != NULL)
		printf(_("%s takes the credentials: they are those of %s\n"), target->host, who);
	else
		printf(_("%s takes the credentials\n"), target->host);
}

static gboolean test_auth(MtwCli *cli, char **arguments, GError **error)
{
	g_autoptr(MtwTarget) target = mtw_target_find(cli->paths, arguments[0], error);
	MtwWizardOptions named = { 0 };
	MtwCredentialSource source = { .token_fd = -1 };
	const MtwSendOptions options = { .paths = cli->paths, .credentials = &source };
	g_autofree char *who = NULL;

	if (target == NULL || !mtw_cli_use_send_options(&send_options, &named, error))
		return FALSE;
	source.token_file = named.token_file;
	source.token_fd = named.token_fd != 0 ? (int)named.token_fd : -1;
	if (!mtw_send_test_auth(target, &options, &who, error))
		return FALSE;
	print_account(cli, target, who);
	return TRUE;
}

static const struct {
	const char *name;
	int least, most; /* arguments */
	gboolean (*run)(MtwCli *cli, char **arguments, GError **error);
} actions[] = {
	{ "list", 0, 0, list },
	{ "show", 1, 1, show },
	{ "check", 0, G_MAXINT, check },
	{ "test-auth", 1, 1, test_auth },
};

/* @argv: the action and its arguments; ends with NULL */
static gboolean dispatch(MtwCli *cli, int argc, char **argv, GError **error)
{
	static char *none[] = { NULL };
	const char *name = argc > 0 ? argv[0] : "list";
	char **arguments = argc > 0 ? argv + 1 : none;
	int n_arguments = MAX(argc - 1, 0);

	for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
		if (strcmp(actions[i].name, name) != 0)
			continue;
		if (n_arguments >= actions[i].least && n_arguments <= actions[i].most)
			return actions[i].run(cli, arguments, error);
		if (n_arguments > actions[i].most)
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?",
				    arguments[actions[i].most]);
		else
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
				    "which target? `mmiotrace-wizard targets list --all` lists "
				    "them");
		return FALSE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "what is \"%s\"? There are list, show ID, check [FILE...] and "
		    "test-auth ID",
		    name);
	return FALSE;
}

/* What of it is for whom is the person's own, also under sudo, as it is when something is sent. */
static gboolean run(MtwCli *cli, int argc, char **argv, GError **error)
{
	g_autoptr(MtwCaller) caller = mtw_cli_become_person(cli, error);

	return caller != NULL && dispatch(cli, argc - 1, argv + 1, error);
}

int mtw_verb_targets(MtwCli *cli, int argc, char **argv)
{
	const GOptionEntry entries[] = {
		{ "all", 'a', 0, G_OPTION_ARG_NONE, &show_all,
		  N_("List also those that are switched off"), NULL },
		MTW_CLI_TOKEN_ENTRIES(send_options),
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(GError) error = NULL;
	gboolean is_check;
	int status;

	if (mtw_cli_parse(
		    cli, "targets", "list|show ID|check [FILE...]|test-auth ID",
		    N_("Where reports can be sent: list, show and check targets, test tokens."),
		    entries, &argc, &argv, &error))
		run(cli, argc, argv, &error);
	is_check = argc > 1 && strcmp(argv[1], "check") == 0;
	if (!cli->json && is_check && g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID))
		status = mtw_error_exit_status(error);
	else
		status = mtw_cli_finish(cli, error);
	mtw_cli_clear_send_options(&send_options);
	return status;
}
