/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the wizard needs of a screen: to show events, to answer questions, and to hear of the person
 * during the capture. Called in the wizard's thread.
 */
#pragma once

#include "wizard/request.h"

#include <json-glib/json-glib.h>

typedef struct _MtwView MtwView;

typedef struct {
	/*
	 * One thing that happened: those of capture/engine.h, and of the wizard itself:
	 *   step {"step","title"}; explain {"text"}; note {"text"} (of a profile); check (a message); plan {"changes":[...],"buffer_kb","device","way"};
	 *   counters {"seconds","events","target","bytes","lost","bars":[...]};
	 *   scenario-steps {"steps":[{"index","id","say","marker","optional","waits_for_user"}]}, before the first of them;
	 *   scenario {"index","total", and the others}: one begins, perhaps again; scenario-end {"index","result":"done" or "left-out"};
	 *   exercise {"command","result","ok"};
	 *   verdict {"grade","lost","device","buffer_kb","next_buffer_kb" (0: no other try),"verdict":{...}};
	 *   packing {"done","total"}; review {"redact","folder","files":[{"name","bytes","text","excluded","replaced":{KIND:N}}]};
	 *   diff {"file","lines":[{"line","before","after"}],"more"};
	 *   next-boot {"session","device","duration_sec"};
	 *   archive {"path","bytes"}; profile {"id","title"};
	 *   preview, inquiry, duplicate, queued (sending.h); sending, progress, retry, sent (submit/send.h)
	 */
	void (*show)(MtwView *view, JsonObject *event);
	/*
	 * (transfer full) (nullable): NULL: no answer (end of input, or nobody there). The answer to a SECRET is wiped by
	 * the caller, and the view keeps no copy.
	 */
	char *(*ask)(MtwView *view, const MtwRequest *request);
	/*
	 * A line the person typed during the capture, if there is one: never blocks.
	 * @ret_line: (transfer full): NULL at the end of input
	 */
	gboolean (*capture_line)(MtwView *view, char **ret_line);
	/* (nullable): whether the screen went away, and with it whoever looked at it: the end of input is not an answer. */
	gboolean (*is_gone)(MtwView *view);
	/* Whether there is an editor that the person chose. */
	gboolean (*can_edit)(MtwView *view);
	/* Lets the person edit a text file of theirs; returns when they are done. */
	gboolean (*edit)(MtwView *view, const char *path, GError **error);
} MtwViewOps;

struct _MtwView {
	const MtwViewOps *ops;
};
