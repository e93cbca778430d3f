/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All kinds there are, each defined in its kind-NAME.c. For the table in kind.c. */
#pragma once

#include "submit/kind.h"

extern const MtwKind mtw_kind_browser, mtw_kind_bugzilla, mtw_kind_file, mtw_kind_gitea,
	mtw_kind_github_link, mtw_kind_gitlab, mtw_kind_launchpad, mtw_kind_put, mtw_kind_redmine,
	mtw_kind_rt, mtw_kind_s3_presigned, mtw_kind_sftp, mtw_kind_smtp, mtw_kind_tus,
	mtw_kind_webdav;
