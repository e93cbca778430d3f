/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person agreed to: these bytes, to this place. Whatever is not the same any more asks again. */
#include "submit/queue-private.h"

#include "base/error.h"
#include "base/json.h"

#include <string.h>

static gboolean check_target(const MtwItem *item, const MtwTarget *target, int code, GError **error)
{
	g_autofree char *place = mtw_item_place(target);

	if (strcmp(mtw_item_target(item), target->id) != 0) {
		g_set_error(error, MTW_ERROR, code, "the report is for %s, not for %s",
			    mtw_item_target(item), target->id);
		return FALSE;
	}
	if (strcmp(mtw_json_string(item->meta, "place", ""), place) != 0 ||
	    strcmp(mtw_json_string(item->meta, "host", ""), target->host) != 0) {
		g_set_error(error, MTW_ERROR, code,
			    "%s was changed since you agreed: reports would go to %s, not to %s",
			    target->id, target->host, mtw_json_string(item->meta, "host", "?"));
		return FALSE;
	}
	return TRUE;
}

static JsonObject *consent_to_json(const MtwItem *item, const MtwConsent *consent)
{
	JsonObject *object = json_object_new();

	json_object_set_string_member(object, "sha256", consent->sha256);
	json_object_set_string_member(object, "host", consent->host);
	json_object_set_string_member(object, "target", consent->target);
	json_object_set_string_member(object, "issue", consent->issue);
	json_object_set_string_member(object, "place", mtw_json_string(item->meta, "place", ""));
	json_object_set_string_member(object, "store_place",
				      mtw_json_string(item->meta, "store_place", ""));
	json_object_set_int_member(object, "time_sec", consent->time_sec);
	return object;
}

gboolean mtw_item_consent(MtwItem *item, const MtwTarget *target, GError **error)
{
	g_auto(MtwItemFiles) files = { 0 };
	MtwConsent consent = { 0 };

	if (!mtw_item_need_lock(item, error) ||
	    !check_target(item, target, MTW_ERROR_INVALID, error) ||
	    !mtw_item_open_files(item, NULL, &files, error))
		return FALSE;
	consent.sha256 = files.sha256;
	consent.host = target->host;
	consent.target = target->id;
	consent.issue = (char *)mtw_json_string(item->meta, "issue", "");
	consent.time_sec = g_get_real_time() / G_USEC_PER_SEC;
	json_object_set_object_member(item->meta, "consent", consent_to_json(item, &consent));
	if (!mtw_item_save_meta(item, error))
		return FALSE;
	if (mtw_item_state(item) == MTW_ITEM_PREPARED || mtw_item_state(item) == MTW_ITEM_REFUSED)
		mtw_item_set_state(item, MTW_ITEM_CONSENTED);
	return mtw_item_save_state(item, error);
}

static gboolean is_same(JsonObject *consent, const char *name, const char *now)
{
	return strcmp(mtw_json_string(consent, name, ""), now) == 0;
}

gboolean mtw_item_check_consent(MtwItem *item, const MtwTarget *target, const char *sha256,
				GError **error)
{
	JsonObject *consent = mtw_json_object(item->meta, "consent");
	const char *what = NULL;

	if (!check_target(item, target, MTW_ERROR_DECLINED, error))
		return FALSE;
	if (consent == NULL)
		what = "nobody agreed yet to send this report";
	else if (!is_same(consent, "sha256", sha256))
		what = "the archive was changed since you agreed to send it";
	else if (!is_same(consent, "target", target->id) ||
		 !is_same(consent, "host", target->host) ||
		 !is_same(consent, "issue", mtw_json_string(item->meta, "issue", "")) ||
		 !is_same(consent, "place", mtw_json_string(item->meta, "place", "")) ||
		 !is_same(consent, "store_place", mtw_json_string(item->meta, "store_place", "")))
		what = "you agreed to send the report to another place";
	if (what == NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_DECLINED, "%s (%s, for %s)", what, item->id,
		    target->host);
	return FALSE;
}

gboolean mtw_item_has_consent(MtwItem *item, const MtwTarget *target, GError **error)
{
	g_auto(MtwItemFiles) files = { 0 };
	g_autoptr(GError) problem = NULL;

	if (mtw_item_open_files(item, NULL, &files, &problem))
		return mtw_item_check_consent(item, target, files.sha256, error);
	/* A file that is another one than agreed to is no consent; one that cannot be read is an error. */
	if (g_error_matches(problem, MTW_ERROR, MTW_ERROR_INVALID) ||
	    g_error_matches(problem, MTW_ERROR, MTW_ERROR_NOT_FOUND))
		problem->code = MTW_ERROR_DECLINED;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}
