/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores that know only names: the names of a report's files there, so that nobody else's file is overwritten.
 *
 * A file keeps its name as long as nothing on the store has it. Otherwise all files of the report get the first digits of
 * the report's id before the extension: what has that name is the same report, so it may be gone on with or overwritten.
 */
#pragma once

#include "submit/kind.h"

/* mtw_store_name: "x-mmiotrace.tar.gz", @tagged: "x-mmiotrace-1a2b3c4d.tar.gz". Returns: (transfer full) */
char *mtw_store_name(const MtwJob *job, const char *name, gboolean tagged);

/*
 * mtw_store_part_name: while it is not whole: "x-mmiotrace-5e6f7a8b.tar.gz.part", with digits of the file's own
 * SHA-256, so that what is there under this name is a beginning of the same file. Returns: (transfer full)
 */
char *mtw_store_part_name(const MtwJobFile *file);

/* mtw_store_letter_name: of the text beside the files: "x-mmiotrace.txt". Returns: (transfer full) */
char *mtw_store_letter_name(const MtwJob *job);

/* mtw_store_letter: title, an empty line, text. Returns: (transfer full) */
char *mtw_store_letter(const MtwJob *job);

/* mtw_store_folder: the target's address with [Target] Project as a folder in it; no final "/". Returns: (transfer full) */
char *mtw_store_folder(const MtwTarget *target);

/* mtw_store_url: @folder, "/", @name escaped. Returns: (transfer full) */
char *mtw_store_url(const char *folder, const char *name);

/* mtw_store_check: an address with one of @schemes, Project that is a folder below it. Errors: MTW_ERROR_INVALID */
gboolean mtw_store_check(const MtwTarget *target, const char *const *schemes, GError **error);

/* mtw_store_fact: the job's fact "KIND-@name". (transfer none) (nullable) */
const char *mtw_store_fact(const MtwJob *job, const char *name);

/* mtw_store_remember: sets that fact, or removes it (@value NULL), and saves. */
gboolean mtw_store_remember(MtwJob *job, const char *name, const char *value, GError **error);

/* mtw_store_sent: how many of the files are there; mtw_store_set_sent saves it. */
guint mtw_store_sent(const MtwJob *job);
gboolean mtw_store_set_sent(MtwJob *job, guint n_files, GError **error);

/* mtw_store_show: for the progress: file @index goes on at @from. */
void mtw_store_show(MtwJob *job, guint index, guint64 from);

/* mtw_store_show_file: facts "path" and "note", for what a person goes on with. @note: msgid */
void mtw_store_show_file(MtwJob *job, const char *note);

static inline const MtwJobFile *mtw_job_file(const MtwJob *job, guint index)
{
	return job->files->pdata[index];
}
