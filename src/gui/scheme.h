/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dark or light, as the desktop's settings portal says; GTK 4.8 does not ask it by itself. */
#pragma once

/* mtw_scheme_follow: from now on. Without a portal nothing changes. */
void mtw_scheme_follow(void);
