/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Versions that only the kernel's log tells. */
#include "capture/facts-private.h"

#include "base/json.h"
#include "machine/kmsg.h"

#include <string.h>

#define VERSION_MAX_BYTES 63

/* Behind the time: "[    5.140900] text". */
static const char *text_of(const char *line)
{
	const char *close = *line == '[' ? strchr(line, ']') : NULL;

	return close != NULL && close[1] == ' ' ? close + 2 : line;
}

/* The word at @text when it looks like a version: with a digit, and nothing odd in it. */
static char *version_word(const char *text)
{
	gsize length = 0, digits = 0;

	text += strspn(text, " :");
	while (length < VERSION_MAX_BYTES &&
	       (g_ascii_isalnum(text[length]) ||
		(text[length] != '\0' && strchr("._+~-", text[length]) != NULL)))
		digits += g_ascii_isdigit(text[length++]) ? 1 : 0;
	return digits > 0 ? g_strndup(text, length) : NULL;
}

/* The version behind one of @words in @text. */
static char *version_behind(const char *text, const char *const *words)
{
	for (; *words != NULL; words++) {
		const char *found = strstr(text, *words);
		char *version = found != NULL ? version_word(found + strlen(*words)) : NULL;
		if (version != NULL)
			return version;
	}
	return NULL;
}

/* "e1000: ..." or "e1000 0000:00:03.0: ..."; "-" and "_" are the same. */
static gboolean is_of_module(const char *text, const char *module)
{
	gsize length = strlen(module);

	for (gsize i = 0; i < length; i++)
		if (text[i] != module[i] && !(text[i] == '-' && module[i] == '_'))
			return FALSE;
	return text[length] == ':' || text[length] == ' ';
}

static char *driver_version(const char *text, const char *module)
{
	static const char *const words[] = { "version ", "version: ", "Version ", NULL };

	if (!is_of_module(text, module) || strstr(text, "irmware") != NULL)
		return NULL;
	return version_behind(text, words);
}

static char *firmware_version(const char *text, const char *address)
{
	static const char *const words[] = { "firmware version", "firmware ver ",
					     "Firmware version", NULL };

	return strstr(text, address) != NULL ? version_behind(text, words) : NULL;
}

static void keep_last(char **kept, char *found)
{
	if (found == NULL)
		return;
	g_free(*kept);
	*kept = found;
}

void mtw_facts_parse_log(const char *log, const char *module, const char *address,
			 char **ret_driver_version, char **ret_firmware_version)
{
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);

	*ret_driver_version = NULL;
	*ret_firmware_version = NULL;
	/* The driver may have been loaded again: the last word counts. */
	for (char **line = lines; *line != NULL; line++) {
		const char *text = text_of(*line);
		if (module != NULL)
			keep_last(ret_driver_version, driver_version(text, module));
		keep_last(ret_firmware_version, firmware_version(text, address));
	}
}

void mtw_facts_gather_log(const MtwPaths *paths, JsonObject *facts)
{
	const char *address = mtw_json_string(facts, "address", "");
	const char *module = mtw_json_string(facts, "module", NULL);
	g_autofree char *log = NULL;
	g_autofree char *driver = NULL;
	g_autofree char *firmware = NULL;

	if (json_object_has_member(facts, "driver-version") &&
	    json_object_has_member(facts, "firmware-version"))
		return;
	log = mtw_kmsg_read(paths, 0, NULL, NULL);
	if (log == NULL)
		return;
	mtw_facts_parse_log(log, module, address, &driver, &firmware);
	if (!json_object_has_member(facts, "driver-version"))
		mtw_facts_set(facts, "driver-version", driver);
	if (!json_object_has_member(facts, "firmware-version"))
		mtw_facts_set(facts, "firmware-version", firmware);
}
