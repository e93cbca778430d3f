/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wizard's view for a program with a main loop: the wizard runs in a thread of its own, what it shows and asks is
 * handed to the main loop in the same order, and a question waits until the main loop has an answer. No screen yet.
 */
#pragma once

#include "wizard/view.h"

typedef struct _MtwBridge MtwBridge;

/* Called in the main loop's thread, never after mtw_bridge_close (but `ended`, which always comes, once). */
typedef struct {
	/* (nullable) Before each event: FALSE holds it and all that follows back until mtw_bridge_resume. */
	gboolean (*may_show)(const char *name, JsonObject *event, gpointer user_data);
	/* @event: a copy, safe to show (mtw_json_clean) */
	void (*show)(const char *name, JsonObject *event, gpointer user_data);
	/* mtw_bridge_answer answers it. @request: stays until then */
	void (*ask)(const MtwRequest *request, gpointer user_data);
	/* A text file of the person: mtw_bridge_answer with the new text saves it, with NULL leaves it as it is. */
	void (*edit)(const char *path, const char *text, gpointer user_data);
	/* @error: (nullable): NULL: done; else it was not saved: the text is still the person's, who answers once more */
	void (*edited)(const GError *error, gpointer user_data);
	void (*ended)(const GError *error, gpointer user_data);
} MtwBridgeOps;

/* An answer to a question that is not asked again (mtw_bridge_new). */
typedef struct {
	char *id;
	char *answer;
} MtwBridgeAnswer;

MtwBridgeAnswer *mtw_bridge_answer_new(const char *id, const char *answer);
void mtw_bridge_answer_free(MtwBridgeAnswer *answer);

/*
 * mtw_bridge_new: for the thread whose default main context it is made in.
 * @replay: (nullable) (element-type MtwBridgeAnswer): answers the first questions without showing them, as long as they
 * come in this order; copied
 * Returns: (transfer full)
 */
MtwBridge *mtw_bridge_new(const MtwBridgeOps *ops, gpointer user_data, const GPtrArray *replay);

/* Thread-safe. */
MtwBridge *mtw_bridge_ref(MtwBridge *bridge);
void mtw_bridge_unref(MtwBridge *bridge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwBridge, mtw_bridge_unref)

/* mtw_bridge_view: for the wizard's thread. Returns: (transfer none) */
MtwView *mtw_bridge_view(MtwBridge *bridge);

/*
 * mtw_bridge_set_interrupt: @interrupt is called in the wizard's thread for each question that comes after the close: no
 * answer would mean the harmless one, and the wizard would go on.
 */
void mtw_bridge_set_interrupt(MtwBridge *bridge, void (*interrupt)(gpointer user_data),
			      gpointer user_data);

/* mtw_bridge_end: in the wizard's thread: it has come to its end. @error: (nullable) */
void mtw_bridge_end(MtwBridge *bridge, const GError *error);

/* ---- in the main loop's thread ---- */

/* mtw_bridge_answer: of the question or the editor that is open. @answer: (transfer full) (nullable): NULL: none */
void mtw_bridge_answer(MtwBridge *bridge, char *answer);

/* mtw_bridge_line: as if it were typed during the capture. @line: (nullable): NULL: end of input, which ends the capture */
void mtw_bridge_line(MtwBridge *bridge, const char *line);

/* mtw_bridge_resume: goes on after may_show said no. */
void mtw_bridge_resume(MtwBridge *bridge);

/*
 * mtw_bridge_leave: this side goes away, and the wizard shall not notice: nothing is delivered any more, and nothing is
 * answered. For a capture that goes on elsewhere, before the process ends.
 */
void mtw_bridge_leave(MtwBridge *bridge);

/*
 * mtw_bridge_close: nobody is there any more: open and later questions get no answer (the harmless one), and a
 * capture ends in order.
 */
void mtw_bridge_close(MtwBridge *bridge);
