/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submit/target, letter and link: a file that somebody wrote, texts from anywhere, an address that was pasted. */
#include "fuzz.h"

#include "base/error.h"
#include "submit/letter.h"
#include "submit/link.h"

#include <string.h>

#define SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define TITLE_MAX_BYTES 200

/* Can be shown: no control characters but newline and tab. */
static void check_text(const char *text)
{
	FUZZ_ASSERT(g_utf8_validate(text, -1, NULL));
	for (; *text != '\0'; text++)
		FUZZ_ASSERT(*text == '\n' || *text == '\t' || !g_ascii_iscntrl(*text));
}

static void check_line(const char *text)
{
	check_text(text);
	FUZZ_ASSERT(strpbrk(text, "\n\t") == NULL);
}

/* "fuzz.conf:12: ..." */
static void check_reason(const char *text)
{
	static const char prefix[] = "fuzz.conf:";
	char *end;

	check_line(text);
	FUZZ_ASSERT(g_str_has_prefix(text, prefix));
	FUZZ_ASSERT(g_ascii_strtoull(text + strlen(prefix), &end, 10) > 0);
	FUZZ_ASSERT(g_str_has_prefix(end, ": "));
}

/* What may be used has an address that is safe to use. */
static void check_target(const MtwTarget *target)
{
	g_autoptr(JsonObject) json = mtw_target_to_json(target);

	FUZZ_ASSERT(json_object_get_size(json) > 0);
	check_line(target->name);
	check_line(target->title);
	check_line(target->host);
	FUZZ_ASSERT(target->disabled_why == NULL || !target->enabled);
	if (target->disabled_why != NULL)
		check_reason(target->disabled_why);
	FUZZ_ASSERT(!target->enabled || strchr(target->url, ' ') == NULL);
	FUZZ_ASSERT(!target->enabled || !g_str_has_prefix(target->url, "http://") ||
		    mtw_url_is_loopback(target->url) || target->auth == MTW_AUTH_NONE);
	mtw_target_fits(target, "10de:1cb3", "030000", "nouveau");
}

static void check_letter(const MtwTarget *target, const char *text)
{
	static const char *const places[] = { "device", "nick", "description", "markers" };
	g_autoptr(JsonObject) facts = json_object_new();
	g_autoptr(MtwLetter) letter = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
		json_object_set_string_member(facts, places[i], text);
	letter = mtw_letter_new(target, facts, SHA256);
	check_line(letter->title);
	check_text(letter->body);
	FUZZ_ASSERT(strlen(letter->title) <= TITLE_MAX_BYTES);
	FUZZ_ASSERT(g_str_has_suffix(letter->title, " [e3b0c442]"));
	FUZZ_ASSERT(g_str_has_suffix(letter->body, "\n"));
	FUZZ_ASSERT(strstr(letter->body, "Report-ID: e3b0c442-98fc-8c14-9afb-") != NULL);
	/* No command of a tracker with commands. */
	FUZZ_ASSERT(!g_str_equal(target->kind, "gitlab") || strstr(letter->body, "\n/") == NULL);
}

static void check_link(const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwLink) link = mtw_link_parse(text, NULL, &error);

	if (link == NULL) {
		FUZZ_ASSERT(g_error_matches(error, MTW_ERROR, MTW_ERROR_USAGE));
		check_line(error->message);
		return;
	}
	FUZZ_ASSERT(mtw_url_is_safe(link->url) && mtw_url_is_safe(link->base));
	FUZZ_ASSERT(link->number[0] != '\0' &&
		    strspn(link->number, "0123456789") == strlen(link->number));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char gitlab[] =
		"[Target]\nKind=gitlab\nURL=https://example.org\nProject=a/b\n";
	g_autofree char *text = g_strndup((const char *)data, size);
	const char *const texts[] = { text, NULL };
	const char *const known[] = { gitlab, NULL };
	g_autoptr(GPtrArray) problems = mtw_messages_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwTarget) target = mtw_target_parse("fuzz", texts, NULL, problems, &error);
	g_autoptr(MtwTarget) good = mtw_target_parse("good", known, NULL, NULL, NULL);

	for (guint i = 0; i < problems->len; i++)
		check_reason(((const MtwMessage *)problems->pdata[i])->detail);
	if (target != NULL) {
		check_target(target);
		check_letter(target, text);
	} else {
		FUZZ_ASSERT(g_error_matches(error, MTW_ERROR, MTW_ERROR_INVALID));
		check_reason(error->message);
	}
	check_letter(good, text);
	check_link(text);
	return 0;
}
