/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of kinds: a new kind is a file kind-NAME.c and a line here. */
#include "submit/kind.h"

#include <string.h>

static const MtwKind *const kinds[] = {
	NULL,
};

const MtwKind *mtw_kind_find(const char *id)
{
	for (gsize i = 0; kinds[i] != NULL; i++)
		if (strcmp(kinds[i]->id, id) == 0)
			return kinds[i];
	return NULL;
}

const MtwKind *const *mtw_kind_list(void)
{
	return kinds;
}
