/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a monitor says of itself: EDID 1.x (VESA E-EDID), its base block. No I/O.
 *
 * The serial number and the serial string are of one monitor and so of one person: they are kept
 * apart from what is true for all of a model, and no text has them unless it is asked for.
 */
#pragma once

#include <glib.h>

#define MTW_EDID_BLOCK_BYTES 128

typedef struct {
	guint version, revision;
	char manufacturer[4]; /* the three letters of the PNP id: "DEL" */
	guint16 product;
	char name[14]; /* "" when the monitor tells none; printable ASCII */
	guint week;    /* of manufacture; 0: not told */
	guint year;    /* of manufacture, or of the model */
	gboolean is_model_year;
	gboolean is_digital;
	guint width_cm, height_cm;		 /* of the picture; 0: not told (projectors) */
	guint preferred_width, preferred_height; /* pixels; 0: not told */
	guint preferred_mhz;			 /* thousandths of Hz; 0: not told */
	gboolean preferred_interlaced;
	guint n_extensions;   /* as the base block says */
	gboolean is_complete; /* all of them are there, and all checksums are right */
	/* Private. */
	guint32 serial_number; /* 0: none */
	char serial[14];       /* "": none; printable ASCII */
} MtwEdid;

/*
 * mtw_edid_parse: @data: any bytes. Returns: FALSE with MTW_ERROR_INVALID when it is not an EDID;
 * one with a wrong checksum or with blocks missing is taken, and `is_complete` tells.
 */
gboolean mtw_edid_parse(const guint8 *data, gsize bytes, MtwEdid *ret_edid, GError **error);

/* mtw_edid_monitor: one line: the name, or else maker and product ("DEL a0b1"). Returns: (transfer
 * full) */
char *mtw_edid_monitor(const MtwEdid *edid);

/*
 * mtw_edid_text: "Key: value" lines for a report.
 * @with_serials: also what is of this one monitor. Returns: (transfer full)
 */
char *mtw_edid_text(const MtwEdid *edid, gboolean with_serials);
