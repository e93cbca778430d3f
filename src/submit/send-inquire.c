/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions to the server before anything is sent to it. */
#include "submit/send-private.h"

#include "base/error.h"
#include "base/message.h"

#include <glib/gi18n.h>

void mtw_inquiry_clear(MtwInquiry *inquiry)
{
	g_clear_pointer(&inquiry->who, g_free);
	g_clear_pointer(&inquiry->duplicate, g_free);
	g_clear_pointer(&inquiry->notes, g_ptr_array_unref);
	inquiry->max_bytes = 0;
}

/* Nothing is done that would have to be remembered. */
static gboolean save_nothing(MtwJob *job, GError **error)
{
	(void)job;
	(void)error;
	return TRUE;
}

static MtwJob *no_side_job(MtwJob *job, const char *target_id, GError **error)
{
	(void)job;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s was not asked", target_id);
	return NULL;
}

typedef struct {
	MtwSendJob *job;
	const MtwKind *kind;
	GPtrArray *files; /* none */
	JsonObject *facts;
} Asking;

static void asking_clear(Asking *asking)
{
	g_clear_pointer(&asking->job, mtw_send_job_free);
	g_clear_pointer(&asking->files, g_ptr_array_unref);
	g_clear_pointer(&asking->facts, json_object_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Asking, asking_clear)

static gboolean asking_begin(Asking *asking, const MtwTarget *target, const MtwLetter *letter,
			     const MtwLink *issue, const MtwSendOptions *options, GError **error)
{
	asking->job = mtw_send_job_new(target, options, options->credentials, NULL, error);
	if (asking->job == NULL)
		return FALSE;
	asking->files = g_ptr_array_new();
	asking->facts = json_object_new();
	asking->job->job.letter = letter;
	asking->job->job.issue = issue;
	asking->job->job.files = asking->files;
	asking->job->job.facts = asking->facts;
	asking->job->job.save = save_nothing;
	asking->job->job.side_job = no_side_job;
	return TRUE;
}

/* Which credentials are wrong shows at the first question that needs them. */
static gboolean ask_as_often_as_needed(Asking *asking,
				       gboolean (*question)(Asking *, gpointer, GError **),
				       gpointer answer, GError **error)
{
	for (;;) {
		g_autoptr(GError) problem = NULL;
		mtw_send_job_begin(asking->job);
		if (question(asking, answer, &problem))
			return TRUE;
		if (!g_error_matches(problem, MTW_ERROR, MTW_ERROR_AUTH) ||
		    !mtw_send_job_ask_again(asking->job)) {
			g_propagate_error(error, g_steal_pointer(&problem));
			return FALSE;
		}
	}
}

static gboolean ask_limit(Asking *asking, gpointer answer, GError **error)
{
	guint64 max_bytes = 0;

	if (!asking->kind->limit(&asking->job->job, &max_bytes, error))
		return FALSE;
	*(guint64 *)answer = max_bytes;
	return TRUE;
}

static gboolean ask_who(Asking *asking, gpointer answer, GError **error)
{
	return asking->kind->whoami(&asking->job->job, answer, error);
}

static gboolean ask_duplicate(Asking *asking, gpointer answer, GError **error)
{
	return asking->kind->search(&asking->job->job, answer, error);
}

/* What a person has to know or wanted is an error; a server that does not answer is none. */
static gboolean note(MtwInquiry *inquiry, const char *id, const char *sentence, GError *problem,
		     GError **error)
{
	if (g_error_matches(problem, MTW_ERROR, MTW_ERROR_TLS) ||
	    g_error_matches(problem, MTW_ERROR, MTW_ERROR_AUTH) ||
	    g_error_matches(problem, MTW_ERROR, MTW_ERROR_PERMISSION) ||
	    g_error_matches(problem, MTW_ERROR, MTW_ERROR_INTERRUPTED)) {
		g_propagate_error(error, problem);
		return FALSE;
	}
	g_ptr_array_add(inquiry->notes, mtw_message_new(id, MTW_LEVEL_WARNING, sentence, "", "%s",
							problem->message));
	g_error_free(problem);
	return TRUE;
}

static gboolean inquire(Asking *asking, gboolean search, MtwInquiry *inquiry, GError **error)
{
	const MtwKind *kind = asking->kind;
	GError *problem = NULL;
	guint64 max_bytes = 0;

	if (kind->whoami != NULL &&
	    !ask_as_often_as_needed(asking, ask_who, &inquiry->who, &problem) &&
	    !note(inquiry, "who", N_("The server did not tell whose account it is."),
		  g_steal_pointer(&problem), error))
		return FALSE;
	if (kind->limit != NULL &&
	    !ask_as_often_as_needed(asking, ask_limit, &max_bytes, &problem) &&
	    !note(inquiry, "limit", N_("The server did not tell how large a file may be."),
		  g_steal_pointer(&problem), error))
		return FALSE;
	if (kind->search != NULL && search &&
	    !ask_as_often_as_needed(asking, ask_duplicate, &inquiry->duplicate, &problem) &&
	    !note(inquiry, "duplicate",
		  N_("The server did not tell whether this report is there already."),
		  g_steal_pointer(&problem), error))
		return FALSE;
	if (max_bytes > 0)
		inquiry->max_bytes = max_bytes;
	return TRUE;
}

static gboolean has_questions(const MtwKind *kind, const MtwTarget *target)
{
	return mtw_kind_needs_network(kind, target) &&
	       (kind->whoami != NULL || kind->limit != NULL || kind->search != NULL);
}

static const MtwKind *usable_kind(const MtwTarget *target, GError **error)
{
	const MtwKind *kind = mtw_kind_find(target->kind);

	if (kind == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: there is no kind \"%s\"",
			    target->id, target->kind);
		return NULL;
	}
	return kind->check == NULL || kind->check(target, error) ? kind : NULL;
}

gboolean mtw_send_inquire_as(const MtwKind *kind, const MtwTarget *target, const MtwLetter *letter,
			     const MtwLink *issue, const MtwSendOptions *options,
			     MtwInquiry *ret_inquiry, GError **error)
{
	g_auto(MtwInquiry) inquiry = { 0 };
	g_auto(Asking) asking = { .kind = kind };

	inquiry.max_bytes = target->max_bytes;
	inquiry.notes = mtw_messages_new();
	if (mtw_kind_needs_network(kind, target) && options->no_network)
		g_ptr_array_add(inquiry.notes,
				mtw_message_new("offline", MTW_LEVEL_WARNING,
						N_("The server was not asked: the network is not "
						   "to be used."),
						"", "%s", target->host));
	else if (has_questions(kind, target) &&
		 (!asking_begin(&asking, target, letter, issue, options, error) ||
		  !inquire(&asking, target->search_duplicates && issue == NULL, &inquiry, error)))
		return FALSE;
	*ret_inquiry = inquiry;
	inquiry = (MtwInquiry){ 0 };
	return TRUE;
}

gboolean mtw_send_inquire(const MtwTarget *target, const MtwLetter *letter, const MtwLink *issue,
			  const MtwSendOptions *options, MtwInquiry *ret_inquiry, GError **error)
{
	const MtwKind *kind = usable_kind(target, error);

	return kind != NULL &&
	       mtw_send_inquire_as(kind, target, letter, issue, options, ret_inquiry, error);
}

gboolean mtw_send_test_auth_as(const MtwKind *kind, const MtwTarget *target,
			       const MtwSendOptions *options, char **ret_who, GError **error)
{
	g_auto(Asking) asking = { .kind = kind };

	*ret_who = NULL;
	if (kind->whoami == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "%s: a server of the kind %s cannot be asked whose account it is",
			    target->id, kind->id);
		return FALSE;
	}
	if (options->no_network) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NETWORK,
			    "%s was not asked: the network is not to be used", target->host);
		return FALSE;
	}
	return asking_begin(&asking, target, NULL, NULL, options, error) &&
	       ask_as_often_as_needed(&asking, ask_who, ret_who, error);
}

gboolean mtw_send_test_auth(const MtwTarget *target, const MtwSendOptions *options, char **ret_who,
			    GError **error)
{
	const MtwKind *kind = usable_kind(target, error);

	return kind != NULL && mtw_send_test_auth_as(kind, target, options, ret_who, error);
}
