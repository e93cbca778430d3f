/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An engine that captures nothing: it has a finished trace and what goes with it as open descriptors.
 * For the child of a hand-over, and for a trace that was made by hand elsewhere.
 */
#pragma once

#include "capture/engine.h"

/* Told of facts to keep and lines to log; both nullable in the struct. */
typedef struct {
	void (*keep)(const char *name, JsonNode *value, gpointer user_data);
	void (*log)(const char *text, gpointer user_data);
	gpointer user_data;
} MtwGivenKeeper;

/*
 * mtw_engine_new_given: @session: id; @facts: (transfer none): like state.json; @keeper: (nullable), copied
 * Returns: (transfer full)
 */
MtwEngine *mtw_engine_new_given(const char *session, JsonObject *facts,
				const MtwGivenKeeper *keeper);

/* mtw_engine_give: a file of the session, by its name there. Takes @fd over. */
void mtw_engine_give(MtwEngine *engine, const char *name, int fd);
