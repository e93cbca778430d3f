/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/system.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Bits of CapEff in /proc/self/status: what mounting, unbinding, loading, and seeing who uses a device need. */
#define CAPABILITY_SYS_MODULE (G_GUINT64_CONSTANT(1) << 16)
#define CAPABILITY_SYS_PTRACE (G_GUINT64_CONSTANT(1) << 19)
#define CAPABILITY_SYS_ADMIN (G_GUINT64_CONSTANT(1) << 21)

/* A line of /proc/sys/kernel. Returns: (transfer full) (nullable) */
static char *kernel_line(const MtwPaths *paths, const char *name)
{
	g_autofree char *path =
		mtw_paths_build(paths, MTW_PATH_PROCFS, "sys", "kernel", name, NULL);

	return mtw_file_read_line(path, NULL);
}

static char *kernel_line_or(const MtwPaths *paths, const char *name, const char *missing)
{
	char *line = kernel_line(paths, name);

	return line != NULL ? line : g_strdup(missing);
}

char *mtw_system_release(const MtwPaths *paths)
{
	struct utsname name;
	char *release;

	if (mtw_paths_live(paths) && uname(&name) == 0)
		return g_strdup(name.release);
	release = kernel_line_or(paths, "osrelease", "unknown");
	/* It becomes a part of paths. */
	g_strdelimit(release, "/", '_');
	return release;
}

char *mtw_system_machine(const MtwPaths *paths)
{
	struct utsname name;

	if (mtw_paths_live(paths) && uname(&name) == 0)
		return g_strdup(name.machine);
	return kernel_line_or(paths, "arch", "x86_64");
}

char *mtw_system_uname(const MtwPaths *paths)
{
	struct utsname name;
	g_autofree char *release = NULL;
	g_autofree char *version = NULL;
	g_autofree char *machine = NULL;

	if (mtw_paths_live(paths) && uname(&name) == 0)
		return g_strdup_printf("%s %s %s %s %s", name.sysname, name.nodename, name.release,
				       name.version, name.machine);
	release = mtw_system_release(paths);
	version = kernel_line_or(paths, "version", "unknown");
	machine = mtw_system_machine(paths);
	return g_strdup_printf("Linux localhost %s %s %s", release, version, machine);
}

/* The value of PRETTY_NAME="..." in the text of os-release. */
static char *pretty_name(const char *text)
{
	static const char key[] = "PRETTY_NAME=";
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		char *value;
		if (!g_str_has_prefix(*line, key))
			continue;
		value = g_shell_unquote(*line + strlen(key), NULL);
		return value != NULL ? value : g_strdup(*line + strlen(key));
	}
	return NULL;
}

char *mtw_system_os_name(const MtwPaths *paths)
{
	g_autofree char *etc = mtw_paths_build(paths, MTW_PATH_ETC, "os-release", NULL);
	g_autofree char *usr = mtw_paths_build(paths, MTW_PATH_ROOT, "usr/lib/os-release", NULL);
	const char *const files[] = { etc, usr };

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *text = mtw_file_read(files[i], MTW_FILE_SMALL_BYTES, NULL, NULL);
		char *name = text != NULL ? pretty_name(text) : NULL;
		if (name != NULL)
			return name;
	}
	return g_strdup("unknown");
}

char *mtw_system_cmdline(const MtwPaths *paths)
{
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "cmdline", NULL);
	char *line = mtw_file_read_line(path, NULL);

	return line != NULL ? line : g_strdup("");
}

/* The end of the parameter at @at: a space outside of double quotes. */
static const char *parameter_end(const char *at)
{
	gboolean quoted = FALSE;

	for (; *at != '\0' && (quoted || !g_ascii_isspace(*at)); at++)
		if (*at == '"')
			quoted = !quoted;
	return at;
}

/* Whether the @bytes at @text are @name, "-" and "_" being the same. */
static gboolean is_name(const char *text, gsize bytes, const char *name)
{
	if (strlen(name) != bytes)
		return FALSE;
	for (gsize i = 0; i < bytes; i++) {
		char a = text[i] == '-' ? '_' : text[i];
		char b = name[i] == '-' ? '_' : name[i];
		if (a != b)
			return FALSE;
	}
	return TRUE;
}

/* The kernel takes the quotes off that stand around the whole parameter or around its value. */
static char *unquoted(const char *text, gsize bytes)
{
	if (bytes > 0 && text[0] == '"') {
		text++;
		bytes--;
	}
	if (bytes > 0 && text[bytes - 1] == '"')
		bytes--;
	return g_strndup(text, bytes);
}

char *mtw_cmdline_value(const char *cmdline, const char *parameter)
{
	char *value = NULL;

	for (const char *at = cmdline; *at != '\0';) {
		const char *end = parameter_end(at);
		const char *name = *at == '"' ? at + 1 : at;
		gsize name_bytes = strcspn(name, "= \t\n\"");
		const char *equals = name + name_bytes;
		if (is_name(name, name_bytes, parameter)) {
			g_free(value);
			value = *equals == '=' ? unquoted(equals + 1, (gsize)(end - equals - 1))
					       : g_strdup("");
		}
		at = *end != '\0' ? end + 1 : end;
	}
	return value;
}

guint64 mtw_system_memory_available(const MtwPaths *paths)
{
	static const char key[] = "MemAvailable:";
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "meminfo", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	const char *at = text != NULL ? strstr(text, key) : NULL;
	g_autofree char *number = NULL;
	guint64 kb;

	if (at == NULL)
		return 0;
	at += strlen(key);
	at += strspn(at, " \t");
	number = g_strndup(at, strspn(at, "0123456789"));
	if (!mtw_parse_u64(number, 10, &kb) || kb > G_MAXUINT64 / 1024)
		return 0;
	return kb * 1024;
}

char *mtw_system_boot_id(const MtwPaths *paths)
{
	return kernel_line_or(paths, "random/boot_id", "");
}

gboolean mtw_space_free(const char *path, guint64 *ret_bytes, GError **error)
{
	g_autofree char *existing = g_canonicalize_filename(path, NULL);
	struct statvfs space;
	int result;

	while ((result = statvfs(existing, &space)) != 0 && errno == ENOENT &&
	       strcmp(existing, "/") != 0) {
		char *parent = g_path_get_dirname(existing);
		g_free(existing);
		existing = parent;
	}
	if (result != 0) {
		mtw_set_error_errno(error, errno, "cannot tell the free space of %s", existing);
		return FALSE;
	}
	/* What is kept back for root counts for root only. */
	*ret_bytes = (guint64)(geteuid() == 0 ? space.f_bfree : space.f_bavail) * space.f_frsize;
	return TRUE;
}

/* The @column-th word after "@key" in the text of /proc/self/status. */
static char *status_word(const char *text, const char *key, guint column)
{
	g_autofree char *line_start = g_strdup_printf("\n%s", key);
	const char *at = strstr(text, line_start);

	if (at == NULL)
		return NULL;
	at += strlen(line_start);
	for (guint i = 0; i < column; i++) {
		at += strspn(at, "\t ");
		at += strcspn(at, "\t \n");
	}
	at += strspn(at, "\t ");
	return g_strndup(at, strcspn(at, "\t \n"));
}

MtwPrivilege mtw_system_privilege(const MtwPaths *paths)
{
	const guint64 needed = CAPABILITY_SYS_MODULE | CAPABILITY_SYS_PTRACE | CAPABILITY_SYS_ADMIN;
	g_autofree char *path = mtw_paths_build(paths, MTW_PATH_PROCFS, "self", "status", NULL);
	g_autofree char *text = mtw_file_read(path, MTW_FILE_SMALL_BYTES, NULL, NULL);
	/* Real, effective, saved and file-system user. */
	g_autofree char *user = text != NULL ? status_word(text, "Uid:", 1) : NULL;
	g_autofree char *rights = text != NULL ? status_word(text, "CapEff:", 0) : NULL;
	guint64 bits;

	if (user == NULL)
		return geteuid() == 0 ? MTW_PRIVILEGE_FULL : MTW_PRIVILEGE_NONE;
	if (strcmp(user, "0") != 0)
		return MTW_PRIVILEGE_NONE;
	if (rights != NULL && mtw_parse_u64(rights, 16, &bits) && (bits & needed) != needed)
		return MTW_PRIVILEGE_LIMITED;
	return MTW_PRIVILEGE_FULL;
}
