/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/error.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_QUARK(mtw - error - quark, mtw_error)

typedef struct {
	int exit_status;
	const char *name;
	const char *sentence;
	const char *hint;
} MtwErrorRow;

/* clang-format off */
static const MtwErrorRow error_table[MTW_N_ERRORS] = {
	[MTW_ERROR_FAILED] = { 1, "failed", N_("Something went wrong."), "" },
	[MTW_ERROR_USAGE] = { 2, "usage", N_("That cannot be understood."), N_("See mmiotrace-wizard --help.") },
	[MTW_ERROR_NOT_FOUND] = { 2, "not-found", N_("It is not there."), N_("Check the spelling; `mmiotrace-wizard devices` (or sessions, targets, queue) lists what there is.") },
	[MTW_ERROR_INVALID] = { 1, "invalid", N_("The content is not what it should be."), "" },
	[MTW_ERROR_CANNOT_TRACE] = { 3, "cannot-trace", N_("This cannot be traced on this computer."), N_("`mmiotrace-wizard check` tells what is missing and what to do about it.") },
	[MTW_ERROR_PERMISSION] = { 4, "permission", N_("This needs more rights."), N_("A capture needs root, for example with sudo. When it is about a file, look at its owner and mode.") },
	[MTW_ERROR_DECLINED] = { 4, "declined", N_("Not done, as you wished."), N_("Nothing was changed on this computer, and nothing was sent.") },
	[MTW_ERROR_LOST_EVENTS] = { 5, "lost-events", N_("Events were lost."), N_("The trace has gaps. Try again with a larger buffer (--buffer-kb).") },
	[MTW_ERROR_NOTHING_TRACED] = { 6, "nothing-traced", N_("No access to the device was recorded."), N_("The driver did not touch the device while it was traced. Make sure that it is loaded during the capture, not before.") },
	[MTW_ERROR_NOT_RESTORED] = { 7, "not-restored", N_("Not everything on this computer is as it was before."), N_("Run `mmiotrace-wizard recover`. If that does not help, restart the computer: no change survives a restart.") },
	[MTW_ERROR_BUSY] = { 8, "busy", N_("Somebody else is using it."), N_("Wait until the other program has finished, or end it.") },
	[MTW_ERROR_DISK] = { 9, "disk", N_("The disk is full or failed."), N_("Make room on the disk, or choose another place with --output.") },
	[MTW_ERROR_NETWORK] = { 10, "network", N_("The server was not reached."), N_("What you agreed to send is kept; `mmiotrace-wizard queue send` tries again.") },
	[MTW_ERROR_REJECTED] = { 11, "rejected", N_("The server refused the report."), N_("The same would be refused again. The archive is kept: change what the server names, or choose another place with `mmiotrace-wizard upload`.") },
	[MTW_ERROR_AUTH] = { 12, "authentication", N_("The server did not accept the credentials."), N_("Make a new token on its pages, or ask for the right to report there. `mmiotrace-wizard targets test-auth ID` tries one.") },
	[MTW_ERROR_TLS] = { 13, "tls", N_("The server could not prove who it is."), N_("Nothing was sent. Check the clock and the network: a hotel's login page looks like this, too. For a server with a certificate or key of its own, mmiotrace-wizard-target(5) tells what to put into its target file.") },
	[MTW_ERROR_NOT_FILED] = { 14, "not-filed", N_("Uploaded, but the report was not filed."), N_("The file need not be sent again: `mmiotrace-wizard queue send` goes on with the report.") },
	[MTW_ERROR_INTERRUPTED] = { 130, "interrupted", N_("Interrupted; the computer is as it was before."), "" },
	[MTW_ERROR_TIMEOUT] = { 1, "timeout", N_("It took too long."), "" },
};
/* clang-format on */

static const MtwErrorRow *row_of(const GError *error)
{
	if (error->domain == MTW_ERROR && error->code >= 0 && error->code < MTW_N_ERRORS)
		return &error_table[error->code];
	return &error_table[MTW_ERROR_FAILED];
}

int mtw_error_exit_status(const GError *error)
{
	return error != NULL ? row_of(error)->exit_status : 0;
}

const char *mtw_error_name(const GError *error)
{
	return row_of(error)->name;
}

GError *mtw_error_from_name(const char *name, const char *message)
{
	int code = MTW_ERROR_FAILED;

	for (int i = 0; i < MTW_N_ERRORS; i++)
		if (g_str_equal(error_table[i].name, name))
			code = i;
	return g_error_new_literal(MTW_ERROR, code, message);
}

const char *mtw_error_sentence(const GError *error)
{
	return row_of(error)->sentence;
}

const char *mtw_error_hint(const GError *error)
{
	return row_of(error)->hint;
}

MtwErrorCode mtw_error_from_errno(int errnum)
{
	switch (errnum) {
	case EPERM:
	case EACCES:
		return MTW_ERROR_PERMISSION;
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return MTW_ERROR_NOT_FOUND;
	case EBUSY:
		return MTW_ERROR_BUSY;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
	case EROFS:
	case EIO:
		return MTW_ERROR_DISK;
	case ETIMEDOUT:
		return MTW_ERROR_TIMEOUT;
	default:
		return MTW_ERROR_FAILED;
	}
}

const char *mtw_error_errno_text(int errnum)
{
	const char *text = strerrordesc_np(errnum);

	return text != NULL ? text : "unknown error";
}

void mtw_set_error_errno(GError **error, int errnum, const char *format, ...)
{
	g_autofree char *what = NULL;
	va_list args;

	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, MTW_ERROR, (int)mtw_error_from_errno(errnum), "%s: %s", what,
		    mtw_error_errno_text(errnum));
}
