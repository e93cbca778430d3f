/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints: what a project knows of some machines, bound to facts. */
#include "base/json.h"
#include "capture/facts.h"
#include "wizard/profile-private.h"

#include <string.h>

#define ID_DIGITS 4
#define ID_LAST 0xffff

/* A "name:pattern" of Fact. */
typedef struct {
	char *name;
	char *pattern;
} FactIs;

typedef struct _MtwHintWhen {
	char **vendors; /* (nullable), as the next ones */
	guint32 device_from, device_to;
	char **drivers;
	char *version_from;
	char **licenses;
	GPtrArray *facts; /* (element-type FactIs) */
} HintWhen;

static void fact_is_free(gpointer data)
{
	FactIs *fact = data;

	g_free(fact->name);
	g_free(fact->pattern);
	g_free(fact);
}

static void when_free(HintWhen *when)
{
	g_strfreev(when->vendors);
	g_strfreev(when->drivers);
	g_free(when->version_from);
	g_strfreev(when->licenses);
	g_ptr_array_unref(when->facts);
	g_free(when);
}

void mtw_hint_free(gpointer data)
{
	MtwHint *hint = data;

	if (hint == NULL)
		return;
	g_free(hint->id);
	g_free(hint->say);
	g_free(hint->say_plain);
	g_free(hint->options);
	g_free(hint->tell_with);
	g_free(hint->tell_without);
	when_free(hint->when);
	g_free(hint);
}

static gboolean is_option(const char *word)
{
	gsize name = 0;

	while (g_ascii_isalnum(word[name]) ||
	       (name > 0 && strchr("_-.", word[name]) != NULL && word[name] != '\0'))
		name++;
	if (name == 0 || (word[name] != '\0' && word[name] != '='))
		return FALSE;
	for (const char *at = word + name; *at != '\0'; at++)
		if (!g_ascii_isgraph(*at) || strchr("\"'\\", *at) != NULL)
			return FALSE;
	return TRUE;
}

gboolean mtw_options_check(const char *options)
{
	g_auto(GStrv) words = g_strsplit(options, " ", -1);
	guint n_words = 0;

	for (char **word = words; *word != NULL; word++) {
		if (**word == '\0')
			continue;
		if (!is_option(*word))
			return FALSE;
		n_words++;
	}
	return n_words > 0;
}

static gboolean fail(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
		     const char *reason, GError **error)
{
	return mtw_key_file_fail(file, mtw_key_group_line(group, key), error, "[Hint %s]: %s %s",
				 group->id, key, reason);
}

/* Four hexadecimal digits, not a range. */
static gboolean read_id(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
			guint32 missing, guint32 *ret_id, GError **error)
{
	g_autofree char *text = mtw_key_group_text(group, key);
	char *const one[] = { text, NULL };

	*ret_id = missing;
	if (text == NULL)
		return TRUE;
	if (strlen(text) != ID_DIGITS || mtw_patterns_check((char **)one, "4") != NULL)
		return fail(file, group, key, "is four hexadecimal digits", error);
	*ret_id = 0;
	for (int i = 0; i < ID_DIGITS; i++)
		*ret_id = *ret_id << 4 | (guint32)g_ascii_xdigit_value(text[i]);
	return TRUE;
}

static gboolean read_fact(HintWhen *when, const char *text)
{
	const char *colon = strchr(text, ':');
	FactIs *fact;

	if (colon == NULL || colon[1] == '\0')
		return FALSE;
	fact = g_new0(FactIs, 1);
	fact->name = g_strndup(text, (gsize)(colon - text));
	fact->pattern = g_strdup(colon + 1);
	g_ptr_array_add(when->facts, fact);
	return mtw_facts_is_name(fact->name);
}

static gboolean read_facts(HintWhen *when, const MtwKeyFile *file, const MtwKeyGroup *group,
			   GError **error)
{
	g_auto(GStrv) list = mtw_key_group_list(group, "Fact");

	for (char **item = list; item != NULL && *item != NULL; item++)
		if (!read_fact(when, *item))
			return mtw_key_file_fail(
				file, mtw_key_group_line(group, "Fact"), error,
				"[Hint %s]: Fact: \"%s\" is not name:value with the name of a fact",
				group->id, *item);
	return TRUE;
}

static gboolean read_when(HintWhen *when, const MtwKeyFile *file, const MtwKeyGroup *group,
			  GError **error)
{
	when->vendors = mtw_key_group_list(group, "Vendor");
	when->drivers = mtw_key_group_list(group, "Driver");
	when->version_from = mtw_key_group_text(group, "DriverVersionFrom");
	when->licenses = mtw_key_group_list(group, "ModuleLicense");
	if (when->vendors != NULL && mtw_patterns_check(when->vendors, "4") != NULL)
		return fail(file, group, "Vendor", "is four hexadecimal digits", error);
	if (when->version_from != NULL &&
	    (!g_ascii_isdigit(when->version_from[0]) ||
	     when->version_from[strspn(when->version_from, "0123456789.")] != '\0'))
		return fail(file, group, "DriverVersionFrom", "is a version like 555.42", error);
	if (!read_id(file, group, "DeviceFrom", 0, &when->device_from, error) ||
	    !read_id(file, group, "DeviceTo", ID_LAST, &when->device_to, error))
		return FALSE;
	if (when->device_from > when->device_to)
		return fail(file, group, "DeviceTo", "is before DeviceFrom", error);
	return read_facts(when, file, group, error);
}

static gboolean read_offer(MtwHint *hint, const MtwKeyFile *file, const MtwKeyGroup *group,
			   GError **error)
{
	if (hint->options == NULL && hint->tell_with != NULL)
		return fail(file, group, "TellWith", "without Options", error);
	if (hint->options == NULL)
		return TRUE;
	if (!mtw_options_check(hint->options))
		return fail(file, group, "Options", "are words like name=value, without quotes",
			    error);
	if (hint->tell_with == NULL || hint->tell_without == NULL)
		return fail(file, group, "Options",
			    "need TellWith and TellWithout: the reader must know which way it was",
			    error);
	return TRUE;
}

MtwHint *mtw_hint_read(const MtwKeyFile *file, const MtwKeyGroup *group, GError **error)
{
	MtwHint *hint = g_new0(MtwHint, 1);

	hint->when = g_new0(HintWhen, 1);
	hint->when->facts = g_ptr_array_new_with_free_func(fact_is_free);
	hint->id = g_strdup(group->id);
	hint->say = mtw_key_group_shown(group, "Say");
	hint->say_plain = mtw_key_group_text(group, "Say");
	hint->options = mtw_key_group_text(group, "Options");
	hint->tell_with = mtw_key_group_text(group, "TellWith");
	hint->tell_without = mtw_key_group_text(group, "TellWithout");
	if (!read_when(hint->when, file, group, error) || !read_offer(hint, file, group, error)) {
		mtw_hint_free(hint);
		return NULL;
	}
	if (hint->tell_with == NULL)
		hint->tell_with = g_strdup("");
	if (hint->tell_without == NULL)
		hint->tell_without = g_strdup("");
	return hint;
}

/* The number at the beginning of @text; numbers too large to be one are all the same. */
static guint64 leading_number(const char *text)
{
	guint64 number = 0;

	for (; g_ascii_isdigit(*text); text++)
		number = MIN(number * 10 + (guint64)(*text - '0'), G_MAXUINT32);
	return number;
}

/* "535.183.01" and "555.42": number by number; a part that is not there is 0. */
static gboolean version_is_from(const char *version, const char *from)
{
	if (!g_ascii_isdigit(*version))
		return FALSE;
	for (;;) {
		guint64 a = leading_number(version), b = leading_number(from);
		if (a != b)
			return a > b;
		version += strspn(version, "0123456789");
		from += strspn(from, "0123456789");
		if (*from != '.')
			return TRUE;
		from++;
		version += *version == '.' ? 1 : 0;
	}
}

/* The module that is to be traced says more than the driver that has the device now. */
static const char *driver_of(const MtwPciDevice *device, JsonObject *facts)
{
	const char *bound = device->driver != NULL ? device->driver : "";

	return mtw_json_string(facts, "module", bound);
}

static gboolean list_fits(char **patterns, const char *text)
{
	for (; *patterns != NULL; patterns++)
		if (g_pattern_match_simple(*patterns, text))
			return TRUE;
	return FALSE;
}

/* Patterns for the same fact are a choice, those for different facts must all fit. */
static gboolean fact_holds(const HintWhen *when, const char *name, JsonObject *facts)
{
	const char *value = mtw_json_string(facts, name, NULL);

	for (guint i = 0; value != NULL && i < when->facts->len; i++) {
		const FactIs *fact = when->facts->pdata[i];
		if (g_str_equal(fact->name, name) && g_pattern_match_simple(fact->pattern, value))
			return TRUE;
	}
	return FALSE;
}

static gboolean facts_hold(const HintWhen *when, JsonObject *facts)
{
	for (guint i = 0; i < when->facts->len; i++) {
		const FactIs *fact = when->facts->pdata[i];
		if (!fact_holds(when, fact->name, facts))
			return FALSE;
	}
	return TRUE;
}

static gboolean holds(const HintWhen *when, const MtwPciDevice *device, JsonObject *facts)
{
	const char *version = mtw_json_string(facts, "driver-version", "");
	const char *license = mtw_json_string(facts, "module-license", "");

	if (when->vendors != NULL &&
	    mtw_patterns_fit(when->vendors, device->vendor, ID_DIGITS) == 0)
		return FALSE;
	if (device->device < when->device_from || device->device > when->device_to)
		return FALSE;
	if (when->drivers != NULL &&
	    !mtw_patterns_fit_name(when->drivers, driver_of(device, facts)))
		return FALSE;
	if (when->version_from != NULL && !version_is_from(version, when->version_from))
		return FALSE;
	if (when->licenses != NULL && !list_fits(when->licenses, license))
		return FALSE;
	return facts_hold(when, facts);
}

GPtrArray *mtw_profile_hints(const MtwProfile *profile, const MtwPciDevice *device,
			     JsonObject *facts)
{
	GPtrArray *hints = g_ptr_array_new();

	for (guint i = 0; i < profile->hints->len; i++) {
		MtwHint *hint = profile->hints->pdata[i];
		if (holds(hint->when, device, facts))
			g_ptr_array_add(hints, hint);
	}
	return hints;
}
