/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service/methods.h"

#include "service/methods-private.h"

#include <string.h>

/* clang-format off */
static const MtwMethod methods[] = {
	{ "ListDevices", NULL, FALSE, mtw_prepare_free, NULL, mtw_method_list_devices },
	{ "Check", MTW_ACTION_CHECK, FALSE, mtw_prepare_check, NULL, mtw_method_check },
	{ "Plan", MTW_ACTION_CHECK, FALSE, mtw_prepare_plan, NULL, mtw_method_plan },
	{ "Start", MTW_ACTION_CAPTURE, FALSE, mtw_prepare_start, NULL, mtw_method_start },
	{ "PlanNextBoot", MTW_ACTION_CHECK, FALSE, mtw_prepare_plan, NULL, mtw_method_plan_next_boot },
	{ "ArrangeNextBoot", MTW_ACTION_NEXT_BOOT, FALSE, mtw_prepare_arrange, NULL, mtw_method_arrange_next_boot },
	{ "CancelNextBoot", NULL, TRUE, NULL, NULL, mtw_method_cancel_next_boot },
	{ "Attach", NULL, TRUE, NULL, mtw_method_attach, NULL },
	{ "Mark", NULL, TRUE, NULL, mtw_method_mark, NULL },
	{ "Stop", NULL, TRUE, NULL, mtw_method_stop, NULL },
	{ "Abort", NULL, TRUE, NULL, mtw_method_abort, NULL },
	{ "GetEvents", NULL, TRUE, NULL, mtw_method_get_events, mtw_method_get_stored_events },
	{ "GetCounters", NULL, TRUE, NULL, mtw_method_get_counters, NULL },
	{ "OpenFile", NULL, TRUE, NULL, NULL, mtw_method_open_file },
	{ "GetFacts", NULL, TRUE, NULL, NULL, mtw_method_get_facts },
	{ "KeepFact", NULL, TRUE, NULL, NULL, mtw_method_keep_fact },
	{ "KeepFile", NULL, TRUE, NULL, NULL, mtw_method_keep_file },
	{ "Collect", NULL, TRUE, NULL, NULL, mtw_method_collect },
	{ "GetIdentifiers", NULL, TRUE, NULL, NULL, mtw_method_get_identifiers },
	{ "Log", NULL, TRUE, NULL, NULL, mtw_method_log },
	{ "ListSessions", NULL, FALSE, NULL, NULL, mtw_method_list_sessions },
	{ "DeleteSession", NULL, TRUE, NULL, NULL, mtw_method_delete_session },
	{ "Recover", MTW_ACTION_RECOVER, TRUE, mtw_prepare_recover, NULL, mtw_method_recover },
	{ "Reset", MTW_ACTION_RECOVER, FALSE, mtw_prepare_recover, NULL, mtw_method_reset },
};
/* clang-format on */

const MtwMethod *mtw_methods(gsize *ret_count)
{
	*ret_count = G_N_ELEMENTS(methods);
	return methods;
}

const MtwMethod *mtw_method_find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(methods); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}
