/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/app.h"

#include "config.h"
#include "gui/notifier.h"
#include "gui/preferences.h"
#include "gui/scheme.h"
#include "gui/window.h"

#include <glib/gi18n.h>

#define APPLICATION_ID "org.mmiotrace.Wizard"
#define RESOURCES "/org/mmiotrace/Wizard/"

static void load_style(void)
{
	g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();

	gtk_css_provider_load_from_resource(provider, RESOURCES "style.css");
	gtk_style_context_add_provider_for_display(gdk_display_get_default(),
						   GTK_STYLE_PROVIDER(provider),
						   GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void on_startup(GApplication *application, gpointer user_data)
{
	static const char *const escape[] = { "Escape", NULL };
	static const char *const details[] = { "<Control>d", NULL };
	static const char *const preferences[] = { "<Control>comma", NULL };
	static const char *const close[] = { "<Control>w", "<Control>q", NULL };
	GtkApplication *gtk = GTK_APPLICATION(application);

	(void)user_data;
	load_style();
	mtw_scheme_follow();
	gtk_window_set_default_icon_name(APPLICATION_ID);
	gtk_application_set_accels_for_action(gtk, "win.escape", escape);
	gtk_application_set_accels_for_action(gtk, "win.details", details);
	gtk_application_set_accels_for_action(gtk, "app.preferences", preferences);
	gtk_application_set_accels_for_action(gtk, "window.close", close);
}

static MtwWindow *get_window(GApplication *application, const MtwWalkSetup *setup)
{
	GtkApplication *gtk = GTK_APPLICATION(application);

	for (GList *at = gtk_application_get_windows(gtk); at != NULL; at = at->next)
		if (MTW_IS_WINDOW(at->data))
			return at->data;
	return mtw_window_new(gtk, setup);
}

static void on_preferences(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
	GApplication *application = g_application_get_default();

	(void)action;
	(void)parameter;
	mtw_preferences_show(GTK_WINDOW(get_window(application, user_data)));
}

/* Of the first instance, and of every later one, whose options come here. */
static int on_command_line(GApplication *application, GApplicationCommandLine *line,
			   gpointer user_data)
{
	GVariantDict *options = g_application_command_line_get_options_dict(line);
	MtwWindow *window = get_window(application, user_data);
	const char *session = NULL;
	const char *device = NULL;

	g_variant_dict_lookup(options, "session", "&s", &session);
	g_variant_dict_lookup(options, "device", "&s", &device);
	gtk_window_present(GTK_WINDOW(window));
	mtw_window_start(window, session, device);
	return 0;
}

static int on_local_options(GApplication *application, GVariantDict *options, gpointer user_data)
{
	(void)application;
	(void)user_data;
	/* By this name the desktop finds the icon; --help, which is over now, has that of the program. */
	g_set_prgname(APPLICATION_ID);
	if (!g_variant_dict_contains(options, "version"))
		return -1;
	g_print("mmiotrace-wizard-gtk %s\n", MTW_VERSION);
	return 0;
}

static void add_options(GApplication *application)
{
	static const GOptionEntry entries[] = {
		{ "session", 's', 0, G_OPTION_ARG_STRING, NULL, N_("Go on with this capture"),
		  "ID" },
		{ "device", 'd', 0, G_OPTION_ARG_STRING, NULL, N_("The PCI device to trace"),
		  "BDF" },
		{ "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Print the version"), NULL },
		{ NULL, 0, 0, 0, NULL, NULL, NULL },
	};

	g_application_add_main_option_entries(application, entries);
}

int mtw_app_run(MtwWalkSetup *setup, int argc, char **argv)
{
	static const GActionEntry actions[] = { { .name = "preferences",
						  .activate = on_preferences } };
	g_autoptr(GtkApplication) application =
		gtk_application_new(APPLICATION_ID, G_APPLICATION_HANDLES_COMMAND_LINE);
	int status;

	/* As long as the process: a walk that was left behind may still use it. */
	setup->paths = mtw_paths_new_from_environment();
	add_options(G_APPLICATION(application));
	g_action_map_add_action_entries(G_ACTION_MAP(application), actions, G_N_ELEMENTS(actions),
					setup);
	g_signal_connect(application, "startup", G_CALLBACK(on_startup), NULL);
	g_signal_connect(application, "command-line", G_CALLBACK(on_command_line), setup);
	g_signal_connect(application, "handle-local-options", G_CALLBACK(on_local_options), NULL);
	status = g_application_run(G_APPLICATION(application), argc, argv);
	mtw_notifier_end();
	return status;
}
