/* SPDX-License-Identifier: GPL-2.0-or-later */
/* firmware.txt: which of the files that the module names are installed, and what the log says. */
#include "capture/collect-private.h"

#include "base/error.h"
#include "machine/kmsg.h"
#include "machine/module.h"
#include "machine/sysfs.h"
#include "machine/system.h"

#include <string.h>

#define FACT "firmware: "
/* A single file larger than this is not firmware. */
#define FILE_MAX_BYTES ((gsize)1024 * 1024 * 1024)
/* "amdgpu" names some 600. */
#define MOST_NAMES 5000
#define MOST_LOG_LINES 500

/* The names of all the driver's modules. Returns: (transfer full) (element-type utf8) */
static GPtrArray *firmware_names(MtwCollecting *collecting)
{
	const MtwCollectOptions *options = &collecting->options;
	const char *module = options->module != NULL ? options->module : options->device->module;
	g_autoptr(GPtrArray) modules = mtw_collect_modules(options->paths, module, options->folder);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < modules->len; i++) {
		g_autofree char *facts = mtw_module_facts(options->paths, modules->pdata[i]);
		g_auto(GStrv) lines = g_strsplit(facts, "\n", -1);
		for (char **line = lines; *line != NULL; line++)
			if (g_str_has_prefix(*line, FACT) && names->len < MOST_NAMES &&
			    !mtw_sysfs_list_has(names, *line + strlen(FACT)))
				g_ptr_array_add(names, g_strdup(*line + strlen(FACT)));
	}
	return names;
}

/* The folders in the order in which the kernel looks. Returns: (transfer full) (element-type utf8)
 */
static GPtrArray *firmware_folders(MtwCollecting *collecting)
{
	const MtwPaths *paths = collecting->options.paths;
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *release = mtw_system_release(paths);
	g_autofree char *parameters = mtw_paths_build(paths, MTW_PATH_SYSFS, "module",
						      "firmware_class", "parameters", NULL);
	g_autofree char *own = mtw_collecting_value(collecting, parameters, "path");

	if (own != NULL && g_path_is_absolute(own))
		g_ptr_array_add(folders, mtw_paths_build(paths, MTW_PATH_ROOT, own, NULL));
	g_ptr_array_add(folders, mtw_paths_build(paths, MTW_PATH_ROOT, "lib", "firmware", "updates",
						 release, NULL));
	g_ptr_array_add(folders,
			mtw_paths_build(paths, MTW_PATH_ROOT, "lib", "firmware", "updates", NULL));
	g_ptr_array_add(folders,
			mtw_paths_build(paths, MTW_PATH_ROOT, "lib", "firmware", release, NULL));
	g_ptr_array_add(folders, mtw_paths_build(paths, MTW_PATH_ROOT, "lib", "firmware", NULL));
	return folders;
}

/* A module could name anything; only what is below the folder is looked at. */
static gboolean is_below(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);

	return *name != '\0' && !g_path_is_absolute(name) &&
	       !g_strv_contains((const char *const *)parts, "..");
}

static char *find_file(const GPtrArray *folders, const char *name)
{
	static const char *const endings[] = { "", ".zst", ".xz" };

	for (guint i = 0; i < folders->len; i++) {
		for (gsize k = 0; k < G_N_ELEMENTS(endings); k++) {
			g_autofree char *file = g_strconcat(name, endings[k], NULL);
			g_autofree char *path = g_build_filename(folders->pdata[i], file, NULL);
			if (g_file_test(path, G_FILE_TEST_EXISTS))
				return g_steal_pointer(&path);
		}
	}
	return NULL;
}

typedef struct {
	GChecksum *checksum;
	guint64 bytes;
} Hashing;

static gboolean hash(const void *data, gsize bytes, gpointer user_data)
{
	Hashing *hashing = user_data;

	g_checksum_update(hashing->checksum, data, (gssize)bytes);
	hashing->bytes += bytes;
	return TRUE;
}

static void append_file(MtwCollecting *collecting, GString *text, const char *name,
			const char *path)
{
	MtwReadLimits limits = { .max_bytes = FILE_MAX_BYTES,
				 .deadline_usec = collecting->deadline_usec };
	Hashing hashing = { .checksum = g_checksum_new(G_CHECKSUM_SHA256) };
	g_autoptr(GError) error = NULL;
	gboolean cut = FALSE;

	if (!mtw_reader_stream(collecting->reader, path, &limits, hash, &hashing, &cut, &error)) {
		mtw_collecting_misses(collecting, "%s", error->message);
		g_string_append_printf(text, "%s: could not be read\n", name);
	} else if (cut) {
		g_string_append_printf(text, "%s: too large for firmware\n", name);
	} else {
		g_string_append_printf(text, "%s: %s, %" G_GUINT64_FORMAT " bytes, SHA-256 %s\n",
				       name, path, hashing.bytes,
				       g_checksum_get_string(hashing.checksum));
	}
	g_checksum_free(hashing.checksum);
}

static void append_files(MtwCollecting *collecting, GString *text)
{
	g_autoptr(GPtrArray) names = firmware_names(collecting);
	g_autoptr(GPtrArray) folders = firmware_folders(collecting);
	g_autoptr(GString) absent = g_string_new(NULL);
	guint n_found = 0;

	g_string_append(text, "\n== Installed ==\n");
	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		g_autofree char *path = is_below(name) ? find_file(folders, name) : NULL;
		n_found += path != NULL;
		if (path != NULL)
			append_file(collecting, text, name, path);
		else
			g_string_append_printf(absent, "%s\n", name);
	}
	if (n_found == 0)
		g_string_append(text, "none\n");
	g_string_append(text, "\n== Named by the modules, but not installed ==\n");
	g_string_append(text, absent->len > 0 ? absent->str : "none\n");
	mtw_collecting_notes(collecting, "%u files named, %u installed", names->len, n_found);
}

static gboolean mentions(const char *line, const char *word)
{
	return word != NULL && strstr(line, word) != NULL;
}

/* Of this device or its driver, and about firmware. */
static gboolean is_about_firmware(const MtwCollectOptions *options, const char *line)
{
	static const char *const words[] = { "firmware", "ucode",	"microcode",  " fw ",
					     "fw:",	 "fw_",		"fw version", "gsp",
					     "vbios",	 "bios version" };
	g_autofree char *lower = g_ascii_strdown(line, -1);

	if (!mentions(line, options->device->address) && !mentions(line, options->module) &&
	    !mentions(line, options->driver) && !mentions(line, "[drm]"))
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(lower, words[i]) != NULL)
			return TRUE;
	return FALSE;
}

static void append_log(MtwCollecting *collecting, GString *text)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *log = mtw_kmsg_read(collecting->options.paths, 0, NULL, &error);
	g_auto(GStrv) lines = g_strsplit(log != NULL ? log : "", "\n", -1);
	guint n_lines = 0;

	g_string_append(text, "\n== What the kernel's log says ==\n");
	if (log == NULL)
		mtw_collecting_misses(collecting, "%s", error->message);
	for (char **line = lines; *line != NULL && n_lines < MOST_LOG_LINES; line++) {
		if (!is_about_firmware(&collecting->options, *line))
			continue;
		g_string_append_printf(text, "%s\n", *line);
		n_lines++;
	}
	if (n_lines == 0)
		g_string_append(text, "nothing\n");
}

void mtw_collect_firmware(MtwCollecting *collecting)
{
	g_autoptr(GString) text =
		mtw_collecting_head("the driver's firmware files, without their contents.");

	append_files(collecting, text);
	append_log(collecting, text);
	mtw_collecting_text(collecting, text->str, text->len);
}
