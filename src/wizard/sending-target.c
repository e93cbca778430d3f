/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where it goes: by --target or --issue, else asked for. */
#include "base/error.h"
#include "capture/events.h"
#include "wizard/sending-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define NOWHERE "none"
#define NEVER "never"

/* Of the walk, which asks by itself; `upload` was asked to send. */
static gboolean is_walk(const MtwSending *sending)
{
	return sending->wizard->report != NULL;
}

static MtwTarget *find_target(const GPtrArray *targets, const char *id, GError **error)
{
	for (guint i = 0; i < targets->len; i++) {
		MtwTarget *target = targets->pdata[i];
		if (strcmp(target->id, id) == 0)
			return target;
	}
	g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
		    "there is no target \"%s\"; `mmiotrace-wizard targets` lists them", id);
	return NULL;
}

static gboolean check_enabled(const MtwTarget *target, GError **error)
{
	if (target->enabled && mtw_kind_find(target->kind) != NULL)
		return TRUE;
	if (target->disabled_why != NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
			    "the target \"%s\" cannot be used: %s", target->id,
			    target->disabled_why);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "the target \"%s\" is switched off; a file of that name with "
			    "Enabled=true switches it on, see mmiotrace-wizard-target(5)",
			    target->id);
	return FALSE;
}

gboolean mtw_sending_takes(const MtwTarget *target, const char *name)
{
	if (target->file_types[0] == NULL)
		return TRUE;
	for (guint i = 0; target->file_types[i] != NULL; i++)
		if (g_str_has_suffix(name, target->file_types[i]))
			return TRUE;
	return FALSE;
}

/* The file goes there, the report to @target. */
static gboolean find_store(const MtwSending *sending, const MtwTarget *target,
			   const MtwTarget **ret_store, GError **error)
{
	*ret_store = NULL;
	if (target->store[0] == '\0')
		return TRUE;
	*ret_store = find_target(sending->targets, target->store, error);
	if (*ret_store != NULL && check_enabled(*ret_store, error))
		return TRUE;
	g_prefix_error(error, "the target \"%s\" stores the file elsewhere: ", target->id);
	return FALSE;
}

gboolean mtw_sending_set_target(MtwSending *sending, MtwTarget *target, GError **error)
{
	g_autofree char *types = g_strjoinv(", ", target->file_types);

	if (!check_enabled(target, error) || !find_store(sending, target, &sending->store, error))
		return FALSE;
	if (sending->parcel != NULL && !mtw_sending_takes(target, sending->parcel->name)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "the target \"%s\" takes only files with these endings: %s; not %s",
			    target->id, types, sending->parcel->name);
		return FALSE;
	}
	sending->target = target;
	sending->kind = mtw_kind_find(target->kind);
	g_clear_pointer(&sending->link, mtw_link_free);
	return TRUE;
}

/* ---- by the options ------------------------------------------------------------------------- */

static MtwTarget *target_of_link(const MtwLink *link, const GPtrArray *targets, GError **error)
{
	MtwTarget *target = mtw_link_target(link, targets);

	if (target == NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_NOT_FOUND,
			    "no target is for %s (%s); `mmiotrace-wizard targets` lists them, and "
			    "mmiotrace-wizard-target(5) tells how to make one",
			    link->base, link->kind);
	return target;
}

static gboolean check_link(const MtwTarget *target, const MtwLink *link, GError **error)
{
	const MtwKind *kind = mtw_kind_find(target->kind);

	if (kind == NULL || kind->issue_phases != NULL)
		return TRUE;
	g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
		    "the target \"%s\" cannot add to a report that is there already (%s)",
		    target->id, link->url);
	return FALSE;
}

/* @ret_link: (nullable) only with @issue. Returns: (transfer none) (nullable) */
static MtwTarget *find_by_options(const GPtrArray *targets, const char *id, const char *issue,
				  MtwLink **ret_link, GError **error)
{
	g_autoptr(MtwLink) link = issue != NULL ? mtw_link_parse(issue, targets, error) : NULL;
	MtwTarget *target;

	if (issue != NULL && link == NULL)
		return NULL;
	target =
		id != NULL ? find_target(targets, id, error) : target_of_link(link, targets, error);
	if (target == NULL || (link != NULL && !check_link(target, link, error)))
		return NULL;
	if (link != NULL && id != NULL &&
	    (strcmp(link->kind, target->kind) != 0 ||
	     !mtw_url_same_origin(link->base, target->url))) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "%s is not of the target \"%s\" (%s)", link->url, id, target->url);
		return NULL;
	}
	*ret_link = g_steal_pointer(&link);
	return target;
}

gboolean mtw_sending_check(const MtwPaths *paths, const char *target, const char *issue,
			   GError **error)
{
	g_autoptr(GPtrArray) targets = NULL;
	g_autoptr(MtwLink) link = NULL;
	const MtwTarget *found;

	if (target == NULL && issue == NULL)
		return TRUE;
	targets = mtw_target_list(paths, NULL);
	found = find_by_options(targets, target, issue, &link, error);
	return found != NULL && check_enabled(found, error);
}

/* ---- asked for ------------------------------------------------------------------------------ */

typedef struct {
	MtwTarget *target;
	guint wanted; /* by the profile: the first of its list has the highest */
	guint fits;
	gboolean is_local;
} Offer;

static guint wanted_by(const MtwProfile *profile, const char *id)
{
	guint length = profile != NULL ? g_strv_length(profile->targets) : 0;

	for (guint i = 0; i < length; i++)
		if (strcmp(profile->targets[i], id) == 0)
			return length - i;
	return 0;
}

static int compare_offers(gconstpointer a, gconstpointer b)
{
	const Offer *left = a, *right = b;

	if (left->is_local != right->is_local)
		return left->is_local ? 1 : -1;
	if (left->wanted != right->wanted)
		return left->wanted > right->wanted ? -1 : 1;
	if (left->fits != right->fits)
		return left->fits > right->fits ? -1 : 1;
	return strcmp(left->target->id, right->target->id);
}

/* Those that are for what was traced, or for anything. */
static GArray *find_offers(MtwSending *sending)
{
	const MtwParcel *parcel = sending->parcel;
	g_autoptr(MtwProfile) profile =
		mtw_profile_find(sending->wizard->paths,
				 parcel->profile[0] != '\0' ? parcel->profile : "generic", NULL);
	GArray *offers = g_array_new(FALSE, TRUE, sizeof(Offer));

	for (guint i = 0; i < sending->targets->len; i++) {
		MtwTarget *target = sending->targets->pdata[i];
		Offer offer = { .target = target, .wanted = wanted_by(profile, target->id) };
		if (!check_enabled(target, NULL) || !mtw_sending_takes(target, parcel->name) ||
		    target == sending->target)
			continue;
		offer.is_local = mtw_kind_find(target->kind)->is_local;
		offer.fits = mtw_target_fits(target, parcel->pci_id, parcel->pci_class,
					     parcel->driver[0] != '\0' ? parcel->driver : NULL);
		if (offer.wanted > 0 || offer.fits > 0 || target->match[0] == NULL)
			g_array_append_val(offers, offer);
	}
	g_array_sort(offers, compare_offers);
	return offers;
}

static char *ask_for_one(MtwSending *sending, const GArray *offers, GError **error)
{
	g_autoptr(GPtrArray) choices = g_ptr_array_new();
	g_autoptr(GPtrArray) labels = g_ptr_array_new();
	g_autoptr(MtwSettings) settings = mtw_settings_load(sending->wizard->caller, NULL);
	MtwRequest request = {
		.id = "target",
		.kind = MTW_REQUEST_CHOICE,
		.sentence = N_("Where shall it go? Before anything is sent you see exactly what."),
		.detail = "",
		.proposal = NOWHERE,
		.harmless = NOWHERE,
	};

	for (guint i = 0; i < offers->len; i++) {
		const Offer *offer = &g_array_index(offers, Offer, i);
		g_ptr_array_add(choices, offer->target->id);
		g_ptr_array_add(labels, offer->target->name);
		if (settings != NULL && g_str_equal(settings->target, offer->target->id))
			request.proposal = offer->target->id;
	}
	g_ptr_array_add(choices, (gpointer)NOWHERE);
	g_ptr_array_add(labels, (gpointer)N_("Nowhere: the file is saved, send it yourself"));
	if (is_walk(sending)) {
		g_ptr_array_add(choices, (gpointer)NEVER);
		g_ptr_array_add(labels, (gpointer)N_("Nowhere, and do not ask again"));
	}
	g_ptr_array_add(choices, NULL);
	g_ptr_array_add(labels, NULL);
	request.choices = (const char *const *)choices->pdata;
	request.labels = (const char *const *)labels->pdata;
	return mtw_wizard_ask(sending->wizard, &request, error);
}

static void tell_no_target(MtwSending *sending)
{
	mtw_wizard_tell(
		sending->wizard,
		mtw_message_new(
			"no-target", MTW_LEVEL_WARNING,
			N_("No place is known that takes reports about this device."),
			N_("`mmiotrace-wizard targets` lists the places; --target names one."),
			NULL));
}

gboolean mtw_sending_ask_target(MtwSending *sending, gboolean *ret_saved, GError **error)
{
	g_autoptr(GArray) offers = find_offers(sending);
	g_autofree char *answer = NULL;

	*ret_saved = offers->len == 0;
	if (*ret_saved) {
		tell_no_target(sending);
		return TRUE;
	}
	answer = ask_for_one(sending, offers, error);
	if (answer == NULL)
		return FALSE;
	*ret_saved = g_str_equal(answer, NOWHERE) || g_str_equal(answer, NEVER);
	if (g_str_equal(answer, NEVER))
		return mtw_settings_set_never_ask(sending->wizard->caller, error);
	return *ret_saved ||
	       mtw_sending_set_target(sending, find_target(sending->targets, answer, NULL), error);
}

/* ---- a report that is there already --------------------------------------------------------- */

static gboolean take_link(const char *text, gpointer user_data, GError **error)
{
	MtwSending *sending = user_data;
	g_autoptr(MtwLink) link = mtw_link_parse(text, sending->targets, error);
	MtwTarget *target = link != NULL ? target_of_link(link, sending->targets, error) : NULL;

	if (target == NULL || !check_link(target, link, error))
		return FALSE;
	/* Another tracker than the chosen one: the address says where the person wants it. */
	if (!mtw_sending_set_target(sending, target, error))
		return FALSE;
	sending->link = g_steal_pointer(&link);
	return TRUE;
}

static gboolean ask_issue(MtwSending *sending, GError **error)
{
	const MtwRequest request = {
		.id = "issue",
		.kind = MTW_REQUEST_TEXT,
		.sentence =
			N_("Does it belong to a report that is there already? Then its address, "
			   "please; Enter alone makes a new report."),
		.detail = "",
		.proposal = "",
		.harmless = "",
	};

	return mtw_wizard_ask_until(sending->wizard, &request, N_("It cannot be added there."),
				    take_link, sending, error);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static gboolean take_options(MtwSending *sending, GError **error)
{
	const MtwWizard *wizard = sending->wizard;
	g_autoptr(MtwLink) link = NULL;
	MtwTarget *target = find_by_options(sending->targets, wizard->options->target,
					    wizard->issue, &link, error);

	if (target == NULL || !mtw_sending_set_target(sending, target, error))
		return FALSE;
	sending->link = g_steal_pointer(&link);
	return TRUE;
}

/* Files that are passed over matter to who looks for a target. */
static void show_problems(MtwSending *sending, const GPtrArray *problems)
{
	for (guint i = 0; i < problems->len; i++)
		mtw_wizard_show(sending->wizard, mtw_event_message(problems->pdata[i]));
}

gboolean mtw_sending_choose_target(MtwSending *sending, gboolean *ret_saved, GError **error)
{
	const MtwWizard *wizard = sending->wizard;
	g_autoptr(GPtrArray) problems = mtw_messages_new();

	*ret_saved = FALSE;
	sending->targets = mtw_target_list(sending->wizard->paths, problems);
	if (wizard->options->target != NULL || wizard->issue != NULL) {
		if (take_options(sending, error))
			return TRUE;
		show_problems(sending, problems);
		return FALSE;
	}
	show_problems(sending, problems);
	if (!mtw_sending_ask_target(sending, ret_saved, error))
		return FALSE;
	return *ret_saved || sending->kind->issue_phases == NULL || ask_issue(sending, error);
}
