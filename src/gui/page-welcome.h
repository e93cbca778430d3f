/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "gui/page.h"

/* mtw_page_welcome_forget_link: another trace, which perhaps somebody else asked for. */
void mtw_page_welcome_forget_link(MtwPage *page);
