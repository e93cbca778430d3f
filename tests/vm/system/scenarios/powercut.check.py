# SPDX-License-Identifier: GPL-2.0-or-later
# A write every 10 ms or so, and all but the last second must be on the disk: 2 of 3 seconds before the cut.
records = share.archive("1234-11e8-alice-mmiotrace.tar.gz").records()
expect(records["W"] >= 150, f"records: {records}")
