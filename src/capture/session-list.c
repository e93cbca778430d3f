/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lists of sessions tell, whoever shows them. */
#include "base/json.h"
#include "capture/session.h"

JsonObject *mtw_session_facts(MtwSession *session)
{
	json_object_set_boolean_member(session->state, "live", mtw_session_is_live(session));
	return session->state;
}

JsonArray *mtw_session_all_facts(const MtwPaths *paths, MtwSessionFilter filter, gpointer user_data,
				 GPtrArray *problems)
{
	g_autoptr(GPtrArray) ids = mtw_session_list(paths);
	JsonArray *array = json_array_new();

	for (guint i = 0; i < ids->len; i++) {
		g_autoptr(MtwSession) session = NULL;
		g_autoptr(GError) error = NULL;
		if (filter != NULL && !filter(ids->pdata[i], user_data))
			continue;
		session = mtw_session_open(paths, ids->pdata[i], FALSE, &error);
		if (session != NULL)
			json_array_add_object_element(array,
						      json_object_ref(mtw_session_facts(session)));
		else if (problems != NULL)
			g_ptr_array_add(problems, g_steal_pointer(&error));
	}
	return array;
}

static gboolean is_active(JsonObject *facts)
{
	static const char *const states[] = { MTW_SESSION_PREPARING, MTW_SESSION_CAPTURING,
					      MTW_SESSION_RESTORING, NULL };

	return g_strv_contains(states, mtw_json_string(facts, "state", ""));
}

/* The service may still have one open whose capture is over. */
gboolean mtw_session_is_at_work(JsonObject *facts)
{
	return is_active(facts) && mtw_json_bool(facts, "live", FALSE);
}

const char *mtw_session_state_now(JsonObject *facts)
{
	if (is_active(facts) && !mtw_session_is_at_work(facts))
		return MTW_SESSION_DIED;
	return mtw_json_string(facts, "state", "?");
}
