/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The job of a kind that stores the file elsewhere: another target, other credentials, facts of its own. */
#include "submit/send-private.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

static gboolean save_side(MtwJob *job, GError **error)
{
	MtwSendJob *side = job->owner;
	MtwSendRun *sending = side->user_data;
	MtwJob *main_job = &sending->main->job;

	return main_job->save(main_job, error);
}

static MtwJob *no_side_job(MtwJob *job, const char *target_id, GError **error)
{
	(void)job;
	g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
		    "%s cannot be used here: it would be the store of a store", target_id);
	return NULL;
}

/* The person agreed to that place too. */
static gboolean check_place(const MtwSendRun *sending, const MtwTarget *target, GError **error)
{
	JsonObject *consent = mtw_json_object(sending->item->meta, "consent");
	g_autofree char *place = mtw_item_place(target);

	if (strcmp(mtw_json_string(consent, "store_place", ""), place) == 0)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED,
		    "the archive would be stored at %s (%s), which nobody agreed to", target->host,
		    target->id);
	return FALSE;
}

static MtwTarget *find_target(const MtwSendRun *sending, const char *id, GError **error)
{
	g_autoptr(MtwTarget) target = NULL;

	if (strcmp(sending->main->job.target->store, id) != 0 || sending->options->paths == NULL) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "%s is not the store of this target", id);
		return NULL;
	}
	target = mtw_target_find(sending->options->paths, id, error);
	if (target == NULL)
		return NULL;
	if (!target->enabled) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID, "the store %s is switched off%s%s",
			    id, target->disabled_why != NULL ? ": " : "",
			    target->disabled_why != NULL ? target->disabled_why : "");
		return NULL;
	}
	return check_place(sending, target, error) ? g_steal_pointer(&target) : NULL;
}

/* In the facts of the report, so that both are written at once. (transfer none) */
static JsonObject *side_facts(JsonObject *facts)
{
	JsonObject *side = mtw_json_object(facts, "side");

	if (side == NULL) {
		side = json_object_new();
		json_object_set_object_member(facts, "side", side);
	}
	return side;
}

static MtwSendJob *new_side(MtwSendRun *sending, const char *target_id, GError **error)
{
	g_autoptr(MtwTarget) target = find_target(sending, target_id, error);
	const MtwJob *main_job = &sending->main->job;
	MtwSendJob *side;

	if (target == NULL)
		return NULL;
	side = mtw_send_job_new(target, sending->options, &sending->side_credentials,
				&sending->progress, error);
	if (side == NULL)
		return NULL;
	side->own_target = g_steal_pointer(&target);
	side->user_data = sending;
	side->job.letter = main_job->letter;
	side->job.files = main_job->files;
	side->job.facts = side_facts(main_job->facts);
	side->job.folder = main_job->folder;
	side->job.save = save_side;
	side->job.side_job = no_side_job;
	return side;
}

MtwJob *mtw_send_side_job(MtwJob *job, const char *target_id, GError **error)
{
	MtwSendRun *sending = ((MtwSendJob *)job->owner)->user_data;
	MtwSendJob *side;

	for (guint i = 0; i < sending->sides->len; i++) {
		side = sending->sides->pdata[i];
		if (strcmp(side->job.target->id, target_id) == 0)
			return &side->job;
	}
	side = new_side(sending, target_id, error);
	if (side == NULL)
		return NULL;
	g_ptr_array_add(sending->sides, side);
	return &side->job;
}
