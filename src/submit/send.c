/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "submit/send-private.h"

#include "base/error.h"
#include "base/json.h"

#include <errno.h>

static void sending_clear(MtwSendRun *sending)
{
	g_clear_pointer(&sending->sides, g_ptr_array_unref);
	g_clear_pointer(&sending->main, mtw_send_job_free);
	mtw_item_files_clear(&sending->files);
	g_clear_pointer(&sending->stats, g_array_unref);
	g_clear_pointer(&sending->letter, mtw_letter_free);
	g_clear_pointer(&sending->issue, mtw_link_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwSendRun, sending_clear)

static gboolean check_kind(MtwSendRun *sending, const MtwTarget *target, GError **error)
{
	const MtwKind *kind = sending->kind;
	gboolean to_issue = *mtw_json_string(sending->item->meta, "issue", "") != '\0';

	if (!target->enabled) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s is switched off%s%s",
			    target->id, target->disabled_why != NULL ? ": " : "",
			    target->disabled_why != NULL ? target->disabled_why : "");
		return FALSE;
	}
	if (kind->check != NULL && !kind->check(target, error))
		return FALSE;
	sending->phases = to_issue ? kind->issue_phases : kind->phases;
	if (sending->phases == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "%s cannot add a report to an issue that is there already", target->id);
		return FALSE;
	}
	if (sending->options->no_network && mtw_kind_needs_network(kind, target)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_NETWORK,
			    "nothing was sent to %s: the network is not to be used", target->host);
		return FALSE;
	}
	return TRUE;
}

static gboolean open_files(MtwSendRun *sending, GError **error)
{
	MtwShrinkHooks hooks = { .cancel = sending->options->cancel };
	GPtrArray *files;

	if (!mtw_item_open_files(sending->item, &hooks, &sending->files, error))
		return FALSE;
	files = sending->files.files;
	sending->stats = g_array_new(FALSE, TRUE, sizeof(struct stat));
	g_array_set_size(sending->stats, files->len);
	for (guint i = 0; i < files->len; i++) {
		const MtwJobFile *file = files->pdata[i];
		if (fstat(file->fd, &g_array_index(sending->stats, struct stat, i)) != 0) {
			mtw_set_error_errno(error, errno, "%s", file->name);
			return FALSE;
		}
	}
	return TRUE;
}

/* Before the first byte goes out: these are the files, and this is the place, that the person agreed to. */
static gboolean check_consent(MtwSendRun *sending, const MtwTarget *target, GError **error)
{
	g_autoptr(GError) problem = NULL;

	if (open_files(sending, &problem))
		return sending->kind->is_local ||
		       mtw_item_check_consent(sending->item, target, sending->files.sha256, error);
	if (g_error_matches(problem, MTW_ERROR, MTW_ERROR_INVALID) ||
	    g_error_matches(problem, MTW_ERROR, MTW_ERROR_NOT_FOUND))
		problem->code = MTW_ERROR_DECLINED;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

static gboolean save(MtwJob *job, GError **error)
{
	MtwSendRun *sending = ((MtwSendJob *)job->owner)->user_data;

	return mtw_item_save_state(sending->item, error);
}

static char *meta_text(const MtwSendRun *sending, const char *name)
{
	return g_strdup(mtw_json_string(sending->item->meta, name, ""));
}

static void make_letter(MtwSendRun *sending)
{
	JsonObject *link = mtw_json_object(sending->item->meta, "issue_link");

	sending->letter = g_new0(MtwLetter, 1);
	sending->letter->report_id = meta_text(sending, "report_id");
	sending->letter->title = meta_text(sending, "title");
	sending->letter->body = meta_text(sending, "body");
	if (link == NULL)
		return;
	sending->issue = g_new0(MtwLink, 1);
	sending->issue->kind = g_strdup(mtw_json_string(link, "kind", ""));
	sending->issue->base = g_strdup(mtw_json_string(link, "base", ""));
	sending->issue->project = g_strdup(mtw_json_string(link, "project", ""));
	sending->issue->number = g_strdup(mtw_json_string(link, "number", ""));
	sending->issue->url = g_strdup(mtw_json_string(link, "url", ""));
}

static gboolean make_job(MtwSendRun *sending, const MtwTarget *target, GError **error)
{
	const MtwSendOptions *options = sending->options;
	MtwJob *job;

	/* What was named on the command line is for the target that was named there. */
	sending->side_credentials.token_fd = -1;
	sending->side_credentials.no_keyring =
		options->credentials != NULL && options->credentials->no_keyring;
	sending->sides = g_ptr_array_new_with_free_func((GDestroyNotify)mtw_send_job_free);
	sending->main =
		mtw_send_job_new(target, options, options->credentials, &sending->progress, error);
	if (sending->main == NULL)
		return FALSE;
	make_letter(sending);
	sending->main->user_data = sending;
	job = &sending->main->job;
	job->letter = sending->letter;
	job->issue = sending->issue;
	job->files = sending->files.files;
	job->facts = mtw_item_facts(sending->item);
	job->folder = sending->item->folder;
	job->save = save;
	job->side_job = mtw_send_side_job;
	return TRUE;
}

gboolean mtw_send_item_as(const MtwKind *kind, MtwItem *item, const MtwTarget *target,
			  const MtwSendOptions *options, GError **error)
{
	g_auto(MtwSendRun) sending = { .item = item, .kind = kind, .options = options };

	if (!mtw_item_need_lock(item, error))
		return FALSE;
	if (mtw_item_state(item) != MTW_ITEM_DONE &&
	    (!check_kind(&sending, target, error) || !check_consent(&sending, target, error) ||
	     !make_job(&sending, target, error) || !mtw_send_phases(&sending, error)))
		return FALSE;
	mtw_send_finish(item, kind, options);
	return TRUE;
}

gboolean mtw_send_item(MtwItem *item, const MtwTarget *target, const MtwSendOptions *options,
		       GError **error)
{
	const MtwKind *kind = mtw_kind_find(target->kind);

	if (kind != NULL)
		return mtw_send_item_as(kind, item, target, options, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "%s: there is no kind \"%s\"", target->id,
		    target->kind);
	return FALSE;
}
