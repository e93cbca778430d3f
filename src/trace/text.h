/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form of a record: one line. Pure: no I/O, no allocation.
 */
#pragma once

#include "trace/record.h"

/* A record needs at most this many bytes, not counting text_bytes and pcidev.driver_bytes. */
#define MTW_RECORD_TEXT_BYTES 512

/*
 * mtw_record_parse: parses one line.
 * @line: @bytes bytes, any content; a final '\n' or "\r\n" is not part of it but tolerated
 * @ret_record: (out): always filled; kind is MTW_RECORD_FOREIGN for what is not of the format. Its
 * texts point into @line.
 * Returns: FALSE for a foreign line
 *
 * Accepts PC and PID that are not zero, values wider than the width, bytes that are not UTF-8 in
 * MARK, a PCIDEV with an empty driver, and map ids of any size. A cut or extended line is foreign,
 * and so is a number that the kernel would not print like this (leading zeros, capital letters):
 * what is accepted comes back from mtw_record_format byte by byte.
 */
gboolean mtw_record_parse(const char *line, gsize bytes, MtwRecord *ret_record);

/*
 * mtw_record_format: the line as the kernel prints it, with its '\n'; a foreign line as it was.
 * @buffer: (out caller-allocates): @bytes bytes; MTW_RECORD_TEXT_BYTES plus text_bytes plus
 * pcidev.driver_bytes is enough
 * Returns: the length of the line, or 0 when it does not fit
 */
gsize mtw_record_format(const MtwRecord *record, char *buffer, gsize bytes);
