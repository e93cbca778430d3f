/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DEVICE: which device and driver, and with them which project's profile and scenario. */
#include "base/error.h"
#include "base/parse.h"
#include "capture/check.h"
#include "capture/events.h"
#include "capture/way.h"
#include "wizard/scenario.h"
#include "wizard/wizard-private.h"

#include <glib/gi18n.h>

static void add_choice(GPtrArray *choices, GPtrArray *labels, const MtwPciDevice *device)
{
	g_ptr_array_add(choices, g_strdup(device->address));
	g_ptr_array_add(labels, g_strdup_printf("%s %s [%04x:%04x] (%s)", device->vendor_name,
						device->device_name, device->vendor, device->device,
						device->driver != NULL ? device->driver : "-"));
}

/* Offers what can be traced; the rest is in the list of `devices`. */
static char *ask_device(MtwWizard *wizard, GError **error)
{
	g_autoptr(GPtrArray) devices = mtw_pci_list(wizard->paths);
	g_autoptr(GPtrArray) choices = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) labels = g_ptr_array_new_with_free_func(g_free);
	MtwRequest request = {
		.id = "device",
		.kind = MTW_REQUEST_CHOICE,
		.sentence = N_("Which device is to be traced?"),
		.detail = "",
	};

	for (guint i = 0; i < devices->len; i++) {
		const MtwPciDevice *device = devices->pdata[i];
		const MtwCheckOptions options = { .device = device->address,
						  .next_boot = wizard->options->next_boot };
		g_autoptr(MtwMessage) obstacle = mtw_check_obstacle_of(wizard->paths, &options);
		/* That several drivers fit is decided later, not an obstacle. */
		if (obstacle == NULL || g_str_equal(obstacle->id, "driver-choice"))
			add_choice(choices, labels, device);
	}
	if (choices->len == 0) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_CANNOT_TRACE,
			    "no PCI device of this machine can be traced");
		return NULL;
	}
	g_ptr_array_add(choices, NULL);
	g_ptr_array_add(labels, NULL);
	request.choices = (const char *const *)choices->pdata;
	request.labels = (const char *const *)labels->pdata;
	return mtw_wizard_ask(wizard, &request, error);
}

/* "01:00.0" becomes "0000:01:00.0", and the device must be there. */
static MtwPciDevice *find_device(MtwWizard *wizard, GError **error)
{
	char address[MTW_BDF_TEXT_BYTES];
	MtwBdf bdf;

	if (!mtw_parse_bdf(wizard->device, &bdf)) {
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "\"%s\" is not a PCI address like 0000:01:00.0", wizard->device);
		return NULL;
	}
	g_free(wizard->device);
	wizard->device = g_strdup(mtw_bdf_format(&bdf, address));
	return mtw_pci_get(wizard->paths, wizard->device, error);
}

/* Whether the way through the tracer hangs on nothing but the name of a driver. */
static gboolean wants_driver(const MtwWizard *wizard)
{
	const MtwCheckOptions options = { .device = wizard->device,
					  .next_boot = wizard->options->next_boot };
	g_autoptr(MtwMessage) obstacle = NULL;

	/* With nobody there it stays an obstacle of the checks, which says what to do. */
	if (wizard->options->batch || wizard->driver != NULL)
		return FALSE;
	obstacle = mtw_check_obstacle_of(wizard->paths, &options);
	return obstacle != NULL && g_str_equal(obstacle->id, "driver-choice");
}

static gboolean ask_driver(MtwWizard *wizard, const MtwPciDevice *device, GError **error)
{
	g_autoptr(GPtrArray) choices = mtw_way_candidates(wizard->paths, device);
	g_autoptr(GPtrArray) labels = g_ptr_array_new();
	MtwRequest request = {
		.id = "driver",
		.kind = MTW_REQUEST_CHOICE,
		.sentence = N_("Several drivers fit the device. Which one is to be traced?"),
		.detail = "",
	};

	for (guint i = 0; i < choices->len; i++)
		g_ptr_array_add(labels, (gpointer) "");
	g_ptr_array_add(choices, NULL);
	g_ptr_array_add(labels, NULL);
	request.choices = (const char *const *)choices->pdata;
	request.labels = (const char *const *)labels->pdata;
	wizard->driver = mtw_wizard_ask(wizard, &request, error);
	return wizard->driver != NULL;
}

static void show_profile(MtwWizard *wizard)
{
	JsonObject *event;

	if (wizard->profile == NULL)
		return;
	event = mtw_event_new("profile");
	json_object_set_string_member(event, "id", wizard->profile->id);
	json_object_set_string_member(event, "title", wizard->profile->title);
	mtw_wizard_show(wizard, event);
}

/* Unattended, the profile's steps run when nothing else was said to be done and it has commands. */
static gboolean wants_scenario(const MtwWizard *wizard)
{
	const GPtrArray *steps = wizard->profile->scenario;

	if (!wizard->options->batch)
		return TRUE;
	if (wizard->options->exercises != NULL ||
	    wizard->options->duration_sec != MTW_DURATION_UNSET)
		return FALSE;
	for (guint i = 0; i < steps->len; i++) {
		const MtwScenarioStep *step = steps->pdata[i];
		if (step->command != NULL)
			return TRUE;
	}
	return FALSE;
}

/* A scenario of its own, or the profile's. */
static gboolean choose_scenario(MtwWizard *wizard, GError **error)
{
	if (wizard->options->scenario != NULL) {
		wizard->scenario = mtw_scenario_load(wizard->options->scenario, error);
		return wizard->scenario != NULL;
	}
	if (wizard->profile != NULL && wants_scenario(wizard))
		wizard->scenario = g_ptr_array_ref(wizard->profile->scenario);
	return TRUE;
}

static gboolean choose_profile(MtwWizard *wizard, const MtwPciDevice *device, GError **error)
{
	const MtwCaptureOptions *running = wizard->options->running;
	const char *id = running != NULL ? running->profile : wizard->options->profile;
	g_autoptr(GPtrArray) problems = mtw_profile_problems(wizard->paths);
	g_autoptr(GError) why = NULL;

	for (guint i = 0; i < problems->len; i++)
		mtw_wizard_show(wizard, mtw_event_message(problems->pdata[i]));
	if (id != NULL)
		wizard->profile = mtw_profile_find(wizard->paths, id, &why);
	if (why != NULL && running == NULL) {
		g_propagate_error(error, g_steal_pointer(&why));
		return FALSE;
	}
	/* The capture needs none, and is worth more than the file. */
	if (wizard->profile == NULL)
		wizard->profile = mtw_profile_for(wizard->paths, device);
	return TRUE;
}

gboolean mtw_wizard_choose_profile(MtwWizard *wizard, const MtwPciDevice *device, GError **error)
{
	if (!choose_profile(wizard, device, error) || !choose_scenario(wizard, error))
		return FALSE;
	show_profile(wizard);
	return TRUE;
}

static gboolean run(MtwWizard *wizard, MtwStepId *next, GError **error)
{
	g_autoptr(MtwPciDevice) device = NULL;

	(void)next;
	if (wizard->device == NULL)
		wizard->device = ask_device(wizard, error);
	if (wizard->device == NULL)
		return FALSE;
	device = find_device(wizard, error);
	if (device == NULL)
		return FALSE;
	if (wants_driver(wizard) && !ask_driver(wizard, device, error))
		return FALSE;
	if (!mtw_wizard_choose_profile(wizard, device, error))
		return FALSE;
	return mtw_wizard_take_wishes(wizard, device, error);
}

static char *summary(const MtwWizard *wizard)
{
	return g_strdup(wizard->device);
}

const MtwStep mtw_step_device = {
	.id = "device",
	.title = N_("Device"),
	.run = run,
	.summary = summary,
};
