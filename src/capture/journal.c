/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/journal.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL_MAX_BYTES (4 * 1024 * 1024)

struct _MtwJournal {
	MtwFd fd;
	GPtrArray *changes;
};

static const char *const status_names[] = {
	[MTW_CHANGE_PLANNED] = "planned",
	[MTW_CHANGE_APPLIED] = "applied",
	[MTW_CHANGE_UNDONE] = "undone",
	[MTW_CHANGE_LEFT] = "left",
};

static MtwChange *find_change(const GPtrArray *changes, gint64 sequence)
{
	for (guint i = 0; i < changes->len; i++) {
		MtwChange *change = changes->pdata[i];
		if (change->sequence == sequence)
			return change;
	}
	return NULL;
}

static GPtrArray *read_names(JsonArray *array)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < json_array_get_length(array); i++) {
		JsonNode *node = json_array_get_element(array, i);
		const char *name = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
		if (name != NULL)
			g_ptr_array_add(names, g_strdup(name));
	}
	return names;
}

static void read_planned(GPtrArray *changes, JsonObject *entry)
{
	const char *subject = mtw_json_string(entry, "subject", NULL);
	MtwChangeKind kind;
	MtwChange *change;

	if (subject == NULL ||
	    !mtw_change_kind_from_name(mtw_json_string(entry, "kind", ""), &kind))
		return;
	change = mtw_change_new(kind, subject, mtw_json_string(entry, "before", ""),
				mtw_json_string(entry, "after", ""));
	change->options = g_strdup(mtw_json_string(entry, "options", NULL));
	change->keep = mtw_json_bool(entry, "keep", FALSE);
	change->sequence = (guint)mtw_json_int(entry, "n", 0);
	g_ptr_array_add(changes, change);
}

static void read_noted(MtwChange *change, JsonObject *entry)
{
	const char *name = mtw_json_string(entry, "status", "");
	JsonArray *brought = mtw_json_array(entry, "brought");

	for (guint status = 0; status < G_N_ELEMENTS(status_names); status++)
		if (g_str_equal(status_names[status], name))
			change->status = (MtwChangeStatus)status;
	if (brought != NULL) {
		g_clear_pointer(&change->brought, g_ptr_array_unref);
		change->brought = read_names(brought);
	}
}

static void read_entry(GPtrArray *changes, JsonObject *entry)
{
	MtwChange *change = find_change(changes, mtw_json_int(entry, "n", 0));

	if (change == NULL)
		read_planned(changes, entry);
	else
		read_noted(change, entry);
}

GPtrArray *mtw_journal_parse(const char *text, gsize bytes)
{
	GPtrArray *changes = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_change_free);
	const char *end = text + bytes;

	while (text < end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		g_autoptr(JsonObject) entry = NULL;
		if (newline == NULL)
			break;
		entry = mtw_json_parse(text, newline - text, "journal", NULL);
		if (entry != NULL)
			read_entry(changes, entry);
		text = newline + 1;
	}
	return changes;
}

/* A line that a power cut tore must not swallow the next one. */
static gboolean end_torn_line(int fd, const char *text, gsize bytes, GError **error)
{
	if (bytes == 0 || text[bytes - 1] == '\n')
		return TRUE;
	return mtw_file_write_all(fd, "\n", 1, error);
}

MtwJournal *mtw_journal_open(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "journal", NULL);
	g_auto(MtwFd) fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	g_autofree char *text = NULL;
	gsize bytes = 0;
	MtwJournal *journal;

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "cannot open %s", path);
		return NULL;
	}
	text = mtw_file_read(path, JOURNAL_MAX_BYTES, &bytes, error);
	if (text == NULL || !end_torn_line(fd, text, bytes, error))
		return NULL;
	journal = g_new0(MtwJournal, 1);
	journal->fd = mtw_fd_steal(&fd);
	journal->changes = mtw_journal_parse(text, bytes);
	return journal;
}

void mtw_journal_free(MtwJournal *journal)
{
	if (journal == NULL)
		return;
	mtw_fd_clear(&journal->fd);
	g_ptr_array_unref(journal->changes);
	g_free(journal);
}

static gboolean append(MtwJournal *journal, JsonObject *entry, GError **error)
{
	g_autofree char *line = mtw_json_line(entry);
	g_autofree char *text = g_strconcat(line, "\n", NULL);

	if (!mtw_file_write_all(journal->fd, text, strlen(text), error)) {
		g_prefix_error(error, "journal: ");
		return FALSE;
	}
	if (fdatasync(journal->fd) != 0) {
		mtw_set_error_errno(error, errno, "journal: fdatasync");
		return FALSE;
	}
	return TRUE;
}

gboolean mtw_journal_plan(MtwJournal *journal, MtwChange *change, GError **error)
{
	g_autoptr(JsonObject) entry = json_object_new();

	change->sequence = journal->changes->len + 1;
	g_ptr_array_add(journal->changes, change);
	json_object_set_int_member(entry, "n", change->sequence);
	json_object_set_string_member(entry, "kind", mtw_change_kind_name(change->kind));
	mtw_json_set_text(entry, "subject", change->subject);
	mtw_json_set_text(entry, "before", change->before);
	mtw_json_set_text(entry, "after", change->after);
	if (change->options != NULL)
		mtw_json_set_text(entry, "options", change->options);
	json_object_set_boolean_member(entry, "keep", change->keep);
	return append(journal, entry, error);
}

gboolean mtw_journal_note(MtwJournal *journal, const MtwChange *change, GError **error)
{
	g_autoptr(JsonObject) entry = json_object_new();

	json_object_set_int_member(entry, "n", change->sequence);
	json_object_set_string_member(entry, "status", status_names[change->status]);
	if (change->brought != NULL) {
		JsonArray *names = json_array_new();
		for (guint i = 0; i < change->brought->len; i++)
			json_array_add_string_element(names, change->brought->pdata[i]);
		json_object_set_array_member(entry, "brought", names);
	}
	return append(journal, entry, error);
}

const GPtrArray *mtw_journal_changes(const MtwJournal *journal)
{
	return journal->changes;
}
