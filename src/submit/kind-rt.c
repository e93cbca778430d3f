/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Request Tracker 5, REST 2.0: ticket and files are one request, and so are a reply and its files. A server may be set to
 * drop or cut long attachments without a word, so what it has of them is asked afterwards.
 */
#include "submit/kind-rt-private.h"

#include "base/error.h"
#include "base/json.h"
#include "base/parse.h"
#include "base/text.h"

#include <string.h>

#define SENT \
	"rt-sent" /* the message with these files was taken; what became of them may be unknown */
#define TEXT_MAX_BYTES 65000

static char *ticket_url(const MtwJob *job, const char *number)
{
	return g_strdup_printf("%s/Ticket/Display.html?id=%s", job->target->url, number);
}

/* ---- who ---- */

/* A token has the number of its user in it: "1-NUMBER-SECRET". Returns: (transfer full) (nullable) */
static char *own_account(MtwJob *job)
{
	const MtwSecret *secret = mtw_transfer_secret(job->transfer);
	g_auto(GStrv) parts = NULL;
	char *number = NULL;
	guint64 id;

	if (job->target->auth == MTW_AUTH_BASIC)
		return mtw_url_escape(job->target->user);
	if (secret == NULL)
		return NULL;
	parts = g_strsplit(mtw_secret_text(secret), "-", 3);
	if (g_strv_length(parts) == 3 && mtw_parse_u64(parts[1], 10, &id))
		number = g_strdup_printf("%" G_GUINT64_FORMAT, id);
	for (guint i = 0; parts[i] != NULL; i++)
		mtw_secret_wipe(parts[i], strlen(parts[i]));
	return number;
}

static JsonObject *ask_account(MtwJob *job, GError **error)
{
	g_autofree char *account = own_account(job);

	mtw_rt_use_token(job);
	if (account == NULL) {
		mtw_transfer_fail(job->transfer, MTW_FAILURE_AUTH, MTW_ERROR_AUTH, error,
				  "this is no token of Request Tracker (1-NUMBER-SECRET)");
		return NULL;
	}
	return mtw_kind_get(job, mtw_kind_fail_plain, error, MTW_RT_API "/user/%s", account);
}

static gboolean rt_whoami(MtwJob *job, char **ret_name, GError **error)
{
	g_autoptr(JsonObject) user = ask_account(job, error);
	const char *name;

	if (user == NULL)
		return FALSE;
	name = mtw_json_string(user, "Name", NULL);
	if (name == NULL)
		return mtw_kind_fail_answer(job, "the name of the account", error);
	*ret_name = mtw_text_clean_line(name);
	return TRUE;
}

/* ---- sending ---- */

/* The files that are not there yet, behind the part with the JSON. */
static MtwHttpReply *send_message(MtwJob *job, const char *url, JsonObject *message, GError **error)
{
	g_autofree char *line = mtw_json_line(message);
	g_autofree MtwFormPart *parts = g_new0(MtwFormPart, job->files->len + 1);
	MtwHttpRequest request = {
		.method = "POST",
		.url = url,
		.form = MTW_BODY_FORM,
		.parts = parts,
		.n_parts = 1,
	};

	mtw_rt_use_token(job);
	parts[0] = (MtwFormPart){ .name = "JSON", .type = "application/json", .text = line };
	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = job->files->pdata[i];

		if (mtw_rt_is_there(job, file))
			continue;
		parts[request.n_parts++] = (MtwFormPart){
			.name = "Attachments",
			.type = mtw_kind_mime_type(file->name),
			.filename = file->name,
			.file = { .fd = file->fd, .bytes = file->bytes },
		};
	}
	return mtw_kind_ask(job, &request, error);
}

static JsonObject *message_new(MtwJob *job)
{
	JsonObject *message = json_object_new();
	g_autofree char *text = mtw_kind_body(job, NULL, TEXT_MAX_BYTES);

	mtw_json_set_text(message, "Subject", job->letter->title);
	mtw_json_set_text(message, "Content", text);
	mtw_json_set_text(message, "ContentType", "text/plain");
	return message;
}

/* Before much is sent for nothing: whether the ticket is there. @ret_done: an earlier try got all into it */
static gboolean look_before(MtwJob *job, const char *number, gboolean *ret_done, GError **error)
{
	g_autoptr(JsonObject) ticket = NULL;
	const MtwJobFile *cut;
	gboolean all;

	*ret_done = FALSE;
	if (mtw_json_bool(job->facts, SENT, FALSE)) {
		if (!mtw_rt_look_up(job, &all, &cut, error))
			return FALSE;
		*ret_done = cut == NULL;
		return TRUE;
	}
	mtw_rt_use_token(job);
	ticket = mtw_kind_get(job, mtw_rt_fail, error, MTW_RT_API "/ticket/%s", number);
	return ticket != NULL;
}

static gboolean set_sent(MtwJob *job, GError **error)
{
	json_object_set_boolean_member(job->facts, SENT, TRUE);
	return job->save(job, error);
}

/* A reply is what reporters may do; where only comments are allowed, it is one. */
static gboolean send_reply(MtwJob *job, const char *number, GError **error)
{
	static const char *const ways[] = { "correspond", "comment" };
	g_autoptr(JsonObject) message = message_new(job);

	for (guint i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *url =
			mtw_kind_url(job, MTW_RT_API "/ticket/%s/%s", number, ways[i]);
		g_autoptr(MtwHttpReply) reply = send_message(job, url, message, error);

		if (reply == NULL)
			return FALSE;
		if (reply->status / 100 == 2)
			break;
		if (i + 1 < G_N_ELEMENTS(ways) && mtw_kind_reply_says(reply, "permission denied"))
			continue;
		return mtw_rt_fail(job, reply, error);
	}
	return set_sent(job, error);
}

static gboolean reply_run(MtwJob *job, GError **error)
{
	g_autofree char *number = mtw_rt_ticket(job);
	g_autofree char *own = ticket_url(job, number);
	gboolean done;

	if (!look_before(job, number, &done, error) ||
	    (!done && (!send_reply(job, number, error) || !mtw_rt_verify(job, error))))
		return FALSE;
	mtw_kind_set_url(job, NULL, own);
	return job->save(job, error);
}

static gboolean reply_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	g_autofree char *number = mtw_rt_ticket(job);
	g_autofree char *own = ticket_url(job, number);
	const MtwJobFile *cut;

	if (!mtw_rt_look_up(job, ret_done, &cut, error))
		return FALSE;
	mtw_kind_set_url(job, NULL, own);
	return job->save(job, error);
}

/* ---- a new ticket ---- */

static gboolean take_ticket(MtwJob *job, guint64 number, GError **error)
{
	g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, number);
	g_autofree char *url = ticket_url(job, digits);

	if (number == 0)
		return mtw_kind_fail_unknown(job, "the number of the ticket", error);
	json_object_set_string_member(job->facts, MTW_RT_TICKET, digits);
	mtw_kind_set_url(job, NULL, url);
	return job->save(job, error);
}

/* Without a requestor nobody would get the answers. An account that cannot be asked about is no reason to fail. */
static void add_requestor(MtwJob *job, JsonObject *message)
{
	g_autoptr(JsonObject) user = ask_account(job, NULL);
	const char *name = mtw_json_string(user, "EmailAddress", NULL);

	if (name == NULL || *name == '\0')
		name = mtw_json_string(user, "Name", NULL);
	if (name != NULL)
		mtw_json_set_text(message, "Requestor", name);
}

static gboolean create_ticket(MtwJob *job, GError **error)
{
	g_autofree char *url = mtw_kind_url(job, MTW_RT_API "/ticket");
	g_autoptr(JsonObject) message = message_new(job);
	g_autoptr(MtwHttpReply) reply = NULL;
	g_autoptr(JsonObject) answer = NULL;

	mtw_json_set_text(message, "Queue", job->target->queue);
	add_requestor(job, message);
	reply = send_message(job, url, message, error);
	if (reply == NULL)
		return FALSE;
	if (reply->status / 100 != 2)
		return mtw_rt_fail(job, reply, error);
	answer = mtw_http_json(job->transfer, reply, error);
	return answer != NULL && take_ticket(job, mtw_rt_number(answer, "id"), error) &&
	       set_sent(job, error);
}

/* A ticket that is there without its files, because the server cut them: smaller ones go into it as a reply. */
static gboolean ticket_run(MtwJob *job, GError **error)
{
	guint64 number;

	if (!json_object_has_member(job->facts, MTW_RT_TICKET) &&
	    mtw_rt_find(job, FALSE, &number, NULL) && number > 0 &&
	    !take_ticket(job, number, error))
		return FALSE;
	if (json_object_has_member(job->facts, MTW_RT_TICKET))
		return reply_run(job, error);
	return create_ticket(job, error) && mtw_rt_verify(job, error);
}

static gboolean ticket_find(MtwJob *job, gboolean *ret_done, GError **error)
{
	const MtwJobFile *cut;
	guint64 number;

	*ret_done = FALSE;
	if (!json_object_has_member(job->facts, MTW_RT_TICKET)) {
		if (!mtw_rt_find(job, TRUE, &number, error))
			return FALSE;
		if (number == 0)
			return TRUE;
		/* It came in one request: ticket and files, or nothing. */
		if (!take_ticket(job, number, error) || !set_sent(job, error))
			return FALSE;
	}
	return mtw_rt_look_up(job, ret_done, &cut, error);
}

/* ---- questions ---- */

static gboolean rt_check(const MtwTarget *target, GError **error)
{
	return mtw_kind_check(target, error, "Queue", target->queue, NULL);
}

static gboolean rt_search(MtwJob *job, char **ret_url, GError **error)
{
	g_autofree char *digits = NULL;
	guint64 number;

	*ret_url = NULL;
	if (!mtw_rt_find(job, FALSE, &number, error))
		return FALSE;
	digits = g_strdup_printf("%" G_GUINT64_FORMAT, number);
	if (number > 0)
		*ret_url = ticket_url(job, digits);
	return TRUE;
}

static const MtwPhase ticket_phase = {
	.id = "issue",
	.carries_file = TRUE,
	.run = ticket_run,
	.find = ticket_find,
};
static const MtwPhase reply_phase = {
	.id = "note",
	.carries_file = TRUE,
	.run = reply_run,
	.find = reply_find,
};

static const MtwPhase *const phases[] = { &ticket_phase, NULL };
static const MtwPhase *const issue_phases[] = { &reply_phase, NULL };

/* No limit to ask for. */
const MtwKind mtw_kind_rt = {
	.id = "rt",
	.title = "Request Tracker",
	.needs_network = TRUE,
	.check = rt_check,
	.whoami = rt_whoami,
	.search = rt_search,
	.phases = phases,
	.issue_phases = issue_phases,
};
