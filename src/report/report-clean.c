/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making the files without private values. */
#include "report/report-private.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void add_list(MtwReport *report, const char *list)
{
	JsonArray *array = mtw_json_array(report->state, list);

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		const char *text = json_array_get_string_element(array, i);
		if (text != NULL && strcmp(list, "keep") == 0)
			mtw_redactor_keep(report->redactor, text);
		else if (text != NULL)
			mtw_redactor_add_word(report->redactor, MTW_REDACT_WORD, text);
	}
}

/* The masks of an earlier cleaning stay, so that what was reviewed does not change its names. */
static gboolean load_map(MtwReport *report, GError **error)
{
	g_autofree char *path = g_build_filename(report->folder, "redact-map.json", NULL);
	g_autofree char *text = NULL;
	gsize bytes = 0;

	if (access(path, F_OK) != 0)
		return TRUE;
	text = mtw_file_read(path, MTW_REPORT_FILE_MAX_BYTES, &bytes, error);
	return text != NULL && mtw_redactor_load_map(report->redactor, text, (gssize)bytes, error);
}

static gboolean save_map(MtwReport *report, GError **error)
{
	g_autofree char *path = g_build_filename(report->folder, "redact-map.json", NULL);
	g_autofree char *text = mtw_redactor_map_json(report->redactor);

	return mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

typedef struct {
	int fd; /* -1: count only */
	MtwReportFile *file;
} TraceSink;

static gboolean write_clean(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	TraceSink *sink = user_data;

	return sink->fd < 0 || mtw_file_write_all(sink->fd, data, bytes, error);
}

static void count_replacement(const MtwRedactReplacement *replacement, gpointer user_data)
{
	TraceSink *sink = user_data;

	sink->file->counts[replacement->kind]++;
	sink->file->changed = TRUE;
}

static gboolean stream_trace(MtwReport *report, MtwReportFile *file, MtwRedactTask task, int out_fd,
			     GError **error)
{
	TraceSink target = { .fd = out_fd, .file = file };
	const MtwRedactSink sink = { .write = write_clean,
				     .replaced = count_replacement,
				     .user_data = &target };
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(report->redactor, file->name, MTW_REDACT_TRACE, task,
				      task == MTW_REDACT_LEARN ? NULL : &sink);
	g_autofree char *block = g_malloc(MTW_REPORT_BLOCK_BYTES);
	off_t offset = 0;
	ssize_t got;

	while ((got = pread(file->fd, block, MTW_REPORT_BLOCK_BYTES, offset)) > 0) {
		if (!mtw_redact_stream_feed(stream, block, (gsize)got, error))
			return FALSE;
		offset += got;
	}
	if (got < 0)
		mtw_set_error_errno(error, errno, "reading %s", file->name);
	return got == 0 && mtw_redact_stream_end(stream, error);
}

/* A copy of a large trace only when a marker has something to clean. */
static gboolean clean_trace(MtwReport *report, MtwReportFile *file, GError **error)
{
	g_autofree char *path = mtw_report_path(report, "clean", file->name);
	g_auto(MtwFd) fd = -1;

	if (!stream_trace(report, file, MTW_REDACT_CLEAN, -1, error))
		return FALSE;
	if (!file->changed)
		return TRUE;
	memset(file->counts, 0, sizeof file->counts);
	fd = mtw_file_create(path, 0600, error);
	return fd >= 0 && stream_trace(report, file, MTW_REDACT_CLEAN, fd, error);
}

static gboolean learn(MtwReport *report, MtwReportFile *file, GError **error)
{
	g_autofree char *text = NULL;
	gsize bytes = 0;

	if (file->excluded || !file->text)
		return TRUE;
	if (file->fd >= 0)
		return stream_trace(report, file, MTW_REDACT_LEARN, -1, error);
	text = mtw_report_read(report, "files", file->name, &bytes, error);
	if (text == NULL)
		return FALSE;
	mtw_redactor_learn(report->redactor, file->name, text, bytes);
	return TRUE;
}

static gboolean clean_text(MtwReport *report, MtwReportFile *file, GError **error)
{
	g_autofree char *path = mtw_report_path(report, "clean", file->name);
	g_autoptr(MtwRedactResult) result = NULL;
	g_autofree char *text = NULL;
	gsize bytes = 0;

	text = mtw_report_read(report, "files", file->name, &bytes, error);
	if (text == NULL)
		return FALSE;
	result = mtw_redactor_file(report->redactor, file->name, text, bytes);
	memcpy(file->counts, result->counts, sizeof file->counts);
	file->changed = result->replacements->len > 0;
	file->bytes = result->bytes;
	return mtw_file_write_atomic(path, result->text, result->bytes, 0600, error);
}

static gboolean clean_file(MtwReport *report, MtwReportFile *file, GError **error)
{
	g_autofree char *old = mtw_report_path(report, "clean", file->name);

	memset(file->counts, 0, sizeof file->counts);
	file->changed = FALSE;
	unlink(old);
	if (file->excluded || !file->text)
		return TRUE;
	return file->fd >= 0 ? clean_trace(report, file, error) : clean_text(report, file, error);
}

gboolean mtw_report_clean(MtwReport *report, MtwRedactRules *rules, const MtwRedactFacts *facts,
			  GError **error)
{
	g_clear_pointer(&report->redactor, mtw_redactor_free);
	report->redactor = mtw_redactor_new(rules);
	if (!load_map(report, error))
		return FALSE;
	mtw_redactor_add_facts(report->redactor, facts);
	add_list(report, "keep");
	add_list(report, "words");
	for (guint i = 0; i < report->files->len; i++)
		if (!learn(report, report->files->pdata[i], error))
			return FALSE;
	for (guint i = 0; i < report->files->len; i++)
		if (!clean_file(report, report->files->pdata[i], error))
			return FALSE;
	return save_map(report, error);
}

char *mtw_report_clean_text(MtwReport *report, const char *name, const char *text, gsize *ret_bytes)
{
	g_autoptr(MtwRedactResult) result = NULL;

	if (!mtw_report_redacts(report) || report->redactor == NULL) {
		*ret_bytes = strlen(text);
		return g_strdup(text);
	}
	result = mtw_redactor_file(report->redactor, name, text, strlen(text));
	*ret_bytes = result->bytes;
	return g_steal_pointer(&result->text);
}
