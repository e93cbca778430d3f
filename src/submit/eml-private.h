/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of a mail around its files. */
#pragma once

#include "submit/eml.h"

/* mtw_eml_boundary: a line that is nowhere in the text. Returns: (transfer full) */
char *mtw_eml_boundary(const MtwEmlPlan *plan);

/* mtw_eml_head: up to the first file. Returns: (transfer full) */
char *mtw_eml_head(const MtwEmlPlan *plan, const char *boundary);

/* mtw_eml_file_head: of the part with the file @name. Returns: (transfer full) */
char *mtw_eml_file_head(const MtwEmlPlan *plan, const char *boundary, const char *name);
