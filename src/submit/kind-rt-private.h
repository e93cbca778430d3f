/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two files of the kind rt share. */
#pragma once

#include "submit/kind-json.h"

#define MTW_RT_API "/REST/2.0"
#define MTW_RT_TICKET "rt-ticket"

/* mtw_rt_use_token: RT's own scheme, before each request: "Authorization: token 1-14-abc". */
void mtw_rt_use_token(MtwJob *job);

/* mtw_rt_ticket: number of the ticket. Returns: (transfer full) */
char *mtw_rt_ticket(const MtwJob *job);

/* mtw_rt_number: numbers come as text or as numbers. 0: none */
guint64 mtw_rt_number(JsonObject *object, const char *name);

gboolean mtw_rt_fail(MtwJob *job, const MtwHttpReply *reply, GError **error);

/*
 * mtw_rt_look_up: writes down which files the ticket has whole. @ret_all: all of them
 * @ret_cut: (nullable result) (transfer none): one that it has not whole; what the account may not see is neither
 */
gboolean mtw_rt_look_up(MtwJob *job, gboolean *ret_all, const MtwJobFile **ret_cut, GError **error);
gboolean mtw_rt_is_there(const MtwJob *job, const MtwJobFile *file);

/* mtw_rt_verify: after a yes. Errors: a file was cut or dropped (MTW_FAILURE_TOO_BIG) */
gboolean mtw_rt_verify(MtwJob *job, GError **error);

/* mtw_rt_find: the ticket of this report. @with_refused: also one that was turned down. @ret_number: 0: none */
gboolean mtw_rt_find(MtwJob *job, gboolean with_refused, guint64 *ret_number, GError **error);
