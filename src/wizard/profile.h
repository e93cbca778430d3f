/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a driver project wishes: a key file in the data folder's profiles/, in /etc, or of the user;
 * a later one of the same name wins.
 *
 *   [Profile]
 *   Title=Nouveau, the free driver for NVIDIA cards
 *   Contact=https://...        where the request comes from
 *   [Match]                    all given keys must fit; lists with ";"
 *   Vendor=10de
 *   Class=03                   class, or class and subclass, hexadecimal
 *   Driver=nouveau;nvidia
 *   [Step ...]                 see scenario.h
 */
#pragma once

#include "machine/pci.h"

typedef struct {
	char *id;    /* file name without .conf */
	char *title;
	char *contact; /* "" if none */
	char **vendors, **classes, **drivers; /* (nullable) */
	GPtrArray *scenario; /* (element-type MtwScenarioStep) */
} MtwProfile;

void mtw_profile_free(MtwProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwProfile, mtw_profile_free)

/* mtw_profile_load: Returns: (transfer full) (nullable): MTW_ERROR_INVALID names file, group and key */
MtwProfile *mtw_profile_load(const char *path, GError **error);

/* mtw_profile_list: all usable profiles, sorted by id. Returns: (transfer full) (element-type MtwProfile) */
GPtrArray *mtw_profile_list(const MtwPaths *paths);

/* mtw_profile_matches: how well @profile fits: the number of [Match] keys; 0: does not fit, or "generic". */
guint mtw_profile_matches(const MtwProfile *profile, const MtwPciDevice *device);

/* mtw_profile_for: the best one for the device. Returns: (transfer full) (nullable): NULL when none is installed */
MtwProfile *mtw_profile_for(const MtwPaths *paths, const MtwPciDevice *device);
