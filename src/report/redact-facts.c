/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/redact.h"

#include "base/file.h"
#include "base/parse.h"
#include "machine/identifiers.h"
#include "report/redact-kind.h"

#include <string.h>

#define USER_UID_MIN 1000
#define USER_UID_MAX 60000
#define SERIAL_PAGE_HEADER_BYTES 4
#define LUKS_PREFIX "CRYPT-LUKS"
#define LVM_PREFIX "LVM-"

static void fact_free(gpointer data)
{
	MtwRedactFact *fact = data;

	g_free(fact->value);
	g_free(fact);
}

MtwRedactFacts *mtw_redact_facts_new(void)
{
	MtwRedactFacts *facts = g_new0(MtwRedactFacts, 1);

	facts->values = g_ptr_array_new_with_free_func(fact_free);
	facts->keep = g_ptr_array_new_with_free_func(g_free);
	return facts;
}

void mtw_redact_facts_free(MtwRedactFacts *facts)
{
	if (facts == NULL)
		return;
	g_ptr_array_unref(facts->values);
	g_ptr_array_unref(facts->keep);
	g_free(facts);
}

void mtw_redact_facts_add(MtwRedactFacts *facts, MtwRedactKind kind, const char *value)
{
	g_autofree char *trimmed = value != NULL ? g_strstrip(g_strdup(value)) : NULL;
	MtwRedactFact *fact;

	if (trimmed == NULL || *trimmed == '\0')
		return;
	for (guint i = 0; i < facts->values->len; i++) {
		const MtwRedactFact *other = facts->values->pdata[i];
		if (g_str_equal(other->value, trimmed))
			return;
	}
	fact = g_new0(MtwRedactFact, 1);
	fact->kind = kind;
	fact->value = g_steal_pointer(&trimmed);
	g_ptr_array_add(facts->values, fact);
}

void mtw_redact_facts_add_named(MtwRedactFacts *facts, const char *kind_name, const char *value)
{
	MtwRedactKind kind;

	if (mtw_redact_kind_from_name(kind_name, &kind))
		mtw_redact_facts_add(facts, kind, value);
}

/* ---- files with one value -------------------------------------------------------------------- */

typedef struct {
	MtwPathKind base;
	const char *path; /* a "*" is every name in the folder; at most one */
	MtwRedactKind kind;
} Source;

static const Source sources[] = {
	{ MTW_PATH_ETC, "hostname", MTW_REDACT_HOST },
	{ MTW_PATH_PROCFS, "sys/kernel/hostname", MTW_REDACT_HOST },
	{ MTW_PATH_ETC, "machine-id", MTW_REDACT_UUID },
	{ MTW_PATH_PROCFS, "sys/kernel/random/boot_id", MTW_REDACT_UUID },
	{ MTW_PATH_SYSFS, "class/net/*/address", MTW_REDACT_MAC },
	{ MTW_PATH_SYSFS, "class/ieee80211/*/macaddress", MTW_REDACT_MAC },
	{ MTW_PATH_SYSFS, "class/bluetooth/*/address", MTW_REDACT_MAC },
	{ MTW_PATH_SYSFS, "block/*/serial", MTW_REDACT_SERIAL },
	{ MTW_PATH_SYSFS, "block/*/device/serial", MTW_REDACT_SERIAL },
	{ MTW_PATH_SYSFS, "block/*/device/cid", MTW_REDACT_UUID },
	{ MTW_PATH_SYSFS, "bus/usb/devices/*/serial", MTW_REDACT_SERIAL },
	{ MTW_PATH_SYSFS, "bus/thunderbolt/devices/*/unique_id", MTW_REDACT_UUID },
	{ MTW_PATH_SYSFS, "class/power_supply/*/serial_number", MTW_REDACT_SERIAL },
};

static void add_file(MtwRedactFacts *facts, MtwRedactKind kind, const char *path)
{
	g_autofree char *line = mtw_file_read_line(path, NULL);
	MtwBdf bdf;

	/* Host controllers have their PCI address as serial number. */
	if (line != NULL && !mtw_parse_bdf(line, &bdf))
		mtw_redact_facts_add(facts, kind, line);
}

static void add_source(MtwRedactFacts *facts, const MtwPaths *paths, const Source *source)
{
	g_auto(GStrv) parts = g_strsplit(source->path, "/*/", 2);
	g_autofree char *folder = mtw_paths_build(paths, source->base, parts[0], NULL);
	g_autoptr(GPtrArray) names = NULL;

	if (parts[1] == NULL) {
		add_file(facts, source->kind, folder);
		return;
	}
	names = mtw_folder_list(folder);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *path = g_build_filename(folder, names->pdata[i], parts[1], NULL);
		add_file(facts, source->kind, path);
	}
}

/* ---- people ---------------------------------------------------------------------------------- */

static gboolean ends_with_name(const char *home, const char *name)
{
	g_autofree char *last = g_path_get_basename(home);

	return g_str_equal(last, name);
}

static void add_user(MtwRedactFacts *facts, char **fields)
{
	g_autofree char *full_name = g_strndup(fields[4], strcspn(fields[4], ","));

	mtw_redact_facts_add(facts, MTW_REDACT_USER, fields[0]);
	mtw_redact_facts_add(facts, MTW_REDACT_NAME, full_name);
	/* /home/NAME is cleaned by the name; /home itself is nobody's. */
	if (!ends_with_name(fields[5], fields[0]) && strlen(fields[5]) > strlen("/home/"))
		mtw_redact_facts_add(facts, MTW_REDACT_HOME, fields[5]);
}

static void add_users(MtwRedactFacts *facts, const MtwPaths *paths, const char *caller_name)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_ETC, "passwd", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;

	for (char **line = lines; line != NULL && *line != NULL; line++) {
		g_auto(GStrv) fields = g_strsplit(*line, ":", -1);
		guint uid = 0;
		if (g_strv_length(fields) < 6 || !mtw_parse_uint(fields[2], 0, G_MAXUINT, &uid))
			continue;
		if ((uid >= USER_UID_MIN && uid <= USER_UID_MAX) ||
		    g_strcmp0(fields[0], caller_name) == 0)
			add_user(facts, fields);
	}
	mtw_redact_facts_add(facts, MTW_REDACT_USER, caller_name);
}

/* ---- domain ---------------------------------------------------------------------------------- */

/* "corp.example" of "host.corp.example"; one label alone ("lan", "local") says nothing. */
static void add_domain(MtwRedactFacts *facts, const char *domain)
{
	if (strchr(domain, '.') != NULL)
		mtw_redact_facts_add(facts, MTW_REDACT_DOMAIN, domain);
}

static char **words_of(const MtwPaths *paths, const char *name)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_ETC, name, NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);

	return text != NULL ? g_strsplit_set(text, " \t\n", -1) : NULL;
}

static void add_domains(MtwRedactFacts *facts, const MtwPaths *paths)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_ETC, "hostname", NULL);
	g_autofree char *host = mtw_file_read_line(path, NULL);
	g_auto(GStrv) words = words_of(paths, "hosts");
	g_autofree char *prefix = NULL;

	if (host == NULL || *host == '\0')
		return;
	if (strchr(host, '.') != NULL) {
		g_autofree char *first = g_strndup(host, strcspn(host, "."));
		mtw_redact_facts_add(facts, MTW_REDACT_HOST, first);
		add_domain(facts, strchr(host, '.') + 1);
	}
	prefix = g_strdup_printf("%.*s.", (int)strcspn(host, "."), host);
	for (char **word = words; word != NULL && *word != NULL; word++)
		if (g_str_has_prefix(*word, prefix))
			add_domain(facts, *word + strlen(prefix));
}

/* The domains that names are searched in. */
static void add_search(MtwRedactFacts *facts, const MtwPaths *paths)
{
	g_auto(GStrv) words = words_of(paths, "resolv.conf");
	gboolean wanted = FALSE;

	for (char **word = words; word != NULL && *word != NULL; word++) {
		if (g_str_equal(*word, "search") || g_str_equal(*word, "domain"))
			wanted = TRUE;
		else if (g_str_equal(*word, "nameserver") || g_str_equal(*word, "options") ||
			 **word == '#')
			wanted = FALSE;
		else if (wanted)
			add_domain(facts, *word);
	}
}

/* ---- disks ----------------------------------------------------------------------------------- */

/* Names in /dev/disk have "\x20" for a blank. Returns: (transfer full) */
static char *unescape(const char *name)
{
	GString *text = g_string_new(NULL);

	for (const char *at = name; *at != '\0'; at++) {
		if (at[0] == '\\' && at[1] == 'x' && g_ascii_isxdigit(at[2]) &&
		    g_ascii_isxdigit(at[3])) {
			g_string_append_c(text, (char)(g_ascii_xdigit_value(at[2]) * 16 +
						       g_ascii_xdigit_value(at[3])));
			at += 3;
		} else {
			g_string_append_c(text, *at);
		}
	}
	return g_string_free(text, FALSE);
}

static void add_disk_names(MtwRedactFacts *facts, const MtwPaths *paths)
{
	static const struct {
		const char *folder;
		MtwRedactKind kind;
	} folders[] = {
		{ "by-uuid", MTW_REDACT_UUID },
		{ "by-partuuid", MTW_REDACT_UUID },
		{ "by-label", MTW_REDACT_LABEL },
		{ "by-partlabel", MTW_REDACT_LABEL },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		g_autofree char *folder =
			mtw_paths_build(paths, MTW_PATH_DEV, "disk", folders[i].folder, NULL);
		g_autoptr(GPtrArray) names = mtw_folder_list(folder);
		for (guint j = 0; j < names->len; j++) {
			g_autofree char *name = unescape(names->pdata[j]);
			mtw_redact_facts_add(facts, folders[i].kind, name);
		}
	}
}

/* "volume--group-root" is the volume "root" of the group "volume-group". */
static void add_volume_group(MtwRedactFacts *facts, const char *name)
{
	GString *group = g_string_new(NULL);
	g_autofree char *text = NULL;

	for (const char *at = name; *at != '\0'; at++) {
		if (at[0] == '-' && at[1] != '-')
			break;
		g_string_append_c(group, *at);
		at += at[0] == '-';
	}
	text = g_string_free(group, FALSE);
	mtw_redact_facts_add(facts, MTW_REDACT_VOLUME, text);
}

/* "CRYPT-LUKS2-<32 digits>-NAME". */
static void add_luks_uuid(MtwRedactFacts *facts, const char *uuid)
{
	g_auto(GStrv) parts = g_strsplit(uuid, "-", 4);

	if (g_strv_length(parts) >= 3)
		mtw_redact_facts_add(facts, MTW_REDACT_UUID, parts[2]);
}

static void add_mapped(MtwRedactFacts *facts, const char *folder)
{
	g_autofree char *name_path = g_build_filename(folder, "dm", "name", NULL);
	g_autofree char *uuid_path = g_build_filename(folder, "dm", "uuid", NULL);
	g_autofree char *name = mtw_file_read_line(name_path, NULL);
	g_autofree char *uuid = mtw_file_read_line(uuid_path, NULL);

	mtw_redact_facts_add(facts, MTW_REDACT_VOLUME, name);
	if (name != NULL && uuid != NULL && g_str_has_prefix(uuid, LVM_PREFIX)) {
		add_volume_group(facts, name);
		mtw_redact_facts_add(facts, MTW_REDACT_UUID, uuid + strlen(LVM_PREFIX));
	} else if (uuid != NULL && g_str_has_prefix(uuid, LUKS_PREFIX)) {
		add_luks_uuid(facts, uuid);
	}
}

/* "eui.0025385b71b0a1c2", "naa.5002538d4123abcd", "t10.ATA  MODEL   SERIAL". */
static void add_wwid(MtwRedactFacts *facts, const char *folder, const char *file)
{
	g_autofree char *path = g_build_filename(folder, file, NULL);
	g_autofree char *wwid = mtw_file_read_line(path, NULL);

	if (wwid == NULL)
		return;
	if (g_str_has_prefix(wwid, "eui.") || g_str_has_prefix(wwid, "naa."))
		mtw_redact_facts_add(facts, MTW_REDACT_UUID, wwid + 4);
	else if (g_str_has_prefix(wwid, "uuid."))
		mtw_redact_facts_add(facts, MTW_REDACT_UUID, wwid + 5);
	else if (g_str_has_prefix(wwid, "t10.") && strrchr(wwid, ' ') != NULL)
		mtw_redact_facts_add(facts, MTW_REDACT_SERIAL, strrchr(wwid, ' '));
}

/* The page of a SCSI disk with its serial number: a header, then text. */
static void add_serial_page(MtwRedactFacts *facts, const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "device", "vpd_pg80", NULL);
	gsize bytes = 0;
	g_autofree char *page = mtw_file_read(path, MTW_FILE_SMALL_BYTES, &bytes, NULL);

	if (page != NULL && bytes > SERIAL_PAGE_HEADER_BYTES)
		mtw_redact_facts_add(facts, MTW_REDACT_SERIAL, page + SERIAL_PAGE_HEADER_BYTES);
}

static void add_disks(MtwRedactFacts *facts, const MtwPaths *paths)
{
	g_autofree char *block = mtw_paths_build(paths, MTW_PATH_SYSFS, "block", NULL);
	g_autoptr(GPtrArray) names = mtw_folder_list(block);

	for (guint i = 0; i < names->len; i++) {
		g_autofree char *folder = g_build_filename(block, names->pdata[i], NULL);
		add_mapped(facts, folder);
		add_wwid(facts, folder, "wwid");
		add_wwid(facts, folder, "device/wwid");
		add_serial_page(facts, folder);
	}
	add_disk_names(facts, paths);
}

/* ---- what only root can read ------------------------------------------------------------------ */

static void add_identifiers(MtwRedactFacts *facts, const MtwPaths *paths)
{
	g_autoptr(GPtrArray) identifiers = mtw_identifiers_get(paths);

	for (guint i = 0; i < identifiers->len; i++) {
		const MtwIdentifier *identifier = identifiers->pdata[i];
		mtw_redact_facts_add_named(facts, identifier->kind, identifier->value);
	}
}

MtwRedactFacts *mtw_redact_facts_gather(const MtwPaths *paths, const char *caller_name)
{
	MtwRedactFacts *facts = mtw_redact_facts_new();

	/* Users first: what is the name of a user and of something else is a user. */
	add_users(facts, paths, caller_name);
	add_domains(facts, paths);
	for (gsize i = 0; i < G_N_ELEMENTS(sources); i++)
		add_source(facts, paths, &sources[i]);
	add_search(facts, paths);
	add_disks(facts, paths);
	add_identifiers(facts, paths);
	return facts;
}
