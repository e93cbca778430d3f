/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of sending as text for people. They are clean already (mtw_cli_print_event). */
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "submit/target.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* In the list of an archive's members. */
#define MEMBERS_SHOWN 30

static const char *text_of(JsonObject *event, const char *name)
{
	return mtw_json_string(event, name, "");
}

static char *bytes_of(JsonObject *event, const char *name)
{
	return mtw_text_bytes((guint64)MAX(mtw_json_int(event, name, 0), 0));
}

/* What stands in front of the rows of a preview. */
typedef enum {
	LABEL_TO,
	LABEL_FILE_TO,
	LABEL_AS,
	LABEL_ACCOUNT,
	LABEL_READ_BY,
	LABEL_PRIVACY,
	LABEL_FILE,
	LABEL_SHA256,
	LABEL_MEMBERS,
	LABEL_TITLE,
	LABEL_TEXT,
	LABEL_NONE,
	N_LABELS,
} Label;

static const char *const labels[N_LABELS] = {
	/* TRANSLATORS: in front of the place that a report is sent to */
	[LABEL_TO] = NC_("preview", "to"),
	/* TRANSLATORS: in front of the place for the file, where that is another one */
	[LABEL_FILE_TO] = NC_("preview", "file to"),
	/* TRANSLATORS: in front of "a new report", or the address of a report that it is added to */
	[LABEL_AS] = NC_("preview", "as"),
	[LABEL_ACCOUNT] = NC_("preview", "account"),
	/* TRANSLATORS: in front of who can read it there: "the members of the project" */
	[LABEL_READ_BY] = NC_("preview", "read by"),
	/* TRANSLATORS: in front of the address of a page about data protection */
	[LABEL_PRIVACY] = NC_("preview", "privacy"),
	/* TRANSLATORS: in front of the name and size of the archive */
	[LABEL_FILE] = NC_("preview", "file"),
	[LABEL_SHA256] = "SHA-256",
	/* TRANSLATORS: in front of the files in the archive */
	[LABEL_MEMBERS] = NC_("preview", "in it"),
	[LABEL_TITLE] = NC_("preview", "title"),
	[LABEL_TEXT] = NC_("preview", "text"),
	[LABEL_NONE] = "",
};

static const char *label_text(Label label)
{
	return label == LABEL_NONE ? "" : g_dpgettext2(NULL, "preview", labels[label]);
}

/* Of all labels: the texts stand one below the other. */
static gsize label_columns(void)
{
	gsize columns = 0;

	for (Label label = 0; label < N_LABELS; label++)
		columns = MAX(columns, mtw_text_columns(label_text(label)));
	return columns;
}

/* "  to       text"; the text may be empty: then there is nothing to say. */
static void print_row(FILE *file, Label label, const char *text)
{
	g_autofree char *padded = mtw_cli_pad(label_text(label), label_columns());

	if (text[0] != '\0')
		fprintf(file, "  %s  %s\n", padded, text);
}

static void print_place(FILE *file, JsonObject *event)
{
	const char *project = text_of(event, "project");
	const char *store = text_of(event, "store");
	const char *issue = text_of(event, "issue");
	g_autofree char *place =
		g_strdup_printf("%s (%s%s%s)", text_of(event, "name"), text_of(event, "host"),
				project[0] != '\0' ? ", " : "", project);
	g_autofree char *file_place =
		store[0] != '\0' ? g_strdup_printf("%s (%s)", store, text_of(event, "store_host"))
				 : g_strdup("");

	print_row(file, LABEL_TO, place);
	print_row(file, LABEL_FILE_TO, file_place);
	if (!mtw_json_bool(event, "local", FALSE)) {
		if (!mtw_json_bool(event, "bare_store", FALSE))
			print_row(file, LABEL_AS, issue[0] != '\0' ? issue : _("a new report"));
		print_row(file, LABEL_ACCOUNT, text_of(event, "who"));
		print_row(file, LABEL_READ_BY,
			  _(mtw_visibility_readers(text_of(event, "visibility"))));
	}
	print_row(file, LABEL_PRIVACY, text_of(event, "privacy_uri"));
}

static void print_files(FILE *file, JsonArray *files)
{
	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++) {
		JsonObject *entry = mtw_json_object_at(files, i);
		g_autofree char *bytes = bytes_of(entry, "bytes");
		g_autofree char *text = g_strdup_printf("%s, %s", text_of(entry, "name"), bytes);
		print_row(file, i == 0 ? LABEL_FILE : LABEL_NONE, text);
	}
}

static void print_members(FILE *file, JsonArray *members)
{
	guint length = members != NULL ? json_array_get_length(members) : 0;

	for (guint i = 0; i < MIN(length, MEMBERS_SHOWN); i++) {
		JsonObject *entry = mtw_json_object_at(members, i);
		g_autofree char *bytes = bytes_of(entry, "bytes");
		g_autofree char *name = mtw_cli_pad(text_of(entry, "name"), 20);
		g_autofree char *size = mtw_cli_pad_left(bytes, 10);
		g_autofree char *text = g_strdup_printf("%s %s", name, size);
		print_row(file, i == 0 ? LABEL_MEMBERS : LABEL_NONE, text);
	}
	if (length > MEMBERS_SHOWN) {
		guint rest = length - MEMBERS_SHOWN;
		g_autofree char *more = g_strdup_printf(
			ngettext("and %u more file", "and %u more files", rest), rest);
		print_row(file, LABEL_NONE, more);
	}
}

static void print_body(FILE *file, const char *body)
{
	g_auto(GStrv) lines = g_strsplit(body, "\n", -1);

	for (char **line = lines; *line != NULL; line++)
		if (line[1] != NULL || line[0][0] != '\0')
			fprintf(file, "    | %s\n", *line);
}

static void print_preview(FILE *file, JsonObject *event)
{
	fputs(mtw_json_bool(event, "local", FALSE) ? _("\nThis is saved:\n")
						   : _("\nExactly this is sent:\n"),
	      file);
	print_place(file, event);
	print_files(file, mtw_json_array(event, "files"));
	print_row(file, LABEL_SHA256, text_of(event, "sha256"));
	print_members(file, mtw_json_array(event, "members"));
	print_row(file, LABEL_TITLE, text_of(event, "title"));
	if (text_of(event, "body")[0] != '\0')
		fprintf(file, "  %s\n", label_text(LABEL_TEXT));
	print_body(file, text_of(event, "body"));
	fputc('\n', file);
}

static void print_inquiry(FILE *file, JsonObject *event)
{
	g_autofree char *limit = bytes_of(event, "limit");

	if (mtw_json_int(event, "limit", 0) > 0)
		fprintf(file, _("The server takes files of at most %s.\n"), limit);
}

static void print_duplicate(FILE *file, JsonObject *event)
{
	fprintf(file, _("Nothing was sent: the report is there already. %s\n"),
		text_of(event, "url"));
}

/* What is sent there now. */
static const MtwCliWord phases[] = {
	{ "attach", NC_("phase", "the file") },
	{ "blob", NC_("phase", "the file") },
	{ "comment", NC_("phase", "a note") },
	{ "folder", NC_("phase", "a folder") },
	{ "issue", NC_("phase", "the report") },
	{ "keep", NC_("phase", "the file") },
	{ "letter", NC_("phase", "the letter") },
	{ "mail", NC_("phase", "a mail") },
	{ "note", NC_("phase", "a note") },
	{ "page", NC_("phase", "a page of the browser") },
	{ "store", NC_("phase", "the file") },
	{ "upload", NC_("phase", "the file") },
	{ NULL, NULL },
};

static void print_sending(FILE *file, JsonObject *event)
{
	/* TRANSLATORS: the name of a server, and what is sent there, such as "the report" */
	fprintf(file, _("Sending to %s (%s) ...\n"), text_of(event, "host"),
		mtw_cli_word(phases, "phase", text_of(event, "phase")));
}

static void print_progress(FILE *file, JsonObject *event)
{
	gint64 total = mtw_json_int(event, "total", 0);
	gint64 eta_sec = mtw_json_int(event, "eta_sec", -1);
	g_autofree char *done = bytes_of(event, "bytes");
	g_autofree char *all = bytes_of(event, "total");
	gint64 percent = total > 0 ? mtw_json_int(event, "bytes", 0) * 100 / total : 0;

	/* TRANSLATORS: percent, how much of how much, minutes:seconds */
	if (total > 0 && eta_sec > 0)
		fprintf(file, _("  sent %" PRId64 " %%, %s of %s, %" PRId64 ":%02" PRId64 " left"),
			percent, done, all, eta_sec / 60, eta_sec % 60);
	else if (total > 0)
		fprintf(file, _("  sent %" PRId64 " %%, %s of %s"), percent, done, all);
}

static void print_retry(FILE *file, JsonObject *event)
{
	gint64 in_sec = mtw_json_int(event, "in_sec", 0);
	g_autofree char *text = g_strdup_printf(
		ngettext("That did not work (%s). Once more in %" PRId64 " second, %" PRId64
			 " of %" PRId64 " times; Ctrl+C stops.",
			 "That did not work (%s). Once more in %" PRId64 " seconds, %" PRId64
			 " of %" PRId64 " times; Ctrl+C stops.",
			 (gulong)in_sec),
		text_of(event, "message"), in_sec, mtw_json_int(event, "try", 0),
		mtw_json_int(event, "of", 0));

	mtw_cli_print_wrapped(file, text, "  ");
}

static void print_sent(FILE *file, JsonObject *event)
{
	const char *url = text_of(event, "url");

	if (url[0] != '\0')
		fprintf(file, _("Sent. It is here: %s\n"), url);
	else
		fputs(_("Done.\n"), file);
	fprintf(file, _("Its id, should anybody ask: %s\n"), text_of(event, "report_id"));
}

static char *local_time(gint64 time_sec)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_sec);

	return time != NULL ? g_date_time_format(time, "%Y-%m-%d %H:%M") : g_strdup("?");
}

static void print_queued(FILE *file, JsonObject *event)
{
	if (g_str_equal(text_of(event, "state"), "refused"))
		fprintf(file,
			_("It is kept in the queue, and sent again only if you say so:\n"
			  "  mmiotrace-wizard queue send %s\n"),
			text_of(event, "id"));
	else
		fprintf(file,
			_("It is kept in the queue as %s. To go on:\n"
			  "  mmiotrace-wizard queue send\n"),
			text_of(event, "id"));
}

/* "saved" and "busy" are not written in the item itself. */
static const MtwCliWord states[] = {
	{ "prepared", NC_("queue", "not agreed to") },
	{ "consented", NC_("queue", "waits") },
	{ "uploading", NC_("queue", "begun") },
	{ "uploaded", NC_("queue", "file sent, not filed") },
	{ "done", NC_("queue", "sent") },
	{ "refused", NC_("queue", "refused") },
	{ "saved", NC_("queue", "done") },
	{ "busy", NC_("queue", "at work") },
	{ NULL, NULL },
};

static gint64 size_of(JsonObject *event)
{
	JsonArray *files = mtw_json_array(event, "files");
	gint64 bytes = 0;

	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++)
		bytes += mtw_json_int(mtw_json_object_at(files, i), "bytes", 0);
	return bytes;
}

/* "abcd1234abcd1234  2026-11-29 15:53  waits  nouveau-gitlab  82.3 KiB", and below it what there is to know. */
static void print_item(FILE *file, JsonObject *event)
{
	JsonObject *failure = mtw_json_object(event, "failure");
	const char *state = text_of(event, "state");
	gint64 next_sec = mtw_json_int(event, "next_try_sec", 0);
	g_autofree char *created = local_time(mtw_json_int(event, "created_sec", 0));
	g_autofree char *next = local_time(next_sec);
	g_autofree char *bytes = mtw_text_bytes((guint64)MAX(size_of(event), 0));
	const char *url = text_of(event, "url");
	gboolean done = g_str_equal(state, "done");
	const char *shown = mtw_json_bool(event, "busy", FALSE) ? "busy"
			    : done && url[0] == '\0'		? "saved"
								: state;
	g_autofree char *padded = mtw_cli_pad(mtw_cli_word(states, "queue", shown), 12);

	fprintf(file, "%s  %s  %s %s, %s\n", text_of(event, "id"), created, padded,
		text_of(event, "target"), bytes);
	fprintf(file, "    %s\n", text_of(event, "title"));
	if (url[0] != '\0')
		fprintf(file, "    %s\n", url);
	if (done || failure == NULL)
		return;
	fprintf(file, _("    last try: %s\n"), text_of(failure, "message"));
	if (next_sec > 0)
		fprintf(file, _("    next try: not before %s\n"), next);
}

static void print_warning(FILE *file, JsonObject *event)
{
	mtw_cli_print_level(file, "warning");
	fprintf(file, "%s\n", text_of(event, "message"));
}

static const struct {
	const char *event;
	void (*print)(FILE *file, JsonObject *event);
} printers[] = {
	{ "preview", print_preview },	  { "inquiry", print_inquiry },
	{ "duplicate", print_duplicate }, { "sending", print_sending },
	{ "progress", print_progress },	  { "retry", print_retry },
	{ "sent", print_sent },		  { "queued", print_queued },
	{ "item", print_item },		  { "warning", print_warning },
};

void mtw_cli_print_send_event(FILE *file, const char *name, JsonObject *event)
{
	for (gsize i = 0; i < G_N_ELEMENTS(printers); i++)
		if (g_str_equal(printers[i].event, name))
			printers[i].print(file, event);
}
