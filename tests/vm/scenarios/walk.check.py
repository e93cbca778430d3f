# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive("8086-100e-bob-the-builder-mmiotrace.tar.gz")
trace = archive.text("mydump.txt")
expect(" first thing done" in trace and " second thing done" in trace, "the markers")
expect("Nothing else." in archive.text("description.txt"), "the description")
same(archive.records()["MAP"], 1, "mappings")
