/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `queue`: reports that are on their way, or arrived. */
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "cli/cli.h"
#include "wizard/sending.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#define DAY_SEC ((gint64)24 * 3600)
/* After so long it is told that one is still there. Nothing goes by itself. */
#define OLD_DAYS 30

typedef struct {
	MtwCliSendOptions send;
	gboolean all, due, yes;
} QueueOptions;

typedef struct {
	MtwCli *cli;
	const QueueOptions *options;
	const MtwCaller *caller;
	char **ids; /* (nullable): those that were named */
} Queue;

static gint64 now_sec(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

static JsonObject *to_event(const MtwItem *item)
{
	g_autoptr(JsonObject) facts = mtw_item_to_json(item);

	return mtw_event_of("item", facts);
}

static void show(const Queue *queue, JsonObject *event)
{
	if (queue->cli->json)
		mtw_cli_print_json(event);
	else
		mtw_cli_print_event(stdout, event);
	json_object_unref(event);
}

/* ---- list, show ----------------------------------------------------------------------------- */

static gboolean is_old(const MtwItem *item)
{
	gint64 created_sec = mtw_json_int(mtw_item_meta(item), "created_sec", now_sec());

	return mtw_item_state(item) != MTW_ITEM_DONE &&
	       now_sec() - created_sec > OLD_DAYS * DAY_SEC;
}

static void show_problems(const Queue *queue, const GPtrArray *problems)
{
	for (guint i = 0; i < problems->len; i++)
		show(queue, mtw_event_message(problems->pdata[i]));
}

static void tell_old(const Queue *queue, guint old)
{
	g_autoptr(MtwMessage) message = mtw_message_new(
		"old", MTW_LEVEL_WARNING, N_("Reports wait here for more than 30 days."),
		N_("`mmiotrace-wizard queue send` tries again; `queue drop ID` removes one."), "%u",
		old);

	if (old > 0)
		show(queue, mtw_event_message(message));
}

static gboolean list(Queue *queue, GError **error)
{
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GPtrArray) items = mtw_queue_list(queue->caller, problems);
	guint old = 0;

	(void)error;
	for (guint i = 0; i < items->len; i++) {
		show(queue, to_event(items->pdata[i]));
		old += is_old(items->pdata[i]);
	}
	if (items->len == 0)
		fputs(_("No report waits to be sent.\n"), stderr);
	show_problems(queue, problems);
	tell_old(queue, old);
	return TRUE;
}

static void print_letter(const MtwItem *item)
{
	JsonObject *meta = mtw_item_meta(item);
	g_auto(GStrv) lines = g_strsplit(mtw_json_string(meta, "body", ""), "\n", -1);
	g_autofree char *title = mtw_text_clean_line(mtw_json_string(meta, "title", ""));

	printf(_("Title: %s\n"), title);
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = mtw_text_clean_line(*line);
		printf("  %s\n", clean);
	}
	printf(_("Folder: %s\n"), mtw_item_folder(item));
}

static gboolean show_one(Queue *queue, GError **error)
{
	g_autoptr(MtwItem) item = mtw_item_open(queue->caller, queue->ids[0], FALSE, error);
	JsonObject *event;

	if (item == NULL)
		return FALSE;
	event = to_event(item);
	if (queue->cli->json)
		mtw_json_set_text(event, "body", mtw_json_string(mtw_item_meta(item), "body", ""));
	show(queue, event);
	if (!queue->cli->json)
		print_letter(item);
	return TRUE;
}

/* ---- send ----------------------------------------------------------------------------------- */

/* What failed in a way that waiting does not mend. */
static gboolean waits_for_person(const MtwItem *item)
{
	static const MtwFailureClass classes[] = { MTW_FAILURE_PERMANENT, MTW_FAILURE_TOO_BIG,
						   MTW_FAILURE_AUTH, MTW_FAILURE_PERSON };
	JsonObject *failure = mtw_json_object(mtw_item_state_json(item), "failure");
	const char *found = mtw_json_string(failure, "class", "");

	for (gsize i = 0; i < G_N_ELEMENTS(classes); i++)
		if (g_str_equal(found, mtw_failure_class_name(classes[i])))
			return TRUE;
	return FALSE;
}

static gboolean is_due(const MtwItem *item)
{
	return mtw_json_int(mtw_item_state_json(item), "next_try_sec", 0) <= now_sec() &&
	       !waits_for_person(item);
}

/* Those that can go on by themselves; the others are sent when they are named. */
static gboolean is_waiting(const Queue *queue, const MtwItem *item)
{
	MtwItemState state = mtw_item_state(item);

	return (state == MTW_ITEM_CONSENTED || state == MTW_ITEM_UPLOADING ||
		state == MTW_ITEM_UPLOADED) &&
	       (!queue->options->due || is_due(item));
}

/* Returns: (transfer full) (element-type utf8) */
static GPtrArray *ids_to_send(const Queue *queue)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) items = NULL;

	for (char **id = queue->ids; id != NULL && *id != NULL; id++)
		g_ptr_array_add(ids, g_strdup(*id));
	if (ids->len > 0)
		return ids;
	items = mtw_queue_list(queue->caller, NULL);
	for (guint i = 0; i < items->len; i++)
		if (is_waiting(queue, items->pdata[i]))
			g_ptr_array_add(ids, g_strdup(mtw_item_id(items->pdata[i])));
	return ids;
}

/* Another process may have finished it since it was listed. */
static gboolean send_one(MtwWizard *wizard, const Queue *queue, const char *id, GError **error)
{
	g_autoptr(MtwItem) item = mtw_item_open(queue->caller, id, TRUE, error);

	if (item == NULL)
		return FALSE;
	if (mtw_item_state(item) == MTW_ITEM_DONE) {
		show(queue, to_event(item));
		return TRUE;
	}
	return mtw_wizard_send_item(wizard, item, queue->options->due, error);
}

/* One that somebody else works on is in good hands. */
static gboolean may_pass_over(const Queue *queue, const GError *error)
{
	return queue->ids == NULL && (g_error_matches(error, MTW_ERROR, MTW_ERROR_BUSY) ||
				      g_error_matches(error, MTW_ERROR, MTW_ERROR_NOT_FOUND));
}

static void tell_failure(MtwWizard *wizard, const char *id, const GError *error)
{
	g_autoptr(MtwMessage) message =
		mtw_message_new("not-sent", MTW_LEVEL_FAILURE, N_("This report was not sent."), "",
				"%s: %s", id, error->message);
	g_autoptr(JsonObject) event = mtw_event_message(message);

	(void)wizard;
	mtw_cli_print_event(stderr, event);
}

/* The first failure is the status of all; an interruption ends it. */
static gboolean send_all(MtwWizard *wizard, gpointer user_data, GError **error)
{
	const Queue *queue = user_data;
	g_autoptr(GPtrArray) ids = ids_to_send(queue);
	g_autoptr(GError) first = NULL;

	if (ids->len == 0)
		fputs(_("No report waits to be sent.\n"), stderr);
	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(GError) why = NULL;
		gboolean stopped;
		if (send_one(wizard, queue, ids->pdata[i], &why) || may_pass_over(queue, why))
			continue;
		stopped = g_error_matches(why, MTW_ERROR, MTW_ERROR_INTERRUPTED);
		if (first == NULL || stopped) {
			g_clear_error(&first);
			first = g_steal_pointer(&why);
		} else {
			tell_failure(wizard, ids->pdata[i], why);
		}
		if (stopped)
			break;
	}
	if (first == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&first));
	return FALSE;
}

static gboolean drop_one(MtwWizard *wizard, gpointer user_data, GError **error)
{
	const Queue *queue = user_data;

	return mtw_wizard_drop_item(wizard, queue->ids[0], error);
}

static gboolean with_wizard(Queue *queue,
			    gboolean (*work)(MtwWizard *wizard, gpointer user_data, GError **error),
			    GError **error)
{
	MtwWizardOptions options = { .batch = queue->cli->json || !isatty(STDIN_FILENO) ||
					      queue->options->due,
				     .json = queue->cli->json,
				     .assume_yes = queue->options->yes };

	return mtw_cli_use_send_options(&queue->options->send, &options, error) &&
	       mtw_cli_with_wizard(queue->cli, queue->caller, &options, work, queue, error);
}

static gboolean send_reports(Queue *queue, GError **error)
{
	if (queue->ids == NULL || (!queue->options->all && !queue->options->due))
		return with_wizard(queue, send_all, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "--all and --due choose the reports; no id may stand beside them");
	return FALSE;
}

static gboolean drop_report(Queue *queue, GError **error)
{
	return with_wizard(queue, drop_one, error);
}

/* ---- the verb ------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	int ids_min, ids_max;
	gboolean (*run)(Queue *queue, GError **error);
} actions[] = {
	{ "list", 0, 0, list },
	{ "show", 1, 1, show_one },
	{ "send", 0, G_MAXINT, send_reports },
	{ "drop", 1, 1, drop_report },
};

static gboolean dispatch(Queue *queue, int argc, char **argv, GError **error)
{
	const char *name = argc > 1 ? argv[1] : "list";
	int n_ids = MAX(argc - 2, 0);

	queue->ids = n_ids > 0 ? argv + 2 : NULL;
	for (gsize i = 0; i < G_N_ELEMENTS(actions); i++) {
		if (strcmp(actions[i].name, name) != 0)
			continue;
		if (n_ids >= actions[i].ids_min && n_ids <= actions[i].ids_max)
			return actions[i].run(queue, error);
		if (n_ids > actions[i].ids_max)
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "what is \"%s\"?",
				    argv[2 + actions[i].ids_max]);
		else
			g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
				    "which report? `mmiotrace-wizard queue` lists them");
		return FALSE;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "what is \"%s\"? There are list, show ID, send [ID...] and drop ID", name);
	return FALSE;
}

int mtw_verb_queue(MtwCli *cli, int argc, char **argv)
{
	QueueOptions options = { 0 };
	Queue queue = { .cli = cli, .options = &options };
	const GOptionEntry entries[] = {
		{ "all", 'a', 0, G_OPTION_ARG_NONE, &options.all,
		  N_("send: all that wait (the default)"), NULL },
		{ "due", 0, 0, G_OPTION_ARG_NONE, &options.due,
		  N_("send: those whose time for the next try has come"), NULL },
		{ "yes", 'y', 0, G_OPTION_ARG_NONE, &options.yes,
		  N_("Ask for consent and secrets only"), NULL },
		MTW_CLI_TOKEN_ENTRIES(options.send),
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};
	g_autoptr(MtwCaller) caller = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	if (mtw_cli_parse(cli, "queue", "list | show ID | send [ID...] | drop ID",
			  N_("Reports on their way: lists them, sends them, drops one."), entries,
			  &argc, &argv, &error)) {
		caller = mtw_cli_become_person(cli, &error);
		queue.caller = caller;
		if (caller != NULL)
			dispatch(&queue, argc, argv, &error);
	}
	status = mtw_cli_finish(cli, error);
	mtw_cli_clear_send_options(&options.send);
	return status;
}
