/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wizard/sending-archive.h"

#include "config.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/text.h"
#include "report/archive.h"
#include "submit/shrink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER_MAX_BYTES (4 * 1024 * 1024)
#define TRACE_MAX_BYTES (32 * 1024 * 1024)
#define STORY_MAX_BYTES (16 * 1024)
#define MARKERS_MAX 40

/* Above the person's own words in description.txt. */
#define STORY_HEADING "\n== In their own words ==\n"

void mtw_parcel_free(MtwParcel *parcel)
{
	if (parcel == NULL)
		return;
	g_free(parcel->path);
	g_free(parcel->name);
	g_free(parcel->sha256);
	g_clear_pointer(&parcel->members, g_ptr_array_unref);
	json_object_unref(parcel->facts);
	g_free(parcel->pci_id);
	g_free(parcel->pci_class);
	g_free(parcel->driver);
	g_free(parcel->profile);
	g_free(parcel);
}

static const MtwMemberFacts *find_member(const MtwParcel *parcel, const char *name)
{
	for (guint i = 0; parcel->members != NULL && i < parcel->members->len; i++) {
		const MtwMemberFacts *member = parcel->members->pdata[i];
		if (g_str_equal(member->name, name))
			return member;
	}
	return NULL;
}

gboolean mtw_parcel_holds(const MtwParcel *parcel, const char *name)
{
	return find_member(parcel, name) != NULL;
}

/* Returns: (transfer full) (nullable): NULL: not there, or too large */
static char *read_member(const MtwParcel *parcel, const char *name, gsize max_bytes)
{
	const MtwMemberFacts *member = find_member(parcel, name);

	if (member == NULL || member->bytes > max_bytes)
		return NULL;
	return mtw_archive_read_member(parcel->path, name, max_bytes, NULL, NULL);
}

static void set_line(MtwParcel *parcel, const char *name, const char *text)
{
	g_autofree char *clean = g_strstrip(mtw_text_clean_line(text != NULL ? text : ""));

	if (clean[0] != '\0')
		json_object_set_string_member(parcel->facts, name, clean);
}

static void set_lines(MtwParcel *parcel, const char *name, const char *text)
{
	g_autofree char *clean = g_strstrip(mtw_lines_clean(text, -1));

	if (clean[0] != '\0')
		json_object_set_string_member(parcel->facts, name, clean);
}

/* What the person wrote; a README of an archive that was made by hand is that, too. */
static void take_story(MtwParcel *parcel)
{
	static const char *const names[] = { "description.txt", "README", "README.txt",
					     "README.md" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = read_member(parcel, names[i], MEMBER_MAX_BYTES);
		const char *story = text != NULL ? strstr(text, STORY_HEADING) : NULL;
		g_autofree char *cut = NULL;
		if (text == NULL)
			continue;
		story = story != NULL ? story + strlen(STORY_HEADING) : text;
		cut = g_strndup(story, STORY_MAX_BYTES);
		set_lines(parcel, "description", cut);
		return;
	}
}

/* "MARK 14.314589 text": those that people and scenarios set, as far as there is room for them. */
static void take_markers(MtwParcel *parcel)
{
	g_autofree char *trace = read_member(parcel, "mydump.txt", TRACE_MAX_BYTES);
	g_autoptr(GString) markers = g_string_new(NULL);
	const char *at = trace;
	guint count = 0;

	while (at != NULL && count < MARKERS_MAX) {
		const char *end = strchr(at, '\n');
		g_autofree char *line =
			end != NULL ? g_strndup(at, (gsize)(end - at)) : g_strdup(at);
		if (g_str_has_prefix(line, "MARK ")) {
			g_string_append_printf(markers, "%s\n", line + strlen("MARK "));
			count++;
		}
		at = end != NULL ? end + 1 : NULL;
	}
	set_lines(parcel, "markers", markers->str);
}

/* "0000:01:00.0 VGA compatible controller [0300]: ...": the manifest does not have the class. */
static void take_class(MtwParcel *parcel, const char *address)
{
	g_autofree char *text = read_member(parcel, "lspci.txt", MEMBER_MAX_BYTES);
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		const char *bracket = g_str_has_prefix(*line, address) ? strstr(*line, " [") : NULL;
		if (bracket == NULL || address[0] == '\0' || strlen(bracket) < strlen(" [0300]:"))
			continue;
		if (bracket[6] == ']' && bracket[7] == ':') {
			g_free(parcel->pci_class);
			parcel->pci_class = g_strdup_printf("%.4s00", bracket + 2);
			return;
		}
	}
}

static void take_ids(MtwParcel *parcel, JsonObject *capture)
{
	gint64 vendor = mtw_json_int(capture, "vendor_id", -1);
	gint64 device = mtw_json_int(capture, "device_id", -1);

	if (vendor < 0 || vendor > G_MAXUINT16 || device < 0 || device > G_MAXUINT16)
		return;
	g_free(parcel->pci_id);
	parcel->pci_id = g_strdup_printf("%04x:%04x", (guint)vendor, (guint)device);
}

static char *device_name(JsonObject *capture)
{
	const char *name = mtw_json_string(mtw_json_object(capture, "facts"), "device-name", NULL);

	if (name != NULL)
		return g_strdup(name);
	return g_strdup_printf("%s %s", mtw_json_string(capture, "vendor_name", ""),
			       mtw_json_string(capture, "device_name", ""));
}

static char *driver_text(JsonObject *capture)
{
	JsonObject *facts = mtw_json_object(capture, "facts");
	const char *driver = mtw_json_string(capture, "driver", NULL);
	const char *version = mtw_json_string(facts, "driver-version", "");

	if (driver == NULL)
		driver = mtw_json_string(capture, "module", "");
	return g_strdup_printf("%s %s", driver, version);
}

/* "good (13654 accesses, 0 lost)" */
static char *verdict_text(JsonObject *verdict)
{
	const char *grade = mtw_json_string(verdict, "grade", NULL);

	if (grade == NULL)
		return g_strdup("");
	return g_strdup_printf("%s (%" G_GINT64_FORMAT " records, %" G_GINT64_FORMAT " lost)",
			       grade, mtw_json_int(verdict, "events", 0),
			       mtw_json_int(mtw_json_object(verdict, "lost"), "events", 0));
}

static void take_manifest(MtwParcel *parcel, JsonObject *manifest)
{
	JsonObject *capture = mtw_json_object(manifest, "capture");
	g_autofree char *device = device_name(capture);
	g_autofree char *driver = driver_text(capture);
	g_autofree char *verdict = verdict_text(mtw_json_object(manifest, "verdict"));

	parcel->has_manifest = TRUE;
	take_ids(parcel, capture);
	take_class(parcel, mtw_json_string(capture, "device", ""));
	g_free(parcel->driver);
	parcel->driver = mtw_text_clean_line(mtw_json_string(capture, "driver", ""));
	g_free(parcel->profile);
	parcel->profile = mtw_text_clean_line(mtw_json_string(capture, "profile", ""));
	set_line(parcel, "device", device);
	set_line(parcel, "driver", driver);
	set_line(parcel, "verdict", verdict);
	set_line(parcel, "kernel", mtw_json_string(capture, "kernel", ""));
	set_line(parcel, "nick", mtw_json_string(manifest, "nick", ""));
	set_line(parcel, "version", mtw_json_string(manifest, "version", ""));
}

static gboolean is_hex(const char *text)
{
	for (guint i = 0; i < 4; i++)
		if (!g_ascii_isxdigit(text[i]))
			return FALSE;
	return TRUE;
}

/* "10de-1b80-alice-mmiotrace.tar.gz" */
static void take_name(MtwParcel *parcel)
{
	const char *name = parcel->name;

	if (strlen(name) < 10 || !is_hex(name) || name[4] != '-' || !is_hex(name + 5) ||
	    name[9] != '-')
		return;
	g_free(parcel->pci_id);
	parcel->pci_id = g_strdup_printf("%.4s:%.4s", name, name + 5);
}

static gboolean measure(MtwParcel *parcel, const int *cancel, GError **error)
{
	const MtwShrinkHooks hooks = { .cancel = cancel };
	g_auto(MtwFd) fd = mtw_file_open_read(parcel->path, error);

	return fd >= 0 && mtw_file_sha256(fd, &hooks, &parcel->sha256, &parcel->bytes, error);
}

static void take_facts(MtwParcel *parcel)
{
	g_autofree char *text = NULL;
	g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, parcel->bytes);
	g_autoptr(JsonObject) manifest = NULL;

	take_name(parcel);
	text = read_member(parcel, "manifest.json", MEMBER_MAX_BYTES);
	manifest = text != NULL ? mtw_json_parse(text, -1, "manifest.json", NULL) : NULL;
	if (manifest != NULL && mtw_json_object(manifest, "capture") != NULL)
		take_manifest(parcel, manifest);
	take_story(parcel);
	take_markers(parcel);
	set_line(parcel, "pciid", parcel->pci_id);
	set_line(parcel, "file", parcel->name);
	set_line(parcel, "sha256", parcel->sha256);
	set_line(parcel, "bytes", bytes);
	if (!json_object_has_member(parcel->facts, "version"))
		set_line(parcel, "version", MTW_VERSION);
}

MtwParcel *mtw_parcel_open(const char *path, const int *cancel, GError **error)
{
	g_autoptr(MtwParcel) parcel = g_new0(MtwParcel, 1);

	parcel->facts = json_object_new();
	parcel->pci_id = g_strdup("");
	parcel->pci_class = g_strdup("");
	parcel->driver = g_strdup("");
	parcel->profile = g_strdup("");
	parcel->path = realpath(path, NULL);
	if (parcel->path == NULL) {
		mtw_set_error_errno(error, errno, "%s", path);
		return NULL;
	}
	parcel->name = g_path_get_basename(parcel->path);
	if (!measure(parcel, cancel, error))
		return NULL;
	parcel->members = mtw_archive_sizes(parcel->path, NULL);
	take_facts(parcel);
	return g_steal_pointer(&parcel);
}
