/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/scenario.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"
#include "base/text.h"
#include "wizard/profile-keys.h"

#include <string.h>

#define UDEV_USEC (10 * G_USEC_PER_SEC)
#define UDEV_POLL_USEC (50 * 1000)

#define WAIT_MAX_SEC 86400
#define TIMEOUT_DEFAULT_SEC 60

static const char *const step_kinds[] = { "Step", NULL };

static void step_free(gpointer data)
{
	MtwScenarioStep *step = data;

	g_free(step->id);
	g_free(step->marker);
	g_free(step->marker_begin);
	g_free(step->say);
	g_free(step->say_plain);
	g_free(step->command);
	g_free(step->wait_device);
	g_free(step);
}

static gboolean fail(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
		     const char *reason, GError **error)
{
	return mtw_key_file_fail(file, mtw_key_group_line(group, key), error, "[Step %s]: %s",
				 group->id, reason);
}

/* Scripts look for the marker as it is spelled, so it must go into the trace unchanged. */
static gboolean read_marker(const MtwKeyFile *file, const MtwKeyGroup *group, const char *key,
			    char **ret_marker, GError **error)
{
	g_autofree char *text = mtw_key_group_text(group, key);

	if (text == NULL)
		return TRUE;
	*ret_marker = mtw_text_clean_marker(text, -1);
	if ((*ret_marker)[0] == '\0' || !g_str_equal(*ret_marker, text))
		return fail(file, group, key, "a marker has 1 to 1000 bytes and no tabs", error);
	return TRUE;
}

static gboolean read_command(MtwScenarioStep *step, const MtwKeyFile *file,
			     const MtwKeyGroup *group, GError **error)
{
	step->command = mtw_key_group_text(group, "Command");
	if (step->command != NULL && !g_shell_parse_argv(step->command, NULL, NULL, NULL))
		return fail(file, group, "Command", "Command cannot be split into words", error);
	return TRUE;
}

/* A path below the folder of device nodes, never out of it. */
static gboolean is_device_pattern(const char *pattern)
{
	g_auto(GStrv) parts = g_strsplit(pattern, "/", -1);

	for (char **part = parts; *part != NULL; part++)
		if (**part == '\0' || g_str_equal(*part, ".") || g_str_equal(*part, ".."))
			return FALSE;
	return parts[0] != NULL;
}

static gboolean read_wait_device(MtwScenarioStep *step, const MtwKeyFile *file,
				 const MtwKeyGroup *group, GError **error)
{
	g_autofree char *timeout = mtw_key_group_text(group, "Timeout");

	step->wait_sec = TIMEOUT_DEFAULT_SEC;
	if (step->wait_device == NULL)
		return fail(file, group, "Wait", "Wait=device without a WaitDevice", error);
	if (!is_device_pattern(step->wait_device))
		return fail(file, group, "WaitDevice",
			    "WaitDevice is a path like dri/card*, without the folder it is in",
			    error);
	if (timeout != NULL && !mtw_parse_uint(timeout, 1, WAIT_MAX_SEC, &step->wait_sec))
		return fail(file, group, "Timeout", "Timeout is a number of seconds, 1 to 86400",
			    error);
	step->wait = MTW_WAIT_DEVICE;
	return TRUE;
}

static gboolean read_wait(MtwScenarioStep *step, const MtwKeyFile *file, const MtwKeyGroup *group,
			  GError **error)
{
	g_autofree char *wait = mtw_key_group_text(group, "Wait");
	g_autofree char *timeout = mtw_key_group_text(group, "Timeout");

	step->wait_device = mtw_key_group_text(group, "WaitDevice");
	if (g_strcmp0(wait, "device") == 0)
		return read_wait_device(step, file, group, error);
	if (step->wait_device != NULL)
		return fail(file, group, "WaitDevice", "WaitDevice without Wait=device", error);
	if (timeout != NULL)
		return fail(file, group, "Timeout", "Timeout without Wait=device", error);
	if (wait == NULL)
		step->wait = step->command != NULL ? MTW_WAIT_COMMAND : MTW_WAIT_USER;
	else if (g_str_equal(wait, "user"))
		step->wait = MTW_WAIT_USER;
	else if (g_str_equal(wait, "command"))
		step->wait = MTW_WAIT_COMMAND;
	else if (mtw_parse_uint(wait, 1, WAIT_MAX_SEC, &step->wait_sec))
		step->wait = MTW_WAIT_SECONDS;
	else
		return fail(file, group, "Wait",
			    "Wait is user, command, device or a number of seconds, 1 to 86400",
			    error);
	if (step->wait == MTW_WAIT_COMMAND && step->command == NULL)
		return fail(file, group, "Wait", "Wait=command without a Command", error);
	return TRUE;
}

static gboolean read_step(MtwScenarioStep *step, const MtwKeyFile *file, const MtwKeyGroup *group,
			  GError **error)
{
	step->id = g_strdup(group->id);
	step->say = mtw_key_group_shown(group, "Say");
	step->say_plain = mtw_key_group_text(group, "Say");
	step->optional = mtw_key_group_true(group, "Optional");
	return read_marker(file, group, "Marker", &step->marker, error) &&
	       read_marker(file, group, "MarkerBegin", &step->marker_begin, error) &&
	       read_command(step, file, group, error) && read_wait(step, file, group, error);
}

GPtrArray *mtw_scenario_from_file(const MtwKeyFile *file, GError **error)
{
	g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);

	for (guint i = 0; i < file->groups->len; i++) {
		const MtwKeyGroup *group = file->groups->pdata[i];
		MtwScenarioStep *step;
		if (!g_str_equal(group->kind, step_kinds[0]))
			continue;
		step = g_new0(MtwScenarioStep, 1);
		g_ptr_array_add(steps, step);
		if (!read_step(step, file, group, error))
			return NULL;
	}
	return g_steal_pointer(&steps);
}

GPtrArray *mtw_scenario_load(const char *path, GError **error)
{
	g_autoptr(MtwKeyFile) file = mtw_key_file_read(path, error);
	g_autoptr(GPtrArray) steps = NULL;

	if (file == NULL || !mtw_profile_file_check(file, step_kinds, error))
		return NULL;
	steps = mtw_scenario_from_file(file, error);
	if (steps != NULL && steps->len == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: there is no [Step ...] in it",
			    path);
		return NULL;
	}
	return g_steal_pointer(&steps);
}

/* Whether something in @folder fits the components @parts of a pattern. */
static gboolean fits_below(const char *folder, char **parts)
{
	g_autoptr(GPtrArray) names = mtw_folder_list(folder);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], NULL);
		if (!g_pattern_match_simple(parts[0], names->pdata[i]))
			continue;
		if (parts[1] == NULL || fits_below(path, parts + 1))
			return TRUE;
	}
	return FALSE;
}

gboolean mtw_scenario_device_is_there(const MtwPaths *paths, const MtwScenarioStep *step)
{
	g_auto(GStrv) parts = g_strsplit(step->wait_device, "/", -1);

	return fits_below(mtw_paths_get(paths, MTW_PATH_DEV), parts);
}

/* The first network interface of the device; that of virtio is one level deeper. */
static char *find_interface(const MtwPaths *paths, const char *address)
{
	g_autofree char *device =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "bus", "pci", "devices", address, NULL);
	g_autofree char *net = g_build_filename(device, "net", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(net);
	g_autoptr(GPtrArray) children = mtw_folder_list(device);

	for (guint i = 0; names->len == 0 && i < children->len; i++) {
		g_autofree char *child = g_build_filename(device, children->pdata[i], "net", NULL);
		/* Not back through a link, like `subsystem`. */
		g_autofree char *parent = g_build_filename(device, children->pdata[i], NULL);
		if (g_file_test(parent, G_FILE_TEST_IS_SYMLINK))
			continue;
		g_ptr_array_unref(names);
		names = mtw_folder_list(child);
	}
	return names->len > 0 ? g_strdup(names->pdata[0]) : NULL;
}

static gboolean is_known_to_udev(const MtwPaths *paths, const char *interface)
{
	g_autofree char *index_path =
		mtw_paths_build(paths, MTW_PATH_SYSFS, "class", "net", interface, "ifindex", NULL);
	g_autofree char *index = mtw_file_read_line(index_path, NULL);
	g_autofree char *entry = g_strconcat("n", index != NULL ? index : "", NULL);
	g_autofree char *path =
		mtw_paths_build(paths, MTW_PATH_ROOT, "run", "udev", "data", entry, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/*
 * A new interface gets its name from udev, which cannot rename one that is up already: the network would not come back
 * under the name that the machine knows. Returns: (transfer full) (nullable)
 */
static char *settled_interface(const MtwPaths *paths, const char *address)
{
	g_autofree char *control =
		mtw_paths_build(paths, MTW_PATH_ROOT, "run", "udev", "control", NULL);
	gint64 deadline_usec = g_get_monotonic_time() + UDEV_USEC;
	char *interface = find_interface(paths, address);

	if (!g_file_test(control, G_FILE_TEST_EXISTS))
		return interface;
	while (g_get_monotonic_time() < deadline_usec &&
	       (interface == NULL || !is_known_to_udev(paths, interface))) {
		g_usleep(UDEV_POLL_USEC);
		g_free(interface);
		interface = find_interface(paths, address);
	}
	return interface;
}

static void replace(char **text, const char *place, const char *value)
{
	g_auto(GStrv) parts = g_strsplit(*text, place, -1);

	g_free(*text);
	*text = g_strjoinv(value, parts);
}

char *mtw_scenario_command(const MtwPaths *paths, const char *address, const MtwScenarioStep *step,
			   GError **error)
{
	g_autofree char *command = g_strdup(step->command);
	g_autofree char *interface = NULL;

	if (strstr(command, "{interface}") != NULL) {
		interface = settled_interface(paths, address);
		if (interface == NULL) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
				    "%s has no network interface now", address);
			return NULL;
		}
		replace(&command, "{interface}", interface);
	}
	replace(&command, "{address}", address);
	return g_steal_pointer(&command);
}
