/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers given beforehand, by request id: from a file ("id=value" lines below [Answers]) or options. */
#pragma once

#include <glib.h>

typedef struct _MtwAnswers MtwAnswers;

MtwAnswers *mtw_answers_new(void);
void mtw_answers_free(MtwAnswers *answers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwAnswers, mtw_answers_free)

/* mtw_answers_load: adds the answers of a file. MTW_ERROR_INVALID names the line. */
gboolean mtw_answers_load(MtwAnswers *answers, const char *path, GError **error);

/* mtw_answers_set: @value: (nullable): NULL does nothing. An answer that is there already stays. */
void mtw_answers_set(MtwAnswers *answers, const char *id, const char *value);

/* mtw_answers_ids: all ids. Returns: (transfer container) (array zero-terminated=1) */
const char **mtw_answers_ids(const MtwAnswers *answers);

/* mtw_answers_get: Returns: (transfer none) (nullable) */
const char *mtw_answers_get(const MtwAnswers *answers, const char *id);
