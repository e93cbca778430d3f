/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/diff-list.h"

#include "base/json.h"
#include "gui/line-diff.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

#define SPACING 6
#define NUMBER_CHARS 5

/* ---- a line ---------------------------------------------------------------------------------- */

#define MTW_TYPE_DIFF_LINE (mtw_diff_line_get_type())
G_DECLARE_FINAL_TYPE(MtwDiffLine, mtw_diff_line, MTW, DIFF_LINE, GObject)

struct _MtwDiffLine {
	GObject parent;
	JsonObject *line;
};

G_DEFINE_FINAL_TYPE(MtwDiffLine, mtw_diff_line, G_TYPE_OBJECT)

static void line_finalize(GObject *object)
{
	json_object_unref(MTW_DIFF_LINE(object)->line);
	G_OBJECT_CLASS(mtw_diff_line_parent_class)->finalize(object);
}

static void mtw_diff_line_class_init(MtwDiffLineClass *class)
{
	G_OBJECT_CLASS(class)->finalize = line_finalize;
}

static void mtw_diff_line_init(MtwDiffLine *line)
{
	(void)line;
}

/* ---- all lines ------------------------------------------------------------------------------- */

#define MTW_TYPE_DIFF_LINES (mtw_diff_lines_get_type())
G_DECLARE_FINAL_TYPE(MtwDiffLines, mtw_diff_lines, MTW, DIFF_LINES, GObject)

struct _MtwDiffLines {
	GObject parent;
	JsonArray *lines;
};

static GType get_item_type(GListModel *model)
{
	(void)model;
	return MTW_TYPE_DIFF_LINE;
}

static guint get_n_items(GListModel *model)
{
	return json_array_get_length(MTW_DIFF_LINES(model)->lines);
}

static gpointer get_item(GListModel *model, guint position)
{
	MtwDiffLine *line;

	if (position >= get_n_items(model))
		return NULL;
	line = g_object_new(MTW_TYPE_DIFF_LINE, NULL);
	line->line = json_object_ref(mtw_json_object_at(MTW_DIFF_LINES(model)->lines, position));
	return line;
}

static void init_model(GListModelInterface *interface)
{
	interface->get_item_type = get_item_type;
	interface->get_n_items = get_n_items;
	interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(MtwDiffLines, mtw_diff_lines, G_TYPE_OBJECT,
			      G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, init_model))

static void lines_finalize(GObject *object)
{
	json_array_unref(MTW_DIFF_LINES(object)->lines);
	G_OBJECT_CLASS(mtw_diff_lines_parent_class)->finalize(object);
}

static void mtw_diff_lines_class_init(MtwDiffLinesClass *class)
{
	G_OBJECT_CLASS(class)->finalize = lines_finalize;
}

static void mtw_diff_lines_init(MtwDiffLines *lines)
{
	(void)lines;
}

/* ---- what is seen of one --------------------------------------------------------------------- */

/* The number of the line, then what was there and what is there now, each with its sign. */
typedef struct {
	GtkLabel *number, *before, *after;
} Row;

static GtkLabel *add_text(GtkGrid *grid, int row, const char *sign, const char *class)
{
	GtkWidget *mark = gtk_label_new(sign);
	GtkWidget *text = mtw_label_new("", class);

	gtk_widget_set_valign(mark, GTK_ALIGN_START);
	gtk_widget_add_css_class(mark, "monospace");
	gtk_widget_add_css_class(text, "monospace");
	gtk_label_set_wrap_mode(GTK_LABEL(text), PANGO_WRAP_CHAR);
	gtk_widget_set_hexpand(text, TRUE);
	gtk_grid_attach(grid, mark, 1, row, 1, 1);
	gtk_grid_attach(grid, text, 2, row, 1, 1);
	return GTK_LABEL(text);
}

static void on_setup(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *grid = gtk_grid_new();
	Row *row = g_new0(Row, 1);

	(void)factory;
	row->number = GTK_LABEL(gtk_label_new(NULL));
	gtk_label_set_width_chars(row->number, NUMBER_CHARS);
	gtk_label_set_xalign(row->number, 1);
	gtk_widget_set_valign(GTK_WIDGET(row->number), GTK_ALIGN_START);
	gtk_widget_add_css_class(GTK_WIDGET(row->number), "dim-label");
	gtk_widget_add_css_class(GTK_WIDGET(row->number), "numeric");
	gtk_grid_set_column_spacing(GTK_GRID(grid), SPACING);
	gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(row->number), 0, 0, 1, 2);
	row->before = add_text(GTK_GRID(grid), 0, "−", "before");
	row->after = add_text(GTK_GRID(grid), 1, "+", "after");
	g_object_set_data_full(G_OBJECT(grid), "row", row, g_free);
	gtk_list_item_set_child(item, grid);
	gtk_list_item_set_activatable(item, FALSE);
}

/* Not by colour alone. */
static void stress(PangoAttrList *list, gsize begin, gsize bytes)
{
	PangoAttribute *attributes[] = {
		pango_attr_weight_new(PANGO_WEIGHT_BOLD),
		pango_attr_underline_new(PANGO_UNDERLINE_SINGLE),
	};

	for (gsize i = 0; i < G_N_ELEMENTS(attributes); i++) {
		attributes[i]->start_index = (guint)begin;
		attributes[i]->end_index = (guint)(begin + bytes);
		pango_attr_list_insert(list, attributes[i]);
	}
}

static void set_texts(const Row *row, const char *before, const char *after)
{
	g_autoptr(GArray) changes = mtw_line_diff(before, after);
	PangoAttrList *of_before = pango_attr_list_new();
	PangoAttrList *of_after = pango_attr_list_new();

	for (guint i = 0; i < changes->len; i++) {
		const MtwLineChange *change = &g_array_index(changes, MtwLineChange, i);
		stress(of_before, change->before, change->before_bytes);
		stress(of_after, change->after, change->after_bytes);
	}
	gtk_label_set_text(row->before, before);
	gtk_label_set_text(row->after, after);
	gtk_label_set_attributes(row->before, of_before);
	gtk_label_set_attributes(row->after, of_after);
	pango_attr_list_unref(of_before);
	pango_attr_list_unref(of_after);
}

/* The row of the list, which has a name of its own, is GTK's. */
static void on_bind(GtkSignalListItemFactory *factory, GtkListItem *item)
{
	GtkWidget *grid = gtk_list_item_get_child(item);
	const Row *row = g_object_get_data(G_OBJECT(grid), "row");
	JsonObject *line = MTW_DIFF_LINE(gtk_list_item_get_item(item))->line;
	const char *before = mtw_json_string(line, "before", "");
	const char *after = mtw_json_string(line, "after", "");
	int number = (int)mtw_json_int(line, "line", 0);
	g_autofree char *text = g_strdup_printf("%d", number);
	g_autofree char *name =
		g_strdup_printf(_("Line %d: “%s” is now “%s”"), number, before, after);

	(void)factory;
	gtk_label_set_text(row->number, text);
	set_texts(row, before, after);
	mtw_set_name(gtk_widget_get_parent(grid), name);
}

void mtw_diff_list_init(GtkListView *view)
{
	GtkListItemFactory *factory = gtk_signal_list_item_factory_new();

	g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
	g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
	gtk_list_view_set_factory(view, factory);
	g_object_unref(factory);
}

void mtw_diff_list_set(GtkListView *view, JsonArray *lines)
{
	g_autoptr(GtkNoSelection) selection = NULL;
	MtwDiffLines *model;

	if (lines == NULL) {
		gtk_list_view_set_model(view, NULL);
		return;
	}
	model = g_object_new(MTW_TYPE_DIFF_LINES, NULL);
	model->lines = json_array_ref(lines);
	selection = gtk_no_selection_new(G_LIST_MODEL(model));
	gtk_list_view_set_model(view, GTK_SELECTION_MODEL(selection));
}
