/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/kmsg.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

/* The kernel's own limit of one record is 8 KiB; a smaller buffer would get EINVAL. */
#define RECORD_MAX_BYTES (16 * 1024)
/* The largest log buffer a kernel can have is far below this. */
#define LOG_MAX_BYTES (64 * 1024 * 1024)
/* Commands of syslog(2), which has no header with their names. */
#define SYSLOG_READ_ALL 3
#define SYSLOG_SIZE_BUFFER 10

/* Takes the number at *@at, which must end with @terminator, and steps behind it. */
static gboolean take_number(const char **at, const char *end, char terminator, guint64 *ret_number)
{
	const char *stop = memchr(*at, terminator, (gsize)(end - *at));
	g_autofree char *digits = NULL;

	if (stop == NULL || stop - *at > 20)
		return FALSE;
	digits = g_strndup(*at, (gsize)(stop - *at));
	if (!mtw_parse_u64(digits, 10, ret_number))
		return FALSE;
	*at = stop + 1;
	return TRUE;
}

/* The kernel writes what is not printable, and the backslash, as \x0a. NUL stays as it is written.
 */
static char *unescape(const char *text, gsize bytes)
{
	GString *plain = g_string_sized_new(bytes);

	for (gsize i = 0; i < bytes; i++) {
		int high = -1, low = -1;
		if (text[i] == '\\' && i + 3 < bytes && text[i + 1] == 'x') {
			high = g_ascii_xdigit_value(text[i + 2]);
			low = g_ascii_xdigit_value(text[i + 3]);
		}
		if (high >= 0 && low >= 0 && high * 16 + low != 0) {
			g_string_append_c(plain, (char)(high * 16 + low));
			i += 3;
		} else if (text[i] != '\0') {
			g_string_append_c(plain, text[i]);
		}
	}
	return g_string_free(plain, FALSE);
}

gboolean mtw_kmsg_parse(const char *record, gsize bytes, MtwKmsgLine *ret_line)
{
	const char *end = record + bytes;
	const char *at = record;
	const char *text, *newline;
	guint64 priority, sequence, time_usec;

	if (!take_number(&at, end, ',', &priority) || !take_number(&at, end, ',', &sequence) ||
	    !take_number(&at, end, ',', &time_usec))
		return FALSE;
	/* Flags, and whatever a later kernel adds, up to the semicolon. */
	text = memchr(at, ';', (gsize)(end - at));
	newline = memchr(at, '\n', (gsize)(end - at));
	if (text == NULL || (newline != NULL && newline < text))
		return FALSE;
	text++;
	*ret_line = (MtwKmsgLine){
		.sequence = sequence,
		.time_usec = time_usec,
		.level = (guint)(priority & 7),
		.text = unescape(text, (gsize)((newline != NULL ? newline : end) - text)),
	};
	return TRUE;
}

/* A message of several lines gets its time on each of them. */
static void append_line(GString *log, const MtwKmsgLine *line)
{
	g_auto(GStrv) parts = g_strsplit(line->text, "\n", -1);

	for (char **part = parts; *part != NULL; part++)
		g_string_append_printf(log, "[%5" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT "] %s\n",
				       line->time_usec / G_USEC_PER_SEC,
				       line->time_usec % G_USEC_PER_SEC, *part);
	/* An empty message still is a line. */
	if (parts[0] == NULL)
		g_string_append_printf(log, "[%5" G_GUINT64_FORMAT ".%06" G_GUINT64_FORMAT "] \n",
				       line->time_usec / G_USEC_PER_SEC,
				       line->time_usec % G_USEC_PER_SEC);
}

/*
 * All records as one text. The device gives one record a read; EPIPE says that some were
 * overwritten meanwhile, the next read goes on with the oldest there is. A regular file (fake root)
 * is read in blocks.
 */
static gboolean read_records(int fd, GString *records)
{
	g_autofree char *block = g_malloc(RECORD_MAX_BYTES);
	ssize_t got;

	do {
		got = read(fd, block, RECORD_MAX_BYTES);
		if (got > 0)
			g_string_append_len(records, block, got);
	} while ((got > 0 && records->len <= LOG_MAX_BYTES) ||
		 (got < 0 && (errno == EPIPE || errno == EINTR)));
	return got >= 0 || errno == EAGAIN;
}

static char *format_records(const GString *records, guint64 since_sequence, guint64 *ret_next)
{
	GString *log = g_string_new(NULL);
	guint64 next = since_sequence;

	for (gsize at = 0; at < records->len;) {
		const char *start = records->str + at;
		const char *newline = memchr(start, '\n', records->len - at);
		gsize bytes = newline != NULL ? (gsize)(newline - start) : records->len - at;
		MtwKmsgLine line;
		at += bytes + 1;
		/* " KEY=value" lines belong to the record before. */
		if (*start == ' ' || !mtw_kmsg_parse(start, bytes, &line))
			continue;
		if (line.sequence >= since_sequence)
			append_line(log, &line);
		next = MAX(next, line.sequence + 1);
		g_free(line.text);
	}
	if (ret_next != NULL)
		*ret_next = next;
	return g_string_free(log, FALSE);
}

/* "<6>[    1.2] text" to "[    1.2] text" */
static char *without_levels(const char *text)
{
	GString *log = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		const char *close = **line == '<' ? strchr(*line, '>') : NULL;
		if (**line != '\0')
			g_string_append_printf(log, "%s\n", close != NULL ? close + 1 : *line);
	}
	return g_string_free(log, FALSE);
}

/* syslog(2) numbers nothing: the whole log comes back each time. */
static char *read_syslog(GError **error)
{
	int size = klogctl(SYSLOG_SIZE_BUFFER, NULL, 0);
	g_autofree char *text = size > 0 ? g_malloc0((gsize)size + 1) : NULL;
	int got = text != NULL ? klogctl(SYSLOG_READ_ALL, text, size) : -1;

	if (got < 0) {
		mtw_set_error_errno(error, errno, "cannot read the kernel's log");
		return NULL;
	}
	text[got] = '\0';
	return without_levels(text);
}

char *mtw_kmsg_read(const MtwPaths *paths, guint64 since_sequence, guint64 *ret_next,
		    GError **error)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_DEV, "kmsg", NULL);
	g_auto(MtwFd) fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	g_autoptr(GString) records = g_string_new(NULL);

	if (fd >= 0 && read_records(fd, records))
		return format_records(records, since_sequence, ret_next);
	if (!mtw_paths_live(paths)) {
		mtw_set_error_errno(error, errno, "%s", path);
		return NULL;
	}
	if (ret_next != NULL)
		*ret_next = since_sequence;
	return read_syslog(error);
}
