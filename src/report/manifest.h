/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manifest.json: what is in the archive and what the trace is worth. Format 1; members are only
 * ever added. Also what verdict.json of a session holds ("verdict" below).
 */
#pragma once

#include "trace/verdict.h"

#include <json-glib/json-glib.h>

typedef struct {
	GPtrArray *members;  /* (element-type MtwMember), measured */
	JsonObject *verdict; /* (nullable) */
	JsonObject *capture; /* facts of the session: device, driver, kernel, clock pair, tries,
	                        options */
	const char *nick;
	GPtrArray *messages; /* (element-type MtwMessage): what the collectors said */
	gint64 time_sec;     /* Unix time of the capture */
} MtwManifestFacts;

/*
 * mtw_manifest_new:
 * {"format":1,"program","version","time","time_sec","nick","files":[{"name","bytes",
 * "sha256"}],"verdict","capture","collected":[{"id","level","sentence","detail"}]}; "time" is UTC.
 * Returns: (transfer full): the text of manifest.json
 */
char *mtw_manifest_new(const MtwManifestFacts *facts);

/*
 * mtw_manifest_check: compares an archive's members with its manifest, which may be anything.
 * @member_facts: (element-type MtwMemberFacts)
 * Returns: (transfer full) (element-type MtwMessage): ids "missing-member", "changed-member",
 * "extra-member" (also a name that is there twice: unpacking takes the last, a reader the first),
 * "bad-manifest"; empty when all fits
 */
GPtrArray *mtw_manifest_check(JsonObject *manifest, const GPtrArray *member_facts);
