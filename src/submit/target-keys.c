/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys that there are. mmiotrace-wizard-target(5) explains each. */
#include "base/parse.h"
#include "submit/link-private.h"
#include "submit/target-private.h"

#include <string.h>

#define BYTES_MAX (G_GUINT64_CONSTANT(1) << 50)
#define CHUNK_MIN (64 * 1024)
#define CHUNK_MAX (1024 * 1024 * 1024)
#define ADDRESS_MAX_BYTES 254

typedef enum {
	FORM_TEXT,
	FORM_LOCAL, /* can be translated */
	FORM_WORD,  /* without blanks */
	FORM_PATH,  /* of project: words between slashes */
	FORM_FILE,  /* absolute */
	FORM_ID,    /* of a target */
	FORM_WEB,
	FORM_MAIL,
	FORM_LIST,
	FORM_BOOLEAN,
	FORM_UINT,
	FORM_BYTES,
	FORM_OWN, /* read */
} Form;

typedef struct {
	const char *group, *name;
	Form form;
	gsize offset;	  /* of the member of MtwTarget */
	guint64 min, max; /* of numbers */
	gboolean (*read)(const MtwTargetValue *value, MtwTarget *target, GError **error);
} Key;

#define IS(name, member) .form = FORM_##name, .offset = G_STRUCT_OFFSET(MtwTarget, member)
#define OWN(function) .form = FORM_OWN, .read = mtw_target_read_##function

/* clang-format off */
static const Key keys[] = {
	{ "Target", "Name", IS(LOCAL, name_plain) },
	{ "Target", "Kind", IS(WORD, kind) },
	{ "Target", "Enabled", IS(BOOLEAN, enabled) },
	{ "Target", "URL", OWN(url) },
	{ "Target", "Project", IS(PATH, project) },
	{ "Target", "Product", IS(TEXT, product) },
	{ "Target", "Component", IS(TEXT, component) },
	{ "Target", "Version", IS(TEXT, version) },
	{ "Target", "Tracker", IS(TEXT, tracker) },
	{ "Target", "Queue", IS(TEXT, queue) },
	{ "Target", "Store", IS(ID, store) },
	{ "Target", "From", IS(MAIL, from) },
	{ "Target", "To", IS(MAIL, to) },
	{ "Target", "User", IS(WORD, user) },
	{ "Target", "Labels", IS(LIST, labels) },
	{ "Target", "Match", OWN(match) },
	{ "Target", "FileTypes", OWN(types) },
	{ "Target", "Visibility", OWN(visibility) },
	{ "Target", "PrivacyURI", IS(WEB, privacy_uri) },
	{ "Target", "HelpURI", IS(WEB, help_uri) },
	{ "Target", "TokenHelpURI", IS(WEB, token_help_uri) },
	{ "Target", "Auth", OWN(auth) },
	{ "Target", "MaxSize", IS(BYTES, max_bytes), .min = 0, .max = BYTES_MAX },
	{ "Target", "OnTooBig", OWN(too_big) },
	{ "Target", "Title", OWN(title) },
	{ "Target", "BodyFile", OWN(body) },
	{ "Target", "Duplicate", OWN(duplicate) },
	{ "Target", "Confidential", IS(BOOLEAN, confidential) },
	{ "Target", "PartFile", IS(BOOLEAN, parts) },
	{ "Network", "TLSMin", OWN(tls) },
	{ "Network", "CAFile", IS(FILE, network.ca_file) },
	{ "Network", "PinnedPubkey", OWN(pin) },
	{ "Network", "HostKeySHA256", OWN(host_key) },
	{ "Network", "KnownHosts", IS(FILE, network.known_hosts) },
	{ "Network", "AllowRedirectHosts", OWN(redirect) },
	{ "Network", "PlainHTTP", IS(BOOLEAN, network.plain_http) },
	{ "Network", "ConnectTimeout", IS(UINT, network.connect_timeout_sec), .min = 1, .max = 600 },
	{ "Network", "LowSpeed", IS(UINT, network.low_speed_bytes), .min = 0, .max = 1024 * 1024 * 1024 },
	{ "Network", "LowSpeedTime", IS(UINT, network.low_speed_sec), .min = 1, .max = 3600 },
	{ "Network", "Retries", IS(UINT, network.retries), .min = 0, .max = 100 },
	{ "Network", "RetryCap", IS(UINT, network.retry_cap_sec), .min = 1, .max = 3600 },
	{ "Network", "ChunkSize", IS(BYTES, network.chunk_bytes), .min = CHUNK_MIN, .max = CHUNK_MAX },
};
/* clang-format on */

static const Key *find_key(const char *group, const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (g_str_equal(keys[i].group, group) && g_str_equal(keys[i].name, name))
			return &keys[i];
	return NULL;
}

gboolean mtw_target_key_is_known(const char *group, const char *name)
{
	return find_key(group, name) != NULL;
}

gboolean mtw_target_key_is_local(const char *group, const char *name)
{
	const Key *key = find_key(group, name);

	return key != NULL && key->form == FORM_LOCAL;
}

/* Numbers and yes or no: TRUE when they are one. */
static gboolean read_number(const Key *key, const MtwTargetValue *value, void *field)
{
	guint64 number;

	if (!mtw_parse_u64(value->text, 10, &number) || number < key->min || number > key->max)
		return FALSE;
	if (key->form == FORM_UINT)
		*(guint *)field = (guint)number;
	else
		*(guint64 *)field = number;
	return TRUE;
}

static gboolean read_boolean(const MtwTargetValue *value, gboolean *field)
{
	if (!g_str_equal(value->text, "true") && !g_str_equal(value->text, "false"))
		return FALSE;
	*field = g_str_equal(value->text, "true");
	return TRUE;
}

static gboolean has_only(const char *text, const char *others)
{
	for (; *text != '\0'; text++)
		if (!g_ascii_isalnum(*text) && strchr(others, *text) == NULL)
			return FALSE;
	return TRUE;
}

/* "group/project": no part of it leads elsewhere. */
static gboolean is_path(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);

	for (char **part = parts; *part != NULL; part++)
		if (**part == '\0' || g_str_equal(*part, ".") || g_str_equal(*part, "..") ||
		    !has_only(*part, "._-+~"))
			return FALSE;
	return TRUE;
}

/* Narrower than the standard: what could begin another header or another receiver is none. */
static gboolean is_mail(const char *text)
{
	const char *at = strchr(text, '@');
	g_autofree char *name = at != NULL ? g_strndup(text, (gsize)(at - text)) : g_strdup("");

	return at != NULL && name[0] != '\0' && has_only(name, "!#$%&'*+-/=?^_`{|}~.") &&
	       at[1] != '\0' && at[1] != '-' && has_only(at + 1, ".-") &&
	       strlen(text) <= ADDRESS_MAX_BYTES;
}

/* Texts: TRUE when it has the key's form. */
static gboolean is_of_form(Form form, const char *text)
{
	switch (form) {
	case FORM_WORD:
		for (; *text != '\0'; text++)
			if (!g_ascii_isgraph(*text))
				return FALSE;
		return TRUE;
	case FORM_PATH:
		return is_path(text);
	case FORM_FILE:
		return g_path_is_absolute(text);
	case FORM_ID:
		return mtw_target_id_is_good(text);
	case FORM_WEB:
		return mtw_url_is_safe(text);
	case FORM_MAIL:
		return is_mail(text);
	default:
		return TRUE;
	}
}

/* What a value of the form is, for the sentence "KEY is ...". */
static char *form_name(const Key *key)
{
	switch (key->form) {
	case FORM_PATH:
		return g_strdup("names with \"/\" between them, of letters, digits and ._-+~");
	case FORM_FILE:
		return g_strdup("a path that begins with \"/\"");
	case FORM_ID:
		return g_strdup("the name of a target (a-z, 0-9 and -)");
	case FORM_WEB:
		return g_strdup("an address that begins with https://");
	case FORM_MAIL:
		return g_strdup("one mail address, like name@example.org");
	case FORM_BOOLEAN:
		return g_strdup("true or false");
	case FORM_UINT:
	case FORM_BYTES:
		return g_strdup_printf("a number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
				       key->min, key->max);
	default:
		return g_strdup("one word");
	}
}

static gboolean read_form(const Key *key, const MtwTargetValue *value, MtwTarget *target)
{
	void *field = G_STRUCT_MEMBER_P(target, key->offset);

	if (key->form == FORM_BOOLEAN)
		return read_boolean(value, field);
	if (key->form == FORM_UINT || key->form == FORM_BYTES)
		return read_number(key, value, field);
	if (!is_of_form(key->form, value->text))
		return FALSE;
	if (key->form == FORM_LIST) {
		g_strfreev(*(char ***)field);
		*(char ***)field = g_strdupv(value->list);
		return TRUE;
	}
	g_free(*(char **)field);
	*(char **)field = g_strdup(value->text);
	return TRUE;
}

static gboolean read_key(const Key *key, const MtwTargetValue *value, MtwTarget *target,
			 GError **error)
{
	g_autofree char *form = NULL;

	if (strpbrk(value->text, "\n\t") != NULL)
		return mtw_target_fail(value, error, "%s is one line", key->name);
	if (key->form == FORM_OWN)
		return key->read(value, target, error);
	if (read_form(key, value, target))
		return TRUE;
	form = form_name(key);
	return mtw_target_fail(value, error, "%s is %s", key->name, form);
}

gboolean mtw_target_read_keys(MtwTarget *target, const GPtrArray *layers, GError **error)
{
	gboolean all_right = TRUE;
	char *name = mtw_target_shown_find(layers, "Target", "Name");

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_auto(MtwTargetValue) value = { 0 };
		if (mtw_target_value_find(layers, keys[i].group, keys[i].name, &value) &&
		    !read_key(&keys[i], &value, target, all_right ? error : NULL))
			all_right = FALSE;
	}
	g_free(target->name);
	target->name = name != NULL ? name : g_strdup(target->name_plain);
	return all_right;
}
