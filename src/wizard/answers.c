/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/answers.h"

#include "base/error.h"
#include "base/file.h"

#define GROUP "Answers"

struct _MtwAnswers {
	GHashTable *by_id;
};

MtwAnswers *mtw_answers_new(void)
{
	MtwAnswers *answers = g_new0(MtwAnswers, 1);

	answers->by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return answers;
}

void mtw_answers_free(MtwAnswers *answers)
{
	if (answers == NULL)
		return;
	g_hash_table_unref(answers->by_id);
	g_free(answers);
}

gboolean mtw_answers_load(MtwAnswers *answers, const char *path, GError **error)
{
	g_autoptr(GKeyFile) keyfile = g_key_file_new();
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, error);
	g_autoptr(GError) why = NULL;
	g_auto(GStrv) ids = NULL;

	if (text == NULL)
		return FALSE;
	if (g_key_file_load_from_data(keyfile, text, (gsize)-1, G_KEY_FILE_NONE, &why))
		ids = g_key_file_get_keys(keyfile, GROUP, NULL, &why);
	if (why != NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
		return FALSE;
	}
	for (char **id = ids; *id != NULL; id++) {
		g_autofree char *value = g_key_file_get_string(keyfile, GROUP, *id, &why);
		if (why != NULL) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path,
				    why->message);
			return FALSE;
		}
		mtw_answers_set(answers, *id, value);
	}
	return TRUE;
}

void mtw_answers_set(MtwAnswers *answers, const char *id, const char *value)
{
	if (value != NULL && !g_hash_table_contains(answers->by_id, id))
		g_hash_table_insert(answers->by_id, g_strdup(id), g_strdup(value));
}

const char **mtw_answers_ids(const MtwAnswers *answers)
{
	return (const char **)g_hash_table_get_keys_as_array(answers->by_id, NULL);
}

const char *mtw_answers_get(const MtwAnswers *answers, const char *id)
{
	return g_hash_table_lookup(answers->by_id, id);
}
