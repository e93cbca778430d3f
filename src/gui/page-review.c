/* SPDX-License-Identifier: GPL-2.0-or-later */
/* REVIEW: every file that is going to be packed, what was masked in it, and the person's say. Each button is a command of the wizard. */
#include "base/json.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkWidget *content, *commands, *diff_box;
	GtkListBox *files;
	GtkLabel *diff_title;
	GtkTextView *diff;
	GtkCheckButton *redact;
	GtkEditable *word, *value;
	GtkWidget *add_word, *add_value, *show_diff, *edit, *exclude, *to_files;
	char *chosen; /* (nullable): name of the file whose row is chosen */
	gboolean filling;
} MtwPageReview;

typedef struct {
	MtwPageClass parent;
} MtwPageReviewClass;

G_DEFINE_FINAL_TYPE(MtwPageReview, mtw_page_review, MTW_TYPE_PAGE)

static MtwPageReview *self_of(MtwPage *page)
{
	return (MtwPageReview *)page;
}

/* The files, or what was masked in one of them. */
static void show_box(MtwPageReview *self, gboolean diff)
{
	mtw_release_focus(GTK_WIDGET(self));
	gtk_widget_set_visible(self->diff_box, diff);
	gtk_widget_set_visible(self->content, !diff);
	gtk_widget_grab_focus(diff ? self->to_files : GTK_WIDGET(self->files));
}

static void show_files(MtwPageReview *self)
{
	show_box(self, FALSE);
}

static void begin(MtwPage *page)
{
	show_files(self_of(page));
}

/* ---- files ----------------------------------------------------------------------------------- */

/* "3 mac, 1 host" */
static char *replaced_text(JsonObject *replaced)
{
	g_autoptr(GString) text = g_string_new(NULL);
	JsonObjectIter iter;
	const char *kind;
	JsonNode *count;

	if (replaced == NULL || json_object_get_size(replaced) == 0)
		return g_strdup(_("nothing masked"));
	json_object_iter_init(&iter, replaced);
	while (json_object_iter_next(&iter, &kind, &count))
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT " %s", text->len > 0 ? ", " : "",
				       json_node_get_int(count), kind);
	return g_strdup_printf(_("masked: %s"), text->str);
}

static void add_file(MtwPageReview *self, JsonObject *file)
{
	const char *name = mtw_json_string(file, "name", "");
	gboolean excluded = mtw_json_bool(file, "excluded", FALSE);
	g_autofree char *bytes = mtw_gui_bytes(file, "bytes");
	g_autofree char *replaced = replaced_text(mtw_json_object(file, "replaced"));
	g_autofree char *text =
		g_strdup_printf("%s · %s", bytes, excluded ? _("left out") : replaced);
	g_autofree char *spoken = g_strdup_printf("%s, %s", name, text);
	const char *icon = excluded ? "list-remove-symbolic" : "text-x-generic-symbolic";
	GtkWidget *row = gtk_list_box_row_new();

	gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row),
				   mtw_row_new(gtk_image_new_from_icon_name(icon), name, text));
	g_object_set_data_full(G_OBJECT(row), "name", g_strdup(name), g_free);
	g_object_set_data(G_OBJECT(row), "text",
			  GINT_TO_POINTER(mtw_json_bool(file, "text", FALSE)));
	g_object_set_data(G_OBJECT(row), "excluded", GINT_TO_POINTER(excluded));
	mtw_set_name(row, spoken);
	gtk_list_box_append(self->files, row);
	if (g_strcmp0(self->chosen, name) == 0)
		gtk_list_box_select_row(self->files, GTK_LIST_BOX_ROW(row));
}

static void show_review(MtwPageReview *self, JsonObject *event)
{
	JsonArray *files = mtw_json_array(event, "files");
	g_autofree char *chosen = g_strdup(self->chosen);

	self->filling = TRUE;
	mtw_clear(GTK_WIDGET(self->files));
	g_free(self->chosen);
	self->chosen = g_steal_pointer(&chosen);
	for (guint i = 0; files != NULL && i < json_array_get_length(files); i++)
		add_file(self, mtw_json_object_at(files, i));
	gtk_check_button_set_active(self->redact, mtw_json_bool(event, "redact", TRUE));
	self->filling = FALSE;
	if (gtk_list_box_get_selected_row(self->files) == NULL)
		gtk_list_box_select_row(self->files, gtk_list_box_get_row_at_index(self->files, 0));
}

/* ---- what the masking changed ---------------------------------------------------------------- */

static void add_line(GtkTextBuffer *buffer, const char *sign, const char *text, const char *tag)
{
	GtkTextIter end;

	gtk_text_buffer_get_end_iter(buffer, &end);
	gtk_text_buffer_insert_with_tags_by_name(buffer, &end, sign, -1, tag, NULL);
	gtk_text_buffer_insert_with_tags_by_name(buffer, &end, text, -1, tag, NULL);
	gtk_text_buffer_insert(buffer, &end, "\n", -1);
}

static void show_diff(MtwPageReview *self, JsonObject *event)
{
	GtkTextBuffer *buffer = gtk_text_view_get_buffer(self->diff);
	JsonArray *lines = mtw_json_array(event, "lines");
	guint length = lines != NULL ? json_array_get_length(lines) : 0;
	g_autofree char *title =
		g_strdup_printf(ngettext("%s: %u line is not as it was collected",
					 "%s: %u lines are not as they were collected", length),
				mtw_json_string(event, "file", ""), length);

	gtk_text_buffer_set_text(buffer, "", 0);
	for (guint i = 0; i < length; i++) {
		JsonObject *line = mtw_json_object_at(lines, i);
		add_line(buffer, "− ", mtw_json_string(line, "before", ""), "before");
		add_line(buffer, "+ ", mtw_json_string(line, "after", ""), "after");
	}
	gtk_label_set_text(self->diff_title, title);
	mtw_set_name(GTK_WIDGET(self->diff), title);
	show_box(self, TRUE);
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	if (g_str_equal(name, "review"))
		show_review(self_of(page), event);
	else if (g_str_equal(name, "diff"))
		show_diff(self_of(page), event);
	else
		return FALSE;
	return TRUE;
}

/* ---- commands -------------------------------------------------------------------------------- */

static void command(MtwPageReview *self, const char *verb, const char *argument)
{
	g_autofree char *line = g_strdup_printf("%s %s", verb, argument);

	mtw_page_send_answer(MTW_PAGE(self), line);
}

static void on_selected(MtwPageReview *self)
{
	GtkListBoxRow *row = gtk_list_box_get_selected_row(self->files);
	gboolean excluded;

	if (self->filling && row == NULL)
		return;
	g_clear_pointer(&self->chosen, g_free);
	if (row != NULL)
		self->chosen = g_strdup(g_object_get_data(G_OBJECT(row), "name"));
	excluded = row != NULL && g_object_get_data(G_OBJECT(row), "excluded") != NULL;
	gtk_widget_set_sensitive(self->show_diff, row != NULL);
	gtk_widget_set_sensitive(self->edit,
				 row != NULL && g_object_get_data(G_OBJECT(row), "text") != NULL);
	gtk_widget_set_sensitive(self->exclude, row != NULL);
	mtw_button_set_text(GTK_BUTTON(self->exclude),
			    excluded ? _("Take It _In Again") : _("_Leave It Out"));
	g_object_set_data(G_OBJECT(self->exclude), "include", GINT_TO_POINTER(excluded));
}

static void on_diff(MtwPageReview *self)
{
	command(self, "diff", self->chosen);
}

static void on_edit(MtwPageReview *self)
{
	command(self, "edit", self->chosen);
}

static void on_exclude(MtwPageReview *self)
{
	gboolean include = g_object_get_data(G_OBJECT(self->exclude), "include") != NULL;

	command(self, include ? "include" : "exclude", self->chosen);
}

static void on_redact(MtwPageReview *self)
{
	if (!self->filling)
		command(self, "redact", gtk_check_button_get_active(self->redact) ? "yes" : "no");
}

static void take_word(MtwPageReview *self, GtkEditable *entry, const char *verb)
{
	g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(entry)));

	if (text[0] == '\0')
		return;
	gtk_editable_set_text(entry, "");
	command(self, verb, text);
}

static void on_word(MtwPageReview *self)
{
	take_word(self, self->word, "word");
}

static void on_value(MtwPageReview *self)
{
	take_word(self, self->value, "keep");
}

/* Between two commands the wizard cleans the files anew. */
static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageReview *self = self_of(page);
	gboolean own = request != NULL && g_str_equal(request->id, "review");

	if (!own)
		mtw_release_focus(self->commands);
	if (request != NULL && !own)
		show_files(self);
	gtk_widget_set_sensitive(self->commands, own);
	return own;
}

static char *answer(MtwPage *page)
{
	(void)page;
	return g_strdup("ok");
}

static void finalize(GObject *object)
{
	g_free(self_of(MTW_PAGE(object))->chosen);
	G_OBJECT_CLASS(mtw_page_review_parent_class)->finalize(object);
}

/* ---- the widget ------------------------------------------------------------------------------ */

#define BIND(name) gtk_widget_class_bind_template_child(widget_class, MtwPageReview, name)

static void mtw_page_review_class_init(MtwPageReviewClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->finalize = finalize;
	page_class->begin = begin;
	page_class->show = show;
	page_class->ask = ask;
	page_class->answer = answer;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-review.ui");
	BIND(content);
	BIND(commands);
	BIND(diff_box);
	BIND(files);
	BIND(diff_title);
	BIND(diff);
	BIND(redact);
	BIND(word);
	BIND(value);
	BIND(add_word);
	BIND(add_value);
	BIND(show_diff);
	BIND(edit);
	BIND(exclude);
	BIND(to_files);
}

static void connect(MtwPageReview *self)
{
	const struct {
		gpointer widget;
		const char *signal;
		void (*callback)(MtwPageReview *self);
	} signals[] = {
		{ self->files, "selected-rows-changed", on_selected },
		{ self->show_diff, "clicked", on_diff },
		{ self->edit, "clicked", on_edit },
		{ self->exclude, "clicked", on_exclude },
		{ self->to_files, "clicked", show_files },
		{ self->redact, "toggled", on_redact },
		{ self->add_word, "clicked", on_word },
		{ self->word, "activate", on_word },
		{ self->add_value, "clicked", on_value },
		{ self->value, "activate", on_value },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(signals); i++)
		g_signal_connect_swapped(signals[i].widget, signals[i].signal,
					 G_CALLBACK(signals[i].callback), self);
}

/* Told apart by more than the colour: by the sign before the line. */
static void mtw_page_review_init(MtwPageReview *self)
{
	GtkTextBuffer *buffer;

	gtk_widget_init_template(GTK_WIDGET(self));
	buffer = gtk_text_view_get_buffer(self->diff);
	gtk_text_buffer_create_tag(buffer, "before", "background-rgba",
				   &(GdkRGBA){ 0.9F, 0.2F, 0.2F, 0.2F }, NULL);
	gtk_text_buffer_create_tag(buffer, "after", "background-rgba",
				   &(GdkRGBA){ 0.2F, 0.7F, 0.3F, 0.2F }, NULL);
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->files), _("Files"));
	mtw_set_name(GTK_WIDGET(self->word), _("A word that is masked, too"));
	mtw_set_name(GTK_WIDGET(self->value), _("A value that is not masked"));
	connect(self);
	on_selected(self);
}
