/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/authority.h"

#include "base/error.h"

#include <polkit/polkit.h>

typedef struct {
	MtwAuthorityQuestion question;
	MtwAuthorityAnswer answer;
	gpointer user_data;
} Asking;

static void conclude(Asking *asking, GError *error)
{
	asking->answer(error, asking->user_data);
	g_clear_error(&error);
	g_free(asking);
}

static GError *refusal(PolkitAuthorizationResult *result, const char *action)
{
	if (polkit_authorization_result_get_is_authorized(result))
		return NULL;
	if (polkit_authorization_result_get_dismissed(result))
		return g_error_new(MTW_ERROR, MTW_ERROR_DECLINED,
				   "the request for a password was dismissed");
	return g_error_new(MTW_ERROR, MTW_ERROR_PERMISSION,
			   polkit_authorization_result_get_is_challenge(result)
				   ? "an administrator's password is needed (%s)"
				   : "the rules of this machine do not allow it (%s)",
			   action);
}

static void on_result(GObject *authority, GAsyncResult *async, gpointer user_data)
{
	Asking *asking = user_data;
	g_autoptr(GError) why = NULL;
	g_autoptr(PolkitAuthorizationResult) result = polkit_authority_check_authorization_finish(
		POLKIT_AUTHORITY(authority), async, &why);

	if (result != NULL)
		conclude(asking, refusal(result, asking->question.action));
	else
		conclude(asking, g_error_new(MTW_ERROR, MTW_ERROR_PERMISSION,
					     "polkit could not be asked: %s", why->message));
}

static PolkitDetails *details_of(GHashTable *texts)
{
	PolkitDetails *details = polkit_details_new();
	GHashTableIter iter;
	gpointer name, text;

	if (texts == NULL)
		return details;
	g_hash_table_iter_init(&iter, texts);
	while (g_hash_table_iter_next(&iter, &name, &text))
		polkit_details_insert(details, name, text);
	return details;
}

static void on_authority(GObject *source, GAsyncResult *async, gpointer user_data)
{
	Asking *asking = user_data;
	const MtwAuthorityQuestion *question = &asking->question;
	g_autoptr(GError) why = NULL;
	g_autoptr(PolkitAuthority) authority = polkit_authority_get_finish(async, &why);
	g_autoptr(PolkitSubject) caller = polkit_system_bus_name_new(question->sender);
	g_autoptr(PolkitDetails) details = details_of(question->details);

	(void)source;
	if (authority == NULL) {
		conclude(asking, g_error_new(MTW_ERROR, MTW_ERROR_PERMISSION,
					     "there is no polkit to ask: %s", why->message));
		return;
	}
	polkit_authority_check_authorization(
		authority, caller, question->action, details,
		question->interactive ? POLKIT_CHECK_AUTHORIZATION_FLAGS_ALLOW_USER_INTERACTION
				      : POLKIT_CHECK_AUTHORIZATION_FLAGS_NONE,
		NULL, on_result, asking);
}

void mtw_authority_ask(const MtwAuthorityQuestion *question, MtwAuthorityAnswer answer,
		       gpointer user_data)
{
	Asking *asking = g_new0(Asking, 1);

	*asking = (Asking){ .question = *question, .answer = answer, .user_data = user_data };
	if (question->uid == 0)
		conclude(asking, NULL);
	else
		polkit_authority_get_async(NULL, on_authority, asking);
}
