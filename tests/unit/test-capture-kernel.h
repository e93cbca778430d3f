/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small machine whose kernel answers: what is written to its files (by mtw_file_write_kernel, see
 * the --wrap in meson.build) changes them as tracefs and sysfs would. Two CPUs, one network card
 * bound to a driver that is built in.
 */
#pragma once

#include "fake-root.h"

#include "base/error.h"
#include "base/file.h"
#include "base/parse.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define NIC "0000:00:04.0"
#define OTHER_NIC "0000:00:05.0"
#define TRACING "sys/kernel/tracing/"
#define CPUS "sys/devices/system/cpu/"
#define PCI "sys/bus/pci/"
#define BOOT_ID "11111111-2222-3333-4444-555555555555"

/* What the kernel shall do otherwise than usual; reset for each test. */
typedef struct {
	FakeRoot *root;
	const char *refused;   /* (nullable) end of a path: writing there fails ... */
	int refused_errno;     /* ... with this ... */
	guint refused_times;   /* ... so often; 0: always */
	const char *ignored;   /* (nullable) end of a path: writing there changes nothing */
	gboolean stubborn_cpu; /* CPU 1 does not go off-line */
	GString *written;      /* "path=text\n" of each write */
	char *online;	       /* CPUs on-line when the tracer was switched on */
} FakeKernel;

static FakeKernel kernel;

static inline void kernel_put(const char *path, const char *text)
{
	g_autofree char *line = g_strconcat(text, "\n", NULL);

	fake_root_put(kernel.root, path, line);
}

/* In place: the program holds the file open. */
static inline void kernel_write_over(const char *path, const char *text)
{
	g_autofree char *full = fake_root_path(kernel.root, path);
	int fd = open(full, O_WRONLY | O_TRUNC);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline char *kernel_get(const char *path)
{
	return g_strchomp(fake_root_read(kernel.root, path));
}

static inline void assert_kernel(const char *path, const char *wanted)
{
	g_autofree char *text = kernel_get(path);

	if (strcmp(text, wanted) != 0)
		fail_msg("%s is \"%s\" and not \"%s\"", path, text, wanted);
}

static inline char *kernel_driver(const char *address)
{
	g_autofree char *path =
		g_build_filename(kernel.root->folder, PCI "devices", address, "driver", NULL);

	return mtw_link_name(path);
}

static inline void assert_driver(const char *address, const char *wanted)
{
	g_autofree char *driver = kernel_driver(address);

	if (g_strcmp0(driver, wanted) != 0)
		fail_msg("%s has the driver %s", address, driver);
}

static inline void kernel_bind(const char *address, const char *driver)
{
	g_autofree char *link = g_build_filename(PCI "devices", address, "driver", NULL);
	g_autofree char *target = g_build_filename("../../drivers", driver, NULL);

	fake_root_link(kernel.root, link, target);
}

static inline void kernel_unbind(const char *address)
{
	g_autofree char *link = g_build_filename(PCI "devices", address, "driver", NULL);

	fake_root_remove(kernel.root, link);
}

static inline void kernel_set_clock(const char *name)
{
	g_autofree char *now = kernel_get(TRACING "trace_clock");
	g_auto(GStrv) words = g_strsplit_set(now, " []", -1);
	g_autoptr(GString) text = g_string_new(NULL);

	for (char **word = words; *word != NULL; word++)
		if (**word != '\0')
			g_string_append_printf(text, strcmp(*word, name) == 0 ? "%s[%s]" : "%s%s",
					       text->len > 0 ? " " : "", *word);
	kernel_put(TRACING "trace_clock", text->str);
}

static inline void kernel_set_cpu(guint cpu, const char *on)
{
	g_autofree char *path = g_strdup_printf(CPUS "cpu%u/online", cpu);
	g_autofree char *other = NULL;

	kernel_put(path, on);
	other = kernel_get(CPUS "cpu1/online");
	kernel_put(CPUS "online", *other == '1' ? "0-1" : "0");
}

/* The first use gives an unused buffer its usual size. */
static inline void kernel_expand(void)
{
	g_autofree char *size = kernel_get(TRACING "buffer_size_kb");

	if (strstr(size, "expanded") == NULL)
		return;
	kernel_put(TRACING "buffer_size_kb", "1408");
	kernel_put(TRACING "per_cpu/cpu0/buffer_size_kb", "1408");
	kernel_put(TRACING "per_cpu/cpu1/buffer_size_kb", "1408");
}

static inline void kernel_set_tracer(const char *name)
{
	g_autofree char *before = kernel_get(TRACING "current_tracer");
	gboolean was_on = strcmp(before, "mmiotrace") == 0;
	gboolean is_on = strcmp(name, "mmiotrace") == 0;

	kernel_expand();
	kernel_put(TRACING "current_tracer", name);
	if (is_on && !was_on) {
		g_free(kernel.online);
		kernel.online = kernel_get(CPUS "cpu1/online");
		if (!kernel.stubborn_cpu)
			kernel_set_cpu(1, "0");
	} else if (was_on && !is_on && kernel.online != NULL) {
		kernel_set_cpu(1, kernel.online);
	}
}

/* Whole pages, of which 4080 bytes each are used; at least two. */
static inline void kernel_set_buffer(const char *path, const char *text)
{
	guint64 kb = g_ascii_strtoull(text, NULL, 10);
	guint64 pages = MAX((kb * 1024 + 4079) / 4080, 2);
	g_autofree char *size = g_strdup_printf("%" G_GUINT64_FORMAT, pages * 4080 / 1024);
	g_autofree char *other = NULL;

	kernel_expand();
	kernel_put(path, size);
	other = kernel_get(TRACING "per_cpu/cpu1/buffer_size_kb");
	kernel_put(TRACING "buffer_size_kb", strcmp(size, other) == 0 ? size : "X");
}

/* "devices/0000:00:04.0/driver_override", "drivers/nic/bind" */
static inline void kernel_react_pci(const char *path, const char *text)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	if (g_str_has_suffix(path, "/unbind"))
		kernel_unbind(text);
	else if (g_str_has_suffix(path, "/bind"))
		kernel_bind(text, parts[1]);
	else if (g_str_has_suffix(path, "/driver_override")) {
		g_autofree char *file = g_strconcat(PCI, path, NULL);
		g_autofree char *name = g_strchomp(g_strdup(text));
		kernel_put(file, *name != '\0' ? name : "(null)");
	}
}

static inline void kernel_react(const char *path, const char *text)
{
	if (g_str_has_prefix(path, PCI))
		kernel_react_pci(path + strlen(PCI), text);
	else if (strcmp(path, TRACING "trace_clock") == 0)
		kernel_set_clock(text);
	else if (strcmp(path, TRACING "current_tracer") == 0)
		kernel_set_tracer(text);
	else if (g_str_has_suffix(path, "/buffer_size_kb"))
		kernel_set_buffer(path, text);
	else if (strcmp(path, CPUS "cpu1/online") == 0)
		kernel_set_cpu(1, text);
	else
		kernel_put(path, text);
}

/* As the real one says it: what the kernel calls an I/O error is none of a disk. */
static inline void kernel_refuse(const char *text, const char *path, GError **error)
{
	MtwErrorCode code = mtw_error_from_errno(kernel.refused_errno);

	g_set_error(error, MTW_ERROR, code == MTW_ERROR_DISK ? MTW_ERROR_FAILED : (int)code,
		    "writing \"%s\" to %s: %s", text, path, g_strerror(kernel.refused_errno));
}

gboolean __real_mtw_file_write_kernel(const char *path, const char *text, GError **error);
gboolean __wrap_mtw_file_write_kernel(const char *path, const char *text, GError **error);

gboolean __wrap_mtw_file_write_kernel(const char *path, const char *text, GError **error)
{
	const char *below = path + strlen(kernel.root->folder) + 1;
	g_autofree char *before = NULL;

	assert_true(g_str_has_prefix(path, kernel.root->folder));
	if (kernel.refused != NULL && g_str_has_suffix(path, kernel.refused)) {
		kernel_refuse(text, path, error);
		if (kernel.refused_times > 0 && --kernel.refused_times == 0)
			kernel.refused = NULL;
		return FALSE;
	}
	g_file_get_contents(path, &before, NULL, NULL);
	if (!__real_mtw_file_write_kernel(path, text, error))
		return FALSE;
	g_string_append_printf(kernel.written, "%s=%s\n", below, text);
	/* An ordinary file was written over; the kernel's is not. */
	fake_root_put(kernel.root, below, before);
	if (kernel.ignored == NULL || !g_str_has_suffix(path, kernel.ignored))
		kernel_react(below, text);
	return TRUE;
}

static inline void kernel_put_tracefs(void)
{
	static const char stats[] = "entries: 0\noverrun: 0\ncommit overrun: 0\nbytes: 0\n"
				    "dropped events: 0\nread events: 0";

	kernel_put(TRACING "available_tracers", "blk mmiotrace function nop");
	kernel_put(TRACING "current_tracer", "nop");
	kernel_put(TRACING "tracing_on", "1");
	kernel_put(TRACING "trace_clock", "[local] global mono boot");
	kernel_put(TRACING "options/overwrite", "0");
	kernel_put(TRACING "buffer_size_kb", "7 (expanded: 1408)");
	fake_root_put(kernel.root, TRACING "trace_pipe", "");
	fake_root_put(kernel.root, TRACING "trace_marker", "");
	for (int cpu = 0; cpu < 2; cpu++) {
		g_autofree char *size =
			g_strdup_printf(TRACING "per_cpu/cpu%d/buffer_size_kb", cpu);
		g_autofree char *file = g_strdup_printf(TRACING "per_cpu/cpu%d/stats", cpu);
		kernel_put(size, "7 (expanded: 1408)");
		kernel_put(file, stats);
	}
}

static inline void kernel_put_device(const char *address)
{
	static const char *const files[][2] = {
		{ "vendor", "0x8086" },
		{ "device", "0x100e" },
		{ "class", "0x020000" },
		{ "revision", "0x02" },
		{ "driver_override", "(null)" },
		{ "modalias", "pci:v00008086d0000100Esv00001AF4sd00001100bc02sc00i00" },
		{ "resource", "0x00000000feb40000 0x00000000feb5ffff 0x0000000000040200" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(PCI "devices", address, files[i][0], NULL);
		kernel_put(path, files[i][1]);
	}
}

static inline void kernel_put_driver(const char *name)
{
	g_autofree char *bind = g_build_filename(PCI "drivers", name, "bind", NULL);
	g_autofree char *unbind = g_build_filename(PCI "drivers", name, "unbind", NULL);

	fake_root_put(kernel.root, bind, "");
	fake_root_put(kernel.root, unbind, "");
}

static inline int kernel_setup(void **state)
{
	FakeRoot *root = fake_root_new();

	kernel = (FakeKernel){ .root = root, .written = g_string_new(NULL) };
	*state = root;
	kernel_put(CPUS "online", "0-1");
	kernel_put(CPUS "present", "0-1");
	kernel_put(CPUS "cpu1/online", "1");
	kernel_put("proc/meminfo", "MemAvailable:    1048576 kB");
	kernel_put("proc/sys/kernel/random/boot_id", BOOT_ID);
	kernel_put_tracefs();
	kernel_put_device(NIC);
	kernel_put_device(OTHER_NIC);
	kernel_put_driver("nic");
	kernel_put_driver("vfio-pci");
	kernel_bind(NIC, "nic");
	return 0;
}

static inline int kernel_teardown(void **state)
{
	g_string_free(kernel.written, TRUE);
	g_free(kernel.online);
	return fake_root_teardown(state);
}

#define KERNEL_TEST(function) \
	cmocka_unit_test_setup_teardown(function, kernel_setup, kernel_teardown)
