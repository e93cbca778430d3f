/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mail as a row of stretches: texts, and files in base64. */
#include "submit/eml.h"

#include "base/error.h"
#include "base/file.h"
#include "submit/eml-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* 57 bytes are a line of 76 characters. */
#define LINE_BYTES 57
#define LINE_CHARS 76
/* Lines that are made in one go. */
#define BLOCK_LINES 512

typedef struct {
	char *text; /* NULL: the file */
	const MtwJobFile *file;
	guint64 bytes; /* of what is sent */
} Stretch;

struct _MtwEml {
	GArray *stretches; /* of Stretch */
	const char *line_end;
	guint64 bytes;
	/* The block of lines made last, and where in the file it begins. */
	const MtwJobFile *block_file;
	guint64 block_at;
	GString *block;
};

static void clear_stretch(gpointer stretch)
{
	g_free(((Stretch *)stretch)->text);
}

static gsize line_chars(const MtwEml *eml)
{
	return LINE_CHARS + strlen(eml->line_end);
}

/* The last line is shorter, and ends like the others. */
static guint64 encoded_bytes(const MtwEml *eml, guint64 bytes)
{
	guint64 lines = bytes / LINE_BYTES;
	guint64 rest = bytes % LINE_BYTES;

	return lines * line_chars(eml) +
	       (rest == 0 ? 0 : (rest + 2) / 3 * 4 + strlen(eml->line_end));
}

static void add_text(MtwEml *eml, char *text)
{
	Stretch stretch = { .text = text, .bytes = strlen(text) };

	g_array_append_val(eml->stretches, stretch);
	eml->bytes += stretch.bytes;
}

static void add_file(MtwEml *eml, const MtwJobFile *file)
{
	Stretch stretch = { .file = file, .bytes = encoded_bytes(eml, file->bytes) };

	g_array_append_val(eml->stretches, stretch);
	eml->bytes += stretch.bytes;
}

MtwEml *mtw_eml_new(const MtwEmlPlan *plan)
{
	MtwEml *eml = g_new0(MtwEml, 1);
	g_autofree char *boundary = mtw_eml_boundary(plan);

	eml->stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
	g_array_set_clear_func(eml->stretches, clear_stretch);
	eml->block = g_string_new(NULL);
	eml->line_end = g_intern_string(plan->line_end);
	add_text(eml, mtw_eml_head(plan, boundary));
	for (guint i = 0; i < plan->files->len; i++) {
		const MtwJobFile *file = plan->files->pdata[i];
		add_text(eml, mtw_eml_file_head(plan, boundary, file->name));
		add_file(eml, file);
	}
	add_text(eml, g_strdup_printf("--%s--%s", boundary, plan->line_end));
	return eml;
}

void mtw_eml_free(MtwEml *eml)
{
	if (eml == NULL)
		return;
	g_array_unref(eml->stretches);
	g_string_free(eml->block, TRUE);
	g_free(eml);
}

guint64 mtw_eml_bytes(const MtwEml *eml)
{
	return eml->bytes;
}

static gboolean read_all(const MtwJobFile *file, guint64 at, guchar *buffer, gsize bytes,
			 GError **error)
{
	gsize done = 0;

	while (done < bytes) {
		ssize_t got = pread(file->fd, buffer + done, bytes - done, (off_t)(at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			mtw_set_error_errno(error, errno, "%s", file->name);
			return FALSE;
		}
		if (got == 0) {
			g_set_error(error, MTW_ERROR, MTW_ERROR_INVALID,
				    "%s: is shorter than it was", file->name);
			return FALSE;
		}
		done += (gsize)got;
	}
	return TRUE;
}

/* Makes the lines from byte @at of the file on, which is a line's first. */
static gboolean make_block(MtwEml *eml, const MtwJobFile *file, guint64 at, GError **error)
{
	guchar raw[LINE_BYTES * BLOCK_LINES];
	gsize bytes = (gsize)MIN(sizeof(raw), file->bytes - at);

	if (eml->block_file == file && eml->block_at == at)
		return TRUE;
	eml->block_file = NULL;
	g_string_truncate(eml->block, 0);
	if (!read_all(file, at, raw, bytes, error))
		return FALSE;
	for (gsize done = 0; done < bytes; done += LINE_BYTES) {
		g_autofree char *line =
			g_base64_encode(raw + done, MIN((gsize)LINE_BYTES, bytes - done));
		g_string_append(eml->block, line);
		g_string_append(eml->block, eml->line_end);
	}
	eml->block_file = file;
	eml->block_at = at;
	return TRUE;
}

static gssize read_file(MtwEml *eml, const MtwJobFile *file, guint64 at, char *buffer, gsize room,
			GError **error)
{
	guint64 block = at / (line_chars(eml) * BLOCK_LINES);
	gsize within = (gsize)(at % (line_chars(eml) * BLOCK_LINES));
	gsize usable;

	if (!make_block(eml, file, block * LINE_BYTES * BLOCK_LINES, error))
		return -1;
	usable = MIN(room, eml->block->len - within);
	memcpy(buffer, eml->block->str + within, usable);
	return (gssize)usable;
}

gssize mtw_eml_read(MtwEml *eml, guint64 at, char *buffer, gsize room, GError **error)
{
	for (guint i = 0; i < eml->stretches->len; i++) {
		const Stretch *stretch = &g_array_index(eml->stretches, Stretch, i);
		if (at >= stretch->bytes) {
			at -= stretch->bytes;
			continue;
		}
		if (stretch->text == NULL)
			return read_file(eml, stretch->file, at, buffer, room, error);
		room = (gsize)MIN(room, stretch->bytes - at);
		memcpy(buffer, stretch->text + at, room);
		return (gssize)room;
	}
	return 0;
}

gboolean mtw_eml_write(MtwEml *eml, int fd, GError **error)
{
	char buffer[64 * 1024];

	for (guint64 at = 0; at < eml->bytes;) {
		gssize got = mtw_eml_read(eml, at, buffer, sizeof(buffer), error);
		if (got < 0 || !mtw_file_write_all(fd, buffer, (gsize)got, error))
			return FALSE;
		at += (guint64)got;
	}
	return TRUE;
}

guint64 mtw_eml_file_room(guint64 max_bytes, guint64 frame_bytes)
{
	if (max_bytes <= frame_bytes)
		return 0;
	return (max_bytes - frame_bytes) / (LINE_CHARS + strlen("\r\n")) * LINE_BYTES;
}
