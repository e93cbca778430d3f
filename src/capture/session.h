/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is a folder below /var/lib/mmiotrace-wizard/sessions, private to root: one file per fact.
 *
 *   state.json    facts (see below), written atomically
 *   journal       changes of the machine (journal.h)
 *   log           all messages for people, appended
 *   lock          held (F_OFD_SETLK) by the process that works on it
 *   trace-N.txt   the log of try N while it is the newest; trace.txt: the best one, at the end
 *   verdict.json  what trace.txt is worth
 *   collected/    files that go with the trace
 *
 * state.json: "format" 1, "id", "state" (MTW_SESSION_*), "restored", "device", "vendor_id",
 * "device_id", "driver", "module", "way", "boot_id", "owner_uid", "options" (capture-json.h: of the newest try), "issue" (whom
 * it is for), "profile", "notes" (for the description), "pid", "time_sec", "realtime_usec" and "monotonic_usec" (one moment
 * on both clocks), "bars", "tries", "ring_start", "error", "archive", "collected" (messages about the files in collected/;
 * present once everything is collected), "collected_live" (of those that were collected while the driver was loaded),
 * "wanted", "consent_edid", "consent_vbios" (what is to be collected), "end_monotonic_usec", "facts" (facts.h).
 */
#pragma once

#include "base/paths.h"

#include <json-glib/json-glib.h>

#define MTW_SESSION_PREPARING "preparing"
#define MTW_SESSION_CAPTURING "capturing"
#define MTW_SESSION_RESTORING "restoring"
#define MTW_SESSION_WAITING "waiting"	/* for the next start of the computer (next-boot.h) */
#define MTW_SESSION_CAPTURED "captured" /* there is a trace, not packed yet */
#define MTW_SESSION_PACKED "packed"
#define MTW_SESSION_RECOVERED "recovered" /* a dead run was undone; perhaps with a trace */
#define MTW_SESSION_FAILED "failed"	  /* ended with an error, no trace */
#define MTW_SESSION_DIED "died" /* never stored: its process is gone in the middle of its work */

typedef struct {
	char *id;
	char *folder;
	JsonObject *state;
	int lock_fd; /* -1: opened for reading only */
	int log_fd;
} MtwSession;

/* mtw_session_create: a new, locked session for a device ("8086-100e" goes into the id). Returns: (transfer full) (nullable) */
MtwSession *mtw_session_create(const MtwPaths *paths, guint16 vendor, guint16 device,
			       GError **error);

/*
 * mtw_session_open: @id as typed by a person (checked).
 * @lock: take it over for working on it; MTW_ERROR_BUSY when a living process has it
 * Returns: (transfer full) (nullable)
 */
MtwSession *mtw_session_open(const MtwPaths *paths, const char *id, gboolean lock, GError **error);
void mtw_session_free(MtwSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwSession, mtw_session_free)

/* mtw_session_list: ids, oldest first. Returns: (transfer full) (element-type utf8) */
GPtrArray *mtw_session_list(const MtwPaths *paths);

/* mtw_session_is_live: whether a living process works on it. */
gboolean mtw_session_is_live(const MtwSession *session);

/* mtw_session_facts: its state with "live": whether a living process works on it. Returns: (transfer none) */
JsonObject *mtw_session_facts(MtwSession *session);

/* Whether a session is to be looked into. */
typedef gboolean (*MtwSessionFilter)(const char *id, gpointer user_data);

/*
 * mtw_session_all_facts: mtw_session_facts of all, oldest first. @filter: (nullable)
 * @problems: (nullable) (element-type GError): of those that cannot be read
 * Returns: (transfer full)
 */
JsonArray *mtw_session_all_facts(const MtwPaths *paths, MtwSessionFilter filter, gpointer user_data,
				 GPtrArray *problems);

/* mtw_session_is_at_work: a capture goes on in it. @facts: with "live" */
gboolean mtw_session_is_at_work(JsonObject *facts);

/* mtw_session_state_now: "state", or MTW_SESSION_DIED. @facts: with "live" */
const char *mtw_session_state_now(JsonObject *facts);

/* mtw_session_save: writes state.json. */
gboolean mtw_session_save(MtwSession *session, GError **error);

/* mtw_session_set_state: sets "state" and saves. */
gboolean mtw_session_set_state(MtwSession *session, const char *state, GError **error);

/* mtw_session_log: appends "HH:MM:SS text" to the log. Never fails: the log is not worth a capture. */
void mtw_session_log(MtwSession *session, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * mtw_session_reserve: takes room on the disk (the file `reserve`), so that a disk that fills up during
 * the capture still has some for the journal, the verdict and the collected files; _release gives it
 * back. Not being able to is not an error.
 */
void mtw_session_reserve(MtwSession *session);
void mtw_session_release(MtwSession *session);

/* mtw_session_path: a file of the session. Returns: (transfer full) */
char *mtw_session_path(const MtwSession *session, const char *name);

/* mtw_session_delete: removes the folder of a session nobody works on. */
gboolean mtw_session_delete(const MtwPaths *paths, const char *id, GError **error);

/*
 * mtw_capture_lock: only one capture or recovery at a time on a machine.
 * Returns: a descriptor that holds the lock until closed, or -1 with MTW_ERROR_BUSY
 */
int mtw_capture_lock(const MtwPaths *paths, GError **error);
