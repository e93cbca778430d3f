/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/message.h"

#include "base/text.h"

#include <string.h>

MtwMessage *mtw_message_new(const char *id, MtwLevel level, const char *sentence, const char *hint,
			    const char *format, ...)
{
	MtwMessage *message = g_new0(MtwMessage, 1);

	message->id = id;
	message->level = level;
	message->sentence = sentence;
	message->hint = hint;
	if (format != NULL) {
		g_autofree char *detail = NULL;
		va_list args;
		va_start(args, format);
		detail = g_strdup_vprintf(format, args);
		va_end(args);
		message->detail = mtw_text_clean_line(detail);
	} else {
		message->detail = g_strdup("");
	}
	return message;
}

MtwMessage *mtw_message_copy(const MtwMessage *message)
{
	MtwMessage *copy = mtw_message_new(message->id, message->level, message->sentence,
					   message->hint, "%s", message->detail);

	copy->fix = message->fix;
	return copy;
}

char *mtw_message_translate(const char *text, const char *(*translate)(const char *msgid))
{
	const char *end = text + strlen(text);

	while (end != NULL && end > text) {
		g_autofree char *sentence = g_strndup(text, (gsize)(end - text));
		const char *translated = translate(sentence);
		if (translated != sentence)
			return g_strconcat(translated, end, NULL);
		end = g_strrstr_len(text, end - text, " (");
	}
	return g_strdup(text);
}

void mtw_message_free(MtwMessage *message)
{
	if (message == NULL)
		return;
	g_free(message->detail);
	g_free(message);
}

GPtrArray *mtw_messages_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)mtw_message_free);
}

MtwLevel mtw_messages_worst(const GPtrArray *messages)
{
	MtwLevel worst = MTW_LEVEL_OK;

	for (guint i = 0; i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		worst = MAX(worst, message->level);
	}
	return worst;
}

const MtwMessage *mtw_messages_find(const GPtrArray *messages, const char *id)
{
	for (guint i = 0; i < messages->len; i++) {
		const MtwMessage *message = messages->pdata[i];
		if (g_str_equal(message->id, id))
			return message;
	}
	return NULL;
}

const char *mtw_fix_find(const char *name)
{
	static const char *const fixes[] = { MTW_FIX_NEXT_BOOT, MTW_FIX_RECOVER, MTW_FIX_FREE_ROOM,
					     MTW_FIX_CANCEL_NEXT_BOOT };

	for (gsize i = 0; i < G_N_ELEMENTS(fixes); i++)
		if (g_strcmp0(name, fixes[i]) == 0)
			return fixes[i];
	return NULL;
}

const char *mtw_level_name(MtwLevel level)
{
	switch (level) {
	case MTW_LEVEL_OK:
		return "ok";
	case MTW_LEVEL_WARNING:
		return "warning";
	default:
		return "failure";
	}
}
