/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/authority.h"

#include "base/error.h"

#include <polkit/polkit.h>

typedef struct {
	MtwAuthorityAnswer answer;
	gpointer user_data;
	char *action;
} Question;

static void conclude(Question *question, GError *error)
{
	question->answer(error, question->user_data);
	g_clear_error(&error);
	g_free(question->action);
	g_free(question);
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
	Question *question = user_data;
	g_autoptr(GError) why = NULL;
	g_autoptr(PolkitAuthorizationResult) result = polkit_authority_check_authorization_finish(
		POLKIT_AUTHORITY(authority), async, &why);

	if (result != NULL)
		conclude(question, refusal(result, question->action));
	else
		conclude(question, g_error_new(MTW_ERROR, MTW_ERROR_PERMISSION,
					       "polkit could not be asked: %s", why->message));
}

static PolkitDetails *details_for(const char *device)
{
	PolkitDetails *details = polkit_details_new();

	if (device != NULL)
		polkit_details_insert(details, "device", device);
	return details;
}

static void ask_polkit(PolkitAuthority *authority, const char *subject, const char *device,
		       gboolean interactive, Question *question)
{
	g_autoptr(PolkitSubject) caller = polkit_system_bus_name_new(subject);
	g_autoptr(PolkitDetails) details = details_for(device);

	polkit_authority_check_authorization(
		authority, caller, question->action, details,
		interactive ? POLKIT_CHECK_AUTHORIZATION_FLAGS_ALLOW_USER_INTERACTION
			    : POLKIT_CHECK_AUTHORIZATION_FLAGS_NONE,
		NULL, on_result, question);
}

void mtw_authority_ask(const char *subject, uid_t uid, const char *action, const char *device,
		       gboolean interactive, MtwAuthorityAnswer answer, gpointer user_data)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(PolkitAuthority) authority = NULL;
	Question *question = g_new0(Question, 1);

	*question =
		(Question){ .answer = answer, .user_data = user_data, .action = g_strdup(action) };
	if (uid == 0) {
		conclude(question, NULL);
		return;
	}
	authority = polkit_authority_get_sync(NULL, &why);
	if (authority != NULL)
		ask_polkit(authority, subject, device, interactive, question);
	else
		conclude(question, g_error_new(MTW_ERROR, MTW_ERROR_PERMISSION,
					       "there is no polkit to ask: %s", why->message));
}
