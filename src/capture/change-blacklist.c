/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping a driver from being loaded at the next start: the one change that outlives a restart. */
#include "base/error.h"
#include "base/file.h"
#include "capture/change-ops.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

static char *blacklist_path(const MtwChange *change, MtwMachine *machine)
{
	return mtw_paths_build(machine->paths, MTW_PATH_ETC, "modprobe.d", change->subject, NULL);
}

static char *blacklist_state(const MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autofree char *path = blacklist_path(change, machine);
	g_autoptr(GError) why = NULL;
	char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, &why);

	if (text != NULL)
		return text;
	if (g_error_matches(why, MTW_ERROR, MTW_ERROR_NOT_FOUND))
		return g_strdup("");
	g_propagate_error(error, g_steal_pointer(&why));
	return NULL;
}

static gboolean blacklist_apply(MtwChange *change, MtwMachine *machine, GError **error)
{
	g_autofree char *path = blacklist_path(change, machine);

	return mtw_file_write_atomic(path, change->after, strlen(change->after), 0644, error);
}

/* The name must be gone from the disk too before anything else is risked. */
static gboolean blacklist_undo(MtwChange *change, MtwMachine *machine, const char *now,
			       GError **error)
{
	g_autofree char *path = blacklist_path(change, machine);
	g_autofree char *folder = g_path_get_dirname(path);

	(void)now;
	if (unlink(path) != 0 && errno != ENOENT) {
		mtw_set_error_errno(error, errno, "cannot remove %s", path);
		return FALSE;
	}
	return mtw_folder_sync(folder, error);
}

const MtwChangeOps mtw_change_blacklist = {
	.name = "blacklist",
	.sentence = N_("Keep the driver from being loaded by itself at the next start of the "
		       "computer, with "
		       "the file {subject} in /etc/modprobe.d."),
	.undo_sentence = N_("That start removes the file, first of all."),
	.state = blacklist_state,
	.apply = blacklist_apply,
	.undo = blacklist_undo,
	.persistent = TRUE,
};
