/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kinds of trackers share: calls that speak JSON, the texts of a report, and what was uploaded already. Private
 * to the kinds.
 */
#pragma once

#include "submit/kind.h"

/* Says what an answer that is no success means, with the tracker's own words and codes. Returns: FALSE */
typedef gboolean (*MtwKindFail)(MtwJob *job, const MtwHttpReply *reply, GError **error);

/* ---- calls ---- */

/* mtw_kind_url: the target's address with @format behind it. Returns: (transfer full) */
char *mtw_kind_url(MtwJob *job, const char *format, ...) G_GNUC_PRINTF(2, 3);

/*
 * mtw_kind_ask: sends @request, asking for JSON. Any answer comes back but a web page with a yes, which is a page for
 * logging in, or the address is not that of a tracker. Returns: (transfer full) (nullable)
 */
MtwHttpReply *mtw_kind_ask(MtwJob *job, MtwHttpRequest *request, GError **error);

/*
 * mtw_kind_call: the same; an answer of 2xx comes back, any other is told by @fail.
 * Returns: (transfer full) (nullable)
 */
MtwHttpReply *mtw_kind_call(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail, GError **error);

/* The same, with the answer as an object or array. Returns: (transfer full) (nullable) */
JsonObject *mtw_kind_call_object(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail,
				 GError **error);
JsonArray *mtw_kind_call_array(MtwJob *job, MtwHttpRequest *request, MtwKindFail fail,
			       GError **error);

/* GET of the target's address with @format behind it. Returns: (transfer full) (nullable) */
JsonObject *mtw_kind_get(MtwJob *job, MtwKindFail fail, GError **error, const char *format, ...)
	G_GNUC_PRINTF(4, 5);
JsonArray *mtw_kind_get_array(MtwJob *job, MtwKindFail fail, GError **error, const char *format,
			      ...) G_GNUC_PRINTF(4, 5);

/*
 * mtw_kind_send: @method with @body as JSON, and the secret in it where the target wants it there.
 * @body: (transfer none). Returns: (transfer full) (nullable)
 */
MtwHttpReply *mtw_kind_send(MtwJob *job, const char *method, const char *url, JsonObject *body,
			    MtwKindFail fail, GError **error);

/* mtw_kind_post: POST by mtw_kind_send, with the answer as an object. Returns: (transfer full) (nullable) */
JsonObject *mtw_kind_post(MtwJob *job, const char *url, JsonObject *body, MtwKindFail fail,
			  GError **error);

/* mtw_kind_post_file: a form whose only part, @part, is the file; the answer as an object. Returns: (transfer full) (nullable) */
JsonObject *mtw_kind_post_file(MtwJob *job, const char *url, const char *part,
			       const MtwJobFile *file, MtwKindFail fail, GError **error);

/*
 * mtw_kind_secret_text: @before, the member "NAME":"SECRET", of a target with MTW_AUTH_JSON (else nothing), and @after.
 * Returns: (transfer full): free with mtw_kind_text_free, which wipes it
 */
char *mtw_kind_secret_text(MtwJob *job, const char *before, const char *after);
void mtw_kind_text_free(char *text);

/* ---- what an answer means ---- */

/* mtw_kind_fail_plain: what the status alone says. Returns: FALSE */
gboolean mtw_kind_fail_plain(MtwJob *job, const MtwHttpReply *reply, GError **error);

/* mtw_kind_fail_hidden: the answer 404: trackers do not tell what one may not see. @what: "project x". Returns: FALSE */
gboolean mtw_kind_fail_hidden(MtwJob *job, const char *what, GError **error);

/* mtw_kind_fail_answer: an answer that lacks what it must have: @what: "the name of the account". Returns: FALSE */
gboolean mtw_kind_fail_answer(MtwJob *job, const char *what, GError **error);

/* mtw_kind_fail_unknown: the same, when something was made that has to be looked for then. Returns: FALSE */
gboolean mtw_kind_fail_unknown(MtwJob *job, const char *what, GError **error);

/* mtw_kind_reply_object: an answer of any status. Returns: (transfer full) (nullable): NULL: it is no JSON object */
JsonObject *mtw_kind_reply_object(const MtwHttpReply *reply);

/* mtw_kind_reply_says: the answer has @words, whatever the case. */
gboolean mtw_kind_reply_says(const MtwHttpReply *reply, const char *words);

/* mtw_kind_check: a target with an address and all of @keys (name, value, name, value, ..., NULL). */
gboolean mtw_kind_check(const MtwTarget *target, GError **error, ...) G_GNUC_NULL_TERMINATED;

/* ---- texts ---- */

/* mtw_kind_mark: what is searched for: the digits at the end of the title. Returns: (transfer full) */
char *mtw_kind_mark(const MtwJob *job);

/* mtw_kind_is_ours: @text (nullable) names this report. */
gboolean mtw_kind_is_ours(const MtwJob *job, const char *text);

/* mtw_kind_body: the letter with @more behind it (nullable), at most @max_bytes; what is cut off is the letter's middle. */
char *mtw_kind_body(const MtwJob *job, const char *more, gsize max_bytes);

const char *mtw_kind_mime_type(const char *file_name);

/* mtw_kind_project: of the issue that is added to, else of the target. */
const char *mtw_kind_project(const MtwJob *job);

/* ---- facts ---- */

/*
 * mtw_kind_remember: writes facts.@table.@key to the disk. Values: only text that was looked at, from a server it is a
 * stranger's.
 */
gboolean mtw_kind_remember(MtwJob *job, const char *table, const char *key, const char *value,
			   GError **error);
const char *mtw_kind_recall(const MtwJob *job, const char *table, const char *key); /* (nullable) */

/* mtw_kind_set_url: the address of the report. @url: (nullable) the server's, taken when it is of the target's origin, else @own */
void mtw_kind_set_url(MtwJob *job, const char *url, const char *own);

/* mtw_kind_check_hidden: tells the person when the report was to be confidential, and @is_hidden is FALSE. */
void mtw_kind_check_hidden(MtwJob *job, gboolean is_hidden);

/* mtw_kind_take_name: the account's name of a server's answer. @user: (nullable). @ret_name: (transfer full), cleaned */
gboolean mtw_kind_take_name(MtwJob *job, JsonObject *user, const char *member, char **ret_name,
			    GError **error);

/* mtw_kind_set_number: the number of an issue. FALSE with an error for none. */
gboolean mtw_kind_set_number(MtwJob *job, const char *fact, gint64 number, GError **error);

/* Uploads one file; @ret_reference: (transfer full): what facts.TABLE.SHA256 becomes. */
typedef gboolean (*MtwKindUpload)(MtwJob *job, const MtwJobFile *file, char **ret_reference,
				  GError **error);

/* mtw_kind_upload: those files that are not in facts.@table. */
gboolean mtw_kind_upload(MtwJob *job, const char *table, MtwKindUpload upload, GError **error);

/*
 * mtw_kind_look_up: files that the server lists (members @name and @size of the objects in @list) go to facts.@table.
 * @ret_all: all of them are there
 */
gboolean mtw_kind_look_up(MtwJob *job, const char *table, JsonArray *list, const char *name,
			  const char *size, gboolean *ret_all, GError **error);
