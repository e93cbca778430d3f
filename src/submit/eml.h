/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mail with files: a text that is read piece by piece at any place, so that an archive in base64 is never whole in
 * memory. All of it is ASCII in short lines, so it passes every mail server.
 */
#pragma once

#include "submit/kind.h"

typedef struct {
	const char *from, *to; /* "" or NULL: the header is left out */
	const char *title;     /* UTF-8; NULL: no header */
	const char *body;      /* UTF-8, lines end with LF */
	const char *report_id; /* in Message-ID and in the boundary */
	gint64 time_sec;
	gboolean is_unsent;	/* a mail program opens it for editing */
	const char *line_end;	/* "\r\n", "\n" */
	const GPtrArray *files; /* (element-type MtwJobFile) */
} MtwEmlPlan;

typedef struct _MtwEml MtwEml;

/* mtw_eml_new: the texts of @plan are copied, its files must outlive it */
MtwEml *mtw_eml_new(const MtwEmlPlan *plan);
void mtw_eml_free(MtwEml *eml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwEml, mtw_eml_free)

guint64 mtw_eml_bytes(const MtwEml *eml);

/*
 * mtw_eml_read: up to @room bytes from @at on. Returns: how many; 0 at the end, -1 with @error: a file cannot be read, or
 * is shorter than it was
 */
gssize mtw_eml_read(MtwEml *eml, guint64 at, char *buffer, gsize room, GError **error);

/* mtw_eml_write: all of it to @fd */
gboolean mtw_eml_write(MtwEml *eml, int fd, GError **error);

/* mtw_eml_file_room: how large a file may be in a mail of at most @max_bytes, @frame_bytes of them for the rest. */
guint64 mtw_eml_file_room(guint64 max_bytes, guint64 frame_bytes);

/* mtw_eml_address_is_usable: one address, nothing that could forge a header or a command. */
gboolean mtw_eml_address_is_usable(const char *address);
