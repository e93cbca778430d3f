# SPDX-License-Identifier: GPL-2.0-or-later
for name in ("after-INT-600", "after-TERM-600", "after-TERM-0", "1234-11e8-alice-mmiotrace"):
    records = share.archive(f"{name}.tar.gz").records()
    expect(records["W"] >= 20 and records["MAP"] == 1 and records["UNMAP"] == 1, f"{name}: {records}")
