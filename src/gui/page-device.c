/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DEVICE: all devices with what is possible; those that the wizard offers can be chosen. */
#include "base/json.h"
#include "gui/page.h"
#include "gui/row-button.h"
#include "gui/text.h"
#include "gui/widgets.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
	MtwPage parent;
	GtkSearchEntry *search;
	GtkListBox *devices;
	GtkWidget *nothing;
	GtkWidget *content;
	JsonArray *known; /* (nullable): all devices */
} MtwPageDevice;

typedef struct {
	MtwPageClass parent;
} MtwPageDeviceClass;

G_DEFINE_FINAL_TYPE(MtwPageDevice, mtw_page_device, MTW_TYPE_PAGE)

static MtwPageDevice *self_of(MtwPage *page)
{
	return (MtwPageDevice *)page;
}

/* By the base class of the PCI specification. */
static const char *icon_of(const char *class_code)
{
	static const struct {
		const char *class, *icon;
	} icons[] = {
		{ "01", "drive-harddisk-symbolic" },   { "0280", "network-wireless-symbolic" },
		{ "02", "network-wired-symbolic" },    { "03", "video-display-symbolic" },
		{ "04", "audio-card-symbolic" },       { "0c03", "media-removable-symbolic" },
		{ "0d", "network-wireless-symbolic" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(icons); i++)
		if (g_str_has_prefix(class_code, icons[i].class))
			return icons[i].icon;
	return "application-x-firmware-symbolic";
}

static const char *way_text(const char *way)
{
	static const struct {
		const char *way, *text;
	} texts[] = {
		{ "reload", N_("Its driver is stopped, and started under the tracer.") },
		{ "rebind", N_("It is taken from its driver, and given back under the tracer.") },
		{ "load", N_("Its driver is started under the tracer.") },
		{ "bind", N_("It is given to its driver under the tracer.") },
		{ "choose", N_("Several drivers fit.") },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		if (g_str_equal(way, texts[i].way))
			return _(texts[i].text);
	return "";
}

/* Its address and its name for drivers (modalias) tell nothing new here. */
static gboolean is_known(JsonObject *device, const char *detail)
{
	return g_str_equal(detail, mtw_json_string(device, "device", "")) ||
	       g_str_has_prefix(detail, "pci:");
}

/* What can be done with it, or why nothing can. */
static char *possible(JsonObject *device, gboolean offered)
{
	JsonObject *reason = mtw_json_object(device, "reason");
	const char *way = mtw_json_string(device, "way", "");

	if (offered || reason == NULL)
		return g_strdup(way_text(way));
	if (is_known(device, mtw_json_string(reason, "detail", "")))
		return g_strdup(mtw_gui_translate(mtw_json_string(reason, "sentence", "")));
	return mtw_gui_sentence(reason);
}

static char *driver_text(JsonObject *device)
{
	const char *driver = mtw_json_string(device, "driver", NULL);

	return driver != NULL ? g_strdup_printf(_("driver %s"), driver) : g_strdup(_("no driver"));
}

static char *title_of(JsonObject *device)
{
	const char *name = mtw_json_string(device, "device_name", "");
	const char *vendor = mtw_json_string(device, "vendor_name", "");

	if (vendor[0] == '\0' && name[0] == '\0')
		return g_strdup_printf(_("Device %s"), mtw_json_string(device, "ids", ""));
	return g_strdup_printf("%s %s", vendor, name);
}

/* What cannot be traced now may be traced at the next start. */
static void add_next_boot(GtkWidget *row, JsonObject *device, const char *title)
{
	const char *fix = mtw_json_string(mtw_json_object(device, "reason"), "fix", "");
	g_autofree char *name = NULL;

	if (!g_str_equal(fix, "next-boot"))
		return;
	name = g_strdup_printf(_("Trace at the next start: %s"), title);
	mtw_row_add_button(row, _("Trace at the Next Start…"), name, "win.next-boot",
			   mtw_json_string(device, "device", ""));
}

static void add_device(MtwPageDevice *self, JsonObject *device, gboolean offered)
{
	const char *address = mtw_json_string(device, "device", "");
	g_autofree char *title = title_of(device);
	g_autofree char *driver = driver_text(device);
	g_autofree char *what = possible(device, offered);
	g_autofree char *text =
		g_strdup_printf("%s · %s · %s · %s\n%s", mtw_json_string(device, "class_name", ""),
				address, mtw_json_string(device, "ids", ""), driver, what);
	g_autofree char *name = g_strdup_printf("%s, %s", title, text);
	GtkWidget *icon = mtw_icon_new(icon_of(mtw_json_string(device, "class", "")));
	GtkWidget *row = gtk_list_box_row_new();
	GtkWidget *content = mtw_row_new(icon, title, text);

	gtk_image_set_icon_size(GTK_IMAGE(icon), GTK_ICON_SIZE_LARGE);
	gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), content);
	if (!offered)
		add_next_boot(content, device, title);
	gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), offered);
	gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), offered);
	if (!offered)
		gtk_widget_add_css_class(row, "dim-label");
	g_object_set_data_full(G_OBJECT(row), "address", g_strdup(address), g_free);
	g_object_set_data_full(G_OBJECT(row), "text", g_utf8_casefold(name, -1), g_free);
	mtw_set_name(row, name);
	gtk_list_box_append(self->devices, row);
}

/* First those that can be traced. */
static void fill(MtwPageDevice *self, const MtwRequest *request, gboolean offered)
{
	guint length = self->known != NULL ? json_array_get_length(self->known) : 0;

	for (guint i = 0; i < length; i++) {
		JsonObject *device = mtw_json_object_at(self->known, i);
		const char *address = mtw_json_string(device, "device", "");
		if (g_strv_contains(request->choices, address) == offered)
			add_device(self, device, offered);
	}
}

static void on_selected(MtwPageDevice *self)
{
	mtw_page_set_ready(MTW_PAGE(self), gtk_list_box_get_selected_row(self->devices) != NULL);
}

static void on_activated(MtwPageDevice *self)
{
	gtk_widget_activate_action(GTK_WIDGET(self), "win.next", NULL);
}

/* Not by a filter of the list: screen readers would still find what does not pass it. Returns: whether one fits */
static gboolean show_fitting(MtwPageDevice *self)
{
	g_autofree char *wanted =
		g_utf8_casefold(gtk_editable_get_text(GTK_EDITABLE(self->search)), -1);
	gboolean found = FALSE;
	GtkListBoxRow *row;

	for (int i = 0; (row = gtk_list_box_get_row_at_index(self->devices, i)) != NULL; i++) {
		const char *text = g_object_get_data(G_OBJECT(row), "text");
		gboolean fits = strstr(text, wanted) != NULL;
		gtk_widget_set_visible(GTK_WIDGET(row), fits);
		found |= fits;
	}
	return found;
}

/* Of those that are seen and can be chosen; none of them: none. */
static void select_first(MtwPageDevice *self)
{
	GtkListBoxRow *row;

	for (int i = 0; (row = gtk_list_box_get_row_at_index(self->devices, i)) != NULL; i++)
		if (gtk_list_box_row_get_selectable(row) && gtk_widget_get_visible(GTK_WIDGET(row)))
			break;
	if (row != NULL)
		gtk_list_box_select_row(self->devices, row);
	else
		gtk_list_box_unselect_all(self->devices);
}

static void on_search(MtwPageDevice *self)
{
	gboolean found = show_fitting(self);

	gtk_widget_set_visible(GTK_WIDGET(self->devices), found);
	gtk_widget_set_visible(self->nothing, !found);
	select_first(self);
}

static gboolean ask(MtwPage *page, const MtwRequest *request)
{
	MtwPageDevice *self = self_of(page);
	gboolean own = request != NULL && g_str_equal(request->id, "device");

	gtk_widget_set_visible(self->content, own);
	if (!own)
		return FALSE;
	mtw_clear(GTK_WIDGET(self->devices));
	gtk_editable_set_text(GTK_EDITABLE(self->search), "");
	fill(self, request, TRUE);
	fill(self, request, FALSE);
	on_search(self);
	on_selected(self);
	return TRUE;
}

static gboolean show(MtwPage *page, const char *name, JsonObject *event)
{
	MtwPageDevice *self = self_of(page);

	if (!g_str_equal(name, "devices"))
		return FALSE;
	g_clear_pointer(&self->known, json_array_unref);
	self->known = json_array_ref(mtw_json_array(event, "devices"));
	return TRUE;
}

static void dispose(GObject *object)
{
	g_clear_pointer(&self_of(MTW_PAGE(object))->known, json_array_unref);
	G_OBJECT_CLASS(mtw_page_device_parent_class)->dispose(object);
}

static char *answer(MtwPage *page)
{
	GtkListBoxRow *row = gtk_list_box_get_selected_row(self_of(page)->devices);

	return g_strdup(g_object_get_data(G_OBJECT(row), "address"));
}

static void mtw_page_device_class_init(MtwPageDeviceClass *class)
{
	MtwPageClass *page_class = MTW_PAGE_CLASS(class);
	GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

	G_OBJECT_CLASS(class)->dispose = dispose;
	page_class->show = show;
	page_class->ask = ask;
	page_class->answer = answer;
	gtk_widget_class_set_template_from_resource(widget_class,
						    "/org/mmiotrace/Wizard/page-device.ui");
	gtk_widget_class_bind_template_child(widget_class, MtwPageDevice, search);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDevice, devices);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDevice, nothing);
	gtk_widget_class_bind_template_child(widget_class, MtwPageDevice, content);
}

static void mtw_page_device_init(MtwPageDevice *self)
{
	gtk_widget_init_template(GTK_WIDGET(self));
	mtw_set_name(GTK_WIDGET(self->search), _("Search the devices"));
	mtw_set_name(GTK_WIDGET(self->devices), _("Devices"));
	g_signal_connect_swapped(self->search, "search-changed", G_CALLBACK(on_search), self);
	/* Enter in the search takes what it found. */
	g_signal_connect_swapped(self->search, "activate", G_CALLBACK(on_activated), self);
	g_signal_connect_swapped(self->devices, "selected-rows-changed", G_CALLBACK(on_selected),
				 self);
	g_signal_connect_swapped(self->devices, "row-activated", G_CALLBACK(on_activated), self);
}
