/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a target, one over the other: a later one's key wins. */
#include "submit/target-private.h"

#include <string.h>

MtwTargetLayer *mtw_target_layer_new(MtwKeyFile *file, const char *path, const char *folder)
{
	MtwTargetLayer *layer = g_new0(MtwTargetLayer, 1);

	layer->file = file;
	layer->path = g_strdup(path);
	layer->folder = g_strdup(folder);
	return layer;
}

void mtw_target_layer_free(gpointer data)
{
	MtwTargetLayer *layer = data;

	if (layer == NULL)
		return;
	mtw_key_file_free(layer->file);
	g_free(layer->path);
	g_free(layer->folder);
	g_free(layer);
}

void mtw_target_value_clear(MtwTargetValue *value)
{
	g_clear_pointer(&value->text, g_free);
	g_clear_pointer(&value->list, g_strfreev);
}

gboolean mtw_target_fail(const MtwTargetValue *value, GError **error, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return mtw_key_file_fail(value->layer->file, value->line, error, "%s", text);
}

/* "[Target x]" is another group. */
static const MtwKeyGroup *find_group(const MtwKeyFile *file, const char *kind)
{
	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		if (g_str_equal(group->kind, kind) && group->id == NULL)
			return group;
	}
	return NULL;
}

/* In which line @key stands, not that of another language. 0: nowhere */
static guint line_of(const MtwKeyGroup *group, const char *key)
{
	for (guint i = 0; group != NULL && i < group->entries->len; i++) {
		const MtwKeyEntry *entry = group->entries->pdata[i];
		if (g_str_equal(entry->key, key) && entry->locale == NULL)
			return entry->line;
	}
	return 0;
}

gboolean mtw_target_value_find(const GPtrArray *layers, const char *group_kind, const char *key,
			       MtwTargetValue *ret_value)
{
	for (guint i = layers->len; i > 0; i--) {
		const MtwTargetLayer *layer = layers->pdata[i - 1];
		const MtwKeyGroup *group = find_group(layer->file, group_kind);
		guint line = line_of(group, key);
		if (line == 0)
			continue;
		ret_value->layer = layer;
		ret_value->line = line;
		ret_value->text = g_strstrip(mtw_key_group_text(group, key));
		ret_value->list = mtw_key_group_list(group, key);
		if (ret_value->text[0] != '\0')
			return TRUE;
		mtw_target_value_clear(ret_value);
		return FALSE;
	}
	return FALSE;
}

char *mtw_target_shown_find(const GPtrArray *layers, const char *group, const char *key)
{
	for (guint i = layers->len; i > 0; i--) {
		const MtwTargetLayer *layer = layers->pdata[i - 1];
		g_autofree char *text = mtw_key_group_shown(find_group(layer->file, group), key);
		if (text == NULL)
			continue;
		g_strstrip(text);
		return text[0] != '\0' && strpbrk(text, "\n\t") == NULL ? g_steal_pointer(&text)
									: NULL;
	}
	return NULL;
}
