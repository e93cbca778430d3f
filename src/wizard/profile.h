/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a driver project wishes: a file in the data folder's profiles/, in /etc, or of the user; a
 * later one of the same name wins. mmiotrace-wizard-profile(5) explains all keys.
 *
 *   [Profile]
 *   Title=Nouveau, the free driver for NVIDIA cards
 *   Contact=https://...        where the request comes from
 *   Request=https://...        the project's list of wishes
 *   Privacy=...                shown before the capture
 *   Collectors=vbios;          what else goes into the archive
 *   DriverOptions=debug=1      options of the module for the traced load
 *   ArchiveFormat=tar.gz       or tar.xz, tar.zst
 *   Targets=nouveau-gitlab;    where it goes
 *   Title[de]=...              in another language; so Privacy, Say and Ask
 *   [Match]                    all given keys must fit; lists with ";"
 *   Vendor=10de                four hexadecimal digits, or a range 10de-10df; as Device
 *   Class=03                   class, or class and subclass, or all of it; or a range
 *   Driver=nouveau;nvidia*
 *   [Step id]                  see scenario.h
 *   [Question id]              Ask, Prefill, Lines, Required
 *   [Hint id]                  conditions, Say, Options, TellWith, TellWithout
 */
#pragma once

#include "base/message.h"
#include "machine/pci.h"

#include <json-glib/json-glib.h>

/*
 * Texts that a person reads are there twice: in their language, and "plain" as the key without a language has them,
 * for programs and for those who get the report.
 */

typedef struct {
	char *id;
	char *ask, *ask_plain;
	char *prefill; /* template (profile-template.h); "" if none */
	gboolean many_lines, required;
} MtwQuestion;

typedef struct {
	char *id;
	char *say, *say_plain;
	char *options; /* (nullable): module options that are offered */
	/*
	 * For the description: the trace was made with the options, or without. "" if nothing is to
	 * be told. Without options always the second.
	 */
	char *tell_with, *tell_without;
	struct _MtwHintWhen *when; /* private */
} MtwHint;

typedef enum {
	MTW_PROFILE_SHIPPED,
	MTW_PROFILE_SYSTEM, /* of this machine's administrator */
	MTW_PROFILE_USER,
	MTW_PROFILE_FILE, /* named by the person */
} MtwProfileOrigin;

typedef struct {
	char *id; /* file name without .conf */
	char *path;
	MtwProfileOrigin origin;
	char *title, *title_plain;
	char *contact;	      /* "" if none */
	char *request;	      /* "" if none: address of the project's wish list */
	char *privacy;	      /* "" if none: note before the capture */
	char *privacy_plain;  /* "" if none */
	char *driver_options; /* (nullable): of the module, for the traced load */
	char *archive_format; /* "tar.gz", "tar.xz" or "tar.zst" */
	char **collectors;    /* never NULL; empty: the default ones (capture/collect.h) */
	char **targets;	      /* never NULL */
	char **vendors, **devices, **classes, **drivers; /* (nullable) */
	GPtrArray *scenario;				 /* (element-type MtwScenarioStep) */
	GPtrArray *questions;				 /* (element-type MtwQuestion) */
	GPtrArray *hints;				 /* (element-type MtwHint) */
} MtwProfile;

void mtw_profile_free(MtwProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwProfile, mtw_profile_free)

/*
 * mtw_profile_parse: @text: @bytes of anything; @name: of the file, for the id and for errors.
 * Returns: (transfer full) (nullable): MTW_ERROR_INVALID "name:line: reason"
 */
MtwProfile *mtw_profile_parse(const char *text, gsize bytes, const char *name, GError **error);

/* mtw_profile_load: Returns: (transfer full) (nullable): as mtw_profile_parse */
MtwProfile *mtw_profile_load(const char *path, GError **error);

/* mtw_profile_origin_name: "shipped", "system", "user", "file". */
const char *mtw_profile_origin_name(MtwProfileOrigin origin);

/* mtw_profile_list: all usable profiles, sorted by id. Returns: (transfer full) (element-type
 * MtwProfile) */
GPtrArray *mtw_profile_list(const MtwPaths *paths);

/*
 * mtw_profile_problems: files that are not usable, with line and reason. They hide nothing: a
 * profile of the same name from an earlier folder is used. Returns: (transfer full) (element-type
 * MtwMessage): warnings with the id "profile"
 */
GPtrArray *mtw_profile_problems(const MtwPaths *paths);

/*
 * mtw_profile_find: the one with this id. When the file that would win is not usable, that is the
 * error. Errors: MTW_ERROR_NOT_FOUND, MTW_ERROR_INVALID. Returns: (transfer full) (nullable)
 */
MtwProfile *mtw_profile_find(const MtwPaths *paths, const char *id, GError **error);

/*
 * mtw_profile_matches: how well @profile fits: the more keys of [Match], the better; then the more
 * digits of Class. 0: it does not fit, or has no [Match], like "generic".
 */
guint mtw_profile_matches(const MtwProfile *profile, const MtwPciDevice *device);

/*
 * mtw_profile_for: the best one for the device, among equals one of the user, then of the machine;
 * "generic" when none fits. Returns: (transfer full) (nullable): NULL when none is installed
 */
MtwProfile *mtw_profile_for(const MtwPaths *paths, const MtwPciDevice *device);

/*
 * mtw_profile_hints: those whose conditions all hold. What is not known does not hold.
 * @facts: (nullable): of capture/facts.h
 * Returns: (transfer container) (element-type MtwHint)
 */
GPtrArray *mtw_profile_hints(const MtwProfile *profile, const MtwPciDevice *device,
			     JsonObject *facts);

/*
 * mtw_profile_prefill: the proposed answer: the template with its places filled; a place whose fact
 * is not known becomes empty. One line unless the question has many. Returns: (transfer full)
 */
char *mtw_profile_prefill(const MtwQuestion *question, JsonObject *facts);

/*
 * mtw_profile_story_template: for an editor: each question as "# ..." lines, below it the proposed
 * answer. A question that must be answered ends with " *". Returns: (transfer full): "" for a
 * profile without questions
 */
char *mtw_profile_story_template(const MtwProfile *profile, JsonObject *facts);

/*
 * mtw_profile_story_from_template: what a person made of it: lines that begin with "#" are left
 * out, so are empty lines at both ends and all but one between paragraphs. Returns: (transfer full)
 */
char *mtw_profile_story_from_template(const char *edited);

/* mtw_profile_to_json: all of it, for programs. Returns: (transfer full) */
JsonObject *mtw_profile_to_json(const MtwProfile *profile);
