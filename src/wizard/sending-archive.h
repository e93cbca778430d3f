/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The archive that is sent, and what it tells of itself. One of this program has a manifest; others are taken as they are. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
	char *path;	       /* absolute, links resolved */
	char *name;	       /* file name */
	char *sha256;	       /* of the file */
	guint64 bytes;	       /* of the file */
	GPtrArray *members;    /* (nullable) (element-type MtwMemberFacts): NULL: not an archive */
	gboolean has_manifest; /* it is one of this program */
	JsonObject *facts;     /* texts for the letter (submit/letter.h) */
	char *pci_id;	       /* "10de:1cb3"; "" if not known */
	char *pci_class;       /* "030000"; "" if not known */
	char *driver;	       /* "" if not known */
	char *profile;	       /* id; "" if not known */
} MtwParcel;

/*
 * mtw_parcel_open: reads all of @path once.
 * @cancel: (nullable) atomic
 * Errors: MTW_ERROR_NOT_FOUND, MTW_ERROR_PERMISSION, MTW_ERROR_INVALID (not a regular file), MTW_ERROR_INTERRUPTED
 * Returns: (transfer full) (nullable)
 */
MtwParcel *mtw_parcel_open(const char *path, const int *cancel, GError **error);
void mtw_parcel_free(MtwParcel *parcel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MtwParcel, mtw_parcel_free)

/* mtw_parcel_holds: whether a member has this name. */
gboolean mtw_parcel_holds(const MtwParcel *parcel, const char *name);
