/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/foreign-trace.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/parse.h"
#include "report/verify.h"
#include "trace/reader.h"
#include "wizard/engine-given.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (256 * 1024)

typedef struct {
	guint vendor, device;
} Ids;

static gboolean parse_ids(const char *text, char separator, Ids *ret_ids)
{
	const char *second = strchr(text, separator);
	g_autofree char *vendor = second != NULL ? g_strndup(text, (gsize)(second - text)) : NULL;
	guint64 vendor_id, device_id;

	if (second == NULL || strlen(vendor) != 4 || strlen(second + 1) != 4 ||
	    !mtw_parse_u64(vendor, 16, &vendor_id) || !mtw_parse_u64(second + 1, 16, &device_id))
		return FALSE;
	*ret_ids = (Ids){ .vendor = (guint)vendor_id, .device = (guint)device_id };
	return TRUE;
}

static gboolean find_ids(const char *path, const char *device, Ids *ret_ids, GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *start = g_strndup(name, strlen("10de-1b80"));

	if (device != NULL && parse_ids(device, ':', ret_ids))
		return TRUE;
	if (device == NULL && parse_ids(start, '-', ret_ids))
		return TRUE;
	if (device != NULL)
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "--device takes PCI ids like 10de:1b80, not \"%s\"", device);
	else
		g_set_error(error, MTW_ERROR, MTW_ERROR_USAGE,
			    "of which device is the trace? Give its PCI ids: --device 10de:1b80");
	return FALSE;
}

/* The trace itself, unpacked: a file without a name, gone with its descriptor. */
static int unpack(const char *path, GError **error)
{
	g_autoptr(MtwTraceReader) reader = mtw_trace_reader_open(path, error);
	g_autofree char *block = g_malloc(BLOCK_BYTES);
	g_auto(MtwFd) fd = -1;
	gssize got;

	if (reader == NULL)
		return -1;
	fd = open(g_get_tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = memfd_create("trace", MFD_CLOEXEC);
	if (fd < 0) {
		mtw_set_error_errno(error, errno, "no room to unpack the trace");
		return -1;
	}
	while ((got = mtw_trace_reader_read(reader, block, BLOCK_BYTES, error)) > 0)
		if (!mtw_file_write_all(fd, block, (gsize)got, error))
			return -1;
	return got == 0 ? mtw_fd_steal(&fd) : -1;
}

static int text_fd(JsonObject *object, GError **error)
{
	g_auto(MtwFd) fd = memfd_create("verdict", MFD_CLOEXEC);
	g_autofree char *text = mtw_json_pretty(object);

	if (fd < 0) {
		mtw_set_error_errno(error, errno, "verdict");
		return -1;
	}
	return mtw_file_write_all(fd, text, strlen(text), error) ? mtw_fd_steal(&fd) : -1;
}

static JsonObject *facts_of(const char *path, const Ids *ids)
{
	JsonObject *facts = json_object_new();
	struct stat status;

	json_object_set_int_member(facts, "vendor_id", ids->vendor);
	json_object_set_int_member(facts, "device_id", ids->device);
	json_object_set_boolean_member(facts, "made_elsewhere", TRUE);
	json_object_set_int_member(facts, "time_sec",
				   stat(path, &status) == 0 ? status.st_mtim.tv_sec : 0);
	return facts;
}

/* The report of the same file is the same one in a second run. */
static char *session_id(const char *path)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	struct stat status = { 0 };
	g_autofree char *what = NULL;
	g_autofree char *checksum = NULL;

	(void)stat(path, &status);
	what = g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, absolute,
			       (gint64)status.st_size, (gint64)status.st_mtim.tv_sec);
	checksum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, what, -1);
	return g_strdup_printf("trace-%.12s", checksum);
}

MtwEngine *mtw_foreign_trace_open(const char *path, const char *device, GError **error)
{
	g_autoptr(MtwVerification) verification = NULL;
	g_autoptr(JsonObject) facts = NULL;
	g_autofree char *id = NULL;
	g_auto(MtwFd) trace = -1;
	g_auto(MtwFd) verdict = -1;
	MtwEngine *engine;
	Ids ids;

	if (!find_ids(path, device, &ids, error))
		return NULL;
	verification = mtw_verify_file(path, error);
	trace = verification != NULL ? unpack(path, error) : -1;
	verdict = trace >= 0 ? text_fd(verification->verdict, error) : -1;
	if (verdict < 0)
		return NULL;
	facts = facts_of(path, &ids);
	id = session_id(path);
	engine = mtw_engine_new_given(id, facts, NULL);
	mtw_engine_give(engine, "trace.txt", mtw_fd_steal(&trace));
	mtw_engine_give(engine, "verdict.json", mtw_fd_steal(&verdict));
	return engine;
}
