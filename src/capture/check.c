/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/check.h"

#include "base/error.h"
#include "capture/check-private.h"

void mtw_check_say(MtwCheck *check, MtwSentence sentence, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(check->messages, mtw_sentence_newv(sentence, format, args));
	va_end(args);
}

/* In the order in which a person reads them; tracefs comes before what looks into it. */
static const struct {
	void (*look)(MtwCheck *check);
	gboolean only_now; /* a restart of the computer changes it */
} checks_of_machine[] = {
	{ mtw_check_architecture, FALSE },  { mtw_check_root, FALSE },
	{ mtw_check_tracefs, FALSE },	    { mtw_check_kernel_config, FALSE },
	{ mtw_check_lockdown, FALSE },	    { mtw_check_tracer_available, FALSE },
	{ mtw_check_current_tracer, TRUE }, { mtw_check_trace_reader, TRUE },
	{ mtw_check_trace_events, TRUE },   { mtw_check_tracing_cpumask, TRUE },
	{ mtw_check_cpus, FALSE },	    { mtw_check_memory, FALSE },
	{ mtw_check_disk, FALSE },	    { mtw_check_cmdline, FALSE },
};

GPtrArray *mtw_check_run(const MtwPaths *paths, const MtwCheckOptions *options)
{
	MtwCheck check = { .paths = paths, .options = options, .messages = mtw_messages_new() };

	if (options->device != NULL)
		check.device = mtw_pci_get(paths, options->device, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(checks_of_machine); i++)
		if (!options->next_boot || !checks_of_machine[i].only_now)
			checks_of_machine[i].look(&check);
	if (options->device != NULL)
		mtw_check_device(&check);
	mtw_tracefs_free(check.tracefs);
	mtw_pci_device_free(check.device);
	return check.messages;
}

/* Which failure to name when there are several: what must be put right first comes first. */
static const struct {
	const char *id;
	MtwErrorCode code;
} decisive[] = {
	{ "architecture", MTW_ERROR_CANNOT_TRACE },
	{ "device", MTW_ERROR_NOT_FOUND },
	{ "driver-choice", MTW_ERROR_USAGE },
	{ "root", MTW_ERROR_PERMISSION },
	{ "lockdown", MTW_ERROR_CANNOT_TRACE },
	{ "tracefs", MTW_ERROR_CANNOT_TRACE },
	{ "tracer-available", MTW_ERROR_CANNOT_TRACE },
	{ "kernel-config", MTW_ERROR_CANNOT_TRACE },
	{ "cmdline", MTW_ERROR_CANNOT_TRACE },
	{ "current-tracer", MTW_ERROR_BUSY },
	{ "trace-reader", MTW_ERROR_BUSY },
	{ "tracing-cpumask", MTW_ERROR_BUSY },
	{ "disk", MTW_ERROR_DISK },
	{ "next-boot-waits", MTW_ERROR_BUSY },
};

static const MtwMessage *find_failure(const GPtrArray *checks, const char *id)
{
	const MtwMessage *message = mtw_messages_find(checks, id);

	return message != NULL && message->level == MTW_LEVEL_FAILURE ? message : NULL;
}

/* A failure that the table does not name: the machine or the device rules tracing out. */
static const MtwMessage *find_other_failure(const GPtrArray *checks)
{
	for (guint i = 0; i < checks->len; i++) {
		const MtwMessage *message = checks->pdata[i];
		if (message->level == MTW_LEVEL_FAILURE)
			return message;
	}
	return NULL;
}

gboolean mtw_check_to_error(const GPtrArray *checks, GError **error)
{
	MtwErrorCode code = MTW_ERROR_CANNOT_TRACE;
	const MtwMessage *failure = NULL;

	for (gsize i = 0; failure == NULL && i < G_N_ELEMENTS(decisive); i++) {
		failure = find_failure(checks, decisive[i].id);
		if (failure != NULL)
			code = decisive[i].code;
	}
	if (failure == NULL)
		failure = find_other_failure(checks);
	if (failure == NULL)
		return TRUE;
	if (*failure->detail != '\0')
		g_set_error(error, MTW_ERROR, (int)code, "%s (%s)", failure->sentence,
			    failure->detail);
	else
		g_set_error(error, MTW_ERROR, (int)code, "%s", failure->sentence);
	return FALSE;
}

MtwMessage *mtw_check_obstacle_of(const MtwPaths *paths, const MtwCheckOptions *options)
{
	MtwCheck check = { .paths = paths, .options = options };
	g_autoptr(GPtrArray) messages = mtw_messages_new();
	const MtwMessage *failure;

	check.messages = messages;
	check.device = mtw_pci_get(paths, options->device, NULL);
	mtw_check_device(&check);
	g_clear_pointer(&check.device, mtw_pci_device_free);
	failure = find_other_failure(messages);
	return failure != NULL ? mtw_message_copy(failure) : NULL;
}

MtwMessage *mtw_check_obstacle(const MtwPaths *paths, const char *device)
{
	const MtwCheckOptions options = { .device = device };

	return mtw_check_obstacle_of(paths, &options);
}
