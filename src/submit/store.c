/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/store.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

/* Where the extension begins: ".tar.gz", ".tar.gz.001", ".txt". */
static gsize stem_bytes(const char *name)
{
	const char *dot = strstr(name, ".tar.");

	if (dot == NULL)
		dot = strrchr(name, '.');
	return dot == NULL || dot == name ? strlen(name) : (gsize)(dot - name);
}

static char *tagged_name(const char *name, const char *tag, const char *end)
{
	gsize stem = stem_bytes(name);

	return g_strdup_printf("%.*s-%.8s%s%s", (int)stem, name, tag, name + stem, end);
}

char *mtw_store_name(const MtwJob *job, const char *name, gboolean tagged)
{
	return tagged ? tagged_name(name, job->letter->report_id, "") : g_strdup(name);
}

char *mtw_store_part_name(const MtwJobFile *file)
{
	return tagged_name(file->name, file->sha256, ".part");
}

char *mtw_store_letter_name(const MtwJob *job)
{
	const char *name = mtw_job_file(job, 0)->name;

	return g_strdup_printf("%.*s.txt", (int)stem_bytes(name), name);
}

char *mtw_store_letter(const MtwJob *job)
{
	return g_strdup_printf("%s\n\n%s", job->letter->title, job->letter->body);
}

char *mtw_store_folder(const MtwTarget *target)
{
	g_autoptr(GString) folder = g_string_new(target->url);
	g_auto(GStrv) parts = g_strsplit(target->project, "/", -1);

	for (char **part = parts; *part != NULL; part++) {
		if (**part == '\0')
			continue;
		g_autofree char *escaped = mtw_url_escape(*part);
		g_string_append_printf(folder, "/%s", escaped);
	}
	return g_string_free(g_steal_pointer(&folder), FALSE);
}

char *mtw_store_url(const char *folder, const char *name)
{
	g_autofree char *escaped = mtw_url_escape(name);

	return g_strdup_printf("%s/%s", folder, escaped);
}

static gboolean has_scheme(const char *url, const char *const *schemes)
{
	for (; *schemes != NULL; schemes++) {
		g_autofree char *start = g_strconcat(*schemes, "://", NULL);
		if (g_str_has_prefix(url, start))
			return TRUE;
	}
	return FALSE;
}

gboolean mtw_store_check(const MtwTarget *target, const char *const *schemes, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(target->project, "/", -1);

	if (!has_scheme(target->url, schemes)) {
		g_autofree char *all = g_strjoinv(":// or ", (char **)schemes);
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "URL must begin with %s:// for this kind", all);
		return FALSE;
	}
	if (strpbrk(target->url, "?#") != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "URL must be a folder, without \"?\" and \"#\"");
		return FALSE;
	}
	if (g_strv_contains((const char *const *)parts, "..") ||
	    g_strv_contains((const char *const *)parts, ".")) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "Project must be a folder below the address, not \"%s\"",
			    target->project);
		return FALSE;
	}
	return TRUE;
}

static char *fact_name(const MtwJob *job, const char *name)
{
	return g_strdup_printf("%s-%s", job->target->kind, name);
}

const char *mtw_store_fact(const MtwJob *job, const char *name)
{
	g_autofree char *fact = fact_name(job, name);

	return mtw_json_string(job->facts, fact, NULL);
}

gboolean mtw_store_remember(MtwJob *job, const char *name, const char *value, GError **error)
{
	g_autofree char *fact = fact_name(job, name);

	if (value == NULL)
		json_object_remove_member(job->facts, fact);
	else
		mtw_json_set_text(job->facts, fact, value);
	return job->save(job, error);
}

guint mtw_store_sent(const MtwJob *job)
{
	g_autofree char *fact = fact_name(job, "sent");

	return (guint)CLAMP(mtw_json_int(job->facts, fact, 0), 0, (gint64)job->files->len);
}

gboolean mtw_store_set_sent(MtwJob *job, guint n_files, GError **error)
{
	g_autofree char *fact = fact_name(job, "sent");

	json_object_set_int_member(job->facts, fact, n_files);
	return job->save(job, error);
}

void mtw_store_show(MtwJob *job, guint index, guint64 from)
{
	job->there_bytes = from;
	for (guint i = 0; i < index; i++)
		job->there_bytes += mtw_job_file(job, i)->bytes;
}

void mtw_store_show_file(MtwJob *job, const char *note)
{
	const MtwJobFile *file = mtw_job_file(job, 0);

	mtw_json_set_text(job->facts, "path", file->path != NULL ? file->path : file->name);
	json_object_set_string_member(job->facts, "note", note);
}
