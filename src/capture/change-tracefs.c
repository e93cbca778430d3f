/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of tracefs: its mount, its settings, the buffer, the tracer and the CPUs it takes away. */
#include "base/error.h"
#include "base/parse.h"
#include "capture/change-ops.h"
#include "machine/cpu.h"

#include <glib/gi18n.h>
#include <string.h>

/* A killed reader may not be reaped yet: then the tracer cannot be changed for a moment. */
#define TRACER_RETRIES 50
#define TRACER_RETRY_USEC (100 * 1000)

/* What the ring buffer may have more than was asked: it is made of whole pages. */
#define BUFFER_ROUNDING_KB 8

static gboolean need_tracefs(MtwMachine *machine, GError **error)
{
	if (machine->tracefs == NULL)
		machine->tracefs = mtw_tracefs_find(machine->paths, error);
	return machine->tracefs != NULL;
}

static char *mount_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autoptr(MtwTracefs) tracefs = mtw_tracefs_find(machine->paths, NULL);

	(void)error;
	if (tracefs != NULL && g_str_equal(mtw_tracefs_folder(tracefs), change->subject))
		return g_strdup("mounted");
	return g_strdup("");
}

static gboolean mount_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)change;
	return mtw_tracefs_mount(machine->paths, error) && need_tracefs(machine, error);
}

static gboolean mount_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)change;
	(void)now;
	mtw_machine_clear(machine);
	return mtw_tracefs_unmount(machine->paths, error);
}

const MtwChangeOps mtw_change_mount_tracefs = {
	.name = "mount-tracefs",
	.sentence = N_("Mount the kernel's tracing file system at {subject}."),
	.undo_sentence = N_("Unmount it."),
	.state = mount_state,
	.apply = mount_apply,
	.undo = mount_undo,
};

static char *file_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	return need_tracefs(machine, error)
		       ? mtw_tracefs_read(machine->tracefs, change->subject, error)
		       : NULL;
}

static gboolean write_after(MtwChange *change, MtwMachine *machine, GError **error)
{
	return need_tracefs(machine, error) &&
	       mtw_tracefs_write(machine->tracefs, change->subject, change->after, error);
}

static gboolean write_before(MtwChange *change, MtwMachine *machine, const char *now,
			     GError **error)
{
	(void)now;
	return mtw_tracefs_write(machine->tracefs, change->subject, change->before, error);
}

const MtwChangeOps mtw_change_setting = {
	.name = "setting",
	.sentence = N_("Set the tracing option {subject} to {after}."),
	.undo_sentence = N_("Set it back to {before}."),
	.state = file_state,
	.apply = write_after,
	.undo = write_before,
};

/* Also when it is on already: stopping a capture in order means switching it off. */
const MtwChangeOps mtw_change_recording = {
	.name = "recording",
	.sentence = N_("Let the kernel's tracer record ({subject} to {after})."),
	.undo_sentence = N_("Set it back to {before}."),
	.unchanged_sentence = N_("Leave it as it was: {before}."),
	.state = file_state,
	.apply = write_after,
	.undo = write_before,
	.any_state = TRUE,
	.always = TRUE,
};

static char *clock_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)change;
	return need_tracefs(machine, error) ? mtw_tracefs_clock(machine->tracefs, error) : NULL;
}

const MtwChangeOps mtw_change_clock = {
	.name = "clock",
	.sentence = N_("Let the tracer use the clock \"{after}\", which programs can read too."),
	.undo_sentence = N_("Set the clock back to \"{before}\"."),
	.state = clock_state,
	.apply = write_after,
	.undo = write_before,
};

static char *buffer_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autofree char *text = file_state(change, machine, error);
	guint64 size_kb;

	if (text == NULL)
		return NULL;
	if (!mtw_parse_buffer_size_kb(text, &size_kb)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s reads \"%s\"", change->subject,
			    text);
		return NULL;
	}
	return g_strdup_printf("%" G_GUINT64_FORMAT, size_kb);
}

/*
 * The file of all CPUs says "7 (expanded: 1408)" for a buffer that was never used: the kernel would
 * give it 1408 KB at the first use. It cannot be made unused again, and the next user of the tracer
 * expects those 1408 KB, not 7.
 */
static char *buffer_original(const MtwChange *change, MtwMachine *machine, GError **error)
{
	static const char expanded[] = "(expanded: ";
	g_autofree char *text = NULL;
	const char *at;

	if (!need_tracefs(machine, error))
		return NULL;
	text = mtw_tracefs_read(machine->tracefs, "buffer_size_kb", error);
	if (text == NULL)
		return NULL;
	at = strstr(text, expanded);
	if (at == NULL)
		return buffer_state(change, machine, error);
	at += strlen(expanded);
	return g_strndup(at, strcspn(at, ")"));
}

/*
 * An unused buffer gets its usual size first, on all CPUs, by what counts as a use: otherwise a size
 * for one CPU would leave the others at 7 KB for good.
 */
static gboolean buffer_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autofree char *all = NULL;

	if (!need_tracefs(machine, error))
		return FALSE;
	all = mtw_tracefs_read(machine->tracefs, "buffer_size_kb", error);
	if (all == NULL)
		return FALSE;
	if (strstr(all, "expanded") != NULL &&
	    !mtw_tracefs_write(machine->tracefs, "current_tracer", "nop", error))
		return FALSE;
	return write_after(change, machine, error);
}

static gboolean buffer_same(const char *now, const char *wanted)
{
	guint64 now_kb, wanted_kb;

	return mtw_parse_u64(now, 10, &now_kb) && mtw_parse_u64(wanted, 10, &wanted_kb) &&
	       now_kb >= wanted_kb && now_kb < wanted_kb + BUFFER_ROUNDING_KB;
}

const MtwChangeOps mtw_change_buffer = {
	.name = "buffer",
	.sentence = N_("Give the tracer a buffer of {after} KB ({subject})."),
	.undo_sentence = N_("Give the memory back: {before} KB as before."),
	.state = buffer_state,
	.original = buffer_original,
	.apply = buffer_apply,
	.undo = write_before,
	.same = buffer_same,
	.any_state = TRUE,
};

static char *cpus_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)change;
	return mtw_cpu_online_text(machine->paths, error);
}

/* The tracer itself takes the CPUs away; until then the state is still `before`. */
static gboolean cpus_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	(void)change;
	(void)machine;
	(void)error;
	return TRUE;
}

static gboolean has_cpu(const GArray *cpus, guint cpu)
{
	for (guint i = 0; i < cpus->len; i++)
		if (g_array_index(cpus, guint, i) == cpu)
			return TRUE;
	return FALSE;
}

/* While tracing any number is fine (the tracer's own check decides); before: at least those. */
static gboolean cpus_same(const char *now, const char *wanted)
{
	g_autoptr(GArray) online = mtw_parse_cpu_list(now);
	g_autoptr(GArray) needed = mtw_parse_cpu_list(wanted);

	for (guint i = 0; online != NULL && needed != NULL && i < needed->len; i++)
		if (!has_cpu(online, g_array_index(needed, guint, i)))
			return FALSE;
	return online != NULL;
}

static gboolean cpus_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	g_autoptr(GArray) before = mtw_parse_cpu_list(change->before);
	g_autoptr(GArray) online = mtw_parse_cpu_list(now);

	for (guint i = 0; before != NULL && online != NULL && i < before->len; i++) {
		guint cpu = g_array_index(before, guint, i);
		if (!has_cpu(online, cpu) && !mtw_cpu_set_online(machine->paths, cpu, TRUE, error))
			return FALSE;
	}
	return TRUE;
}

const MtwChangeOps mtw_change_cpus = {
	.name = "cpus",
	.sentence = N_("Let the kernel switch off all processors but one (on now: {before}); the "
		       "computer gets slow."),
	.undo_sentence = N_("All of {before} are switched on again."),
	.state = cpus_state,
	.apply = cpus_apply,
	.undo = cpus_undo,
	.same = cpus_same,
	.any_state = TRUE,
};

/* Two CPUs on one traced page crash the kernel (KERNEL: kmmio.c): then off again, at once. */
static gboolean only_one_cpu(MtwMachine *machine, GError **error)
{
	g_autoptr(GArray) online = mtw_cpu_list(machine->paths, "online", error);

	if (online == NULL)
		return FALSE;
	if (online->len == 1)
		return TRUE;
	g_set_error(
		error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
		"%u processors are still on: one refused to be switched off, and tracing with more "
		"than one can crash the machine",
		online->len);
	return FALSE;
}

static gboolean set_tracer(MtwMachine *machine, const char *name, GError **error)
{
	for (int tries = 0;; tries++) {
		g_autoptr(GError) why = NULL;
		if (mtw_tracefs_write(machine->tracefs, "current_tracer", name, &why))
			return TRUE;
		if (why->code != MTW_ERROR_BUSY || tries >= TRACER_RETRIES) {
			g_propagate_error(error, g_steal_pointer(&why));
			return FALSE;
		}
		g_usleep(TRACER_RETRY_USEC);
	}
}

static gboolean tracer_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	if (!need_tracefs(machine, error) ||
	    !mtw_tracefs_write(machine->tracefs, "current_tracer", change->after, error))
		return FALSE;
	if (!only_one_cpu(machine, error)) {
		set_tracer(machine, change->before, NULL);
		return FALSE;
	}
	return TRUE;
}

static gboolean tracer_undo(MtwChange *change, MtwMachine *machine, const char *now, GError **error)
{
	(void)now;
	return set_tracer(machine, change->before, error);
}

const MtwChangeOps mtw_change_tracer = {
	.name = "tracer",
	.sentence = N_("Switch the kernel's tracer to {after}."),
	.undo_sentence = N_("Switch it back to {before}."),
	.state = file_state,
	.apply = tracer_apply,
	.undo = tracer_undo,
};
