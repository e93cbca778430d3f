/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The profiles of tests/data/profiles and the shipped ones. */
#pragma once

#include "fake-root.h"
#include "wizard/profile.h"

#include <string.h>

/* @folder: relative to the folder of the tests' data */
static inline MtwProfile *load_profile_of(const char *folder, const char *id)
{
	g_autofree char *name = g_strconcat(id, ".conf", NULL);
	g_autofree char *path =
		g_build_filename(g_getenv("MTW_TEST_DATA"), folder, "profiles", name, NULL);
	g_autoptr(GError) error = NULL;
	MtwProfile *profile = mtw_profile_load(path, &error);

	if (profile == NULL)
		fail_msg("%s", error->message);
	return profile;
}

static inline MtwProfile *load_test_profile(const char *id)
{
	return load_profile_of(".", id);
}

static inline MtwProfile *load_shipped_profile(const char *id)
{
	return load_profile_of("../../data", id);
}

static inline MtwProfile *parse_profile(const char *text)
{
	g_autofree char *all = g_strconcat("[Profile]\nTitle=T\n", text, NULL);
	g_autoptr(GError) error = NULL;
	MtwProfile *profile = mtw_profile_parse(all, strlen(all), "test.conf", &error);

	if (profile == NULL)
		fail_msg("%s", error->message);
	return profile;
}
