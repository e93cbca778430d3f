/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/exercise.h"

#include "base/error.h"
#include "base/lines.h"
#include "base/parse.h"
#include "base/process.h"
#include "base/text.h"
#include "capture/events.h"
#include "wizard/scenario.h"

#include <glib/gi18n.h>
#include <string.h>

#define OUTPUT_MAX_BYTES (1024 * 1024)
#define SAID_CHARACTERS 200

typedef struct {
	char *command;		     /* (nullable); of a step: filled in when it begins */
	const MtwScenarioStep *step; /* (nullable): of a scenario */
	gboolean by_hand;	     /* its command did not work: the person does it */
	gboolean ended;
} Item;

typedef struct {
	char **argv;
	int cancel;   /* atomic */
	int finished; /* atomic */
	GThread *thread;
	MtwProcessResult *result;
	GError *error;
} Command;

struct _MtwExercise {
	MtwWizard *wizard;
	GPtrArray *items;
	guint at;	   /* a person chooses which step is next */
	gboolean begun;	   /* the item at `at` has begun */
	gboolean advanced; /* the person said that it is done */
	gboolean skipped;
	gboolean listed;   /* the steps were shown */
	gint64 until_usec; /* monotonic: WAIT_SECONDS */
	Command *command;  /* (nullable): running */
	guint n_commands;
};

static void item_free(gpointer data)
{
	Item *item = data;

	g_free(item->command);
	g_free(item);
}

static void add_item(MtwExercise *exercise, const char *command, const MtwScenarioStep *step)
{
	Item *item = g_new0(Item, 1);

	item->command = g_strdup(command);
	item->step = step;
	g_ptr_array_add(exercise->items, item);
}

MtwExercise *mtw_exercise_new(MtwWizard *wizard)
{
	MtwExercise *exercise = g_new0(MtwExercise, 1);
	const char *const *commands = wizard->options->exercises;

	exercise->wizard = wizard;
	exercise->items = g_ptr_array_new_with_free_func(item_free);
	for (; commands != NULL && *commands != NULL; commands++)
		add_item(exercise, *commands, NULL);
	for (guint i = 0; wizard->scenario != NULL && i < wizard->scenario->len; i++) {
		const MtwScenarioStep *step = wizard->scenario->pdata[i];
		add_item(exercise, NULL, step);
	}
	return exercise;
}

static gpointer run_command(gpointer data)
{
	Command *command = data;
	const MtwProcessOptions options = { .max_output_bytes = OUTPUT_MAX_BYTES,
					    .inherit_environment = TRUE,
					    .cancel = &command->cancel };

	command->result =
		mtw_process_run((const char *const *)command->argv, &options, &command->error);
	g_atomic_int_set(&command->finished, 1);
	return NULL;
}

/* Ends it when it is still running. */
static void command_join(Command *command)
{
	g_atomic_int_set(&command->cancel, 1);
	g_clear_pointer(&command->thread, g_thread_join);
}

static void command_free(Command *command)
{
	command_join(command);
	g_strfreev(command->argv);
	mtw_process_result_free(command->result);
	g_clear_error(&command->error);
	g_free(command);
}

void mtw_exercise_free(MtwExercise *exercise)
{
	if (exercise == NULL)
		return;
	g_clear_pointer(&exercise->command, command_free);
	g_ptr_array_unref(exercise->items);
	g_free(exercise);
}

static Item *current(const MtwExercise *exercise)
{
	return exercise->at < exercise->items->len ? exercise->items->pdata[exercise->at] : NULL;
}

/* A marker that cannot be set is told, not fatal: the capture goes on. */
static void set_mark(MtwWizard *wizard, const char *text)
{
	g_autoptr(GError) error = NULL;

	if (text != NULL && !mtw_engine_mark(wizard->engine, text, &error))
		mtw_wizard_tell(wizard, mtw_message_new("marker", MTW_LEVEL_WARNING,
							N_("A marker could not be set."), "",
							"%s: %s", text, error->message));
}

static void start_command(MtwExercise *exercise, const Item *item)
{
	g_autofree char *text = g_strdup_printf("command: %s", item->command);
	Command *command = g_new0(Command, 1);

	/* The words were checked when the options or the file were read. */
	g_shell_parse_argv(item->command, NULL, &command->argv, NULL);
	if (item->step == NULL)
		set_mark(exercise->wizard, text);
	exercise->n_commands++;
	exercise->command = command;
	command->thread = g_thread_new("exercise", run_command, command);
}

/* The steps come after the commands. */
static guint first_step(const MtwExercise *exercise)
{
	const GPtrArray *scenario = exercise->wizard->scenario;

	return exercise->items->len - (scenario != NULL ? scenario->len : 0);
}

/* As a person counts the steps. */
static guint number_of_step(const MtwExercise *exercise)
{
	return exercise->at - first_step(exercise) + 1;
}

static gboolean waits_for_user(const Item *item)
{
	return item->by_hand || item->step->wait == MTW_WAIT_USER;
}

static void add_step(JsonObject *object, guint number, const Item *item)
{
	const MtwScenarioStep *step = item->step;

	json_object_set_int_member(object, "index", number);
	json_object_set_string_member(object, "id", step->id);
	json_object_set_string_member(object, "say", step->say);
	json_object_set_string_member(object, "marker", step->marker);
	json_object_set_boolean_member(object, "optional", step->optional);
	json_object_set_boolean_member(object, "waits_for_user", waits_for_user(item));
}

/* Once, before the first of them. */
static void show_scenario(MtwExercise *exercise)
{
	guint first = first_step(exercise);
	JsonObject *event;
	JsonArray *steps;

	if (exercise->listed)
		return;
	exercise->listed = TRUE;
	event = mtw_event_new("scenario-steps");
	steps = json_array_new();
	for (guint i = first; i < exercise->items->len; i++) {
		JsonObject *object = json_object_new();
		add_step(object, i - first + 1, exercise->items->pdata[i]);
		json_array_add_object_element(steps, object);
	}
	json_object_set_array_member(event, "steps", steps);
	mtw_wizard_show(exercise->wizard, event);
}

static void show_step_begin(MtwExercise *exercise, const Item *item)
{
	JsonObject *event = mtw_event_new("scenario");

	add_step(event, number_of_step(exercise), item);
	json_object_set_int_member(event, "total", exercise->wizard->scenario->len);
	mtw_wizard_show(exercise->wizard, event);
}

static void show_step_end(MtwExercise *exercise)
{
	JsonObject *event = mtw_event_new("scenario-end");

	json_object_set_int_member(event, "index", number_of_step(exercise));
	json_object_set_string_member(event, "result", exercise->skipped ? "left-out" : "done");
	mtw_wizard_show(exercise->wizard, event);
}

/* In batch mode nobody does what has no command: then it is left out. */
static gboolean nobody_does(const MtwExercise *exercise, const MtwScenarioStep *step)
{
	return exercise->wizard->options->batch && step->command == NULL &&
	       step->wait == MTW_WAIT_USER;
}

/* A command whose places cannot be filled (no such interface) leaves its step out. */
static void fill_command(MtwExercise *exercise, Item *item)
{
	g_autoptr(GError) error = NULL;

	item->command = mtw_scenario_command(exercise->wizard->paths, exercise->wizard->device,
					     item->step, &error);
	if (item->command != NULL)
		return;
	exercise->skipped = TRUE;
	mtw_wizard_tell(exercise->wizard,
			mtw_message_new("scenario", MTW_LEVEL_WARNING,
					N_("A step of the scenario was left out."), "", "%s: %s",
					item->step->id, error->message));
}

/* A person does it by hand; the command is for those who are not there. */
static gboolean wants_command(const MtwExercise *exercise, const Item *item)
{
	const MtwScenarioStep *step = item->step;

	return step->command != NULL && !item->by_hand &&
	       (exercise->wizard->options->batch || step->wait == MTW_WAIT_COMMAND);
}

static void begin_step(MtwExercise *exercise, Item *item)
{
	const MtwScenarioStep *step = item->step;

	show_scenario(exercise);
	show_step_begin(exercise, item);
	exercise->skipped = nobody_does(exercise, step);
	exercise->until_usec = g_get_monotonic_time() + (gint64)step->wait_sec * G_USEC_PER_SEC;
	if (wants_command(exercise, item))
		fill_command(exercise, item);
	if (!exercise->skipped)
		set_mark(exercise->wizard, step->marker_begin);
}

static void begin(MtwExercise *exercise, Item *item)
{
	exercise->begun = TRUE;
	exercise->advanced = FALSE;
	exercise->skipped = FALSE;
	if (item->step != NULL)
		begin_step(exercise, item);
	if (item->command != NULL)
		start_command(exercise, item);
}

static gboolean has_worked(const Command *command)
{
	return command->result != NULL && command->result->exit_status == 0;
}

static char *status_text(const Command *command)
{
	if (command->result == NULL)
		return g_strdup(command->error->message);
	if (command->result->cancelled)
		return g_strdup("ended with the capture");
	if (command->result->signal != 0)
		return g_strdup_printf("killed by signal %d", command->result->signal);
	return g_strdup_printf("exit status %d", command->result->exit_status);
}

static void keep_file(MtwExercise *exercise, const char *name, const char *command,
		      const GString *text)
{
	g_autoptr(MtwMessage) about =
		mtw_message_new(g_intern_string(name), MTW_LEVEL_OK,
				N_("A command of --exercise printed this."), "", "%s", command);
	g_autoptr(GError) error = NULL;

	if (!mtw_engine_keep_file(exercise->wizard->engine, about, text->str, text->len, &error))
		mtw_wizard_tell(exercise->wizard,
				mtw_message_new("exercise", MTW_LEVEL_WARNING,
						N_("The output of a command could not be kept."),
						"", "%s", error->message));
}

/* What a program prints last tells why it ended. Returns: (transfer full): may be "" */
static char *last_line(const Command *command)
{
	g_autofree char *text =
		mtw_lines_clean(command->result != NULL ? command->result->output->str : "",
				command->result != NULL ? (gssize)command->result->output->len : 0);
	const char *begin;

	g_strchomp(text);
	begin = strrchr(text, '\n');
	begin = begin != NULL ? begin + 1 : text;
	return g_utf8_substring(begin, 0, MIN(g_utf8_strlen(begin, -1), SAID_CHARACTERS));
}

static void show_exercise(MtwExercise *exercise, const Item *item, const char *status)
{
	g_autofree char *said = last_line(exercise->command);
	JsonObject *event = mtw_event_new("exercise");

	json_object_set_string_member(event, "command", item->command);
	json_object_set_string_member(event, "result", status);
	json_object_set_boolean_member(event, "ok", has_worked(exercise->command));
	json_object_set_string_member(event, "said", said);
	json_object_set_boolean_member(event, "by_hand", item->by_hand);
	mtw_wizard_show(exercise->wizard, event);
}

static void keep_output(MtwExercise *exercise, const Item *item)
{
	const Command *command = exercise->command;
	g_autofree char *name = g_strdup_printf("exercise-%u.txt", exercise->n_commands);
	g_autofree char *status = status_text(command);
	gboolean truncated = command->result != NULL && command->result->truncated;
	GString *text = g_string_new(NULL);

	g_string_printf(text, "Command: %s\nResult: %s%s\n\n", item->command, status,
			truncated ? "\nOutput: only the first 1 MiB" : "");
	if (command->result != NULL)
		g_string_append_len(text, command->result->output->str,
				    (gssize)command->result->output->len);
	show_exercise(exercise, item, status);
	keep_file(exercise, name, item->command, text);
	g_string_free(text, TRUE);
}

static gboolean is_done(const MtwExercise *exercise, const Item *item)
{
	if (exercise->skipped || exercise->advanced)
		return TRUE;
	if (exercise->command != NULL)
		return g_atomic_int_get(&exercise->command->finished) != 0;
	if (item->step == NULL)
		return TRUE;
	if (item->by_hand)
		return FALSE;
	switch (item->step->wait) {
	case MTW_WAIT_COMMAND:
		return TRUE;
	case MTW_WAIT_DEVICE:
		return mtw_scenario_device_is_there(exercise->wizard->paths, item->step) ||
		       g_get_monotonic_time() >= exercise->until_usec;
	case MTW_WAIT_SECONDS:
		return g_get_monotonic_time() >= exercise->until_usec;
	default:
		return FALSE;
	}
}

static void end_command(MtwExercise *exercise, const Item *item)
{
	if (exercise->command == NULL)
		return;
	command_join(exercise->command);
	keep_output(exercise, item);
	g_clear_pointer(&exercise->command, command_free);
}

/* What this process may not do (a window has no root), the person can. Returns: FALSE: there is nothing to do by hand */
static gboolean hand_to_person(MtwExercise *exercise, Item *item)
{
	if (exercise->wizard->options->batch || item->step == NULL || exercise->command == NULL ||
	    has_worked(exercise->command))
		return FALSE;
	item->by_hand = TRUE;
	end_command(exercise, item);
	g_clear_pointer(&item->command, g_free);
	show_step_begin(exercise, item);
	return TRUE;
}

/* The first one that did not have its turn, or did not come to its end. */
static guint find_open(const MtwExercise *exercise)
{
	guint i = 0;

	while (i < exercise->items->len && ((const Item *)exercise->items->pdata[i])->ended)
		i++;
	return i;
}

static void end(MtwExercise *exercise, Item *item)
{
	end_command(exercise, item);
	if (item->step != NULL && !exercise->skipped)
		set_mark(exercise->wizard, item->step->marker);
	if (item->step != NULL)
		show_step_end(exercise);
	item->ended = TRUE;
	exercise->at = find_open(exercise);
	exercise->begun = FALSE;
}

gboolean mtw_exercise_turn(MtwExercise *exercise)
{
	Item *item = current(exercise);

	if (item == NULL)
		return FALSE;
	if (!exercise->begun)
		begin(exercise, item);
	if (!is_done(exercise, item) || hand_to_person(exercise, item))
		return TRUE;
	end(exercise, item);
	/* At once: a person who types ahead means the next step. */
	item = current(exercise);
	if (item != NULL)
		begin(exercise, item);
	return item != NULL;
}

void mtw_exercise_stop(MtwExercise *exercise)
{
	end_command(exercise, current(exercise));
	exercise->at = exercise->items->len;
}

void mtw_exercise_advance(MtwExercise *exercise, gboolean skip)
{
	exercise->advanced = TRUE;
	exercise->skipped = skip;
}

gboolean mtw_exercise_jump(MtwExercise *exercise, const char *text)
{
	guint first = first_step(exercise), number;
	Item *item;

	if (!mtw_exercise_waits_for_user(exercise) ||
	    !mtw_parse_uint(text, 1, exercise->items->len - first, &number))
		return FALSE;
	item = exercise->items->pdata[first + number - 1];
	if (item->ended)
		return FALSE;
	if (item == current(exercise))
		return TRUE;
	exercise->at = first + number - 1;
	begin(exercise, item);
	return TRUE;
}

gboolean mtw_exercise_waits_for_user(const MtwExercise *exercise)
{
	Item *item = current(exercise);

	return item != NULL && exercise->begun && item->step != NULL && waits_for_user(item);
}

gboolean mtw_exercise_is_empty(const MtwExercise *exercise)
{
	return exercise->items->len == 0;
}
