/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An address in its parts, as libcurl will understand it. */
#pragma once

#include "submit/link.h"

typedef struct {
	char *scheme; /* lower case */
	char *host;   /* lower case; of IPv6 with brackets */
	char *port;   /* digits, also when it is the usual one of the scheme; "" if there is none */
	char *path;   /* begins with "/", without "." and ".." */
	char *query;  /* "" if none */
	gboolean has_user, has_query, has_fragment;
} MtwUrl;

/*
 * mtw_url_split: "scheme://host...": printable ASCII only, and nothing that programs read in different ways.
 * @ret_url: set when it is one, mtw_url_clear frees it
 */
gboolean mtw_url_split(const char *text, MtwUrl *ret_url);
void mtw_url_clear(MtwUrl *url);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwUrl, mtw_url_clear)

gboolean mtw_url_host_is_loopback(const MtwUrl *url);

/* mtw_url_origin: "https://host:81", without a port that is the usual one. Returns: (transfer full) */
char *mtw_url_origin(const MtwUrl *url);
