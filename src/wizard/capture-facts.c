/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the report tells of the capture. */
#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "wizard/wizard-private.h"

#include <unistd.h>

/* Not the process, not our own folders, not what stands elsewhere in the report. */
JsonObject *mtw_wizard_capture_facts(MtwWizard *wizard)
{
	static const char *const private_facts[] = {
		"pid",	    "archive",	    "state",	     "live",
		"restored", "boot_id",	    "collected",     "collected_live",
		"wanted",   "consent_edid", "consent_vbios", "end_monotonic_usec",
		"notes",    "issue",	    "options",	     "sent",
	};
	JsonObject *facts = json_object_new();

	mtw_json_add_members(facts, mtw_engine_facts(wizard->engine));
	for (gsize i = 0; i < G_N_ELEMENTS(private_facts); i++)
		json_object_remove_member(facts, private_facts[i]);
	return facts;
}

MtwProfile *mtw_wizard_session_profile(MtwWizard *wizard)
{
	const char *id = mtw_json_string(mtw_engine_facts(wizard->engine), "profile", "generic");

	return mtw_profile_find(wizard->paths, id, NULL);
}

JsonObject *mtw_wizard_read_verdict(MtwWizard *wizard)
{
	g_auto(MtwFd) fd = mtw_engine_open_file(wizard->engine, "verdict.json", NULL);
	g_autofree char *text = g_malloc0(MTW_FILE_SMALL_BYTES);
	ssize_t got = fd >= 0 ? pread(fd, text, MTW_FILE_SMALL_BYTES - 1, 0) : -1;

	return got > 0 ? mtw_json_parse(text, got, "verdict.json", NULL) : NULL;
}
