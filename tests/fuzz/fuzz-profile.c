/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wizard/profile: a file that somebody wrote or found on the web. */
#include "fuzz.h"

#include "base/error.h"
#include "base/text.h"
#include "wizard/profile-template.h"
#include "wizard/profile.h"
#include "wizard/scenario.h"

#include <string.h>

/* Can be shown: no control characters but newline and tab. */
static void check_text(const char *text)
{
	FUZZ_ASSERT(g_utf8_validate(text, -1, NULL));
	for (; *text != '\0'; text++)
		FUZZ_ASSERT(*text == '\n' || *text == '\t' || !g_ascii_iscntrl(*text));
}

static void check_error(const GError *error)
{
	static const char prefix[] = "fuzz.conf:";
	guint64 line;
	char *end;

	FUZZ_ASSERT(error->domain == MTW_ERROR && error->code == MTW_ERROR_INVALID);
	check_text(error->message);
	FUZZ_ASSERT(g_str_has_prefix(error->message, prefix));
	line = g_ascii_strtoull(error->message + strlen(prefix), &end, 10);
	FUZZ_ASSERT(line > 0 && g_str_has_prefix(end, ": "));
}

static void check_steps(const MtwProfile *profile)
{
	for (guint i = 0; i < profile->scenario->len; i++) {
		const MtwScenarioStep *step = profile->scenario->pdata[i];
		g_autofree char *clean = mtw_text_clean_marker(step->marker, -1);
		FUZZ_ASSERT(step->marker[0] != '\0' && strcmp(clean, step->marker) == 0);
		FUZZ_ASSERT(step->wait != MTW_WAIT_COMMAND || step->command != NULL);
		FUZZ_ASSERT(step->wait != MTW_WAIT_SECONDS || step->wait_sec > 0);
		FUZZ_ASSERT((step->wait == MTW_WAIT_DEVICE) == (step->wait_device != NULL));
		FUZZ_ASSERT(step->wait_device == NULL || strstr(step->wait_device, "..") == NULL ||
			    step->wait_device[0] != '/');
		check_text(step->say);
	}
}

static void check_story(const MtwProfile *profile)
{
	g_autoptr(JsonObject) facts = json_object_new();
	g_autofree char *template = NULL;
	g_autofree char *story = NULL;
	g_autofree char *again = NULL;

	json_object_set_string_member(facts, "kernel", "{driver}\n# \033[1m");
	template = mtw_profile_story_template(profile, facts);
	story = mtw_profile_story_from_template(template);
	again = mtw_profile_story_from_template(story);
	check_text(template);
	FUZZ_ASSERT(story[0] != '#' && strstr(story, "\n#") == NULL);
	FUZZ_ASSERT(strcmp(story, again) == 0);
}

static void check_profile(const MtwProfile *profile)
{
	const MtwPciDevice device = {
		.vendor = 0x10de,
		.device = 0x1e04,
		.class_code = 0x030000,
		.driver = (char *)"nvidia",
	};
	g_autoptr(GPtrArray) hints = mtw_profile_hints(profile, &device, NULL);
	g_autoptr(JsonObject) json = mtw_profile_to_json(profile);

	FUZZ_ASSERT(profile->title[0] != '\0' && strchr(profile->title, '\n') == NULL);
	check_text(profile->title);
	check_text(profile->privacy);
	FUZZ_ASSERT(hints->len <= profile->hints->len);
	mtw_profile_matches(profile, &device);
	check_steps(profile);
	check_story(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwProfile) profile =
		mtw_profile_parse((const char *)data, size, "fuzz.conf", &error);
	g_autofree char *text = g_strndup((const char *)data, size);
	g_autofree char *filled = mtw_template_fill(text, NULL);

	FUZZ_ASSERT(strlen(filled) <= strlen(text));
	if (profile != NULL)
		check_profile(profile);
	else
		check_error(error);
	return 0;
}
