# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive("8086-100e-bob-the-builder-mmiotrace.tar.gz")
trace = archive.text("mydump.txt")
expect(" first thing done" in trace and " second thing done" in trace, "the markers")
description = archive.text("description.txt")
expect("Nothing else." in description, "the description")
expect("Potsdam" not in description and "One card in" in description, "the word that was to be masked")
expect("interrupts.txt" not in archive.files, "the file that was left out")
for name in archive.files:
    expect("tellme" not in archive.text(name), f"the name of the host in {name}")
same(archive.records()["MAP"], 1, "mappings")
