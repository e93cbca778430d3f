/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report-private.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "report/leaks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_FORMAT 1

static void file_free(gpointer data)
{
	MtwReportFile *file = data;

	g_free(file->name);
	mtw_fd_clear(&file->fd);
	g_free(file);
}

char *mtw_report_path(const MtwReport *report, const char *folder, const char *name)
{
	return g_build_filename(report->folder, folder, name, NULL);
}

char *mtw_report_read(const MtwReport *report, const char *folder, const char *name,
		      gsize *ret_bytes, GError **error)
{
	g_autofree char *path = mtw_report_path(report, folder, name);

	return mtw_file_read(path, MTW_REPORT_FILE_MAX_BYTES, ret_bytes, error);
}

static gboolean save(MtwReport *report, GError **error)
{
	g_autofree char *path = g_build_filename(report->folder, "report.json", NULL);
	g_autofree char *text = mtw_json_pretty(report->state);

	return mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

static gboolean load(MtwReport *report, GError **error)
{
	g_autofree char *path = g_build_filename(report->folder, "report.json", NULL);
	g_autofree char *text = NULL;

	if (access(path, F_OK) == 0) {
		text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);
		report->state = text != NULL ? mtw_json_parse(text, -1, path, error) : NULL;
		return report->state != NULL;
	}
	report->state = json_object_new();
	json_object_set_int_member(report->state, "format", REPORT_FORMAT);
	return save(report, error);
}

MtwReport *mtw_report_open(const char *folder, GError **error)
{
	g_autoptr(MtwReport) report = g_new0(MtwReport, 1);
	g_autofree char *files = NULL;
	g_autofree char *clean = NULL;

	report->folder = g_strdup(folder);
	report->files = g_ptr_array_new_with_free_func(file_free);
	files = g_build_filename(folder, "files", NULL);
	clean = g_build_filename(folder, "clean", NULL);
	if (!mtw_folder_ensure(folder, 0700, error) || !mtw_folder_ensure(files, 0700, error) ||
	    !mtw_folder_ensure(clean, 0700, error) || !load(report, error))
		return NULL;
	return g_steal_pointer(&report);
}

void mtw_report_free(MtwReport *report)
{
	if (report == NULL)
		return;
	g_free(report->folder);
	g_clear_pointer(&report->state, json_object_unref);
	g_ptr_array_unref(report->files);
	g_clear_pointer(&report->redactor, mtw_redactor_free);
	g_free(report);
}

const char *mtw_report_folder(const MtwReport *report)
{
	return report->folder;
}

const GPtrArray *mtw_report_files(const MtwReport *report)
{
	return report->files;
}

MtwReportFile *mtw_report_find(const MtwReport *report, const char *name, GError **error)
{
	for (guint i = 0; i < report->files->len; i++) {
		MtwReportFile *file = report->files->pdata[i];
		if (strcmp(file->name, name) == 0)
			return file;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND, "there is no file \"%s\" in the report",
		    name);
	return NULL;
}

/* Lists of texts in report.json: words, keep, excluded, edited. */

static gboolean list_has(const MtwReport *report, const char *list, const char *text)
{
	JsonArray *array = mtw_json_array(report->state, list);

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++)
		if (g_strcmp0(json_array_get_string_element(array, i), text) == 0)
			return TRUE;
	return FALSE;
}

static gboolean list_set(MtwReport *report, const char *list, const char *text, gboolean there,
			 GError **error)
{
	JsonArray *array = mtw_json_array(report->state, list);
	JsonArray *fresh = json_array_new();

	for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
		const char *item = json_array_get_string_element(array, i);
		if (item != NULL && strcmp(item, text) != 0)
			json_array_add_string_element(fresh, item);
	}
	if (there)
		json_array_add_string_element(fresh, text);
	json_object_set_array_member(report->state, list, fresh);
	return save(report, error);
}

static gboolean is_text(const char *name)
{
	return !g_str_has_suffix(name, ".bin") && !g_str_has_suffix(name, ".rom");
}

static MtwReportFile *add_file(MtwReport *report, const char *name, guint64 bytes)
{
	MtwReportFile *file = mtw_report_find(report, name, NULL);

	if (file == NULL) {
		file = g_new0(MtwReportFile, 1);
		file->name = g_strdup(name);
		file->fd = -1;
		g_ptr_array_add(report->files, file);
	}
	file->bytes = bytes;
	file->text = is_text(name);
	file->excluded = list_has(report, "excluded", name);
	return file;
}

static gboolean check_name(const char *name, GError **error)
{
	g_autofree char *clean = mtw_text_clean_name(name);

	if (g_strcmp0(clean, name) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "\"%s\" cannot be a file of a report",
		    name);
	return FALSE;
}

gboolean mtw_report_add(MtwReport *report, const char *name, const void *data, gsize bytes,
			GError **error)
{
	g_autofree char *path = mtw_report_path(report, "files", name);
	struct stat status;

	if (!check_name(name, error))
		return FALSE;
	if (list_has(report, "edited", name) && stat(path, &status) == 0) {
		add_file(report, name, (guint64)status.st_size);
		return TRUE;
	}
	if (!mtw_file_write_atomic(path, data, bytes, 0600, error))
		return FALSE;
	add_file(report, name, bytes);
	return TRUE;
}

static GByteArray *read_all(int fd, const char *name, GError **error)
{
	g_autoptr(GByteArray) content = g_byte_array_new();
	g_autofree guint8 *block = g_malloc(MTW_REPORT_BLOCK_BYTES);
	ssize_t got;

	while ((got = pread(fd, block, MTW_REPORT_BLOCK_BYTES, content->len)) > 0) {
		if (content->len + (gsize)got > MTW_REPORT_FILE_MAX_BYTES) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s is too large", name);
			return NULL;
		}
		g_byte_array_append(content, block, (guint)got);
	}
	if (got < 0) {
		mtw_set_error_errno(error, errno, "reading %s", name);
		return NULL;
	}
	return g_steal_pointer(&content);
}

gboolean mtw_report_add_fd(MtwReport *report, const char *name, int fd, GError **error)
{
	g_auto(MtwFd) owned = fd;
	g_autoptr(GByteArray) content = NULL;
	struct stat status;

	if (strcmp(name, MTW_REPORT_TRACE) == 0 && fstat(fd, &status) == 0) {
		MtwReportFile *file = add_file(report, name, (guint64)status.st_size);
		mtw_fd_clear(&file->fd);
		file->fd = mtw_fd_steal(&owned);
		return TRUE;
	}
	content = read_all(fd, name, error);
	return content != NULL && mtw_report_add(report, name, content->data, content->len, error);
}

gboolean mtw_report_redacts(const MtwReport *report)
{
	return mtw_json_bool(report->state, "redact", TRUE);
}

gboolean mtw_report_set_redact(MtwReport *report, gboolean redact, GError **error)
{
	json_object_set_boolean_member(report->state, "redact", redact);
	return save(report, error);
}

gboolean mtw_report_agreed(const MtwReport *report)
{
	return mtw_json_bool(report->state, "agreed", FALSE);
}

gboolean mtw_report_set_agreed(MtwReport *report, gboolean agreed, GError **error)
{
	json_object_set_boolean_member(report->state, "agreed", agreed);
	return save(report, error);
}

const char *mtw_report_fact(const MtwReport *report, const char *name)
{
	return mtw_json_string(report->state, name, NULL);
}

gboolean mtw_report_set_fact(MtwReport *report, const char *name, const char *text, GError **error)
{
	mtw_json_set_text(report->state, name, text);
	return save(report, error);
}

gboolean mtw_report_exclude(MtwReport *report, const char *name, gboolean excluded, GError **error)
{
	MtwReportFile *file = mtw_report_find(report, name, error);

	if (file == NULL)
		return FALSE;
	if (strcmp(name, MTW_REPORT_TRACE) == 0 && excluded) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "without the trace there is nothing to send");
		return FALSE;
	}
	file->excluded = excluded;
	return list_set(report, "excluded", name, excluded, error);
}

gboolean mtw_report_add_word(MtwReport *report, const char *word, GError **error)
{
	return list_set(report, "words", word, TRUE, error);
}

gboolean mtw_report_keep(MtwReport *report, const char *value, GError **error)
{
	return list_set(report, "keep", value, TRUE, error);
}

char *mtw_report_edit_path(MtwReport *report, const char *name, GError **error)
{
	MtwReportFile *file = mtw_report_find(report, name, error);

	if (file == NULL)
		return NULL;
	if (!file->text || file->fd >= 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE, "%s cannot be edited", name);
		return NULL;
	}
	if (!list_set(report, "edited", name, TRUE, error))
		return NULL;
	return mtw_report_path(report, "files", name);
}

const GPtrArray *mtw_report_messages(const MtwReport *report)
{
	return report->redactor != NULL ? mtw_redactor_messages(report->redactor) : NULL;
}

/* ---- what comes out of it ------------------------------------------------------------------- */

JsonArray *mtw_report_diff(MtwReport *report, const char *name, guint max_lines, GError **error)
{
	MtwReportFile *file = mtw_report_find(report, name, error);
	g_autoptr(JsonArray) lines = json_array_new();
	g_autofree char *before_text = NULL;
	g_autofree char *after_text = NULL;
	g_auto(GStrv) before = NULL;
	g_auto(GStrv) after = NULL;

	if (file == NULL)
		return NULL;
	if (file->fd >= 0 || !file->changed)
		return g_steal_pointer(&lines);
	before_text = mtw_report_read(report, "files", name, NULL, error);
	after_text =
		before_text != NULL ? mtw_report_read(report, "clean", name, NULL, error) : NULL;
	if (after_text == NULL)
		return NULL;
	/* A mask never has a newline, so the lines correspond. */
	before = g_strsplit(before_text, "\n", -1);
	after = g_strsplit(after_text, "\n", -1);
	for (guint i = 0;
	     before[i] != NULL && after[i] != NULL && json_array_get_length(lines) < max_lines;
	     i++) {
		JsonObject *line;
		if (strcmp(before[i], after[i]) == 0)
			continue;
		line = json_object_new();
		json_object_set_int_member(line, "line", i + 1);
		mtw_json_set_text(line, "before", before[i]);
		mtw_json_set_text(line, "after", after[i]);
		json_array_add_object_element(lines, line);
	}
	return g_steal_pointer(&lines);
}

static int open_for_archive(MtwReport *report, const MtwReportFile *file, GError **error)
{
	gboolean clean =
		mtw_report_redacts(report) && file->text && (file->fd < 0 || file->changed);
	g_autofree char *path = mtw_report_path(report, clean ? "clean" : "files", file->name);
	int fd;

	if (clean || file->fd < 0)
		return mtw_file_open_read(path, error);
	fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		mtw_set_error_errno(error, errno, "%s", file->name);
	return fd;
}

GPtrArray *mtw_report_members(MtwReport *report, GError **error)
{
	g_autoptr(GPtrArray) members = mtw_members_new();

	for (guint i = 0; i < report->files->len; i++) {
		const MtwReportFile *file = report->files->pdata[i];
		int fd;
		if (file->excluded)
			continue;
		fd = open_for_archive(report, file, error);
		if (fd < 0)
			return NULL;
		g_ptr_array_add(members, mtw_member_new_fd(file->name, fd));
	}
	return g_steal_pointer(&members);
}

gboolean mtw_report_scan_archive(MtwReport *report, const char *path, guint64 *ret_leaks,
				 GError **error)
{
	*ret_leaks = 0;
	if (!mtw_report_redacts(report) || report->redactor == NULL)
		return TRUE;
	return mtw_leaks_count(report->redactor, path, NULL, ret_leaks, error);
}
