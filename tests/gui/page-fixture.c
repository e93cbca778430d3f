/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "page-fixture.h"

#include "base/json.h"
#include "gui/page-done.h"

#include <string.h>

static void on_answer(Fixture *fixture, const char *answer)
{
	g_string_append_printf(fixture->sent, "answer %s;", answer);
}

static void on_line(Fixture *fixture, const char *line)
{
	g_string_append_printf(fixture->sent, "line %s;", line);
}

Fixture *open_page(GType type)
{
	Fixture *fixture = g_new0(Fixture, 1);

	fixture->window = GTK_WINDOW(gtk_window_new());
	fixture->page = g_object_new(type, NULL);
	fixture->sent = g_string_new(NULL);
	gtk_window_set_child(fixture->window, GTK_WIDGET(fixture->page));
	g_signal_connect_swapped(fixture->page, "answer", G_CALLBACK(on_answer), fixture);
	g_signal_connect_swapped(fixture->page, "line", G_CALLBACK(on_line), fixture);
	mtw_page_begin(fixture->page);
	return fixture;
}

void close_page(Fixture *fixture)
{
	gtk_window_destroy(fixture->window);
	g_string_free(fixture->sent, TRUE);
	g_free(fixture);
}

static JsonObject *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonNode) node = json_from_string(text, &error);

	assert_null(error);
	return json_object_ref(json_node_get_object(node));
}

void tell(Fixture *fixture, const char *name, const char *text)
{
	g_autoptr(JsonObject) event = parse(text);

	assert_true(mtw_page_show(fixture->page, name, event));
}

void note(Fixture *fixture, const char *name, const char *text)
{
	g_autoptr(JsonObject) event = parse(text);

	mtw_page_done_note(MTW_PAGE_DONE(fixture->page), name, event);
}

/* ---- looking --------------------------------------------------------------------------------- */

static void add_texts(GtkWidget *widget, GString *all)
{
	if (!gtk_widget_get_visible(widget))
		return;
	if (GTK_IS_LABEL(widget))
		g_string_append_printf(all, "%s\n", gtk_label_get_text(GTK_LABEL(widget)));
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
	     child = gtk_widget_get_next_sibling(child))
		add_texts(child, all);
}

static char *texts(Fixture *fixture)
{
	g_autoptr(GString) all = g_string_new(NULL);

	add_texts(GTK_WIDGET(fixture->page), all);
	return g_strdup(all->str);
}

void assert_shown(Fixture *fixture, const char *text)
{
	g_autofree char *all = texts(fixture);

	if (strstr(all, text) == NULL)
		fail_msg("\"%s\" is not among:\n%s", text, all);
}

void assert_not_shown(Fixture *fixture, const char *text)
{
	g_autofree char *all = texts(fixture);

	if (strstr(all, text) != NULL)
		fail_msg("\"%s\" is among:\n%s", text, all);
}

static void add_mnemonics(GtkWidget *widget, GString *all)
{
	guint key = GTK_IS_LABEL(widget) ? gtk_label_get_mnemonic_keyval(GTK_LABEL(widget))
					 : GDK_KEY_VoidSymbol;

	if (!gtk_widget_get_visible(widget))
		return;
	if (key != GDK_KEY_VoidSymbol)
		g_string_append_unichar(all, gdk_keyval_to_unicode(gdk_keyval_to_lower(key)));
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
	     child = gtk_widget_get_next_sibling(child))
		add_mnemonics(child, all);
}

void assert_mnemonics(Fixture *fixture, const char *others)
{
	g_autoptr(GString) all = g_string_new(others);

	add_mnemonics(GTK_WIDGET(fixture->page), all);
	for (const char *at = all->str; *at != '\0'; at++)
		if (strchr(at + 1, *at) != NULL)
			fail_msg("\"%c\" twice in \"%s\"", *at, all->str);
	/* Those of the page were found. */
	assert_true(all->len > strlen(others));
}

static gboolean says(GtkWidget *button, const char *text)
{
	g_autoptr(GString) all = g_string_new(NULL);

	add_texts(button, all);
	g_strchomp(all->str);
	return g_str_equal(all->str, text);
}

static GtkWidget *find_button(GtkWidget *widget, const char *text)
{
	GtkWidget *found = NULL;

	if (!gtk_widget_get_visible(widget))
		return NULL;
	if (GTK_IS_BUTTON(widget) && says(widget, text))
		return widget;
	for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
	     child = gtk_widget_get_next_sibling(child))
		found = find_button(child, text);
	return found;
}

GtkWidget *button(Fixture *fixture, const char *text)
{
	return find_button(GTK_WIDGET(fixture->page), text);
}

void click(Fixture *fixture, const char *text)
{
	GtkWidget *widget = button(fixture, text);

	if (widget == NULL)
		fail_msg("no button \"%s\"", text);
	assert_true(gtk_widget_is_sensitive(widget));
	g_signal_emit_by_name(widget, "clicked");
}

void assert_sent(Fixture *fixture, const char *sent)
{
	assert_string_equal(fixture->sent->str, sent);
	g_string_truncate(fixture->sent, 0);
}

/* What an action gets when the button is pressed. */
void assert_target(Fixture *fixture, const char *text, const char *action, const char *target)
{
	GtkActionable *actionable = GTK_ACTIONABLE(button(fixture, text));

	assert_string_equal(gtk_actionable_get_action_name(actionable), action);
	assert_string_equal(
		g_variant_get_string(gtk_actionable_get_action_target_value(actionable), NULL),
		target);
}
