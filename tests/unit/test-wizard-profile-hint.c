/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints: each condition, and that of the GSP firmware on all kinds of cards and drivers. */
#include "test-profile-data.h"

#include "base/json.h"

#include <string.h>

static const MtwPciDevice turing = {
	.vendor = 0x10de,
	.device = 0x1e04,
	.class_code = 0x030000,
	.driver = (char *)"nvidia",
};

/* @facts: "name=value name=value"; NULL: no facts at all */
static JsonObject *make_facts(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", " ", -1);
	JsonObject *facts = text != NULL ? json_object_new() : NULL;

	for (char **word = words; facts != NULL && *word != NULL; word++) {
		char *equals = strchr(*word, '=');
		if (equals == NULL)
			continue;
		*equals = '\0';
		json_object_set_string_member(facts, *word, equals + 1);
	}
	return facts;
}

static gboolean holds(const char *conditions, const char *facts_text)
{
	g_autofree char *text = g_strconcat("[Hint h]\nSay=s\n", conditions, NULL);
	g_autoptr(MtwProfile) profile = parse_profile(text);
	JsonObject *facts = make_facts(facts_text);
	g_autoptr(GPtrArray) hints = mtw_profile_hints(profile, &turing, facts);

	g_clear_pointer(&facts, json_object_unref);
	return hints->len == 1;
}

static void test_device(void **state)
{
	(void)state;
	assert_true(holds("", NULL));
	assert_true(holds("Vendor=10de\n", NULL));
	assert_false(holds("Vendor=1002\n", NULL));
	assert_true(holds("DeviceFrom=1e04\nDeviceTo=1e04\n", NULL));
	assert_false(holds("DeviceFrom=1e05\n", NULL));
	assert_false(holds("DeviceTo=1e03\n", NULL));
}

static void test_driver(void **state)
{
	(void)state;
	assert_true(holds("Driver=nvidia*\n", NULL));
	assert_false(holds("Driver=nouveau\n", NULL));
	/* What is going to be traced counts, not what has the device now. */
	assert_true(holds("Driver=nouveau\n", "module=nouveau"));
	assert_false(holds("Driver=nvidia*\n", "module=nouveau"));
	assert_true(holds("Driver=nvidia-current\n", "module=nvidia_current"));
}

static void test_version(void **state)
{
	static const struct {
		const char *version, *from;
		gboolean holds;
	} cases[] = {
		{ "555.42.02", "555", TRUE },
		{ "555.42.02", "555.42", TRUE },
		{ "555.42.02", "555.42.2", TRUE },
		{ "555.42.02", "555.42.3", FALSE },
		{ "535.183.01", "555", FALSE },
		{ "1000.1", "555.42", TRUE },
		{ "99.9", "555", FALSE },
		{ "555", "555.0.0", TRUE },
		{ "555", "555.0.1", FALSE },
		{ "555-beta", "555", TRUE },
		{ "beta", "0", FALSE },
		{ "555.", "555.1", FALSE },
		{ "99999999999999999999999.1", "555", TRUE },
		{ "555.42", "99999999999999999999999", FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *condition =
			g_strdup_printf("DriverVersionFrom=%s\n", cases[i].from);
		g_autofree char *facts = g_strdup_printf("driver-version=%s", cases[i].version);
		assert_int_equal(holds(condition, facts), cases[i].holds);
	}
	/* What is not known does not hold. */
	assert_false(holds("DriverVersionFrom=0\n", ""));
	assert_false(holds("DriverVersionFrom=0\n", NULL));
}

static void test_license(void **state)
{
	(void)state;
	assert_true(holds("ModuleLicense=NVIDIA\n", "module-license=NVIDIA"));
	assert_true(holds("ModuleLicense=GPL;Dual*\n", "module-license=Dual_MIT/GPL"));
	assert_false(holds("ModuleLicense=NVIDIA\n", "module-license=GPL"));
	assert_false(holds("ModuleLicense=NVIDIA\n", NULL));
}

static void test_facts(void **state)
{
	(void)state;
	assert_true(holds("Fact=gsp:on\n", "gsp=on"));
	assert_false(holds("Fact=gsp:on\n", "gsp=off"));
	assert_false(holds("Fact=gsp:on\n", ""));
	assert_false(holds("Fact=gsp:*\n", NULL));
	/* The same fact twice is a choice, different ones must all fit. */
	assert_true(holds("Fact=gsp:on;gsp:unknown\n", "gsp=unknown"));
	assert_true(holds("Fact=gsp:o*;session:X11\n", "gsp=off session=X11"));
	assert_false(holds("Fact=gsp:o*;session:X11\n", "gsp=off session=Wayland"));
	assert_false(holds("Fact=gsp:o*;session:X11\n", "session=X11"));
	/* A value can have a colon. */
	assert_true(holds("Fact=device-id:10de:1e04\n", "device-id=10de:1e04"));
}

static void test_all_must_hold(void **state)
{
	static const char all[] = "Vendor=10de\nDriver=nvidia\nModuleLicense=NVIDIA\n"
				  "Fact=gsp:on\n";

	(void)state;
	assert_true(holds(all, "module-license=NVIDIA gsp=on"));
	assert_false(holds(all, "module-license=NVIDIA gsp=off"));
	assert_false(holds(all, "gsp=on"));
}

/* The id of the hint of the nouveau profile that holds; "" for none. */
static const char *gsp_hint(guint16 device, const char *facts_text, const char *license)
{
	g_autoptr(MtwProfile) profile = load_shipped_profile("nouveau");
	g_autoptr(JsonObject) facts = make_facts(facts_text);
	const MtwPciDevice card = {
		.vendor = 0x10de,
		.device = device,
		.class_code = 0x030000,
		.driver = (char *)"nvidia",
	};
	g_autoptr(GPtrArray) hints = NULL;
	const MtwHint *hint;

	if (license != NULL)
		json_object_set_string_member(facts, "module-license", license);
	hints = mtw_profile_hints(profile, &card, facts);
	assert_true(hints->len <= 1);
	if (hints->len == 0)
		return "";
	hint = hints->pdata[0];
	if (hint->options != NULL)
		assert_string_equal(hint->options, "NVreg_EnableGpuFirmware=0");
	assert_string_not_equal(hint->tell_without, "");
	return g_intern_string(hint->id);
}

static void test_gsp(void **state)
{
	static const struct {
		guint16 device;
		const char *facts, *license, *hint;
	} cases[] = {
		/* Pascal and Volta have none. */
		{ 0x1b80, "module=nvidia driver-version=560.35.03 gsp=unknown", "NVIDIA", "" },
		{ 0x1d81, "module=nvidia driver-version=560.35.03 gsp=unknown", "NVIDIA", "" },
		/* TU102, TU117, TU116, GA104, AD102; loaded or not. */
		{ 0x1e04, "module=nvidia driver-version=560.35.03 gsp=unknown", "NVIDIA", "gsp" },
		{ 0x1f82, "module=nvidia driver-version=560.35.03 gsp=on", "NVIDIA", "gsp" },
		{ 0x2184, "module=nvidia_current driver-version=535.183.01 gsp=unknown", "NVIDIA",
		  "gsp" },
		{ 0x2484, "module=nvidia driver-version=555.58 gsp=on", "NVIDIA", "gsp" },
		{ 0x2684, "module=nvidia driver-version=510.39.01 gsp=unknown", "NVIDIA", "gsp" },
		/* Off already; older than the parameter; not known which driver it is. */
		{ 0x2684, "module=nvidia driver-version=535.183.01 gsp=off", "NVIDIA", "" },
		{ 0x1e04, "module=nvidia driver-version=470.256.02 gsp=unknown", "NVIDIA", "" },
		{ 0x1e04, "module=nvidia gsp=unknown", NULL, "" },
		/* The open module cannot do without; nouveau and the framebuffer are others. */
		{ 0x2b85, "module=nvidia driver-version=570.86.16 gsp=on", "Dual MIT/GPL",
		  "gsp-open" },
		{ 0x1e04, "module=nvidia driver-version=560.35.03 gsp=unknown", "Dual MIT/GPL",
		  "gsp-open" },
		{ 0x1b80, "module=nvidia driver-version=560.35.03", "Dual MIT/GPL", "" },
		{ 0x1e04, "module=nouveau gsp=unknown", "GPL and additional rights", "" },
		{ 0x1e04, "module=nvidiafb gsp=unknown", "GPL", "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_string_equal(gsp_hint(cases[i].device, cases[i].facts, cases[i].license),
				    cases[i].hint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device),	cmocka_unit_test(test_driver),
		cmocka_unit_test(test_version), cmocka_unit_test(test_license),
		cmocka_unit_test(test_facts),	cmocka_unit_test(test_all_must_hold),
		cmocka_unit_test(test_gsp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
