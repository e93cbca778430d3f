/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/profile.h"

#include "base/file.h"
#include "capture/collect.h"
#include "wizard/profile-keys.h"
#include "wizard/profile-private.h"
#include "wizard/scenario.h"

#include <string.h>

#define SUFFIX ".conf"
#define DEFAULT_FORMAT "tar.gz"

void mtw_profile_free(MtwProfile *profile)
{
	if (profile == NULL)
		return;
	g_free(profile->id);
	g_free(profile->path);
	g_free(profile->title);
	g_free(profile->title_plain);
	g_free(profile->contact);
	g_free(profile->request);
	g_free(profile->privacy);
	g_free(profile->privacy_plain);
	g_free(profile->driver_options);
	g_free(profile->archive_format);
	g_strfreev(profile->collectors);
	g_strfreev(profile->targets);
	g_strfreev(profile->vendors);
	g_strfreev(profile->devices);
	g_strfreev(profile->classes);
	g_strfreev(profile->drivers);
	g_clear_pointer(&profile->scenario, g_ptr_array_unref);
	g_clear_pointer(&profile->questions, g_ptr_array_unref);
	g_clear_pointer(&profile->hints, g_ptr_array_unref);
	g_free(profile);
}

const char *mtw_profile_origin_name(MtwProfileOrigin origin)
{
	static const char *const names[] = {
		[MTW_PROFILE_SHIPPED] = "shipped",
		[MTW_PROFILE_SYSTEM] = "system",
		[MTW_PROFILE_USER] = "user",
		[MTW_PROFILE_FILE] = "file",
	};

	return names[origin];
}

static char *id_of(const char *path)
{
	char *name = g_path_get_basename(path);

	if (g_str_has_suffix(name, SUFFIX))
		name[strlen(name) - strlen(SUFFIX)] = '\0';
	return name;
}

/* @text: (transfer full) (nullable) */
static char *or_empty(char *text)
{
	return text != NULL ? text : g_strdup("");
}

/* Names of collectors and targets become parts of file names and are shown. */
static const char *bad_name(char **names)
{
	for (; *names != NULL; names++)
		for (const char *at = *names; *at != '\0'; at++)
			if (!g_ascii_isalnum(*at) && (at == *names || strchr("._-", *at) == NULL))
				return *names;
	return NULL;
}

static gboolean read_names(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
			   char ***ret_names, GError **error)
{
	const char *bad;

	*ret_names = mtw_key_group_list(group, key);
	if (*ret_names == NULL)
		*ret_names = g_new0(char *, 1);
	bad = bad_name(*ret_names);
	if (bad == NULL)
		return TRUE;
	return mtw_key_file_fail(file, mtw_key_group_line(group, key), error,
				 "%s: \"%s\" is not a name (letters, digits and ._-)", key, bad);
}

/* An address that a person can click on: nothing but the web, and nothing that hides in it. */
static gboolean is_web_address(const char *text)
{
	if (!g_str_has_prefix(text, "https://") && !g_str_has_prefix(text, "http://"))
		return FALSE;
	for (; *text != '\0'; text++)
		if (!g_ascii_isgraph(*text) || strchr("\"<>\\^`{|}", *text) != NULL)
			return FALSE;
	return TRUE;
}

static gboolean check_profile(const MtwProfile *profile, const MtwKeyFile *file,
			      const MtwKeyGroup *group, GError **error)
{
	static const char *const formats[] = { DEFAULT_FORMAT, "tar.xz", "tar.zst", NULL };

	if (profile->request[0] != '\0' && !is_web_address(profile->request))
		return mtw_key_file_fail(file, mtw_key_group_line(group, "Request"), error,
					 "Request is an address that begins with https://");
	if (profile->driver_options != NULL && !mtw_options_check(profile->driver_options))
		return mtw_key_file_fail(file, mtw_key_group_line(group, "DriverOptions"), error,
					 "DriverOptions are words like name=value, without "
					 "quotes");
	if (!g_strv_contains(formats, profile->archive_format))
		return mtw_key_file_fail(file, mtw_key_group_line(group, "ArchiveFormat"), error,
					 "ArchiveFormat is tar.gz, tar.xz or tar.zst, not "
					 "\"%s\"",
					 profile->archive_format);
	return TRUE;
}

static gboolean check_collectors(const MtwProfile *profile, const MtwKeyFile *file,
				 const MtwKeyGroup *group, GError **error)
{
	for (char **name = profile->collectors; *name != NULL; name++)
		if (!mtw_collector_is_known(*name))
			return mtw_key_file_fail(file, mtw_key_group_line(group, "Collectors"),
						 error, "Collectors: there is no \"%s\"", *name);
	return TRUE;
}

static gboolean read_profile(MtwProfile *profile, const MtwKeyFile *file, GError **error)
{
	const MtwKeyGroup *group = mtw_key_file_group(file, "Profile");

	if (group == NULL)
		return mtw_key_file_fail(file, 1, error, "there is no group [Profile]");
	profile->title = mtw_key_group_shown(group, "Title");
	profile->title_plain = mtw_key_group_text(group, "Title");
	profile->contact = or_empty(mtw_key_group_text(group, "Contact"));
	profile->request = or_empty(mtw_key_group_text(group, "Request"));
	profile->privacy = or_empty(mtw_key_group_shown(group, "Privacy"));
	profile->privacy_plain = or_empty(mtw_key_group_text(group, "Privacy"));
	profile->driver_options = mtw_key_group_text(group, "DriverOptions");
	profile->archive_format = mtw_key_group_text(group, "ArchiveFormat");
	if (profile->archive_format == NULL)
		profile->archive_format = g_strdup(DEFAULT_FORMAT);
	return check_profile(profile, file, group, error) &&
	       read_names(file, group, "Collectors", &profile->collectors, error) &&
	       check_collectors(profile, file, group, error) &&
	       read_names(file, group, "Targets", &profile->targets, error);
}

static gboolean read_ids(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
			 const char *digits, char ***ret_patterns, GError **error)
{
	const char *bad;

	*ret_patterns = mtw_key_group_list(group, key);
	bad = *ret_patterns != NULL ? mtw_patterns_check(*ret_patterns, digits) : NULL;
	if (bad == NULL)
		return TRUE;
	return mtw_key_file_fail(file, mtw_key_group_line(group, key), error,
				 "%s: \"%s\" is not %s hexadecimal digits, nor a range of them",
				 key, bad, g_str_equal(digits, "4") ? "4" : "2, 4 or 6");
}

static gboolean read_match(MtwProfile *profile, const MtwKeyFile *file, GError **error)
{
	const MtwKeyGroup *group = mtw_key_file_group(file, "Match");

	if (group == NULL)
		return TRUE;
	if (group->entries->len == 0)
		return mtw_key_file_fail(file, group->line, error,
					 "[Match] is empty: leave it out");
	profile->drivers = mtw_key_group_list(group, "Driver");
	return read_ids(file, group, "Vendor", "4", &profile->vendors, error) &&
	       read_ids(file, group, "Device", "4", &profile->devices, error) &&
	       read_ids(file, group, "Class", "246", &profile->classes, error);
}

static gboolean read_group(MtwProfile *profile, const MtwKeyFile *file, const MtwKeyGroup *group,
			   GError **error)
{
	if (g_str_equal(group->kind, "Question")) {
		MtwQuestion *question = mtw_question_read(file, group, error);
		if (question == NULL)
			return FALSE;
		g_ptr_array_add(profile->questions, question);
	} else if (g_str_equal(group->kind, "Hint")) {
		MtwHint *hint = mtw_hint_read(file, group, error);
		if (hint == NULL)
			return FALSE;
		g_ptr_array_add(profile->hints, hint);
	}
	return TRUE;
}

static gboolean read_file(MtwProfile *profile, const MtwKeyFile *file, GError **error)
{
	profile->questions = g_ptr_array_new_with_free_func(mtw_question_free);
	profile->hints = g_ptr_array_new_with_free_func(mtw_hint_free);
	if (!mtw_profile_file_check(file, NULL, error) || !read_profile(profile, file, error) ||
	    !read_match(profile, file, error))
		return FALSE;
	for (guint i = 0; i < file->groups->len; i++)
		if (!read_group(profile, file, file->groups->pdata[i], error))
			return FALSE;
	profile->scenario = mtw_scenario_from_file(file, error);
	return profile->scenario != NULL;
}

MtwProfile *mtw_profile_parse(const char *text, gsize bytes, const char *name, GError **error)
{
	g_autoptr(MtwProfile) profile = g_new0(MtwProfile, 1);
	g_autoptr(MtwKeyFile) file = mtw_key_file_parse(text, bytes, name, error);

	if (file == NULL)
		return NULL;
	profile->id = id_of(name);
	profile->path = g_strdup(name);
	profile->origin = MTW_PROFILE_FILE;
	return read_file(profile, file, error) ? g_steal_pointer(&profile) : NULL;
}

MtwProfile *mtw_profile_load(const char *path, GError **error)
{
	gsize bytes = 0;
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, &bytes, error);

	return text != NULL ? mtw_profile_parse(text, bytes, path, error) : NULL;
}
