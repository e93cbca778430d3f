/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/methods.h"

#include "service/methods-private.h"

#include <string.h>

static const MtwMethod methods[] = {
	{ "ListDevices", NULL, FALSE, FALSE, mtw_method_list_devices },
	{ "Check", MTW_ACTION_CHECK, FALSE, FALSE, mtw_method_check },
	{ "Plan", MTW_ACTION_CHECK, FALSE, FALSE, mtw_method_plan },
	{ "Start", MTW_ACTION_CAPTURE, FALSE, FALSE, mtw_method_start },
	{ "Mark", NULL, TRUE, TRUE, mtw_method_mark },
	{ "Stop", NULL, TRUE, TRUE, mtw_method_stop },
	{ "Abort", NULL, TRUE, TRUE, mtw_method_abort },
	{ "GetEvents", NULL, TRUE, TRUE, mtw_method_get_events },
	{ "GetCounters", NULL, TRUE, TRUE, mtw_method_get_counters },
	{ "OpenFile", NULL, TRUE, FALSE, mtw_method_open_file },
	{ "GetFacts", NULL, TRUE, FALSE, mtw_method_get_facts },
	{ "KeepFact", NULL, TRUE, FALSE, mtw_method_keep_fact },
	{ "KeepFile", NULL, TRUE, TRUE, mtw_method_keep_file },
	{ "Collect", NULL, TRUE, FALSE, mtw_method_collect },
	{ "GetIdentifiers", NULL, TRUE, FALSE, mtw_method_get_identifiers },
	{ "Log", NULL, TRUE, FALSE, mtw_method_log },
	{ "ListSessions", NULL, FALSE, FALSE, mtw_method_list_sessions },
	{ "DeleteSession", NULL, TRUE, FALSE, mtw_method_delete_session },
	{ "Recover", MTW_ACTION_RECOVER, TRUE, FALSE, mtw_method_recover },
};

const MtwMethod *mtw_method_find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}
