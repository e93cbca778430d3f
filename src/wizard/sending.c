/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/sending.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "capture/events.h"
#include "submit/shrink.h"
#include "wizard/sending-private.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

/* What is in the queue has links of its own. */
static void remove_work_folder(MtwSending *sending)
{
	g_autoptr(GPtrArray) names = NULL;

	if (sending->work_folder == NULL)
		return;
	names = mtw_folder_list(sending->work_folder);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path =
			g_build_filename(sending->work_folder, names->pdata[i], NULL);
		(void)g_unlink(path);
	}
	(void)g_rmdir(sending->work_folder);
	g_clear_pointer(&sending->work_folder, g_free);
}

void mtw_sending_clear(MtwSending *sending)
{
	remove_work_folder(sending);
	g_clear_pointer(&sending->parcel, mtw_parcel_free);
	g_clear_pointer(&sending->link, mtw_link_free);
	g_clear_pointer(&sending->letter, mtw_letter_free);
	g_clear_pointer(&sending->paths, g_ptr_array_unref);
	g_clear_pointer(&sending->whole, g_free);
	g_clear_pointer(&sending->whole_sha256, g_free);
	g_clear_pointer(&sending->named, mtw_secret_free);
	g_clear_pointer(&sending->typed, mtw_secret_free);
	mtw_inquiry_clear(&sending->inquiry);
	g_clear_pointer(&sending->targets, g_ptr_array_unref);
}

gboolean mtw_sending_take(MtwSending *sending, const char *path, GError **error)
{
	const MtwShrinkHooks hooks = { .cancel = &sending->wizard->interrupted };
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_auto(MtwFd) fd = mtw_file_open_read(path, error);
	char *sha256 = NULL;

	if (fd < 0 || !mtw_file_sha256(fd, &hooks, &sha256, &sending->whole_bytes, error))
		return FALSE;
	g_free(sending->whole_sha256);
	sending->whole_sha256 = sha256;
	g_free(sending->whole);
	sending->whole = g_strdup(path);
	g_ptr_array_add(paths, g_strdup(path));
	g_clear_pointer(&sending->paths, g_ptr_array_unref);
	sending->paths = g_steal_pointer(&paths);
	return TRUE;
}

/* The facts of what is really sent; the report's id stays that of the archive. */
static void write_letter(MtwSending *sending)
{
	g_autofree char *name = g_path_get_basename(sending->whole);
	g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, sending->whole_bytes);
	JsonObject *facts = sending->parcel->facts;

	mtw_json_set_text(facts, "file", name);
	mtw_json_set_text(facts, "bytes", bytes);
	json_object_set_string_member(facts, "sha256", sending->whole_sha256);
	g_clear_pointer(&sending->letter, mtw_letter_free);
	sending->letter = mtw_letter_new(sending->target, facts, sending->parcel->sha256);
}

/* ---- earlier reports ------------------------------------------------------------------------ */

static MtwItemPlan plan_of(const MtwSending *sending)
{
	return (MtwItemPlan){ .target = sending->target,
			      .store = sending->store,
			      .letter = sending->letter,
			      .issue = sending->link,
			      .archive_sha256 = sending->whole_sha256 };
}

/* This computer knows what it sent. Returns: (transfer full) (nullable): address, or "" for one without */
static char *sent_before(const MtwSending *sending)
{
	MtwItemPlan plan = plan_of(sending);
	g_autofree char *id = mtw_item_plan_id(&plan);
	g_autoptr(MtwItem) item = mtw_item_open(sending->wizard->caller, id, FALSE, NULL);

	if (item == NULL || mtw_item_state(item) != MTW_ITEM_DONE)
		return NULL;
	return g_strdup(mtw_item_url(item) != NULL ? mtw_item_url(item) : "");
}

static void show_duplicate(MtwSending *sending, const char *url)
{
	JsonObject *event = mtw_event_new("duplicate");

	mtw_json_set_text(event, "url", url);
	mtw_wizard_show(sending->wizard, event);
}

static gboolean check_duplicate(MtwSending *sending, gboolean *ret_stop, GError **error)
{
	/* Where a person finishes it, nobody knows whether they did. */
	g_autofree char *before = sending->kind->needs_network ? sent_before(sending) : NULL;
	const char *url = sending->inquiry.duplicate != NULL ? sending->inquiry.duplicate : before;
	const MtwRequest request = {
		.id = "duplicate",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("This archive is there already. Send it once more?"),
		.detail = url != NULL ? url : "",
		.proposal = "no",
		.harmless = "no",
	};
	g_autofree char *answer = NULL;

	*ret_stop = FALSE;
	if (url == NULL)
		return TRUE;
	answer = mtw_wizard_ask(sending->wizard, &request, error);
	if (answer == NULL)
		return FALSE;
	*ret_stop = g_str_equal(answer, "no");
	if (*ret_stop)
		show_duplicate(sending, url);
	return TRUE;
}

/* ---- consent -------------------------------------------------------------------------------- */

static gboolean has_consent_beforehand(const MtwSending *sending)
{
	return sending->wizard->options->consent_upload;
}

static gboolean decline(const MtwSending *sending, const char *why, GError **error)
{
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED, "%s; nothing was sent, the archive is %s",
		    why, sending->parcel->path);
	return FALSE;
}

static gboolean ask_consent(MtwSending *sending, const char *host, gboolean *ret_yes,
			    GError **error)
{
	const MtwRequest request = {
		.id = "send",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Send exactly this now?"),
		.detail = host,
		.proposal = "no",
		.harmless = "no",
		.consent = TRUE,
	};
	g_autofree char *answer = mtw_wizard_ask(sending->wizard, &request, error);

	*ret_yes = g_strcmp0(answer, "yes") == 0;
	return answer != NULL;
}

static gboolean obtain_consent(MtwSending *sending, GError **error)
{
	gboolean yes;

	if (sending->kind->is_local)
		return TRUE;
	if (!mtw_sending_warn(sending, error))
		return FALSE;
	if (has_consent_beforehand(sending))
		return TRUE;
	if (!ask_consent(sending, sending->target->host, &yes, error))
		return FALSE;
	return yes || decline(sending, "you did not agree", error);
}

/* With nobody there and no consent not even a question goes to the server. */
static gboolean may_contact(MtwSending *sending, GError **error)
{
	if (sending->kind->is_local || !mtw_sending_is_unattended(sending) ||
	    has_consent_beforehand(sending))
		return TRUE;
	mtw_sending_show_preview(sending);
	return decline(sending, "nobody is there to agree, and --consent-upload was not given",
		       error);
}

/* ---- the way -------------------------------------------------------------------------------- */

static MtwItem *make_item(MtwSending *sending, GError **error)
{
	const MtwCaller *caller = sending->wizard->caller;
	g_autoptr(GPtrArray) paths = g_ptr_array_copy(sending->paths, NULL, NULL);
	MtwItemPlan plan = plan_of(sending);
	g_autoptr(MtwItem) item = NULL;

	g_ptr_array_set_free_func(paths, NULL);
	g_ptr_array_add(paths, NULL);
	plan.paths = (const char *const *)paths->pdata;
	if (sending->wizard->report != NULL)
		plan.report_folder = mtw_report_folder(sending->wizard->report);
	item = mtw_item_new(caller, &plan, error);
	/* It was sent before, and the person wants it once more. */
	if (item != NULL && mtw_item_state(item) == MTW_ITEM_DONE) {
		if (!mtw_item_drop(item, error))
			return NULL;
		g_clear_pointer(&item, mtw_item_free);
		item = mtw_item_new(caller, &plan, error);
	}
	if (item == NULL || !mtw_item_consent(item, sending->target, error))
		return NULL;
	return g_steal_pointer(&item);
}

/* Limits, then what is shown and agreed to. @ret_again: the place is another one now */
static gboolean prepare(MtwSending *sending, gboolean *ret_again, gboolean *ret_stop,
			GError **error)
{
	const MtwTarget *target = sending->target;

	*ret_again = *ret_stop = FALSE;
	write_letter(sending);
	if (!may_contact(sending, error) || !mtw_sending_inquire(sending, error))
		return FALSE;
	if (sending->inquiry.max_bytes != 0 &&
	    !mtw_sending_fit(sending, sending->inquiry.max_bytes, error))
		return FALSE;
	*ret_again = sending->target != target;
	if (*ret_again)
		return TRUE;
	write_letter(sending);
	mtw_sending_show_preview(sending);
	return check_duplicate(sending, ret_stop, error) &&
	       (*ret_stop || obtain_consent(sending, error));
}

static gboolean was_too_big(const MtwItem *item)
{
	JsonObject *failure = mtw_json_object(mtw_item_state_json(item), "failure");

	return strcmp(mtw_json_string(failure, "class", ""),
		      mtw_failure_class_name(MTW_FAILURE_TOO_BIG)) == 0;
}

/* What never left this computer needs no receipt, unless the person has to do something with what is there. */
static gboolean forget_local(const MtwSending *sending, MtwItem *item, GError **error)
{
	JsonObject *facts = mtw_json_object(mtw_item_state_json(item), "facts");

	return !sending->kind->is_local || mtw_json_string(facts, "open", NULL) != NULL ||
	       mtw_item_drop(item, error);
}

/* The server took it, or it did not. @ret_again: it was too big, and there is another way */
static gboolean transfer(MtwSending *sending, gboolean *ret_again, GError **error)
{
	g_autoptr(MtwItem) item = make_item(sending, error);
	g_autoptr(GError) why = NULL;

	*ret_again = FALSE;
	if (item == NULL)
		return FALSE;
	if (mtw_sending_transfer(sending, item, &why))
		return mtw_sending_finish(sending, item, error) &&
		       forget_local(sending, item, error);
	if (g_error_matches(why, MTW_ERROR, MTW_ERROR_REJECTED) && was_too_big(item)) {
		*ret_again = TRUE;
		return mtw_item_drop(item, error) && mtw_sending_fit(sending, 0, error);
	}
	if (!g_error_matches(why, MTW_ERROR, MTW_ERROR_INTERRUPTED))
		(void)mtw_sending_finish(sending, item, NULL);
	g_propagate_error(error, g_steal_pointer(&why));
	return FALSE;
}

static gboolean deliver(MtwSending *sending, GError **error)
{
	gboolean again = TRUE, stop = FALSE;

	while (again) {
		if (!prepare(sending, &again, &stop, error))
			return FALSE;
		if (stop)
			return TRUE;
		if (!again && !transfer(sending, &again, error))
			return FALSE;
	}
	return TRUE;
}

gboolean mtw_wizard_send(MtwWizard *wizard, const char *archive, GError **error)
{
	g_auto(MtwSending) sending = { .wizard = wizard };
	gboolean saved;

	sending.parcel = mtw_parcel_open(archive, &wizard->interrupted, error);
	if (sending.parcel == NULL || !mtw_sending_take(&sending, sending.parcel->path, error) ||
	    !mtw_sending_choose_target(&sending, &saved, error))
		return FALSE;
	if (saved)
		return decline(&sending, "no place was chosen", error);
	return deliver(&sending, error);
}

/* ---- reports of the queue ------------------------------------------------------------------- */

static MtwTarget *target_of(const MtwSending *sending, const MtwItem *item, GError **error)
{
	for (guint i = 0; i < sending->targets->len; i++) {
		MtwTarget *target = sending->targets->pdata[i];
		if (strcmp(target->id, mtw_item_target(item)) == 0)
			return target;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "the target \"%s\" of report %s is not there any more", mtw_item_target(item),
		    mtw_item_id(item));
	return NULL;
}

/*
 * What was agreed to holds as long as nothing of it changes. Another place, or other files, are another report: `upload`
 * makes it. Asked for is only what was never agreed to.
 */
static gboolean need_consent(MtwSending *sending, MtwItem *item, GError **error)
{
	g_autoptr(GError) why = NULL;
	gboolean yes;

	if (sending->kind->is_local || mtw_item_has_consent(item, sending->target, &why))
		return TRUE;
	if (mtw_json_object(mtw_item_meta(item), "consent") != NULL ||
	    mtw_sending_is_unattended(sending)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	mtw_sending_show_item(sending, item);
	if (!ask_consent(sending, sending->target->host, &yes, error))
		return FALSE;
	if (yes)
		return mtw_item_consent(item, sending->target, error);
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED, "report %s stays where it is",
		    mtw_item_id(item));
	return FALSE;
}

gboolean mtw_wizard_send_item(MtwWizard *wizard, MtwItem *item, gboolean one_try, GError **error)
{
	g_auto(MtwSending) sending = { .wizard = wizard, .one_try = one_try };
	MtwTarget *target;

	sending.targets = mtw_target_list(wizard->paths, NULL);
	target = target_of(&sending, item, error);
	if (target == NULL || !mtw_sending_set_target(&sending, target, error) ||
	    !need_consent(&sending, item, error))
		return FALSE;
	return mtw_sending_transfer(&sending, item, error) &&
	       mtw_sending_finish(&sending, item, error);
}

gboolean mtw_wizard_drop_item(MtwWizard *wizard, const char *id, GError **error)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(MtwItem) item = mtw_item_open(wizard->caller, id, FALSE, &why);
	const MtwRequest request = {
		.id = "drop",
		.kind = MTW_REQUEST_YES_NO,
		.sentence = N_("Remove this report from the queue? Your own archive stays where "
			       "it is."),
		.detail = item != NULL ? mtw_item_id(item) : id,
		.proposal = "no",
		.harmless = wizard->options->assume_yes ? "yes" : "no",
	};

	/* One that cannot be read can be removed all the same. */
	if (item == NULL && !g_error_matches(why, MTW_ERROR, MTW_ERROR_INVALID)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	return mtw_wizard_agree(wizard, &request, error) &&
	       mtw_queue_drop(wizard->caller, id, error);
}
