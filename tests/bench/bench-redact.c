/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast a file is cleaned: learned from once and cleaned once, all rules, with the facts of a
 * person's machine.
 *
 *     bench-redact make MEGABYTES      writes a kernel log of this size to standard output
 *     bench-redact trace MEGABYTES     the same with a trace
 *     bench-redact FILE [trace]        MB/s and number of replacements; the best of three
 */
#include "report/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3
#define BLOCK_BYTES (1024 * 1024)

/* What a kernel prints, most of it with nothing to be found. %u is a number that counts. */
static const char *const lines[] = {
	"BIOS-e820: [mem 0x0000000000100000-0x00000000bffd9fff] usable",
	"ACPI: SSDT 0x00000000BFFE1B3F 000034 (v01 LENOVO TP-N1M   00000001 PTEC 00000001)",
	"pci 0000:00:1f.3: [8086:9d71] type 00 class 0x040300",
	"pci 0000:00:1f.3: reg 0x10: [mem 0xec240000-0xec243fff 64bit]",
	"usb 1-%u: New USB device found, idVendor=046d, idProduct=c52b, bcdDevice=12.11",
	"usb 1-%u: New USB device strings: Mfr=1, Product=2, SerialNumber=3",
	"usb 1-%u: SerialNumber: 4C5300012305%u",
	"EXT4-fs (sda2): mounted filesystem 3f1b8a52-9c1e-4d57-a0de-6b1f0e5c7d21 ro",
	"e1000e 0000:00:1f.6 eth0: (PCI Express:2.5GT/s:Width x1) 54:e1:ad:12:34:56",
	"iwlwifi 0000:04:00.0: loaded firmware version 36.ca7b901d.0 8265-36.ucode op_mode iwlmvm",
	"audit: type=1400 audit(1700000000.%u:2): apparmor=\"STATUS\" operation=\"profile_load\"",
	"systemd[1]: Started Journal Service. ada-tower",
	"[UFW BLOCK] IN=wlan0 MAC=54:e1:ad:12:34:56:3c:a6:2f:11:22:33:08:00 SRC=192.168.1.%u",
	"ata1.00: supports DRM functions and may not be fully accessible",
	"[drm] Initialized i915 1.6.0 20201103 for 0000:00:02.0 on minor 0",
	"input: PC Speaker as /devices/platform/pcspkr/input/input%u",
	"perf: interrupt took too long (%u > 2500), lowering kernel.perf_event_max_sample_rate",
	"nouveau 0000:01:00.0: bios: version 86.04.50.00.6b",
	"CPU: %u PID: 1234 Comm: ada Not tainted 6.1.0-57-amd64 #1  Debian 6.1.192-3",
	"RIP: 0010:native_safe_halt+0xb/0x10 Code: 00 00 7e 3d 48 8b 04 25 80 ad 01 00",
};

/* One line in so many has something to be found. */
#define PRIVATE_SHARE 12

/* The lines at these places of the list have. */
static gboolean is_private(guint index)
{
	return index >= 6 && index <= 12 && index != 9 && index != 10;
}

static void make(gsize megabytes)
{
	gsize written = 0;

	for (guint n = 0; written < megabytes * 1000000; n++) {
		guint index = n * 7 % (guint)G_N_ELEMENTS(lines);
		g_autofree char *line = NULL;
		if (is_private(index) && n % PRIVATE_SHARE != 0)
			continue;
		line = g_strdup_printf(lines[index], n % 200, n % 200);
		written += (gsize)printf("[%5u.%06u] %s\n", n / 1000, n % 1000000, line);
	}
}

static void make_trace(gsize megabytes)
{
	gsize written = 0;

	for (guint n = 0; written < megabytes * 1000000; n++) {
		if (n % 1000 == 0)
			written += (gsize)printf("MARK %u.%06u ada says %u\n", n / 1000,
						 n % 1000000, n);
		written += (gsize)printf("R 4 %u.%06u 1 0xfebc%04x 0x%x 0x0 0\n", n / 1000,
					 n % 1000000, n % 65536, n);
	}
}

static gboolean drop(const char *data, gsize bytes, gpointer user_data, GError **error)
{
	(void)data;
	(void)error;
	*(guint64 *)user_data += bytes;
	return TRUE;
}

static void count(const MtwRedactReplacement *replacement, gpointer user_data)
{
	(void)replacement;
	((guint64 *)user_data)[1]++;
}

static void pass(MtwRedactor *redactor, const char *text, gsize bytes, MtwRedactFormat format,
		 MtwRedactTask task, guint64 *counts)
{
	MtwRedactSink sink = { drop, count, counts };
	g_autoptr(MtwRedactStream) stream =
		mtw_redact_stream_new(redactor, "dmesg.txt", format, task, &sink);

	for (gsize at = 0; at < bytes; at += BLOCK_BYTES)
		mtw_redact_stream_feed(stream, text + at, MIN(BLOCK_BYTES, bytes - at), NULL);
	mtw_redact_stream_end(stream, NULL);
}

static int measure(const char *path, MtwRedactFormat format)
{
	g_autoptr(MtwPaths) paths = mtw_paths_new_from_environment();
	g_autoptr(GError) error = NULL;
	g_autoptr(MtwRedactRules) rules = mtw_redact_rules_load(paths, &error);
	g_autofree char *text = NULL;
	gint64 best = G_MAXINT64;
	guint64 counts[2] = { 0, 0 };
	gsize bytes;

	if (rules == NULL || !g_file_get_contents(path, &text, &bytes, &error)) {
		fprintf(stderr, "%s\n", error->message);
		return EXIT_FAILURE;
	}
	for (int round = 0; round < ROUNDS; round++) {
		g_autoptr(MtwRedactor) redactor = mtw_redactor_new(rules);
		gint64 start = g_get_monotonic_time();
		counts[0] = counts[1] = 0;
		mtw_redactor_add_word(redactor, MTW_REDACT_HOST, "ada-tower");
		mtw_redactor_add_word(redactor, MTW_REDACT_USER, "ada");
		pass(redactor, text, bytes, format, MTW_REDACT_LEARN, counts);
		counts[1] = 0;
		pass(redactor, text, bytes, format, MTW_REDACT_CLEAN, counts);
		best = MIN(best, g_get_monotonic_time() - start);
	}
	printf("%.0f MB/s, %.2f s, %" G_GUINT64_FORMAT " replacements\n",
	       (double)bytes / (double)best, (double)best / 1e6, counts[1]);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "make") == 0) {
		make((gsize)g_ascii_strtoull(argv[2], NULL, 10));
		return EXIT_SUCCESS;
	}
	if (argc == 3 && strcmp(argv[1], "trace") == 0) {
		make_trace((gsize)g_ascii_strtoull(argv[2], NULL, 10));
		return EXIT_SUCCESS;
	}
	if (argc >= 2)
		return measure(argv[1], argc > 2 ? MTW_REDACT_TRACE : MTW_REDACT_TEXT);
	fprintf(stderr, "usage: bench-redact make|trace MEGABYTES | FILE [trace]\n");
	return EXIT_FAILURE;
}
