/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CHECK: a row for each thing that must be right, with a button for what the program can do about it. */
#include "base/json.h"
#include "gui/page.h"
#include "gui/row-button.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>
#include <string.h>

/* More than there are checks. */
#define MAX_ROWS 1000

/* In the order in which they stand. */
typedef enum {
	RANK_FAILURE,
	RANK_WARNING,
	RANK_OK,
	N_RANKS
} Rank;

typedef struct {
	MtwPage parent;
	GtkListBox *checks;
	GtkWidget *again;
	GtkLabel *profile, *summary;
	gboolean profile_told; /* for the checks that come now */
	int n_rows;
	guint n_of_rank[N_RANKS];
} MtwPageCheck;

typedef struct {
	MtwPageClass parent;
} MtwPageCheckClass;

G_DEFINE_FINAL_TYPE(MtwPageCheck, mtw_page_check, MTW_TYPE_PAGE)

static void begin(MtwPage *page)
{
	MtwPageCheck *self = (MtwPageCheck *)page;

	mtw_release_focus(GTK_WIDGET(self->checks));
	mtw_clear(GTK_WIDGET(self->checks));
	self->n_rows = 0;
	memset(self->n_of_rank, 0, sizeof self->n_of_rank);
	gtk_widget_set_visible(GTK_WIDGET(self->summary), FALSE);
	gtk_widget_set_visible(GTK_WIDGET(self->profile), self->profile_told);
	self->profile_told = FALSE;
}

/* Of MtwMessage.fix; NULL: nothing that the window could do. */
static const char *fix_text(const char *fix)
{
	static const struct {
		const char *fix, *text;
	} texts[] = {
		{ "next-boot", N_("Trace at the Next Start…") },
		{ "recover", N_("Clean Up") },
		{ "free-room", N_("Delete Old Captures…") },
		{ "cancel-next-boot", N_("Take It Back") },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		if (g_str_equal(texts[i].fix, fix))
			return _(texts[i].text);
	return NULL;
}

static void add_fix(GtkWidget *row, JsonObject *event)
{
	const char *fix = mtw_json_string(event, "fix", "");
	const char *text = fix_text(fix);
	g_autofree char *name = NULL;

	if (text == NULL)
		return;
	name = g_strdup_printf("%s: %s", text,
			       mtw_gui_translate(mtw_json_string(event, "sentence", "")));
	mtw_row_add_button(row, text, name, "win.fix", fix);
}

static Rank rank_of(JsonObject *event)
{
	const char *level = mtw_json_string(event, "level", "");

	if (g_str_equal(level, "ok"))
		return RANK_OK;
	return g_str_equal(level, "warning") ? RANK_WARNING : RANK_FAILURE;
}

/* What needs the person comes first; the list is longer than the window. */
static int compare(GtkListBoxRow *one, GtkListBoxRow *other, gpointer user_data)
{
	(void)user_data;
	return GPOINTER_TO_INT(g_object_get_data(G_OBJECT(one), "rank")) -
	       GPOINTER_TO_INT(g_object_get_data(G_OBJECT(other), "rank"));
}

static void show_summary(MtwPageCheck *self)
{
	guint failures = self->n_of_rank[RANK_FAILURE];
	guint warnings = self->n_of_rank[RANK_WARNING];
	g_autofree char *of_failures =
		g_strdup_printf(ngettext("%u thing has to be put right first.",
					 "%u things have to be put right first.", failures),
				failures);
	g_autofree char *of_warnings = g_strdup_printf(
		ngettext("There is %u warning.", "There are %u warnings.", warnings), warnings);
	g_autofree char *both = g_strdup_printf("%s %s", of_failures, of_warnings);
	const char *text = failures > 0 ? of_failures : _("Everything is in order.");

	if (warnings > 0)
		text = failures > 0 ? both : of_warnings;
	gtk_label_set_text(self->summary, text);
	gtk_widget_set_visible(GTK_WIDGET(self->summary), TRUE);
}

/* What is not in order begins with that, and ends with what to do. */
static char *name_of(JsonObject *event)
{
	const char *level = mtw_json_string(event, "level", "");
	const char *hint = mtw_gui_translate(mtw_json_string(event, "hint", ""));
	g_autofree char *sentence = mtw_gui_sentence(event);

	if (rank_of(event) == RANK_OK)
		return g_strdup(sentence);
	return g_strdup_printf("%s: %s %s", mtw_gui_level(level), sentence, hint);
}

static void add_row(MtwPageCheck *self, GtkWidget *row, JsonObject *event)
{
	g_autofree char *name = name_of(event);
	Rank rank = rank_of(event);

	mtw_list_add(self->checks, row, name);
	g_object_set_data(G_OBJECT(gtk_widget_get_parent(row)), "rank",
			  GINT_TO_POINTER((int)rank * MAX_ROWS + self->n_rows++));
	gtk_list_box_invalidate_sort(self->checks);
	self->n_of_rank[rank]++;
	show_summary(self);
}

/* It came with the device, before this page. */
static void show_profile(MtwPageCheck *self, JsonObject *event)
{
	g_autofree char *text = g_strdup_printf(
		_("Profile: %s"), mtw_gui_translate(mtw_json_string(event, "title", "")));

	gtk_label_set_text(self->profile, text);
	self->profile_told = TRUE;
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	GtkWidget *row;

	if (g_str_equal(name, "profile")) {
		show_profile((MtwPageCheck *)page, event);
		return TRUE;
	}
	if (!g_str_equal(name, "check"))
		return FALSE;
	row = mtw_message_row(event);
	add_fix(row, event);
	add_row((MtwPageCheck *)page, row, event);
	return TRUE;
}

static void mtw_page_check_class_init(MtwPageCheckClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	page_class->is_read = TRUE;
	page_class->begin = begin;
	page_class->show = show;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-check.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, checks);
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, again);
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, profile);
	gtk_widget_class_bind_template_child(widget_class, MtwPageCheck, summary);
}

static void mtw_page_check_init(MtwPageCheck *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->checks), _("Checks"));
	gtk_list_box_set_sort_func(self->checks, compare, NULL, NULL);
	mtw_fix_names(self->again);
}
