/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The groups and keys of profiles and scenarios. */
#pragma once

#include "base/key-file.h"

/*
 * mtw_profile_file_check: every group and key is one that there is, with a value of its form, and
 * those that are needed are there.
 * @kinds: (nullable): only these kinds of groups are looked into, the others need only exist; a
 * list that ends with NULL
 */
gboolean mtw_profile_file_check(const MtwKeyFile *file, const char *const *kinds, GError **error);
