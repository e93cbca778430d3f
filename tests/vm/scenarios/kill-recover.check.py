# SPDX-License-Identifier: GPL-2.0-or-later
records = share.archive("1234-11e8-alice-mmiotrace.tar.gz").records()
expect(records["W"] >= 50 and records["MAP"] == 1, f"records: {records}")
