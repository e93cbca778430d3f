# SPDX-License-Identifier: GPL-2.0-or-later
# A running system's capture of the card's start has some 12000 records; what goes with the trace is of that start of the computer.
archive = share.archive()
records = archive.records()
expect(records["R"] > 5000 and records["W"] > 5000, f"records: {records}")
same(archive.markers()[:2], ["capture start", "driver load"], "the first markers")
expect("Linux version" in archive.text("dmesg.txt"), "dmesg.txt does not begin at boot")
expect("lspci" not in archive.manifest.get("missing", []), "lspci.txt is missing")
# In the first seconds: before the rest of the start.
first = float(next(line.split()[2] for line in archive.text("mydump.txt").splitlines() if line.startswith("R ")))
expect(first < 60, f"the first access is {first} s after the boot")
