/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of kinds: a new kind is a file kind-NAME.c and a line here. */
#include "submit/kinds.h"

#include <string.h>

/* clang-format off */
static const MtwKind *const kinds[] = {
	&mtw_kind_browser,
	&mtw_kind_bugzilla,
	&mtw_kind_file,
	&mtw_kind_gitea,
	&mtw_kind_github_link,
	&mtw_kind_gitlab,
	&mtw_kind_launchpad,
	&mtw_kind_put,
	&mtw_kind_redmine,
	&mtw_kind_rt,
	&mtw_kind_s3_presigned,
	&mtw_kind_sftp,
	&mtw_kind_smtp,
	&mtw_kind_tus,
	&mtw_kind_webdav,
	NULL,
};
/* clang-format on */

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

gboolean mtw_kind_needs_network(const MtwKind *kind, const MtwTarget *target)
{
	return kind->needs_network && *target->url != '\0';
}
