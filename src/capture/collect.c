/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/collect.h"

#include "base/file.h"
#include "base/message.h"
#include "base/process.h"
#include "machine/kmsg.h"
#include "base/lines.h"

#include <glib/gi18n.h>
#include <string.h>

#define LSPCI_MAX_BYTES (8 * 1024 * 1024)
#define DEFAULT_TIMEOUT_SEC 20
/* How lspci ends when it printed all, but could not read something, as of a sleeping device. */
#define LSPCI_PARTLY_READ 2

/* What a file will hold, and what to tell about it. */
typedef struct {
	char *text; /* NULL: could not be had */
	MtwMessage *message;
} Collected;

static MtwMessage *warn(const char *id, const char *sentence, const char *detail)
{
	return mtw_message_new(id, MTW_LEVEL_WARNING, sentence, "", "%s", detail);
}

/* Why the output of lspci is not to be used. Returns: (transfer full) (nullable): NULL: it is. */
static char *lspci_failure(const MtwProcessResult *result)
{
	if (result->timed_out)
		return g_strdup("lspci did not end in time");
	if (result->signal != 0)
		return g_strdup_printf("lspci died by signal %d", result->signal);
	if (result->exit_status != 0 && result->exit_status != LSPCI_PARTLY_READ)
		return g_strdup_printf("lspci ended with status %d", result->exit_status);
	return result->output->len == 0 ? g_strdup("lspci printed nothing") : NULL;
}

static MtwMessage *lspci_message(const MtwProcessResult *result, const char *tool)
{
	if (result->truncated)
		return warn("lspci.txt", N_("The list of PCI devices is not complete."),
		            "lspci printed more than 8 MiB");
	if (result->exit_status == LSPCI_PARTLY_READ)
		return warn("lspci.txt", N_("The list of PCI devices is not complete."),
		            "lspci could not read all of a device");
	return mtw_message_new("lspci.txt", MTW_LEVEL_OK,
	                       N_("The list of PCI devices was collected."), "", "%s -vvv -nn",
	                       tool);
}

/* Returns: FALSE when lspci cannot be had; @ret_reason (transfer full) says why */
static gboolean run_lspci(const MtwCollectOptions *options, Collected *collected, char **ret_reason)
{
	g_autofree char *tool =
	        mtw_paths_live(options->paths) ? mtw_paths_tool(options->paths, "lspci") : NULL;
	const char *const argv[] = { tool, "-vvv", "-nn", NULL };
	const MtwProcessOptions process_options = {
		.timeout_sec =
		        options->timeout_sec != 0 ? options->timeout_sec : DEFAULT_TIMEOUT_SEC,
		.max_output_bytes = LSPCI_MAX_BYTES,
	};
	g_autoptr(MtwProcessResult) result = NULL;
	g_autoptr(GError) error = NULL;

	if (tool == NULL) {
		*ret_reason = g_strdup("lspci is not there");
		return FALSE;
	}
	result = mtw_process_run(argv, &process_options, &error);
	*ret_reason = result != NULL ? lspci_failure(result) : g_strdup(error->message);
	if (*ret_reason != NULL)
		return FALSE;
	collected->text = mtw_lines_clean(result->output->str, (gssize)result->output->len);
	collected->message = lspci_message(result, tool);
	return TRUE;
}

static Collected collect_lspci(const MtwCollectOptions *options)
{
	Collected collected = { .text = NULL };
	g_autofree char *reason = NULL;

	if (run_lspci(options, &collected, &reason))
		return collected;
	collected.text = mtw_lspci_text(options->paths);
	collected.message = warn("lspci.txt",
	                         N_("The list of PCI devices was made without lspci (package "
	                            "pciutils); it has fewer details."),
	                         reason);
	return collected;
}

static Collected collect_dmesg(const MtwCollectOptions *options)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *log = mtw_kmsg_read(options->paths, 0, NULL, &error);

	if (log == NULL)
		return (Collected){ .message = warn("dmesg.txt",
			                            N_("The kernel's log could not be read."),
			                            error->message) };
	return (Collected){
		.text = mtw_lines_clean(log, -1),
		.message = mtw_message_new("dmesg.txt", MTW_LEVEL_OK,
		                           N_("The kernel's log was collected."), "", NULL),
	};
}

static Collected collect_system(const MtwCollectOptions *options)
{
	return (Collected){
		.text = mtw_system_text(options),
		.message = mtw_message_new(
		        "system.txt", MTW_LEVEL_OK,
		        N_("The facts about the system and the driver were collected."), "", NULL),
	};
}

/* Takes @collected over. */
static void keep(const MtwCollectOptions *options, GPtrArray *messages, Collected collected)
{
	g_autofree char *text = collected.text;
	g_autofree char *path = g_build_filename(options->folder, collected.message->id, NULL);
	g_autoptr(GError) error = NULL;

	if (text != NULL && !mtw_file_write_atomic(path, text, strlen(text), 0600, &error)) {
		MtwMessage *warning =
		        warn(collected.message->id,
		             N_("A file of the report could not be written."), error->message);
		mtw_message_free(collected.message);
		collected.message = warning;
	}
	g_ptr_array_add(messages, collected.message);
}

GPtrArray *mtw_collect_run(const MtwCollectOptions *options)
{
	GPtrArray *messages = mtw_messages_new();

	keep(options, messages, collect_lspci(options));
	keep(options, messages, collect_dmesg(options));
	keep(options, messages, collect_system(options));
	return messages;
}
