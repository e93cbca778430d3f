/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/undo.h"

#include "base/error.h"

static void tell(const MtwChangeMaker *maker, const MtwChange *change, const char *action,
		 const GError *error)
{
	if (maker->watcher != NULL)
		maker->watcher(change, action, error, maker->user_data);
}

gboolean mtw_changes_make(const MtwChangeMaker *maker, MtwChange *change, GError **error)
{
	g_autoptr(MtwChange) owned = change;
	g_autoptr(GError) why = NULL;

	if (!mtw_change_prepare(change, maker->machine, error))
		return FALSE;
	if (!mtw_change_needed(change))
		return TRUE;
	if (!mtw_journal_plan(maker->journal, g_steal_pointer(&owned), error))
		return FALSE;
	mtw_change_apply(change, maker->machine, &why);
	tell(maker, change, "apply", why);
	if (why != NULL) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	return mtw_journal_note(maker->journal, change, error);
}

/* A change may be undone with the journal's disk full: the machine matters more than the note. */
static gboolean undo_one(const MtwChangeMaker *maker, MtwChange *change, GString *failures)
{
	g_autoptr(GError) why = NULL;

	if (change->status == MTW_CHANGE_UNDONE)
		return TRUE;
	mtw_change_undo(change, maker->machine, &why);
	tell(maker, change, "undo", why);
	(void)mtw_journal_note(maker->journal, change, NULL);
	if (why == NULL)
		return TRUE;
	if (failures != NULL)
		g_string_append_printf(failures, "%s%s", failures->len > 0 ? "; " : "",
				       why->message);
	return FALSE;
}

/* What is on the screen needs the driver: it goes before the driver and comes back after it. */
static gboolean is_of_desktop(const MtwChange *change)
{
	return change->kind == MTW_CHANGE_UNIT || change->kind == MTW_CHANGE_VTCONSOLE;
}

/* Newest first. */
static void undo_those(const MtwChangeMaker *maker, gboolean of_desktop, GString *failures)
{
	const GPtrArray *changes = mtw_journal_changes(maker->journal);

	for (guint i = changes->len; i > 0; i--)
		if (is_of_desktop(changes->pdata[i - 1]) == of_desktop)
			undo_one(maker, changes->pdata[i - 1], failures);
}

static gboolean conclude(const GString *failures, GError **error)
{
	if (failures->len == 0)
		return TRUE;
	g_set_error_literal(error, MTW_ERROR, MTW_ERROR_NOT_RESTORED, failures->str);
	return FALSE;
}

gboolean mtw_changes_undo_desktop(const MtwChangeMaker *maker, GError **error)
{
	g_autoptr(GString) failures = g_string_new(NULL);

	undo_those(maker, TRUE, failures);
	return conclude(failures, error);
}

gboolean mtw_changes_end_desktop_again(const MtwChangeMaker *maker, GError **error)
{
	const GPtrArray *changes = mtw_journal_changes(maker->journal);
	guint made = changes->len;

	for (guint i = 0; i < made; i++) {
		const MtwChange *change = changes->pdata[i];
		if (is_of_desktop(change) &&
		    !mtw_changes_make(
			    maker,
			    mtw_change_new(change->kind, change->subject, NULL, change->after),
			    error))
			return FALSE;
	}
	return TRUE;
}

void mtw_changes_undo_driver(const MtwChangeMaker *maker)
{
	const GPtrArray *changes = mtw_journal_changes(maker->journal);

	for (guint i = changes->len; i > 0; i--) {
		MtwChange *change = changes->pdata[i - 1];
		if (change->kind == MTW_CHANGE_TRACER && change->status != MTW_CHANGE_UNDONE)
			break;
		if (!is_of_desktop(change))
			undo_one(maker, change, NULL);
	}
}

gboolean mtw_changes_undo_all(const MtwChangeMaker *maker, GError **error)
{
	g_autoptr(GString) failures = g_string_new(NULL);

	undo_those(maker, FALSE, failures);
	undo_those(maker, TRUE, failures);
	return conclude(failures, error);
}
