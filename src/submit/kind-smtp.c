/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mail with the archive in it: through a mail server (smtp://, smtps://), or, without an address, as a file that the
 * person opens in a mail program and sends.
 *
 * A mail that was handed over whole without an answer cannot be looked for. It is not sent again by itself: the person is
 * told that it may have arrived; who sends it once more has decided that.
 */
#include "base/error.h"
#include "submit/kinds.h"
#include "submit/mail.h"
#include "submit/store.h"

#include <string.h>

#include <glib/gi18n.h>

#define ENDING "ending"
#define TOLD "told"
/* What is read last, when all before it has gone out. */
#define TAIL_BYTES 256

static gboolean check_address(const char *key, const char *address, GError **error)
{
	if (mtw_eml_address_is_usable(address))
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s must be one address like somebody@example.org, not \"%s\"", key, address);
	return FALSE;
}

static gboolean check(const MtwTarget *target, GError **error)
{
	static const char *const schemes[] = { "smtp", "smtps", NULL };

	if (!check_address("To", target->to, error))
		return FALSE;
	if (*target->url == '\0')
		return *target->from == '\0' || check_address("From", target->from, error);
	return check_address("From", target->from, error) &&
	       mtw_store_check(target, schemes, error);
}

/* What libcurl reads the mail from. */
typedef struct {
	MtwJob *job;
	MtwEml *eml;
	guint64 at;
	GError *problem; /* of this computer */
} Reader;

/* Before the last bytes go out, the disk says so: from then on the server may have all of it. */
static size_t read_mail(char *buffer, size_t size, size_t count, void *data)
{
	Reader *reader = data;
	guint64 left = mtw_eml_bytes(reader->eml) - reader->at;
	guint64 room = MIN(size * count, left > TAIL_BYTES ? left - TAIL_BYTES : left);
	gssize got;

	if (left > 0 && left <= TAIL_BYTES &&
	    !mtw_store_remember(reader->job, "state", ENDING, &reader->problem))
		return CURL_READFUNC_ABORT;
	got = mtw_eml_read(reader->eml, reader->at, buffer, room, &reader->problem);
	if (got < 0)
		return CURL_READFUNC_ABORT;
	reader->at += (guint64)got;
	return (size_t)got;
}

static gboolean fail_unknown(MtwJob *job, GError **error)
{
	if (!mtw_store_remember(job, "state", TOLD, error))
		return FALSE;
	return mtw_transfer_fail(job->transfer, MTW_FAILURE_PERSON, MTW_ERROR_REJECTED, error,
				 "all of the mail was sent and no answer came: it may have arrived "
				 "at %s; if it did not, send it again",
				 job->target->to);
}

/* After a clear no, or when not all of it was sent, it did not arrive. */
static gboolean fail_mail(MtwJob *job, Reader *reader, CURL *easy, GError *cause, GError **error)
{
	g_autoptr(GError) owned = cause;
	const MtwFailure *failure = mtw_transfer_failure(job->transfer);
	long status = 0;

	curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	if (reader->problem != NULL) {
		g_propagate_error(error, g_steal_pointer(&reader->problem));
		return FALSE;
	}
	if (status >= 400 || !failure->maybe_done) {
		if (!mtw_store_remember(job, "state", NULL, error))
			return FALSE;
	} else if (failure->class != MTW_FAILURE_CANCELLED) {
		return fail_unknown(job, error);
	}
	g_propagate_error(error, g_steal_pointer(&owned));
	return FALSE;
}

static gboolean send_mail(MtwJob *job, GError **error)
{
	g_autoptr(MtwEml) eml = mtw_mail_new(job, FALSE);
	Reader reader = { .job = job, .eml = eml };
	CURL *easy = mtw_mail_handle(job);
	struct curl_slist *to = curl_slist_append(NULL, job->target->to);
	g_autoptr(GError) cause = NULL;
	gboolean ok;

	for (guint i = 0; i < job->files->len; i++) {
		const MtwJobFile *file = mtw_job_file(job, i);
		/* For the progress; what is read is the mail. */
		mtw_transfer_read_file(job->transfer, &(MtwFileRange){ file->fd, 0, file->bytes });
	}
	curl_easy_setopt(easy, CURLOPT_MAIL_FROM, job->target->from);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, to);
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, read_mail);
	curl_easy_setopt(easy, CURLOPT_READDATA, &reader);
	curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, NULL);
	curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mtw_eml_bytes(eml));
	ok = mtw_transfer_perform(job->transfer, &cause);
	if (!ok)
		fail_mail(job, &reader, easy, g_steal_pointer(&cause), error);
	curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, NULL);
	curl_slist_free_all(to);
	return ok;
}

static gboolean run_mail(MtwJob *job, GError **error)
{
	const char *state = mtw_store_fact(job, "state");

	if (*job->target->url == '\0')
		return mtw_mail_write(job, error);
	if (g_strcmp0(state, ENDING) == 0)
		return fail_unknown(job, error);
	if (state != NULL && !mtw_store_remember(job, "state", NULL, error))
		return FALSE;
	return send_mail(job, error);
}

static gboolean limit(MtwJob *job, guint64 *ret_max_bytes, GError **error)
{
	*ret_max_bytes = 0;
	return *job->target->url == '\0' || mtw_mail_limit(job, ret_max_bytes, error);
}

static const MtwPhase mail_phase = {
	.id = "mail",
	.carries_file = TRUE,
	.run = run_mail,
};

static const MtwPhase *const phases[] = { &mail_phase, NULL };

const MtwKind mtw_kind_smtp = {
	.id = "smtp",
	.title = N_("Mail"),
	.needs_network = TRUE,
	.check = check,
	.limit = limit,
	.phases = phases,
};
