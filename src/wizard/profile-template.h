/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text with places: "Driver version: {driver-version}". "{{" and "}}" are the brackets themselves.
 */
#pragma once

#include <json-glib/json-glib.h>

/*
 * mtw_template_check: whether each place is closed and its name is one of @is_name.
 * @ret_why: (out) (transfer full): what is wrong, when FALSE
 */
gboolean mtw_template_check(const char *text, gboolean (*is_name)(const char *name),
			    char **ret_why);

/*
 * mtw_template_fill: each place with the string member of @facts that has its name; unknown ones
 * become empty. What comes from a fact is one line and is not looked into again.
 * @facts: (nullable). Returns: (transfer full)
 */
char *mtw_template_fill(const char *text, JsonObject *facts);
