/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/proof.h"

#include "base/json.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define SPACING 6

static gboolean is_same(JsonObject *one, JsonObject *other)
{
	return g_str_equal(mtw_json_string(one, "kind", ""), mtw_json_string(other, "kind", "")) &&
	       g_str_equal(mtw_json_string(one, "subject", ""),
			   mtw_json_string(other, "subject", ""));
}

void mtw_proof_note(GPtrArray *undone, JsonObject *event)
{
	if (!g_str_equal(mtw_json_string(event, "action", ""), "undo"))
		return;
	for (guint i = 0; i < undone->len; i++)
		if (is_same(undone->pdata[i], event)) {
			g_ptr_array_remove_index(undone, i);
			break;
		}
	g_ptr_array_add(undone, json_object_ref(event));
}

/* Returns: (transfer full) */
static char *reason_of(JsonObject *event)
{
	return mtw_gui_detail(mtw_json_string(mtw_json_object(event, "error"), "message", ""));
}

static gboolean is_ok(JsonObject *event)
{
	return mtw_json_bool(event, "ok", FALSE);
}

/* What it was in between, and what it is now; of some changes the values are no words. Returns: (nullable) */
static char *values_of(JsonObject *event)
{
	const char *before = mtw_json_string(event, "before", "");
	const char *after = mtw_json_string(event, "after", "");

	if (before[0] == '\0' || after[0] == '\0' || g_str_equal(before, after))
		return NULL;
	return g_strdup_printf(_("In the capture: %s. Now: %s."), after, before);
}

static char *text_of(JsonObject *event)
{
	g_autofree char *undo = mtw_gui_change(event, TRUE);
	g_autofree char *values = values_of(event);
	g_autofree char *afterwards = g_strdup_printf(_("Afterwards: %s"), undo);

	if (!is_ok(event))
		return reason_of(event);
	return g_strjoin("\n", afterwards, values, NULL);
}

char *mtw_proof_failures(const GPtrArray *undone)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < undone->len; i++) {
		g_autofree char *title = mtw_gui_change(undone->pdata[i], FALSE);
		g_autofree char *reason = reason_of(undone->pdata[i]);
		if (!is_ok(undone->pdata[i]))
			g_string_append_printf(text, "%s%s: %s", text->len > 0 ? "\n" : "", title,
					       reason);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static GtkWidget *row_of(JsonObject *event)
{
	g_autofree char *title = mtw_gui_change(event, FALSE);
	g_autofree char *text = text_of(event);

	return mtw_row_new(mtw_level_icon(is_ok(event) ? "ok" : "failure"), title, text);
}

GtkWidget *mtw_proof_new(const GPtrArray *undone)
{
	GtkWidget *expander = gtk_expander_new(_("Everything that was put back"));
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);

	for (guint i = 0; i < undone->len; i++)
		gtk_box_append(GTK_BOX(box), row_of(undone->pdata[i]));
	gtk_widget_set_margin_top(box, SPACING);
	gtk_widget_set_margin_top(expander, SPACING);
	gtk_expander_set_child(GTK_EXPANDER(expander), box);
	mtw_set_name(expander, _("Everything that was put back"));
	return expander;
}
