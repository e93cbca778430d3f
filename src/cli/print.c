/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events as text for people. The sentences of the core are translated here. */
#include "base/error.h"
#include "base/json.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROM_INDEX 6

#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define RED "\033[31m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

gboolean mtw_cli_is_fancy(FILE *file)
{
	const char *no_color = g_getenv("NO_COLOR");
	const char *term = g_getenv("TERM");

	return isatty(fileno(file)) && (no_color == NULL || no_color[0] == '\0') && term != NULL &&
	       term[0] != '\0' && !g_str_equal(term, "dumb");
}

static const char *colour(FILE *file, const char *sequence)
{
	return mtw_cli_is_fancy(file) ? sequence : "";
}

void mtw_cli_print_json(JsonObject *event)
{
	g_autofree char *line = mtw_json_line(event);

	puts(line);
	fflush(stdout);
}

char *mtw_cli_fill(const char *text, JsonObject *values)
{
	return mtw_json_fill(text, values, _("(not known yet)"));
}

char *mtw_cli_bar_name(guint index)
{
	return index < ROM_INDEX ? g_strdup_printf("BAR %u", index) : g_strdup("ROM");
}

static const struct {
	const char *level, *text, *colour;
} levels[] = {
	/* TRANSLATORS: in front of the sentence of a check, in a column with "warning" and "FAILED" */
	{ "ok", N_("ok"), GREEN },
	{ "warning", N_("warning"), YELLOW },
	{ "failure", N_("FAILED"), RED },
};

/* Of the texts of all levels, which stand one below the other. */
static gsize level_columns(void)
{
	gsize columns = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(levels); i++)
		columns = MAX(columns, mtw_text_columns(_(levels[i].text)));
	return columns;
}

void mtw_cli_print_level(FILE *file, const char *level)
{
	g_autofree char *text = NULL;
	gsize i = 0;

	while (i + 1 < G_N_ELEMENTS(levels) && !g_str_equal(levels[i].level, level))
		i++;
	text = mtw_cli_pad(_(levels[i].text), level_columns());
	fprintf(file, "  %s%s%s  ", colour(file, levels[i].colour), text, colour(file, PLAIN));
}

/* Below the text behind a level. */
static void print_below(FILE *file, const char *text)
{
	g_autofree char *indent = mtw_cli_pad("", level_columns() + strlen("    "));

	mtw_cli_print_wrapped(file, text, indent);
}

static void print_message(FILE *file, JsonObject *event)
{
	const char *detail = mtw_json_string(event, "detail", "");
	const char *hint = mtw_json_string(event, "hint", "");

	mtw_cli_print_level(file, mtw_json_string(event, "level", ""));
	fputs(mtw_cli_translate(mtw_json_string(event, "sentence", "")), file);
	if (detail[0] != '\0')
		fprintf(file, " (%s)", detail);
	fputc('\n', file);
	if (hint[0] != '\0')
		print_below(file, mtw_cli_translate(hint));
}

static void print_step(FILE *file, JsonObject *event)
{
	fprintf(file, "\n%s%s%s\n", colour(file, BOLD),
		mtw_cli_translate(mtw_json_string(event, "title", "")), colour(file, PLAIN));
}

static void print_plan(FILE *file, JsonObject *event)
{
	JsonArray *changes = mtw_json_array(event, "changes");

	fputs(_("These changes will be made, and undone afterwards in the reverse order:\n"), file);
	for (guint i = 0; i < json_array_get_length(changes); i++) {
		JsonObject *change = mtw_json_object_at(changes, i);
		g_autofree char *sentence = mtw_cli_fill(
			mtw_cli_translate(mtw_json_string(change, "sentence", "")), change);
		g_autofree char *undo = mtw_cli_fill(
			mtw_cli_translate(mtw_json_string(change, "undo", "")), change);
		fprintf(file, "  %2u. %s\n      %s %s\n", i + 1, sentence, _("Afterwards:"), undo);
	}
}

static void print_change(FILE *file, JsonObject *event)
{
	JsonObject *error = mtw_json_object(event, "error");
	gboolean apply = g_str_equal(mtw_json_string(event, "action", ""), "apply");
	const char *key = apply ? "sentence" : "undo";
	g_autofree char *sentence =
		mtw_cli_fill(mtw_cli_translate(mtw_json_string(event, key, "")), event);

	mtw_cli_print_level(file, error == NULL ? "ok" : "failure");
	fputs(sentence, file);
	if (!apply)
		fprintf(file, " (%s)", mtw_json_string(event, "subject", ""));
	fputc('\n', file);
	if (error != NULL)
		print_below(file, mtw_json_string(error, "message", ""));
}

static void print_state(FILE *file, JsonObject *event)
{
	static const struct {
		const char *state;
		const char *sentence;
	} sentences[] = {
		{ "preparing", N_("Preparing the computer.") },
		{ "capturing", N_("Recording. The computer is slow now; that is expected.") },
		{ "stopping", N_("Stopping.") },
		{ "restoring", N_("Putting everything back as it was.") },
	};
	const char *state = mtw_json_string(event, "state", "");

	for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++)
		if (g_str_equal(state, sentences[i].state))
			fprintf(file, "%s\n", _(sentences[i].sentence));
}

/* The steps themselves are shown one after the other, when their turn comes. */
static void print_scenario_steps(FILE *file, JsonObject *event)
{
	JsonArray *steps = mtw_json_array(event, "steps");
	guint length = steps != NULL ? json_array_get_length(steps) : 0;

	for (guint i = 0; length > 1 && i < length; i++) {
		if (!mtw_json_bool(mtw_json_object_at(steps, i), "waits_for_user", FALSE))
			continue;
		fputs(_("\nThe steps may be done in another order: the number of a step + Enter "
			"begins it.\n"),
		      file);
		return;
	}
}

static void print_scenario(FILE *file, JsonObject *event)
{
	fprintf(file, _("\nStep %" PRId64 " of %" PRId64 ": %s\n"), mtw_json_int(event, "index", 0),
		mtw_json_int(event, "total", 0), mtw_json_string(event, "say", ""));
	if (mtw_json_bool(event, "waits_for_user", FALSE))
		fputs(_("  When it is done: n + Enter. To leave it out: s + Enter.\n"), file);
}

static void print_counters(FILE *file, JsonObject *event)
{
	g_autofree char *bytes = mtw_text_bytes((guint64)mtw_json_int(event, "bytes", 0));
	gint64 lost = mtw_json_int(event, "lost", 0);

	fprintf(file,
		/* TRANSLATORS: the last two %s are colours: leave them around the lost events */
		_("  %.0f s, %" PRId64 " events, %" PRId64 " on the device, %s, %s%" PRId64
		  " lost%s"),
		json_object_get_double_member(event, "seconds"), mtw_json_int(event, "events", 0),
		mtw_json_int(event, "target", 0), bytes, lost > 0 ? colour(file, RED) : "", lost,
		lost > 0 ? colour(file, PLAIN) : "");
}

static void print_bars(FILE *file, JsonArray *bars)
{
	for (guint i = 0; bars != NULL && i < json_array_get_length(bars); i++) {
		JsonObject *bar = mtw_json_object_at(bars, i);
		g_autofree char *name = mtw_cli_bar_name((guint)mtw_json_int(bar, "index", 0));
		fprintf(file,
			_("  %s at %s: %" PRId64 " reads, %" PRId64 " writes, %" PRId64
			  " unknown\n"),
			name, mtw_json_string(bar, "start", "?"), mtw_json_int(bar, "reads", 0),
			mtw_json_int(bar, "writes", 0), mtw_json_int(bar, "unknown", 0));
	}
}

static void print_findings(FILE *file, JsonArray *findings)
{
	for (guint i = 0; findings != NULL && i < json_array_get_length(findings); i++) {
		JsonObject *finding = mtw_json_object_at(findings, i);
		const char *detail = mtw_json_string(finding, "detail", "");
		mtw_cli_print_level(file, mtw_json_bool(finding, "serious", FALSE) ? "failure"
										   : "warning");
		fputs(mtw_cli_translate(mtw_json_string(finding, "sentence", "")), file);
		if (detail[0] != '\0')
			fprintf(file, " (%s)", detail);
		fputc('\n', file);
	}
}

void mtw_cli_print_verdict(FILE *file, JsonObject *verdict)
{
	const char *grade = mtw_json_string(verdict, "grade", "");
	gboolean good = g_str_equal(grade, "good");

	fprintf(file, "%s%s%s\n",
		colour(file, good			      ? GREEN
			     : g_str_equal(grade, "doubtful") ? YELLOW
							      : RED),
		mtw_cli_translate(mtw_json_string(verdict, "sentence", "")), colour(file, PLAIN));
	fprintf(file,
		_("  %" PRId64 " records: %" PRId64 " reads, %" PRId64 " writes, %" PRId64
		  " of unknown kind, %" PRId64 " mappings; %" PRId64 " markers; %" PRId64
		  " lost\n"),
		mtw_json_int(verdict, "events", 0), mtw_json_int(verdict, "reads", 0),
		mtw_json_int(verdict, "writes", 0), mtw_json_int(verdict, "unknown", 0),
		mtw_json_int(verdict, "maps", 0), mtw_json_int(verdict, "markers", 0),
		mtw_json_int(mtw_json_object(verdict, "lost"), "events", 0));
	print_bars(file, mtw_json_array(verdict, "bars"));
	print_findings(file, mtw_json_array(verdict, "findings"));
}

static void print_verdict_event(FILE *file, JsonObject *event)
{
	mtw_cli_print_verdict(file, mtw_json_object(event, "verdict"));
}

static void print_archive(FILE *file, JsonObject *event)
{
	g_autofree char *bytes = mtw_text_bytes((guint64)mtw_json_int(event, "bytes", 0));

	fprintf(file, _("Packed: %s (%s)\n"), mtw_json_string(event, "path", ""), bytes);
}

static void print_packing(FILE *file, JsonObject *event)
{
	gint64 total = mtw_json_int(event, "total", 0);

	if (total > 0)
		fprintf(file, _("  packing, %" PRId64 " %%"),
			mtw_json_int(event, "done", 0) * 100 / total);
}

static void print_done(FILE *file, JsonObject *event)
{
	if (mtw_json_bool(event, "restored", FALSE))
		mtw_cli_print_wrapped(
			file,
			_("This computer is as it was before: tracer off, the same processors on, "
			  "the same drivers bound. All of it was read back."),
			"");
	fprintf(file, _("Session: %s\n"), mtw_json_string(event, "session", ""));
}

static void print_next_boot(FILE *file, JsonObject *event)
{
	guint duration_sec = (guint)mtw_json_int(event, "duration_sec", 0);
	g_autofree char *text = g_strdup_printf(
		ngettext("The driver of %s is traced at the next start of the computer, until %u "
			 "second after it is up.",
			 "The driver of %s is traced at the next start of the computer, until %u "
			 "seconds after it is up.",
			 duration_sec),
		mtw_json_string(event, "device", ""), duration_sec);

	mtw_cli_print_wrapped(file, text, "");
}

static void print_marker(FILE *file, JsonObject *event)
{
	fprintf(file, _("  marker: %s\n"), mtw_json_string(event, "text", ""));
}

static void print_exercise(FILE *file, JsonObject *event)
{
	const char *said = mtw_json_string(event, "said", "");

	fprintf(file, _("  command %s: %s\n"), mtw_json_string(event, "command", ""),
		mtw_json_string(event, "result", ""));
	if (!mtw_json_bool(event, "ok", FALSE) && said[0] != '\0')
		fprintf(file, "    %s\n", said);
	if (!mtw_json_bool(event, "by_hand", FALSE))
		return;
	fputs(_("  Please do this step yourself.\n"), file);
	if (geteuid() != 0)
		fputs(_("  What needs root works in another terminal, with sudo before the "
			"command.\n"),
		      file);
}

static void print_profile(FILE *file, JsonObject *event)
{
	fprintf(file, _("Profile: %s\n"), mtw_json_string(event, "title", ""));
}

/* "3 mac, 1 host" */
static void print_replaced(FILE *file, JsonObject *replaced)
{
	JsonObjectIter iter;
	const char *kind;
	JsonNode *count;
	const char *separator = "";

	json_object_iter_init(&iter, replaced);
	while (json_object_iter_next(&iter, &kind, &count)) {
		fprintf(file, "%s%" G_GINT64_FORMAT " %s", separator, json_node_get_int(count),
			kind);
		separator = ", ";
	}
}

static void print_review(FILE *file, JsonObject *event)
{
	JsonArray *files = mtw_json_array(event, "files");

	fputs(mtw_json_bool(event, "redact", TRUE)
		      ? _("These files will be packed; private values are masked:\n")
		      : _("These files will be packed AS THEY ARE, with all private values:\n"),
	      file);
	for (guint i = 0; i < json_array_get_length(files); i++) {
		JsonObject *entry = mtw_json_object_at(files, i);
		g_autofree char *bytes = mtw_text_bytes((guint64)mtw_json_int(entry, "bytes", 0));
		g_autofree char *name = mtw_cli_pad(mtw_json_string(entry, "name", ""), 20);
		g_autofree char *size = mtw_cli_pad_left(bytes, 10);
		fprintf(file, "  %s %s  ", name, size);
		if (mtw_json_bool(entry, "excluded", FALSE))
			fputs(C_("file of the archive", "left out"), file);
		else
			print_replaced(file, mtw_json_object(entry, "replaced"));
		fputc('\n', file);
	}
}

#define COLUMN_WIDTH 56

/* Side by side where the lines are short, one below the other where they are not. */
static void print_diff_line(FILE *file, JsonObject *line)
{
	g_autofree char *before = mtw_text_clean_line(mtw_json_string(line, "before", ""));
	g_autofree char *after = mtw_text_clean_line(mtw_json_string(line, "after", ""));
	g_autofree char *padded = mtw_cli_pad(before, COLUMN_WIDTH);
	gint64 number = mtw_json_int(line, "line", 0);

	if (mtw_text_columns(before) <= COLUMN_WIDTH && mtw_text_columns(after) <= COLUMN_WIDTH)
		fprintf(file, "%5" G_GINT64_FORMAT "  %s%s%s | %s%s%s\n", number, colour(file, RED),
			padded, colour(file, PLAIN), colour(file, GREEN), after,
			colour(file, PLAIN));
	else
		fprintf(file, "%5" G_GINT64_FORMAT "  %s- %s%s\n       %s+ %s%s\n", number,
			colour(file, RED), before, colour(file, PLAIN), colour(file, GREEN), after,
			colour(file, PLAIN));
}

static void print_diff(FILE *file, JsonObject *event)
{
	JsonArray *lines = mtw_json_array(event, "lines");

	fprintf(file,
		ngettext("%s: %u line changed (as collected | as packed)\n",
			 "%s: %u lines changed (as collected | as packed)\n",
			 json_array_get_length(lines)),
		mtw_json_string(event, "file", ""), json_array_get_length(lines));
	for (guint i = 0; i < json_array_get_length(lines); i++)
		print_diff_line(file, mtw_json_object_at(lines, i));
}

static void print_explanation(FILE *file, JsonObject *event)
{
	fputs(mtw_cli_translate(mtw_json_string(event, "text", "")), file);
}

static void print_note(FILE *file, JsonObject *event)
{
	g_auto(GStrv) lines = g_strsplit(mtw_json_string(event, "text", ""), "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = mtw_text_clean_line(*line);
		mtw_cli_print_wrapped(file, clean, "  ");
	}
}

static void print_driver_up(FILE *file, JsonObject *event)
{
	(void)event;
	fputs(_("The driver is up.\n"), file);
}

static const struct {
	const char *event;
	void (*print)(FILE *file, JsonObject *event);
} printers[] = {
	{ "step", print_step },
	{ "explain", print_explanation },
	{ "note", print_note },
	{ "check", print_message },
	{ "message", print_message },
	{ "plan", print_plan },
	{ "change", print_change },
	{ "state", print_state },
	{ "scenario-steps", print_scenario_steps },
	{ "scenario", print_scenario },
	{ "counters", print_counters },
	{ "verdict", print_verdict_event },
	{ "review", print_review },
	{ "diff", print_diff },
	{ "archive", print_archive },
	{ "packing", print_packing },
	{ "done-summary", print_done },
	{ "next-boot", print_next_boot },
	{ "marker", print_marker },
	{ "exercise", print_exercise },
	{ "profile", print_profile },
	{ "driver-up", print_driver_up },
};

/* Whatever a file, a device or a person put into it does not steer the terminal. */
void mtw_cli_print_event(FILE *file, JsonObject *event)
{
	const char *name = mtw_json_string(event, "event", "");
	g_autoptr(JsonObject) clean = mtw_json_clean(event);

	for (gsize i = 0; i < G_N_ELEMENTS(printers); i++)
		if (g_str_equal(printers[i].event, name))
			printers[i].print(file, clean);
	mtw_cli_print_send_event(file, name, clean);
	fflush(file);
}

static void print_json_result(GError *error)
{
	g_autoptr(JsonObject) result = json_object_new();

	json_object_set_string_member(result, "event", "result");
	json_object_set_int_member(result, "status", mtw_error_exit_status(error));
	if (error != NULL) {
		json_object_set_string_member(result, "error", mtw_error_name(error));
		mtw_json_set_text(result, "message", error->message);
		json_object_set_string_member(result, "hint", mtw_error_hint(error));
	}
	mtw_cli_print_json(result);
}

int mtw_cli_finish(MtwCli *cli, GError *error)
{
	if (error != NULL) {
		g_autofree char *translated =
			mtw_message_translate(error->message, mtw_cli_translate);
		g_autofree char *message = mtw_text_clean_line(translated);
		fprintf(stderr, "mmiotrace-wizard: %s %s\n",
			mtw_cli_translate(mtw_error_sentence(error)), message);
		if (mtw_error_hint(error)[0] != '\0')
			mtw_cli_print_wrapped(stderr, mtw_cli_translate(mtw_error_hint(error)), "");
	}
	if (cli->json)
		print_json_result(error);
	return mtw_error_exit_status(error);
}
