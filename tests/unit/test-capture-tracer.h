/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tracer that delivers what a test wrote down: the MtwTracer interface is the seam. */
#pragma once

#include "base/error.h"
#include "capture/tracer.h"

#include <string.h>

typedef struct {
	MtwTracer base;
	const char *const *blocks; /* one a read; NULL: nothing more */
	guint at;
	guint empty_after; /* so many reads find nothing before this block is there; 0: none */
	guint fail_at;	   /* the read of block N fails; 0: none */
	MtwErrorCode fail_code;
	gboolean pause_fails;
	guint reads, pauses;
	int enough; /* atomic: the last block was taken, or it failed */
} Script;

static gssize script_read(MtwTracer *tracer, void *buffer, gsize bytes, GError **error)
{
	Script *script = (Script *)tracer;
	const char *block = script->blocks != NULL ? script->blocks[script->at] : NULL;

	script->reads++;
	if (script->fail_at > 0 && script->at + 1 == script->fail_at) {
		g_atomic_int_set(&script->enough, 1);
		g_set_error(error, MTW_ERROR, (int)script->fail_code, "scripted");
		return -1;
	}
	if (block == NULL || script->reads <= script->empty_after) {
		g_atomic_int_set(&script->enough, block == NULL);
		return 0;
	}
	if (strlen(block) > bytes)
		return -1;
	script->at++;
	memcpy(buffer, block, strlen(block));
	return (gssize)strlen(block);
}

static void script_wait(MtwTracer *tracer, guint timeout_msec)
{
	(void)tracer;
	(void)timeout_msec;
	g_usleep(1000);
}

static gboolean script_pause(MtwTracer *tracer, GError **error)
{
	Script *script = (Script *)tracer;

	script->pauses++;
	if (!script->pause_fails)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_FAILED, "cannot pause");
	return FALSE;
}

static const MtwTracerOps script_ops = {
	.name = "script",
	.read = script_read,
	.wait = script_wait,
	.pause = script_pause,
};

static inline Script script_new(const char *const *blocks)
{
	return (Script){ .base = { .ops = &script_ops }, .blocks = blocks };
}
