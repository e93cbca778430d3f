/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An address that a person pasted: which tracker, which project, which issue. No I/O. */
#pragma once

#include "submit/target.h"

typedef struct {
	char *kind; /* "gitlab", "bugzilla", "redmine", "rt", "gitea", "github-link", "launchpad" */
	char *base; /* "https://gitlab.freedesktop.org", with the folder the tracker lives in; no final "/" */
	char *project; /* "" when the address does not say */
	char *number;  /* decimal digits */
	char *url;     /* the address without query and fragment */
} MtwLink;

void mtw_link_free(MtwLink *link);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwLink, mtw_link_free)

/*
 * mtw_link_parse: by the form of the address (/-/issues/N, show_bug.cgi?id=N, /issues/N, /Ticket/Display.html?id=N,
 * github.com/O/R/issues/N, bugs.launchpad.net/.../+bug/N ...). Gitea, Redmine and GitHub can look alike: @targets decide
 * when one of them has the same base.
 * @targets: (nullable) (element-type MtwTarget)
 * Errors: MTW_ERROR_USAGE: not an address of an issue, with what such an address looks like
 * Returns: (transfer full) (nullable)
 */
MtwLink *mtw_link_parse(const char *text, const GPtrArray *targets, GError **error);

/* mtw_link_target: the target whose kind and base are those of the link. Returns: (transfer none) (nullable) */
MtwTarget *mtw_link_target(const MtwLink *link, const GPtrArray *targets);

/* mtw_url_is_safe: an http(s) address without user, password, control characters; for a browser or a screen. */
gboolean mtw_url_is_safe(const char *url);

/* mtw_url_same_origin: scheme, host and port are the same. */
gboolean mtw_url_same_origin(const char *a, const char *b);

/* mtw_url_is_loopback: the host is localhost, 127.0.0.0/8 or ::1. */
gboolean mtw_url_is_loopback(const char *url);
