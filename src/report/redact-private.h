/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the redactor. */
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8

#include "report/redact-match.h"
#include "report/redact-shape.h"
#include "report/redact.h"

#include <pcre2.h>

/* ---- rules ---------------------------------------------------------------------------------- */

typedef struct {
	char *in;
	char *out; /* the same as `in`: it must stay */
} MtwRedactExample;

typedef struct {
	char *name; /* group of the file: "Rule usb-serial" */
	char *file;
	guint line;
	MtwRedactKind kind;
	MtwShape shape;	  /* NONE: `code` */
	pcre2_code *code; /* (nullable) */
	guint group;
	char **anchors;	       /* (nullable) texts, one of which is in each match */
	char **files;	       /* (nullable) patterns of file names */
	GHashTable *after;     /* (nullable) words in lower case; shapes only */
	GHashTable *not_after; /* (nullable) */
	GHashTable *keep;      /* (nullable) values in lower case */
	char **keep_end;       /* (nullable) */
	GPtrArray *examples;   /* of MtwRedactExample */
} MtwRedactRule;

struct _MtwRedactRules {
	int references;
	GPtrArray *rules;   /* of MtwRedactRule */
	GHashTable *common; /* words in lower case that are never searched for */
	GHashTable *empty;  /* values in lower case that say that there is none */
};

/* mtw_redact_rules_new: Returns: (transfer full): with no rule in it */
MtwRedactRules *mtw_redact_rules_new(void);

/* mtw_redact_rules_add: reads the text of a rule file into @rules. */
gboolean mtw_redact_rules_add(MtwRedactRules *rules, const char *file, const char *text,
			      gsize bytes, GError **error);

/* mtw_redact_rule_for_file: whether @rule is for this member of the archive. */
gboolean mtw_redact_rule_for_file(const MtwRedactRule *rule, const char *file_name);

/* mtw_redact_set_has: whether @text, in lower case, is in a set of strings. NULL has nothing. */
gboolean mtw_redact_set_has(GHashTable *set, const char *text, gsize bytes);

/* ---- values --------------------------------------------------------------------------------- */

typedef struct {
	MtwRedactKind kind;
	guint number;
	char *text; /* as it was met first */
	gsize bytes;
	gboolean searched;  /* also as a word in all texts, not only where a rule finds it */
	gboolean tried;	    /* mtw_redactor_search_found saw it */
	gboolean has_email; /* a user: the number is in the mask of an address too */
	gboolean kept;	    /* the user wants it to stay */
} MtwRedactValue;

/* A text that is searched for. */
typedef struct {
	char *text;
	gsize bytes;
	MtwRedactValue *value; /* (nullable): NULL: it is kept */
	gboolean alone;	       /* only between blanks, with this case */
} MtwRedactWord;

struct _MtwRedactor {
	MtwRedactRules *rules;
	GPtrArray *values;  /* of MtwRedactValue, in the order of their numbers */
	GHashTable *by_key; /* mtw_redact_key -> MtwRedactValue */
	GHashTable *kept;   /* mtw_redact_key -> the value as it was given */
	guint numbers[MTW_N_REDACT_KINDS];
	MtwRedactValue *rest[MTW_N_REDACT_KINDS]; /* (nullable) for all values over the limit */
	GPtrArray *words;			  /* of MtwRedactWord */
	MtwMatcher *matcher;			  /* (nullable) */
	gboolean stale;				  /* words were added since the matcher was made */
	GPtrArray *messages;			  /* of MtwMessage */
	pcre2_match_data *match;
	pcre2_match_context *limits;
	pcre2_jit_stack *stack;
	GArray *shapes;	    /* of MtwShapeMatch, used again and again */
	GArray *candidates; /* of MtwRedactCandidate, the same */
	GArray *settled;    /* of MtwRedactCandidate, the same */
	GArray *masks;	    /* of MtwRedactMask, the same */
	GString *cleaned;   /* the same */
};

/*
 * mtw_redactor_value: the entry of a value that was found.
 * @learn: FALSE: only look
 * Returns: (transfer none) (nullable): NULL for one that stays, or (not @learn) is new
 */
MtwRedactValue *mtw_redactor_value(MtwRedactor *redactor, MtwRedactKind kind, const char *text,
				   gsize bytes, gboolean learn);

/* mtw_redact_value_new: Returns: (transfer full) */
MtwRedactValue *mtw_redact_value_new(MtwRedactKind kind, guint number, const char *text,
				     gsize bytes);

/* mtw_redactor_user_of: the user of ada@example.net. (transfer none) (nullable) */
MtwRedactValue *mtw_redactor_user_of(const MtwRedactor *redactor, const char *email, gsize bytes);

/* mtw_redactor_swap: each gets what the other one had. */
void mtw_redactor_swap(MtwRedactor *a, MtwRedactor *b);

/* mtw_redactor_stays: public, kept by the user, or a word for "there is none". @kind: of mtw_redact_kind_of */
gboolean mtw_redactor_stays(MtwRedactor *redactor, MtwRedactKind kind, const char *text,
			    gsize bytes);

/*
 * mtw_redactor_search: searches for the text of @value, and its other spellings, from now on.
 * Returns: FALSE when it is too long or there are too many
 */
gboolean mtw_redactor_search(MtwRedactor *redactor, MtwRedactValue *value);

/* mtw_redactor_search_found: the same for a value that a rule found, if it is telling enough. */
void mtw_redactor_search_found(MtwRedactor *redactor, MtwRedactValue *value);

/*
 * mtw_redactor_add_spellings: the words of one text. @value: (nullable): NULL: it is kept
 * Returns: FALSE when there are too many words
 */
gboolean mtw_redactor_add_spellings(MtwRedactor *redactor, MtwRedactValue *value, const char *text,
				    gsize bytes);

/* mtw_redact_is_common: a word (or only such words) that stands in many texts. */
gboolean mtw_redact_is_common(const MtwRedactRules *rules, const char *text, gsize bytes);

/* mtw_redactor_say: adds a message. @detail: the value, or "" */
void mtw_redactor_say(MtwRedactor *redactor, const char *id, const char *sentence, const char *hint,
		      MtwRedactKind kind, const char *detail);

/* mtw_redactor_compile: makes the matcher of words and anchors when it is not up to date. */
void mtw_redactor_compile(MtwRedactor *redactor);

/* Ids of the matcher: words from 0, anchors of rule N from ANCHOR_ID + N. */
#define MTW_REDACT_ANCHOR_ID 0x40000000u

/* A mask in a cleaned line. */
typedef struct {
	gsize start, end;	      /* of the value */
	gsize clean_start, clean_end; /* of the mask */
} MtwRedactMask;

/* ---- finding -------------------------------------------------------------------------------- */

/* A piece of text that may have to go. Never empty. */
typedef struct {
	gsize start, end;
	MtwRedactKind kind;
	guint8 rank;	/* how sure the finder is; of two of one length the higher one counts */
	gboolean stays; /* nothing inside it may be taken out */
	gboolean
		here_only; /* not to be searched for elsewhere: of several that overlapped, or a guess */
} MtwRedactCandidate;

/*
 * A line, or a part of one that is too long, with what stands around it. Values that begin within
 * [begin, stop) are wanted.
 */
typedef struct {
	const char *text;
	gsize bytes;
	gsize begin, stop;
	gboolean line_start, line_end; /* `text` begins, ends with the line */
	const guint8 *rule_is_on;      /* [rule]: for this file */
} MtwRedactWindow;

/*
 * mtw_redactor_find: fills redactor->candidates with what has to be replaced, by start, without
 * overlaps.
 */
void mtw_redactor_find(MtwRedactor *redactor, const MtwRedactWindow *window);

/*
 * mtw_redactor_find_stable: the same, to redactor->settled. Goes on until the line, with the masks in
 * it, has nothing more to be found: a mask can complete what was no match before.
 */
void mtw_redactor_find_stable(MtwRedactor *redactor, const MtwRedactWindow *window);

/* mtw_redact_settle: sorts candidates and removes overlaps: the longer one wins, parts are joined. */
void mtw_redact_settle(GArray *candidates);
