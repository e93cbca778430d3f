# SPDX-License-Identifier: GPL-2.0-or-later
# The port's driver sets up one MSI-X interrupt: a table of 16 bytes in BAR 0.
records = share.archive("1b36-000c-alice-mmiotrace.tar.gz").records()
expect(records["MAP"] >= 1 and records["W"] >= 4 and records["R"] >= 2, f"records: {records}")
