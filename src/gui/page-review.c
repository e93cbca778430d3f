/* SPDX-License-Identifier: GPL-2.0-or-later */
/* REVIEW: every file that is going to be packed, what was masked in it, and the person's say. Each button is a command of the wizard. */
#include "base/json.h"
#include "gui/diff-list.h"
#include "gui/flow.h"
#include "gui/page.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>

typedef struct {
	MtwPage parent;
	GtkWidget *content, *commands, *diff_box;
	GtkListBox *files, *messages;
	GtkLabel *diff_title, *diff_more;
	GtkWidget *diff_frame;
	GtkListView *diff;
	GtkCheckButton *redact;
	GtkEditable *word, *value;
	GtkWidget *add_word, *add_value, *show_diff, *edit, *exclude, *to_files;
	char *chosen; /* (nullable): name of the file whose row is chosen */
	gboolean filling;
	gboolean asked;	  /* in this walk */
	gboolean editing; /* a file goes to the editor, or is there */
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
	MtwPageReview *self = self_of(page);

	mtw_clear(GTK_WIDGET(self->messages));
	gtk_widget_set_visible(GTK_WIDGET(self->messages), FALSE);
	self->asked = self->editing = FALSE;
	show_files(self);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *kind_text(const char *kind)
{
	static const struct {
		const char *kind, *text;
	} kinds[] = {
		{ "mac", N_("hardware address") },
		{ "ipv4", N_("network address") },
		{ "ipv6", N_("network address (IPv6)") },
		{ "uuid", N_("UUID") },
		{ "serial", N_("serial number") },
		{ "host", N_("name of the computer") },
		{ "domain", N_("domain") },
		{ "user", N_("user name") },
		{ "name", N_("name of a person") },
		{ "home", N_("home folder") },
		{ "email", N_("e-mail address") },
		{ "ssid", N_("wireless network") },
		{ "label", N_("label of a disk") },
		{ "volume", N_("volume") },
		{ "secret", N_("password or key") },
		{ "id", N_("identifier") },
		{ "word", N_("word of yours") },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (g_str_equal(kind, kinds[i].kind))
			return _(kinds[i].text);
	return kind;
}

/* "3 × hardware address, 1 × user name" */
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
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT " × %s",
				       text->len > 0 ? ", " : "", json_node_get_int(count),
				       kind_text(kind));
	return g_strdup_printf(_("masked: %s"), text->str);
}

static void add_file(MtwPageReview *self, JsonObject *file)
{
	const char *name = mtw_json_string(file, "name", "");
	gboolean excluded = mtw_json_bool(file, "excluded", FALSE);
	g_autofree char *bytes = mtw_gui_bytes(file, "bytes");
	g_autofree char *replaced = replaced_text(mtw_json_object(file, "replaced"));
	g_autofree char *text =
		g_strdup_printf("%s · %s", bytes, excluded ? C_("file", "left out") : replaced);
	g_autofree char *spoken = g_strdup_printf("%s, %s", name, text);
	const char *icon = excluded ? "list-remove-symbolic" : "text-x-generic-symbolic";
	GtkWidget *row = gtk_list_box_row_new();

	gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row),
				   mtw_row_new(mtw_icon_new(icon), name, text));
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

static char *diff_title(const char *file, guint length)
{
	if (length == 0)
		return g_strdup_printf(_("Nothing was masked in %s"), file);
	return g_strdup_printf(ngettext("%s: %u line is not as it was collected",
					"%s: %u lines are not as they were collected", length),
			       file, length);
}

static void show_diff(MtwPageReview *self, JsonObject *event)
{
	JsonArray *lines = mtw_json_array(event, "lines");
	guint length = lines != NULL ? json_array_get_length(lines) : 0;
	g_autofree char *title = diff_title(mtw_json_string(event, "file", ""), length);

	mtw_diff_list_set(self->diff, lines);
	gtk_label_set_text(self->diff_title, title);
	mtw_set_name(GTK_WIDGET(self->diff), title);
	gtk_widget_set_visible(self->diff_frame, length > 0);
	gtk_widget_set_visible(GTK_WIDGET(self->diff_more), mtw_json_bool(event, "more", FALSE));
	show_box(self, TRUE);
}

/* What the masking says of the files stands with them; what comes of a button, below, where the buttons are. */
static gboolean show_message(MtwPageReview *self, JsonObject *event)
{
	g_autofree char *sentence = mtw_gui_sentence(event);

	if (self->asked)
		return FALSE;
	mtw_list_add(self->messages, mtw_message_row(event), sentence);
	gtk_widget_set_visible(GTK_WIDGET(self->messages), TRUE);
	return TRUE;
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	if (g_str_equal(name, "message"))
		return show_message(self_of(page), event);
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
			    excluded ? _("Take It _In Again") : C_("file", "_Leave It Out"));
	g_object_set_data(G_OBJECT(self->exclude), "include", GINT_TO_POINTER(excluded));
}

static void on_diff(MtwPageReview *self)
{
	command(self, "diff", self->chosen);
}

static void on_edit(MtwPageReview *self)
{
	self->editing = TRUE;
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

/* Another question, and the editor, need the room: below the files nobody would see what is agreed to. */
static void make_room(MtwPageReview *self, gboolean own)
{
	if (own)
		self->editing = FALSE;
	else
		gtk_widget_set_visible(self->diff_box, FALSE);
	gtk_widget_set_visible(self->content, own && !gtk_widget_get_visible(self->diff_box));
}

/* Between two commands the wizard cleans the files anew. */
static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageReview *self = self_of(page);
	gboolean own = request != NULL && g_str_equal(request->id, "review");

	if (!own)
		mtw_release_focus(GTK_WIDGET(self));
	if (request != NULL || self->editing)
		make_room(self, own);
	gtk_widget_set_sensitive(self->commands, own);
	self->asked |= own;
	return own;
}

static char *answer(MtwPage *page)
{
	(void)page;
	return g_strdup("ok");
}

/* The widgets of a window that goes away go one after the other, and the list tells of each row. */
static void dispose(GObject *object)
{
	MtwPageReview *self = self_of(MTW_PAGE(object));

	if (self->files != NULL)
		g_signal_handlers_disconnect_by_data(self->files, self);
	self->files = NULL;
	G_OBJECT_CLASS(mtw_page_review_parent_class)->dispose(object);
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

	G_OBJECT_CLASS(class)->dispose = dispose;
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
	BIND(messages);
	BIND(diff_title);
	BIND(diff);
	BIND(diff_more);
	BIND(diff_frame);
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

static void mtw_page_review_init(MtwPageReview *self)
{
	g_type_ensure(MTW_TYPE_FLOW);
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_diff_list_init(self->diff);
	mtw_fix_names(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->files), _("Files"));
	mtw_set_name(GTK_WIDGET(self->messages), _("Messages"));
	connect(self);
	on_selected(self);
}
