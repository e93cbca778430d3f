/* SPDX-License-Identifier: GPL-2.0-or-later */
/* description.txt: the person's story, and the plain facts of the capture above it. */
#pragma once

#include <json-glib/json-glib.h>

/*
 * mtw_description_new: a text for people.
 * @capture: facts of the session (see manifest.h): shown by their names in their order, without
 * those that only programs need; @verdict: (nullable): see trace/verdict-json.h
 * @nick: whom to thank; @contact: how to reach them; "" if not wanted
 * @story: (nullable): what the person wrote; may have many lines
 * Returns: (transfer full): valid UTF-8, line ends "\n", no control characters but newline and tab
 */
char *mtw_description_new(JsonObject *capture, JsonObject *verdict, const char *nick,
			  const char *contact, const char *story);
