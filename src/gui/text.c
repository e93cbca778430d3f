/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/text.h"

#include "base/json.h"
#include "base/message.h"
#include "base/text.h"
#include "gui/hints.h"

#include <glib/gi18n.h>
#include <string.h>

#define ROM_INDEX 6

const char *mtw_gui_translate(const char *msgid)
{
	const char *own = mtw_hint_of(msgid);

	return own[0] != '\0' ? _(own) : "";
}

/* Parts between semicolons. */
char *mtw_gui_detail(const char *message)
{
	g_autofree char *translated = mtw_message_translate(message, mtw_gui_translate);
	g_auto(GStrv) parts = g_strsplit(translated, "; ", -1);
	g_autoptr(GString) kept = g_string_new(NULL);

	for (char **part = parts; *part != NULL; part++)
		if (strstr(*part, "`mmiotrace-wizard") == NULL)
			g_string_append_printf(kept, "%s%s", kept->len > 0 ? "; " : "", *part);
	return g_string_free(g_steal_pointer(&kept), FALSE);
}

char *mtw_gui_fill(const char *text, JsonObject *values)
{
	return mtw_json_fill(text, values, _("(not known yet)"));
}

char *mtw_gui_sentence(JsonObject *message)
{
	const char *sentence = mtw_gui_translate(mtw_json_string(message, "sentence", ""));
	g_autofree char *detail = mtw_gui_detail(mtw_json_string(message, "detail", ""));

	if (detail[0] == '\0')
		return g_strdup(sentence);
	return g_strdup_printf("%s (%s)", sentence, detail);
}

char *mtw_gui_change(JsonObject *change, gboolean undo)
{
	const char *text = mtw_json_string(change, undo ? "undo" : "sentence", "");

	return mtw_gui_fill(mtw_gui_translate(text), change);
}

char *mtw_gui_bytes(JsonObject *object, const char *name)
{
	return mtw_text_bytes((guint64)MAX(mtw_json_int(object, name, 0), 0));
}

char *mtw_gui_number(gint64 number)
{
	return g_strdup_printf("%'" G_GINT64_FORMAT, number);
}

char *mtw_gui_accesses(JsonObject *bar)
{
	gint64 n_reads = mtw_json_int(bar, "reads", 0);
	gint64 n_writes = mtw_json_int(bar, "writes", 0);
	g_autofree char *reads = mtw_gui_number(n_reads);
	g_autofree char *writes = mtw_gui_number(n_writes);
	g_autofree char *read_text =
		g_strdup_printf(ngettext("%s read", "%s reads", (gulong)n_reads), reads);
	g_autofree char *written_text =
		g_strdup_printf(ngettext("%s write", "%s writes", (gulong)n_writes), writes);

	return g_strdup_printf(C_("reads and writes", "%s, %s"), read_text, written_text);
}

/* A line that ends in the middle of a sentence goes on with the next; an empty or indented one is kept. */
char *mtw_gui_paragraphs(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);

	for (char **line = lines; *line != NULL; line++) {
		gboolean apart = **line == '\0' || **line == ' ';
		if (joined->len > 0 && joined->str[joined->len - 1] != '\n')
			g_string_append(joined, apart ? "\n" : " ");
		g_string_append(joined, *line);
		if (apart)
			g_string_append_c(joined, '\n');
	}
	return g_strchomp(g_strdup(joined->str));
}

/* "(_N)", as languages have it whose letters are not on the keys. */
static gboolean is_added_mnemonic(const char *text)
{
	return text[0] == '(' && text[1] == '_' && g_ascii_isalnum(text[2]) && text[3] == ')';
}

char *mtw_gui_without_mnemonic(const char *text)
{
	g_autoptr(GString) plain = g_string_new(NULL);

	while (*text != '\0') {
		if (is_added_mnemonic(text)) {
			text = strchr(text, ')') + 1;
			continue;
		}
		/* A doubled one stands for itself. */
		if (*text == '_')
			text++;
		if (*text != '\0')
			g_string_append_c(plain, *text++);
	}
	return g_string_free(g_steal_pointer(&plain), FALSE);
}

char *mtw_gui_bar_name(gint64 index)
{
	return index < ROM_INDEX ? g_strdup_printf("BAR %d", (int)index) : g_strdup("ROM");
}

const char *mtw_gui_state(const char *state)
{
	static const struct {
		const char *state;
		const char *sentence;
	} sentences[] = {
		{ "preparing", N_("Preparing the computer") },
		{ "capturing", N_("Recording") },
		{ "stopping", N_("Stopping") },
		{ "restoring", N_("Putting everything back as it was") },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(sentences); i++)
		if (g_str_equal(state, sentences[i].state))
			return _(sentences[i].sentence);
	return NULL;
}

/* ---- the log --------------------------------------------------------------------------------- */

static char *log_step(JsonObject *event)
{
	return g_strdup_printf("== %s", mtw_gui_translate(mtw_json_string(event, "title", "")));
}

const char *mtw_gui_level(const char *level)
{
	if (g_str_equal(level, "ok"))
		return _("ok");
	return g_str_equal(level, "warning") ? _("warning") : _("failure");
}

static char *log_message(JsonObject *event)
{
	g_autofree char *sentence = mtw_gui_sentence(event);
	const char *hint = mtw_gui_translate(mtw_json_string(event, "hint", ""));

	return g_strdup_printf("%s: %s%s%s", mtw_gui_level(mtw_json_string(event, "level", "")),
			       sentence, hint[0] != '\0' ? "\n    " : "", hint);
}

static char *log_change(JsonObject *event)
{
	JsonObject *error = mtw_json_object(event, "error");
	gboolean undo = !g_str_equal(mtw_json_string(event, "action", ""), "apply");
	g_autofree char *sentence = mtw_gui_change(event, undo);
	const char *subject = undo ? mtw_json_string(event, "subject", "") : "";

	return g_strdup_printf("%s%s%s%s: %s", sentence, undo ? " (" : "", subject, undo ? ")" : "",
			       error != NULL ? mtw_json_string(error, "message", "") : _("ok"));
}

static char *log_state(JsonObject *event)
{
	const char *sentence = mtw_gui_state(mtw_json_string(event, "state", ""));

	return g_strdup(sentence);
}

static char *log_marker(JsonObject *event)
{
	return g_strdup_printf(_("marker: %s"), mtw_json_string(event, "text", ""));
}

static char *log_exercise(JsonObject *event)
{
	return g_strdup_printf(_("command %s: %s"), mtw_json_string(event, "command", ""),
			       mtw_json_string(event, "result", ""));
}

static char *log_driver_up(JsonObject *event)
{
	(void)event;
	return g_strdup(_("The driver is up."));
}

static char *log_verdict(JsonObject *event)
{
	JsonObject *verdict = mtw_json_object(event, "verdict");

	return g_strdup(mtw_gui_translate(mtw_json_string(verdict, "sentence", "")));
}

static char *log_archive(JsonObject *event)
{
	g_autofree char *bytes = mtw_gui_bytes(event, "bytes");

	return g_strdup_printf(_("packed: %s (%s)"), mtw_json_string(event, "path", ""), bytes);
}

static char *log_sent(JsonObject *event)
{
	return g_strdup_printf(_("sent: %s"), mtw_json_string(event, "url", ""));
}

static char *log_sending(JsonObject *event)
{
	return g_strdup_printf(_("sending to %s (%s)"), mtw_json_string(event, "host", ""),
			       mtw_json_string(event, "phase", ""));
}

static char *log_retry(JsonObject *event)
{
	return g_strdup_printf(_("that did not work: %s"), mtw_json_string(event, "message", ""));
}

static char *log_done(JsonObject *event)
{
	JsonObject *error = mtw_json_object(event, "error");

	if (error != NULL)
		return g_strdup(mtw_json_string(error, "message", ""));
	return g_strdup(mtw_json_bool(event, "restored", FALSE)
				? _("This computer is as it was before.")
				: _("This computer is not as it was before."));
}

char *mtw_gui_log_line(const char *name, JsonObject *event)
{
	static const struct {
		const char *event;
		char *(*line)(JsonObject *event);
	} lines[] = {
		{ "step", log_step },	      { "check", log_message },
		{ "message", log_message },   { "change", log_change },
		{ "state", log_state },	      { "marker", log_marker },
		{ "exercise", log_exercise }, { "verdict", log_verdict },
		{ "archive", log_archive },   { "driver-up", log_driver_up },
		{ "sent", log_sent },	      { "sending", log_sending },
		{ "retry", log_retry },	      { "done", log_done },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
		if (g_str_equal(name, lines[i].event))
			return lines[i].line(event);
	return NULL;
}
