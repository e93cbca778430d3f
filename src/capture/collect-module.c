/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The driver's modules: module.txt and sections.txt while they are loaded, modinfo.txt (what their
 * files say, which may take long to unpack) later.
 */
#include "capture/collect-private.h"

#include "base/file.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/system.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#define MODULE_TXT "module.txt"
#define HEADING "== Module "
#define MOST_MODULES 64
/* The kernel's own symbols come first in kallsyms, behind those of the CPUs' private data. */
#define KALLSYMS_MAX_BYTES (256 * 1024)

static const char *module_of(const MtwCollecting *collecting)
{
	const MtwCollectOptions *options = &collecting->options;

	return options->module != NULL ? options->module : options->device->module;
}

static char *module_folder(const MtwPaths *paths, const char *name)
{
	return mtw_paths_build(paths, MTW_PATH_SYSFS, "module", name, NULL);
}

static void add_name(GPtrArray *names, const char *name)
{
	if (names->len < MOST_MODULES && mtw_sysfs_is_name(name) &&
	    !mtw_sysfs_list_has(names, name))
		g_ptr_array_add(names, g_strdup(name));
}

/* What uses the modules of the list. The list grows while it is gone through: users of users. */
static void add_users(const MtwPaths *paths, GPtrArray *names)
{
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *folder = module_folder(paths, names->pdata[i]);
		g_autofree char *path = g_build_filename(folder, "holders", NULL);
		g_autoptr(GPtrArray) holders = mtw_folder_list(path);
		for (guint k = 0; k < holders->len; k++)
			add_name(names, holders->pdata[k]);
	}
}

/* What is used: all whose holders are in the list. */
static void add_used(const MtwPaths *paths, GPtrArray *names)
{
	g_autofree char *all_path = mtw_paths_build(paths, MTW_PATH_SYSFS, "module", NULL);
	g_autoptr(GPtrArray) all = mtw_folder_list(all_path);

	for (guint i = 0; i < names->len; i++) {
		for (guint k = 0; k < all->len; k++) {
			g_autofree char *path = g_build_filename(all_path, all->pdata[k], "holders",
								 names->pdata[i], NULL);
			if (g_file_test(path, G_FILE_TEST_EXISTS))
				add_name(names, all->pdata[k]);
		}
	}
}

/* "== Module NAME ==" of the file of the live phase. */
static void add_noted(GPtrArray *names, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, MODULE_TXT, NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *name = NULL;
		if (!g_str_has_prefix(*line, HEADING))
			continue;
		name = g_strdup(*line + strlen(HEADING));
		name[strcspn(name, " ")] = '\0';
		add_name(names, name);
	}
}

GPtrArray *mtw_collect_modules(const MtwPaths *paths, const char *module, const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *normal = NULL;

	if (module == NULL)
		return names;
	normal = g_strdelimit(g_strdup(module), "-", '_');
	add_name(names, normal);
	if (folder != NULL)
		add_noted(names, folder);
	add_users(paths, names);
	add_used(paths, names);
	return names;
}

static void append_value(MtwCollecting *collecting, GString *text, const char *folder,
			 const char *name)
{
	g_autofree char *value = mtw_collecting_value(collecting, folder, name);

	if (value != NULL && *value != '\0')
		g_string_append_printf(text, "%s: %s\n", name, value);
}

static void append_names(GString *text, const char *label, const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);

	for (guint i = 0; i < names->len; i++)
		g_string_append_printf(text, "%s %s", i == 0 ? label : "",
				       (const char *)names->pdata[i]);
	if (names->len > 0)
		g_string_append_c(text, '\n');
}

/* Some parameters can only be written. */
static gboolean can_be_read(const char *folder, const char *name)
{
	g_autofree char *path = g_build_filename(folder, name, NULL);
	struct stat status;

	return stat(path, &status) != 0 || (status.st_mode & 0444) != 0;
}

static void append_parameters(MtwCollecting *collecting, GString *text, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "parameters", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *value = NULL;
		if (!can_be_read(path, name)) {
			g_string_append_printf(text, "parameter %s (write-only)\n", name);
			continue;
		}
		value = mtw_collecting_value(collecting, path, name);
		g_string_append_printf(text, "parameter %s: %s\n", name,
				       value != NULL ? value : "(could not be read)");
	}
	if (names->len == 0)
		g_string_append(text, "no parameters\n");
}

static void append_module(MtwCollecting *collecting, GString *text, const char *name)
{
	static const char *const facts[] = { "initstate", "version",  "srcversion",
					     "taint",	  "coresize", "refcnt" };
	g_autofree char *folder = module_folder(collecting->options.paths, name);
	g_autofree char *state = NULL;

	g_string_append_printf(text, "\n" HEADING "%s ==\n", name);
	if (!g_file_test(folder, G_FILE_TEST_IS_DIR)) {
		g_string_append(text, "not loaded\n");
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(facts); i++)
		append_value(collecting, text, folder, facts[i]);
	state = mtw_sysfs_attribute(folder, "initstate");
	if (state == NULL)
		g_string_append(text, "built into the kernel\n");
	append_names(text, "used by:", folder, "holders");
	append_names(text, "drivers:", folder, "drivers");
	append_parameters(collecting, text, folder);
}

void mtw_collect_module(MtwCollecting *collecting)
{
	g_autoptr(GString) text = mtw_collecting_head(
		"the driver's modules while it was traced; what uses them and what they use.");
	g_autoptr(GPtrArray) names =
		mtw_collect_modules(collecting->options.paths, module_of(collecting), NULL);

	if (names->len == 0) {
		mtw_collecting_notes(collecting, "the driver has no module");
		return;
	}
	for (guint i = 0; i < names->len; i++)
		append_module(collecting, text, names->pdata[i]);
	mtw_collecting_text(collecting, text->str, text->len);
}

/* The parameters of now are not those of the capture, which module.txt has. */
static void append_facts(GString *text, const char *facts)
{
	g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
	gboolean any = FALSE;

	for (char **line = lines; *line != NULL; line++) {
		if (**line == '\0' || g_str_has_prefix(*line, "parameter "))
			continue;
		g_string_append_printf(text, "%s\n", *line);
		any = TRUE;
	}
	if (!any)
		g_string_append(text, "no file of this name is installed for this kernel\n");
}

void mtw_collect_modinfo(MtwCollecting *collecting)
{
	const MtwCollectOptions *options = &collecting->options;
	g_autoptr(GString) text =
		mtw_collecting_head("what the files of the driver's modules say (modinfo).");
	g_autoptr(GPtrArray) names =
		mtw_collect_modules(options->paths, module_of(collecting), options->folder);

	if (names->len == 0) {
		mtw_collecting_notes(collecting, "the driver has no module");
		return;
	}
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *facts = NULL;
		if (g_get_monotonic_time() >= collecting->deadline_usec) {
			mtw_collecting_misses(collecting, "%u of %u modules: no time left",
					      names->len - i, names->len);
			break;
		}
		facts = mtw_module_facts(options->paths, names->pdata[i]);
		g_string_append_printf(text, "\n" HEADING "%s ==\n", (char *)names->pdata[i]);
		append_facts(text, facts);
	}
	mtw_collecting_text(collecting, text->str, text->len);
}

static gboolean is_on(const char *value)
{
	return value != NULL && (*value == '\0' || strchr("1yYtT", *value) != NULL ||
				 g_ascii_strcasecmp(value, "on") == 0);
}

static gboolean has_pcs(const MtwCollecting *collecting)
{
	g_autofree char *cmdline = mtw_system_cmdline(collecting->options.paths);
	g_autofree char *value = mtw_cmdline_value(cmdline, "mmiotrace.trace_pc");

	return collecting->options.trace_pc || is_on(value);
}

/* The address of one section. Returns: FALSE when the kernel shows none */
static gboolean append_section(MtwCollecting *collecting, GString *text, const char *module,
			       const char *folder, const char *section)
{
	g_autofree char *value = mtw_collecting_value(collecting, folder, section);

	if (value == NULL)
		return FALSE;
	g_string_append_printf(text, "%s %s %s\n", value, module, section);
	return strspn(value, "0x") != strlen(value);
}

static void append_sections(MtwCollecting *collecting, GString *text, const char *module)
{
	g_autofree char *folder = module_folder(collecting->options.paths, module);
	g_autofree char *path = g_build_filename(folder, "sections", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(path);
	gboolean any = FALSE;

	for (guint i = 0; i < names->len; i++)
		any |= append_section(collecting, text, module, path, names->pdata[i]);
	if (names->len > 0 && !any)
		mtw_collecting_misses(collecting, "%s: the kernel does not show the addresses",
				      module);
}

/* Where the kernel itself is: functions that drivers call to access registers are in it. */
static void append_kernel(MtwCollecting *collecting, GString *text)
{
	static const char *const symbols[] = { "_text", "_stext" };
	g_autofree char *path =
		mtw_paths_build(collecting->options.paths, MTW_PATH_PROCFS, "kallsyms", NULL);
	MtwReadLimits limits = mtw_collecting_limits(collecting, KALLSYMS_MAX_BYTES);
	g_autoptr(GError) error = NULL;
	g_autofree char *all =
		mtw_reader_read(collecting->reader, path, &limits, NULL, NULL, &error);

	if (all == NULL)
		mtw_collecting_misses(collecting, "%s", error->message);
	for (gsize i = 0; all != NULL && i < G_N_ELEMENTS(symbols); i++) {
		g_autofree char *needle = g_strdup_printf(" T %s\n", symbols[i]);
		const char *found = strstr(all, needle);
		const char *line = found;
		while (line != NULL && line > all && line[-1] != '\n')
			line--;
		if (found != NULL)
			g_string_append_printf(text, "0x%.*s kernel %s\n", (int)(found - line),
					       line, symbols[i]);
	}
}

void mtw_collect_sections(MtwCollecting *collecting)
{
	g_autoptr(GString) text = mtw_collecting_head(
		"where code was in memory during the capture: address, module, section.");
	g_autoptr(GPtrArray) names =
		mtw_collect_modules(collecting->options.paths, module_of(collecting), NULL);

	if (!has_pcs(collecting)) {
		collecting->sentence = N_("Not needed: the trace has no program counters.");
		return;
	}
	append_kernel(collecting, text);
	for (guint i = 0; i < names->len; i++)
		append_sections(collecting, text, names->pdata[i]);
	mtw_collecting_text(collecting, text->str, text->len);
}
