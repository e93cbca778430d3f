# SPDX-License-Identifier: GPL-2.0-or-later
# All of the driver's load was on the disk some seconds before the cut.
records = share.archive("1af4-1050-alice-mmiotrace.tar.gz").records()
expect(records["R"] >= 12 and records["W"] >= 30, f"records: {records}")
