# SPDX-License-Identifier: GPL-2.0-or-later
# The card's start before the person's marker, its interface coming up after it.
archive = share.archive()
records = archive.records()
expect(records["R"] > 5000 and records["W"] > 5000, f"records: {records}")
same([marker for marker in archive.markers() if marker == "the interface comes up"], ["the interface comes up"], "markers")
after = archive.text("mydump.txt").partition(" the interface comes up\n")[2]
accesses = sum(line.startswith(("R ", "W ")) for line in after.splitlines())
expect(accesses > 100, f"accesses after the marker: {accesses}")
