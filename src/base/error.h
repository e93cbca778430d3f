/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one error domain of the program.
 *
 * A code says what an error means for the person, not which call failed. One table maps a code to
 * the exit status (part of the interface, see mmiotrace-wizard(1)), to a stable name for --json, and
 * to a hint. The message of the GError itself names the object and the cause.
 */
#pragma once

#include <glib.h>

#define MTW_ERROR (mtw_error_quark())

GQuark mtw_error_quark(void);

typedef enum {
	MTW_ERROR_FAILED,	  /* none of the others */
	MTW_ERROR_USAGE,	  /* wrong option, argument or answer */
	MTW_ERROR_NOT_FOUND,	  /* the thing that was named is not there */
	MTW_ERROR_INVALID,	  /* a file's content is not what it should be */
	MTW_ERROR_CANNOT_TRACE,	  /* kernel, lockdown or device rule tracing out */
	MTW_ERROR_PERMISSION,	  /* not root, or the kernel said EPERM/EACCES */
	MTW_ERROR_DECLINED,	  /* the person said no */
	MTW_ERROR_LOST_EVENTS,	  /* the trace has gaps */
	MTW_ERROR_NOTHING_TRACED, /* no access to the target was recorded */
	MTW_ERROR_NOT_RESTORED,	  /* something of the machine is not as before */
	MTW_ERROR_BUSY,		  /* somebody else traces */
	MTW_ERROR_DISK,		  /* no space, or the disk failed */
	MTW_ERROR_NETWORK,	  /* server not reached; queued */
	MTW_ERROR_REJECTED,	  /* the server said no */
	MTW_ERROR_AUTH,		  /* the server wants other credentials */
	MTW_ERROR_TLS,		  /* certificate or host key not trusted */
	MTW_ERROR_NOT_FILED,	  /* uploaded, but the report was not filed */
	MTW_ERROR_INTERRUPTED,	  /* stopped by the person, machine restored */
	MTW_ERROR_TIMEOUT,	  /* took longer than it may */
	MTW_N_ERRORS,
} MtwErrorCode;

/*
 * mtw_error_exit_status: the exit status for @error.
 * @error: (nullable): NULL means success.
 * Returns: 0 for NULL, 1 for errors of other domains, otherwise the status of the table.
 */
int mtw_error_exit_status(const GError *error);

/*
 * mtw_error_name: a stable, untranslated name ("lost-events") for --json.
 * Returns: a static string; "failed" for errors of other domains.
 */
const char *mtw_error_name(const GError *error);

/* mtw_error_from_name: an error with the code of that stable name; FAILED for an unknown one. Returns: (transfer full) */
GError *mtw_error_from_name(const char *name, const char *message);

/*
 * mtw_error_sentence: what happened, in one sentence for people, untranslated (msgid). The error's own
 * message, which names the object and the cause, stands behind it.
 */
const char *mtw_error_sentence(const GError *error);

/*
 * mtw_error_hint: what the person can do about it, untranslated (msgid); "" when there is nothing
 * general to say.
 */
const char *mtw_error_hint(const GError *error);

/*
 * mtw_error_from_errno: the code that fits @errnum (ENOSPC is DISK, EACCES is PERMISSION, ...).
 */
MtwErrorCode mtw_error_from_errno(int errnum);

/*
 * mtw_error_errno_text: what the C library says about @errnum, in English: messages are data that developers get.
 * Returns: (static)
 */
const char *mtw_error_errno_text(int errnum);

/*
 * mtw_set_error_errno: sets @error to "<what>: <text of errnum>" with the code that fits @errnum.
 * @error: (nullable) (out)
 * @errnum: an errno value
 * @format: printf format that names the object and the action
 */
void mtw_set_error_errno(GError **error, int errnum, const char *format, ...) G_GNUC_PRINTF(3, 4);
