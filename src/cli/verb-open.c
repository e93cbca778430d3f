/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `open`: list and read the members of an archive. Nothing is extracted to the disk. */
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "capture/events.h"
#include "cli/cli.h"
#include "report/archive.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#define MEMBER_MAX_BYTES (1024ul * 1024 * 1024)

static void print_member(MtwCli *cli, const MtwMemberFacts *member)
{
	g_autoptr(JsonObject) event = mtw_event_new("member");

	if (!cli->json) {
		printf("%12" G_GUINT64_FORMAT "  %s\n", member->bytes, member->name);
		return;
	}
	json_object_set_string_member(event, "name", member->name);
	json_object_set_int_member(event, "bytes", (gint64)member->bytes);
	json_object_set_string_member(event, "sha256", member->sha256);
	mtw_cli_print_json(event);
}

static gboolean list(MtwCli *cli, const char *path, GError **error)
{
	g_autoptr(GPtrArray) members = mtw_archive_list(path, error);

	if (members == NULL)
		return FALSE;
	for (guint i = 0; i < members->len; i++)
		print_member(cli, members->pdata[i]);
	return TRUE;
}

/* Somebody else's bytes must not steer this terminal. */
static gboolean print_on_terminal(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = mtw_text_clean_line(*line);
		if (line[1] != NULL || clean[0] != '\0')
			puts(clean);
	}
	return TRUE;
}

static gboolean print_content(MtwCli *cli, const char *path, const char *name, GError **error)
{
	g_autofree char *text = NULL;
	gsize bytes = 0;

	if (cli->json) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "--json lists; it prints no content");
		return FALSE;
	}
	text = mtw_archive_read_member(path, name, MEMBER_MAX_BYTES, &bytes, error);
	if (text == NULL)
		return FALSE;
	if (!isatty(STDOUT_FILENO))
		return mtw_file_write_all(STDOUT_FILENO, text, bytes, error);
	if (memchr(text, '\0', bytes) == NULL)
		return print_on_terminal(text);
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "%s is not text; send it into a file: open %s %s > FILE", name, path, name);
	return FALSE;
}

int mtw_verb_open(MtwCli *cli, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;

	if (mtw_cli_parse(cli, "open", "ARCHIVE [MEMBER]",
			  N_("Lists what is in an archive, or prints one of its members."), NULL,
			  &argc, &argv, &error)) {
		if (argc < 2 || argc > 3)
			g_set_error(&error, MTW_ERROR, MTW_ERROR_USAGE, "which archive?");
		else if (argc == 2)
			list(cli, argv[1], &error);
		else
			print_content(cli, argv[1], argv[2], &error);
	}
	return mtw_cli_finish(cli, error);
}
