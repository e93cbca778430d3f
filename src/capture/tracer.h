/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the records come from. The built-in tracer of the kernel is the first one; what is special to
 * it (one CPU, tracefs, one reader) stays behind this interface.
 *
 * Life: plan, [the changes are applied], open, read/mark ... pause, read, close, [changes undone].
 */
#pragma once

#include "capture/change.h"
#include "trace/loss.h"

typedef struct _MtwTracer MtwTracer;

typedef struct {
	const char *name;
	void (*free)(MtwTracer *tracer);
	gboolean (*plan)(MtwTracer *tracer, MtwMachine *machine, guint64 buffer_kb,
			 GPtrArray *changes, GError **error);
	gboolean (*open)(MtwTracer *tracer, MtwMachine *machine, GError **error);
	gssize (*read)(MtwTracer *tracer, void *buffer, gsize bytes, GError **error);
	void (*wait)(MtwTracer *tracer, guint timeout_msec);
	gboolean (*mark)(MtwTracer *tracer, const char *text, GError **error);
	gboolean (*pause)(MtwTracer *tracer, GError **error);
	gboolean (*ring_stats)(MtwTracer *tracer, MtwRingStats *ret_stats, GError **error);
	gboolean (*watch)(MtwTracer *tracer, MtwMachine *machine, GError **error);
	void (*close)(MtwTracer *tracer);
} MtwTracerOps;

struct _MtwTracer {
	const MtwTracerOps *ops;
};

/* mtw_tracer_new_builtin: the kernel's own mmiotrace, read as text. Returns: (transfer full) */
MtwTracer *mtw_tracer_new_builtin(void);

static inline void mtw_tracer_free(MtwTracer *tracer)
{
	if (tracer != NULL)
		tracer->ops->free(tracer);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwTracer, mtw_tracer_free)

/*
 * mtw_tracer_plan: appends the MtwChanges that switch it on, in their order.
 * @buffer_kb: size of the ring buffer
 */
static inline gboolean mtw_tracer_plan(MtwTracer *tracer, MtwMachine *machine, guint64 buffer_kb,
				       GPtrArray *changes, GError **error)
{
	return tracer->ops->plan(tracer, machine, buffer_kb, changes, error);
}

/* mtw_tracer_open: after its changes are applied: opens what is needed to read and to mark. */
static inline gboolean mtw_tracer_open(MtwTracer *tracer, MtwMachine *machine, GError **error)
{
	return tracer->ops->open(tracer, machine, error);
}

/*
 * mtw_tracer_read: never blocks. @bytes should be 64 KiB or more, or records are cut.
 * Returns: bytes of text; 0 when there is nothing now; -1 on error
 */
static inline gssize mtw_tracer_read(MtwTracer *tracer, void *buffer, gsize bytes, GError **error)
{
	return tracer->ops->read(tracer, buffer, bytes, error);
}

/* mtw_tracer_wait: until there may be something to read, at most @timeout_msec. */
static inline void mtw_tracer_wait(MtwTracer *tracer, guint timeout_msec)
{
	tracer->ops->wait(tracer, timeout_msec);
}

/* mtw_tracer_mark: @text is one clean line (mtw_text_clean_marker). Thread-safe while it is open. */
static inline gboolean mtw_tracer_mark(MtwTracer *tracer, const char *text, GError **error)
{
	return tracer->ops->mark(tracer, text, error);
}

/* mtw_tracer_pause: records no more; what is recorded stays readable. */
static inline gboolean mtw_tracer_pause(MtwTracer *tracer, GError **error)
{
	return tracer->ops->pause(tracer, error);
}

/* mtw_tracer_ring_stats: what the ring buffer itself knows about losses. */
static inline gboolean mtw_tracer_ring_stats(MtwTracer *tracer, MtwRingStats *ret_stats,
					     GError **error)
{
	return tracer->ops->ring_stats(tracer, ret_stats, error);
}

/* mtw_tracer_watch: whether it is still safe and still ours; called about once a second. */
static inline gboolean mtw_tracer_watch(MtwTracer *tracer, MtwMachine *machine, GError **error)
{
	return tracer->ops->watch(tracer, machine, error);
}

/* mtw_tracer_close: gives everything back; must come before the changes are undone. */
static inline void mtw_tracer_close(MtwTracer *tracer)
{
	tracer->ops->close(tracer);
}
