/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/key-file.h"

#include "base/error.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"

#include <string.h>

static void entry_free(gpointer data)
{
	MtwKeyEntry *entry = data;

	g_free(entry->key);
	g_free(entry->locale);
	g_free(entry->value);
	g_free(entry);
}

static void group_free(gpointer data)
{
	MtwKeyGroup *group = data;

	g_free(group->kind);
	g_free(group->id);
	g_ptr_array_unref(group->entries);
	g_free(group);
}

void mtw_key_file_free(MtwKeyFile *file)
{
	if (file == NULL)
		return;
	g_free(file->name);
	g_ptr_array_unref(file->groups);
	g_free(file);
}

gboolean mtw_key_file_fail(const MtwKeyFile *file, guint line, GError **error, const char *format,
			   ...)
{
	g_autofree char *text = NULL;
	g_autofree char *clean = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	clean = mtw_text_clean_line(text);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s:%u: %s", file->name, line, clean);
	return FALSE;
}

/* What the lines have been so far. */
typedef struct {
	MtwKeyFile *file;
	MtwKeyGroup *group; /* (nullable): before the first one */
	GHashTable *seen;   /* of the groups and of the keys: (key utf8) (value line) */
	guint line;
} Parser;

/* Whether @what was there before; else it is from now on. @what: (transfer full) */
static guint seen_before(Parser *parser, char *what)
{
	guint line = GPOINTER_TO_UINT(g_hash_table_lookup(parser->seen, what));

	if (line == 0)
		g_hash_table_insert(parser->seen, what, GUINT_TO_POINTER(parser->line));
	else
		g_free(what);
	return line;
}

/* The length of the name at the beginning of @text. */
static gsize name_bytes(const char *text, const char *others)
{
	gsize length = 0;

	while (text[length] != '\0' &&
	       (g_ascii_isalnum(text[length]) || strchr(others, text[length]) != NULL))
		length++;
	return length;
}

static gboolean is_name(const char *text, const char *others)
{
	return g_ascii_isalnum(*text) && text[name_bytes(text, others)] == '\0';
}

/* @inside: what stands between the brackets. */
static gboolean begin_group(Parser *parser, const char *inside, GError **error)
{
	const char *space = strchr(inside, ' ');
	g_autofree char *kind =
		space != NULL ? g_strndup(inside, (gsize)(space - inside)) : g_strdup(inside);
	guint before;

	if (!is_name(kind, "") || (space != NULL && !is_name(space + 1, "._-")))
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "[%s] is not like [Kind] or [Kind id] (letters, "
					 "digits and ._-)",
					 inside);
	before = seen_before(parser, g_strdup_printf("[%s]", inside));
	if (before != 0)
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "[%s] is there already, in line %u", inside, before);
	parser->group = g_new0(MtwKeyGroup, 1);
	parser->group->kind = g_steal_pointer(&kind);
	parser->group->id = space != NULL ? g_strdup(space + 1) : NULL;
	parser->group->line = parser->line;
	parser->group->entries = g_ptr_array_new_with_free_func(entry_free);
	g_ptr_array_add(parser->file->groups, parser->group);
	return TRUE;
}

/* The first escape in @value that there is not. Returns: NULL when all are good */
static const char *bad_escape(const char *value)
{
	for (; *value != '\0'; value++) {
		if (*value != '\\')
			continue;
		if (value[1] == '\0' || strchr("snt\\;", value[1]) == NULL)
			return value;
		value++;
	}
	return NULL;
}

/* "Key" or "Key[de]". Returns: FALSE when it is neither */
static gboolean split_key(const char *text, char **ret_key, char **ret_locale)
{
	gsize length = name_bytes(text, "");
	gsize locale_bytes;

	if (length == 0)
		return FALSE;
	if (text[length] == '[') {
		locale_bytes = name_bytes(text + length + 1, "_@.-");
		if (locale_bytes == 0 || strcmp(text + length + 1 + locale_bytes, "]") != 0)
			return FALSE;
		*ret_locale = g_strndup(text + length + 1, locale_bytes);
	} else if (text[length] != '\0') {
		return FALSE;
	}
	*ret_key = g_strndup(text, length);
	return TRUE;
}

static gboolean check_entry(Parser *parser, const MtwKeyEntry *entry, const char *name,
			    GError **error)
{
	const char *escape = bad_escape(entry->value);
	guint before = seen_before(parser, g_strdup_printf("%u %s", parser->group->line, name));

	if (before != 0)
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "%s is there already, in line %u", name, before);
	if (escape != NULL)
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "%s: %.2s means nothing (there are \\s \\n \\t \\\\ \\;)",
					 name, escape);
	return TRUE;
}

static gboolean add_entry(Parser *parser, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	g_autofree char *name =
		equals != NULL ? g_strchomp(g_strndup(text, (gsize)(equals - text))) : NULL;
	MtwKeyEntry *entry;

	if (name == NULL)
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "this is not [Group], Key=Value or # comment");
	if (parser->group == NULL)
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "%s stands before the first [Group]", name);
	entry = g_new0(MtwKeyEntry, 1);
	g_ptr_array_add(parser->group->entries, entry);
	if (!split_key(name, &entry->key, &entry->locale))
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "\"%s\" is not the name of a key", name);
	entry->value = g_strstrip(g_strdup(equals + 1));
	entry->line = parser->line;
	return check_entry(parser, entry, name, error);
}

/* Tabs may be anywhere, other control characters nowhere. */
static gboolean is_clean(const char *line, gsize bytes)
{
	for (gsize i = 0; i < bytes; i++)
		if (g_ascii_iscntrl(line[i]) && line[i] != '\t')
			return FALSE;
	return g_utf8_validate(line, (gssize)bytes, NULL);
}

static gboolean parse_line(Parser *parser, const char *line, gsize bytes, GError **error)
{
	g_autofree char *text = NULL;

	/* Editors of other systems. */
	if (bytes > 0 && line[bytes - 1] == '\r')
		bytes--;
	if (!is_clean(line, bytes))
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "this is not plain text in UTF-8");
	text = g_strchomp(g_strndup(line, bytes));
	if (text[0] == '\0' || text[0] == '#')
		return TRUE;
	if (text[0] != '[')
		return add_entry(parser, text, error);
	if (text[strlen(text) - 1] != ']')
		return mtw_key_file_fail(parser->file, parser->line, error,
					 "the ] at the end is missing");
	text[strlen(text) - 1] = '\0';
	return begin_group(parser, text + 1, error);
}

MtwKeyFile *mtw_key_file_parse(const char *text, gsize bytes, const char *name, GError **error)
{
	g_autoptr(MtwKeyFile) file = g_new0(MtwKeyFile, 1);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Parser parser = { .file = file, .seen = seen };
	const char *end = text + bytes;

	file->name = mtw_text_clean_line(name);
	file->groups = g_ptr_array_new_with_free_func(group_free);
	while (text < end) {
		const char *newline = memchr(text, '\n', (gsize)(end - text));
		const char *line_end = newline != NULL ? newline : end;
		parser.line++;
		if (!parse_line(&parser, text, (gsize)(line_end - text), error))
			return NULL;
		text = newline != NULL ? newline + 1 : end;
	}
	return g_steal_pointer(&file);
}

MtwKeyFile *mtw_key_file_read(const char *path, GError **error)
{
	gsize bytes = 0;
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, &bytes, error);

	return text != NULL ? mtw_key_file_parse(text, bytes, path, error) : NULL;
}

const MtwKeyGroup *mtw_key_file_group(const MtwKeyFile *file, const char *kind)
{
	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		if (g_str_equal(group->kind, kind))
			return group;
	}
	return NULL;
}

static const MtwKeyEntry *find_entry(const MtwKeyGroup *group, const char *key, const char *locale)
{
	for (guint i = 0; group != NULL && i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if (g_str_equal(entry->key, key) && g_strcmp0(entry->locale, locale) == 0)
			return entry;
	}
	return NULL;
}

guint mtw_key_group_line(const MtwKeyGroup *group, const char *key)
{
	const MtwKeyEntry *entry = find_entry(group, key, NULL);

	return entry != NULL ? entry->line : group->line;
}

/* For gettext LANGUAGE counts for nothing then, for GLib it does; both shall speak the same language. */
static gboolean is_without_language(void)
{
	static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = g_getenv(names[i]);
		if (value != NULL && value[0] != '\0')
			return g_str_equal(value, "C") || g_str_equal(value, "POSIX");
	}
	return FALSE;
}

static const MtwKeyEntry *find_for_person(const MtwKeyGroup *group, const char *key)
{
	const char *const *locale = g_get_language_names();
	const MtwKeyEntry *entry = NULL;

	for (; !is_without_language() && *locale != NULL && entry == NULL; locale++)
		entry = find_entry(group, key, *locale);
	return entry != NULL ? entry : find_entry(group, key, NULL);
}

static char unescaped(char letter)
{
	switch (letter) {
	case 's':
		return ' ';
	case 'n':
		return '\n';
	case 't':
		return '\t';
	default:
		return letter;
	}
}

/* Resolves the escapes of the @bytes at @value, and makes it safe to be shown. */
static char *decode(const char *value, gsize bytes)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *clean = NULL;

	for (gsize i = 0; i < bytes; i++) {
		if (value[i] == '\\' && i + 1 < bytes)
			g_string_append_c(text, unescaped(value[++i]));
		else
			g_string_append_c(text, value[i]);
	}
	clean = mtw_lines_clean(text->str, (gssize)text->len);
	/* It ends every line; the text of a key is not a line. */
	if (clean[0] != '\0')
		clean[strlen(clean) - 1] = '\0';
	return g_steal_pointer(&clean);
}

static char *text_of(const MtwKeyEntry *entry)
{
	return entry != NULL ? decode(entry->value, strlen(entry->value)) : NULL;
}

char *mtw_key_group_text(const MtwKeyGroup *group, const char *key)
{
	return text_of(find_entry(group, key, NULL));
}

char *mtw_key_group_shown(const MtwKeyGroup *group, const char *key)
{
	return text_of(find_for_person(group, key));
}

/* The length up to the next ";" that is not escaped. */
static gsize item_bytes(const char *value)
{
	gsize length = 0;

	for (; value[length] != '\0' && value[length] != ';'; length++)
		if (value[length] == '\\' && value[length + 1] != '\0')
			length++;
	return length;
}

char **mtw_key_group_list(const MtwKeyGroup *group, const char *key)
{
	const MtwKeyEntry *entry = find_entry(group, key, NULL);
	GPtrArray *items;

	if (entry == NULL)
		return NULL;
	items = g_ptr_array_new();
	for (const char *at = entry->value; *at != '\0';) {
		gsize length = item_bytes(at);
		g_autofree char *item = g_strstrip(decode(at, length));
		if (item[0] != '\0')
			g_ptr_array_add(items, g_steal_pointer(&item));
		at += length;
		at += *at == ';' ? 1 : 0;
	}
	g_ptr_array_add(items, NULL);
	return (char **)g_ptr_array_free(items, FALSE);
}

gboolean mtw_key_group_true(const MtwKeyGroup *group, const char *key)
{
	g_autofree char *text = mtw_key_group_text(group, key);

	return g_strcmp0(text, "true") == 0;
}
