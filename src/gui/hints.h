/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core tells people what to type on a terminal; the window has its own words for that. */
#pragma once

/* mtw_hint_of: the window's words for @msgid, "" for what only makes sense there; else @msgid itself. */
const char *mtw_hint_of(const char *msgid);
