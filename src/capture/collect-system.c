/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the whole machine says: lspci.txt, system.txt, iomem.txt, interrupts.txt. */
#include "capture/collect-private.h"

#include "base/process.h"

#include <glib/gi18n.h>
#include <string.h>

#define LSPCI_MAX_BYTES (8 * 1024 * 1024)
/* How lspci ends when it printed all, but could not read something, as of a sleeping device. */
#define LSPCI_PARTLY_READ 2

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

static void judge_lspci(MtwCollecting *collecting, const MtwProcessResult *result, const char *tool)
{
	const char *complaint = NULL;

	if (result->truncated)
		complaint = "lspci printed more than 8 MiB";
	else if (result->exit_status == LSPCI_PARTLY_READ)
		complaint = "lspci could not read all of a device";
	if (complaint == NULL) {
		mtw_collecting_notes(collecting, "%s -vvv -nn", tool);
		return;
	}
	mtw_collecting_misses(collecting, "%s", complaint);
	collecting->sentence = N_("The list of PCI devices is not complete.");
}

/* Returns: FALSE when lspci cannot be had; @ret_reason (transfer full) says why */
static gboolean run_lspci(MtwCollecting *collecting, char **ret_reason)
{
	const MtwPaths *paths = collecting->options.paths;
	g_autofree char *tool = mtw_paths_live(paths) ? mtw_paths_tool(paths, "lspci") : NULL;
	const char *const argv[] = { tool, "-vvv", "-nn", NULL };
	const guint timeout_sec = collecting->options.timeout_sec;
	const MtwProcessOptions process_options = {
		.timeout_sec = timeout_sec != 0 ? timeout_sec : collecting->collector->limit_sec,
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
	judge_lspci(collecting, result, tool);
	mtw_collecting_text(collecting, result->output->str, result->output->len);
	return TRUE;
}

void mtw_collect_lspci(MtwCollecting *collecting)
{
	g_autofree char *reason = NULL;
	g_autofree char *text = NULL;

	if (run_lspci(collecting, &reason))
		return;
	text = mtw_lspci_text(collecting->options.paths, collecting->reader);
	mtw_collecting_misses(collecting, "%s", reason);
	collecting->sentence = N_("The list of PCI devices was made without lspci (package "
				  "pciutils); it has fewer details.");
	mtw_collecting_text(collecting, text, strlen(text));
}

void mtw_collect_system(MtwCollecting *collecting)
{
	g_autofree char *text = mtw_system_text(&collecting->options);

	mtw_collecting_text(collecting, text, strlen(text));
}

/* The file @name of /proc as it is. Returns: (transfer full) (nullable) */
static char *take_proc_file(MtwCollecting *collecting, const char *name)
{
	g_autofree char *path =
		mtw_paths_build(collecting->options.paths, MTW_PATH_PROCFS, name, NULL);
	gsize bytes;
	char *text =
		mtw_collecting_read(collecting, path, collecting->collector->max_bytes, &bytes);

	if (text != NULL)
		mtw_collecting_text(collecting, text, bytes);
	return text;
}

/* Without the right to see addresses all of them are 0. */
static gboolean has_addresses(const char *iomem)
{
	g_auto(GStrv) lines = g_strsplit(iomem, "\n", -1);

	for (char **line = lines; *line != NULL; line++)
		if (strcspn(*line, "123456789abcdef") < strcspn(*line, ":"))
			return TRUE;
	return FALSE;
}

void mtw_collect_iomem(MtwCollecting *collecting)
{
	g_autofree char *text = take_proc_file(collecting, "iomem");

	if (text != NULL && !has_addresses(text))
		mtw_collecting_misses(collecting, "the kernel does not show the addresses");
}

void mtw_collect_interrupts(MtwCollecting *collecting)
{
	g_free(take_proc_file(collecting, "interrupts"));
}
