/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes out of the files of a report what must not leave unseen. Each private value is replaced by a
 * mask that keeps its shape; one value has one mask in all files of a report.
 *
 * The way: load the rules, make a redactor, give it what is known about this machine and its people
 * (facts) and the masks of an earlier run (map), let it learn from every file, then clean each one.
 * At the end mtw_redactor_scan looks at the finished texts again.
 *
 * What can be found is what a rule (data, see mmiotrace-wizard-redact(5)) or a fact describes. The
 * values in the records of a trace are never touched.
 *
 * Not thread-safe: one redactor belongs to one thread at a time.
 */
#pragma once

#include "base/message.h"
#include "base/paths.h"
#include "report/redact-kind.h"

#include <glib.h>

/* ---- rules ---------------------------------------------------------------------------------- */

typedef struct _MtwRedactRules MtwRedactRules;

/*
 * mtw_redact_rules_load: all *.conf of redact.d in the data folder, then of /etc/mmiotrace-wizard; a
 * file of the same name there takes the place of the first.
 * Errors: MTW_ERROR_INVALID (names file, line, group and reason), MTW_ERROR_NOT_FOUND (no rule at
 * all: nothing would be cleaned). Returns: (transfer full) (nullable)
 */
MtwRedactRules *mtw_redact_rules_load(const MtwPaths *paths, GError **error);

/* mtw_redact_rules_load_file: one file. Returns: (transfer full) (nullable) */
MtwRedactRules *mtw_redact_rules_load_file(const char *path, GError **error);

/* mtw_redact_rules_load_data: @name stands for the file in errors. Returns: (transfer full) (nullable) */
MtwRedactRules *mtw_redact_rules_load_data(const char *name, const char *text, gsize bytes,
					   GError **error);

/*
 * mtw_redact_rules_check: loads one file and runs the examples of its rules, each rule alone. A rule
 * without an example is an error too.
 */
gboolean mtw_redact_rules_check(const char *path, GError **error);

guint mtw_redact_rules_count(const MtwRedactRules *rules);
MtwRedactRules *mtw_redact_rules_ref(MtwRedactRules *rules);
void mtw_redact_rules_unref(MtwRedactRules *rules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRedactRules, mtw_redact_rules_unref)

/* ---- what is known about the machine and its people ----------------------------------------- */

typedef struct {
	MtwRedactKind kind;
	char *value;
} MtwRedactFact;

typedef struct {
	GPtrArray *values; /* (element-type MtwRedactFact) */
	GPtrArray *keep;   /* (element-type utf8): values that the user wants to stay */
} MtwRedactFacts;

MtwRedactFacts *mtw_redact_facts_new(void);
void mtw_redact_facts_free(MtwRedactFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRedactFacts, mtw_redact_facts_free)

/* mtw_redact_facts_add_named: by the kind's name ("serial"); unknown kinds are passed over. */
void mtw_redact_facts_add_named(MtwRedactFacts *facts, const char *kind_name, const char *value);

/* mtw_redact_facts_add: @value (nullable) is copied; ends trimmed; empty ones and repetitions are not added. */
void mtw_redact_facts_add(MtwRedactFacts *facts, MtwRedactKind kind, const char *value);

/*
 * mtw_redact_facts_gather: host name and domain, users (name, GECOS, home), machine and boot id,
 * MACs, serials (DMI, disks, USB, batteries), UUIDs and labels of disks, names of the device mapper,
 * names of network connections. What cannot be read (no root, no such file) is left out.
 * @caller_name: (nullable): the person, also when not in /etc/passwd
 * Returns: (transfer full)
 */
MtwRedactFacts *mtw_redact_facts_gather(const MtwPaths *paths, const char *caller_name);

/* ---- the redactor --------------------------------------------------------------------------- */

typedef struct _MtwRedactor MtwRedactor;

/* mtw_redactor_new: Returns: (transfer full) */
MtwRedactor *mtw_redactor_new(MtwRedactRules *rules);
void mtw_redactor_free(MtwRedactor *redactor);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRedactor, mtw_redactor_free)

/*
 * mtw_redactor_add_word: @word is masked wherever it stands as a word, whatever the case of its
 * letters; under three characters only between blanks. A word that is too common to be masked without
 * damage to the text (the stop list in the rules) is not, which mtw_redactor_messages tells.
 * Returns: FALSE when it is not masked
 */
gboolean mtw_redactor_add_word(MtwRedactor *redactor, MtwRedactKind kind, const char *word);

void mtw_redactor_add_facts(MtwRedactor *redactor, const MtwRedactFacts *facts);

/* mtw_redactor_keep: @value stays as it is from now on, in all its spellings. */
void mtw_redactor_keep(MtwRedactor *redactor, const char *value);

/* mtw_redactor_messages: (transfer none) (element-type MtwMessage): what could not be done. */
const GPtrArray *mtw_redactor_messages(const MtwRedactor *redactor);

typedef struct {
	guint64 offset;	      /* of the value in the text that was given */
	gsize bytes;	      /* of the value */
	guint64 clean_offset; /* of the mask in the cleaned text */
	gsize mask_bytes;
	MtwRedactKind kind;
} MtwRedactReplacement;

/*
 * mtw_redactor_learn: finds the values of a text, and gives them their masks. Texts that are cleaned
 * before another one is learned from do not profit from what is learned there.
 * @file_name: as in the archive ("dmesg.txt"): a rule can be for some files only
 * @text: any bytes
 */
void mtw_redactor_learn(MtwRedactor *redactor, const char *file_name, const char *text,
			gsize bytes);

typedef struct {
	char *text; /* NUL-terminated, may hold NUL */
	gsize bytes;
	GArray *replacements; /* (element-type MtwRedactReplacement), by offset */
	guint counts[MTW_N_REDACT_KINDS];
} MtwRedactResult;

/* mtw_redactor_file: learns from the text, then cleans it. Returns: (transfer full) */
MtwRedactResult *mtw_redactor_file(MtwRedactor *redactor, const char *file_name, const char *text,
				   gsize bytes);
void mtw_redact_result_free(MtwRedactResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRedactResult, mtw_redact_result_free)

/*
 * mtw_redactor_scan: the second look at a cleaned text: values that still stand there. With rules
 * unchanged and everything cleaned there are none.
 * Returns: (transfer full) (element-type MtwRedactReplacement): clean_offset and mask_bytes are 0
 */
GArray *mtw_redactor_scan(MtwRedactor *redactor, const char *file_name, const char *text,
			  gsize bytes);

/* ---- files of any size, in constant memory -------------------------------------------------- */

typedef enum {
	MTW_REDACT_TEXT,
	/*
	 * An mmiotrace log: only the text of MARK lines is cleaned, and lines that are no records
	 * (kernel messages in between). Records stay byte for byte.
	 */
	MTW_REDACT_TRACE,
} MtwRedactFormat;

typedef enum {
	MTW_REDACT_LEARN, /* only mtw_redactor_learn; nothing is written */
	MTW_REDACT_CLEAN, /* write what is cleaned */
	MTW_REDACT_SCAN,  /* tell what still stands there; nothing is written, nothing learned */
} MtwRedactTask;

typedef struct {
	/* (nullable): takes the cleaned text, in order. FALSE with @error stops. */
	gboolean (*write)(const char *data, gsize bytes, gpointer user_data, GError **error);
	/* (nullable): each replacement, in order. */
	void (*replaced)(const MtwRedactReplacement *replacement, gpointer user_data);
	gpointer user_data;
} MtwRedactSink;

typedef struct _MtwRedactStream MtwRedactStream;

/*
 * mtw_redact_stream_new: learn from the whole file in a stream of its own first.
 * @redactor: must stay; nothing may be added to it while the stream is open
 * Returns: (transfer full)
 */
MtwRedactStream *mtw_redact_stream_new(MtwRedactor *redactor, const char *file_name,
				       MtwRedactFormat format, MtwRedactTask task,
				       const MtwRedactSink *sink);

/* mtw_redact_stream_feed: the next @bytes, cut anywhere. Errors: of the sink. */
gboolean mtw_redact_stream_feed(MtwRedactStream *stream, const char *data, gsize bytes,
				GError **error);

/* mtw_redact_stream_end: the last line, which may have no newline. */
gboolean mtw_redact_stream_end(MtwRedactStream *stream, GError **error);
void mtw_redact_stream_free(MtwRedactStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwRedactStream, mtw_redact_stream_free)

/* ---- the map -------------------------------------------------------------------------------- */

/*
 * mtw_redactor_map_json: mask and original of every value, and what is kept. It is as private as the
 * originals: keep it beside the archive with mode 0600, never inside. Returns: (transfer full)
 */
char *mtw_redactor_map_json(MtwRedactor *redactor);

/*
 * mtw_redactor_load_map: masks of an earlier run of this report, so that they stay the same. Call it
 * first. Errors: MTW_ERROR_INVALID; the redactor is then as before.
 */
gboolean mtw_redactor_load_map(MtwRedactor *redactor, const char *json, gssize bytes,
			       GError **error);
