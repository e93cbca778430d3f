/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether polkit lets a caller do something. */
#pragma once

#include "base/paths.h"

#include <gio/gio.h>

/* @error: (nullable): NULL: yes. MTW_ERROR_PERMISSION or _DECLINED */
typedef void (*MtwAuthorityAnswer)(const GError *error, gpointer user_data);

/*
 * mtw_authority_ask: asynchronous: a person may have to type a password. Without a polkit only root may.
 * @subject: bus name of the caller; @uid: its user
 * @device: (nullable): for the sentence of the dialog
 * @interactive: the caller allows that a person is asked
 */
void mtw_authority_ask(const char *subject, uid_t uid, const char *action, const char *device,
		       gboolean interactive, MtwAuthorityAnswer answer, gpointer user_data);
