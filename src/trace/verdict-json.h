/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A verdict as JSON: the content of verdict.json in a session and of "verdict" in manifest.json.
 *
 * {"grade","sentence","lost":{"events","after_stop","exact","unconfirmed"},"events","reads","writes","unknown",
 * "maps","unmaps","markers","foreign","bars":[{"index","start","length","reads","writes","unknown"}],
 * "elsewhere","holes":[{"kind","address","length"}],"findings":[{"id","serious","sentence","detail"}]}
 * Addresses are strings ("0xfeb40000"), counts are numbers. Members are only ever added.
 */
#pragma once

#include "trace/verdict.h"

#include <json-glib/json-glib.h>

/* Returns: (transfer full) */
JsonObject *mtw_verdict_to_json(const MtwVerdict *verdict, const MtwCounts *counts);
