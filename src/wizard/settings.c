/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/settings.h"

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <string.h>

#define ASK_NEVER "never"

/* Where a value stands in the file. */
typedef struct {
	const char *group;
	const char *key;
} Place;

static const Place nick_place = { "Person", "Nick" };
static const Place contact_place = { "Person", "Contact" };
static const Place target_place = { "Send", "Target" };
static const Place ask_place = { "Send", "Ask" };
static const Place words_place = { "Redact", "Words" };
static const Place notifications_place = { "Window", "Notifications" };

MtwSettings *mtw_settings_new(void)
{
	MtwSettings *settings = g_new0(MtwSettings, 1);

	settings->nick = g_strdup("");
	settings->contact = g_strdup("");
	settings->target = g_strdup("");
	settings->redact_words = g_new0(char *, 1);
	return settings;
}

void mtw_settings_free(MtwSettings *settings)
{
	if (settings == NULL)
		return;
	g_free(settings->nick);
	g_free(settings->contact);
	g_free(settings->target);
	g_strfreev(settings->redact_words);
	g_free(settings);
}

/* ---- values ---------------------------------------------------------------------------------- */

static char *clean_name(const char *text)
{
	char *name = mtw_text_clean_name(text);

	return name != NULL ? name : g_strdup("");
}

static char *clean_line(const char *text)
{
	g_autofree char *line = g_strstrip(mtw_text_clean_line(text));
	char *cut = g_utf8_substring(line, 0, MIN(g_utf8_strlen(line, -1), MTW_SETTINGS_MAX_CHARS));

	return g_strchomp(cut);
}

char **mtw_settings_words(const char *const *words)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (; words != NULL && *words != NULL; words++) {
		g_autofree char *word = clean_line(*words);
		if (word[0] == '\0' || g_hash_table_size(seen) >= MTW_SETTINGS_MAX_WORDS)
			continue;
		if (g_hash_table_add(seen, g_strdup(word)))
			g_strv_builder_add(builder, word);
	}
	return g_strv_builder_end(builder);
}

/* ---- the file -------------------------------------------------------------------------------- */

static char *settings_path(const MtwCaller *caller)
{
	g_autofree char *folder = mtw_caller_config_dir(caller);

	return g_build_filename(folder, "settings.conf", NULL);
}

/* Returns: (transfer full) (nullable) */
static GKeyFile *read_file(const char *path, GError **error)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) why = NULL;
	gsize bytes = 0;
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, &bytes, &why);

	if (text == NULL && g_error_matches(why, MTW_ERROR, MTW_ERROR_NOT_FOUND))
		return g_steal_pointer(&file);
	if (text == NULL) {
		g_propagate_error(error, g_steal_pointer(&why));
		return NULL;
	}
	if (g_key_file_load_from_data(file, text, bytes,
				      G_KEY_FILE_KEEP_COMMENTS | G_KEY_FILE_KEEP_TRANSLATIONS,
				      &why))
		return g_steal_pointer(&file);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
	return NULL;
}

/* What is not there is not set; what cannot be read is an error. */
static gboolean has(GKeyFile *file, const Place *place)
{
	return g_key_file_has_key(file, place->group, place->key, NULL);
}

static gboolean get_text(GKeyFile *file, const Place *place, char *(*clean)(const char *text),
			 char **ret_text, GError **error)
{
	g_autofree char *text = NULL;

	if (!has(file, place))
		return TRUE;
	text = g_key_file_get_string(file, place->group, place->key, error);
	if (text == NULL)
		return FALSE;
	g_free(*ret_text);
	*ret_text = clean(text);
	return TRUE;
}

static gboolean get_words(GKeyFile *file, char ***ret_words, GError **error)
{
	g_auto(GStrv) words = NULL;

	if (!has(file, &words_place))
		return TRUE;
	words = g_key_file_get_string_list(file, words_place.group, words_place.key, NULL, error);
	if (words == NULL)
		return FALSE;
	g_strfreev(*ret_words);
	*ret_words = mtw_settings_words((const char *const *)words);
	return TRUE;
}

static gboolean get_notifications(GKeyFile *file, gboolean *ret_none, GError **error)
{
	g_autoptr(GError) why = NULL;

	if (!has(file, &notifications_place))
		return TRUE;
	*ret_none = !g_key_file_get_boolean(file, notifications_place.group,
					    notifications_place.key, &why);
	if (why == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&why));
	return FALSE;
}

static gboolean get_all(GKeyFile *file, MtwSettings *settings, GError **error)
{
	g_autofree char *ask = g_strdup("");

	if (!get_text(file, &nick_place, clean_name, &settings->nick, error) ||
	    !get_text(file, &contact_place, clean_line, &settings->contact, error) ||
	    !get_text(file, &target_place, clean_name, &settings->target, error) ||
	    !get_text(file, &ask_place, clean_line, &ask, error) ||
	    !get_words(file, &settings->redact_words, error) ||
	    !get_notifications(file, &settings->no_notifications, error))
		return FALSE;
	settings->never_ask = g_str_equal(ask, ASK_NEVER);
	return TRUE;
}

MtwSettings *mtw_settings_load(const MtwCaller *caller, GError **error)
{
	g_autofree char *path = settings_path(caller);
	g_autoptr(GKeyFile) file = read_file(path, error);
	g_autoptr(MtwSettings) settings = mtw_settings_new();
	g_autoptr(GError) why = NULL;

	if (file == NULL)
		return NULL;
	if (get_all(file, settings, &why))
		return g_steal_pointer(&settings);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: %s", path, why->message);
	return NULL;
}

static void remove_key(GKeyFile *file, const Place *place)
{
	if (has(file, place))
		g_key_file_remove_key(file, place->group, place->key, NULL);
}

static void set_text(GKeyFile *file, const Place *place, char *(*clean)(const char *text),
		     const char *text)
{
	g_autofree char *value = clean(text);

	if (value[0] != '\0')
		g_key_file_set_string(file, place->group, place->key, value);
	else
		remove_key(file, place);
}

static void set_words(GKeyFile *file, char **words)
{
	g_auto(GStrv) clean = mtw_settings_words((const char *const *)words);
	gsize length = g_strv_length(clean);

	if (length > 0)
		g_key_file_set_string_list(file, words_place.group, words_place.key,
					   (const char *const *)clean, length);
	else
		remove_key(file, &words_place);
}

static void set_ask(GKeyFile *file, gboolean never_ask)
{
	g_autofree char *ask = g_key_file_get_string(file, ask_place.group, ask_place.key, NULL);

	if (never_ask)
		g_key_file_set_string(file, ask_place.group, ask_place.key, ASK_NEVER);
	else if (g_strcmp0(ask, ASK_NEVER) == 0)
		remove_key(file, &ask_place);
}

static void set_notifications(GKeyFile *file, gboolean no_notifications)
{
	if (no_notifications)
		g_key_file_set_boolean(file, notifications_place.group, notifications_place.key,
				       FALSE);
	else
		remove_key(file, &notifications_place);
}

static gboolean write_file(const MtwCaller *caller, const char *path, GKeyFile *file,
			   GError **error)
{
	g_autofree char *folder = mtw_caller_config_dir(caller);
	g_autofree char *text = g_key_file_to_data(file, NULL, NULL);

	return mtw_folder_ensure(folder, 0700, error) &&
	       mtw_file_write_atomic(path, text, strlen(text), 0600, error);
}

gboolean mtw_settings_save(const MtwCaller *caller, const MtwSettings *settings, GError **error)
{
	g_autofree char *path = settings_path(caller);
	g_autoptr(GKeyFile) file = read_file(path, error);

	/* It may hold more than this program put there. */
	if (file == NULL)
		return FALSE;
	set_text(file, &nick_place, clean_name, settings->nick);
	set_text(file, &contact_place, clean_line, settings->contact);
	set_text(file, &target_place, clean_name, settings->target);
	set_words(file, settings->redact_words);
	set_ask(file, settings->never_ask);
	set_notifications(file, settings->no_notifications);
	return write_file(caller, path, file, error);
}

gboolean mtw_settings_never_ask(const MtwCaller *caller)
{
	g_autoptr(MtwSettings) settings = mtw_settings_load(caller, NULL);

	return settings != NULL && settings->never_ask;
}

gboolean mtw_settings_set_never_ask(const MtwCaller *caller, GError **error)
{
	g_autofree char *path = settings_path(caller);
	g_autoptr(GKeyFile) file = read_file(path, error);

	if (file == NULL)
		return FALSE;
	set_ask(file, TRUE);
	return write_file(caller, path, file, error);
}
