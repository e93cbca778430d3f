/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a failed transfer means for the next try: beside the GError, which is for people. */
#pragma once

#include <glib.h>

#define MTW_FAILURE_WAIT_MAX_SEC (30 * 24 * 60 * 60)

typedef enum {
	MTW_FAILURE_NONE,
	MTW_FAILURE_TRANSIENT, /* again later: no connection, reset, time-out, 408, 425, 429, 5xx */
	MTW_FAILURE_PERMANENT, /* the same would fail again */
	MTW_FAILURE_TOO_BIG,   /* 413, or the tracker's own word for it */
	MTW_FAILURE_AUTH,      /* other credentials could help */
	MTW_FAILURE_PERSON,    /* captcha, spam check: a person has to go on in the browser */
	MTW_FAILURE_CANCELLED,
} MtwFailureClass;

typedef struct {
	MtwFailureClass class;
	gboolean
		maybe_done; /* the request was (or may have been) received whole, but no answer came */
	long http_status; /* 0: none */
	int curl_code;	  /* CURLcode, 0: none */
	/*
	 * What the server asked to wait, at most MTW_FAILURE_WAIT_MAX_SEC: who finds it too long to wait for lets the
	 * report wait in the queue. -1: nothing, or nothing that could be believed
	 */
	gint64 retry_after_sec;
	char *server_says; /* (nullable) cleaned, one line */
} MtwFailure;

void mtw_failure_clear(MtwFailure *failure);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MtwFailure, mtw_failure_clear)

const char *mtw_failure_class_name(MtwFailureClass class); /* "transient", ... for --json */
