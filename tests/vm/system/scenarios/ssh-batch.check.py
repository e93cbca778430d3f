# SPDX-License-Identifier: GPL-2.0-or-later
# The driver's start alone is several thousand accesses; what came after it, the traffic of SSH itself too.
for way in ("terminal", "pipe", "sudo"):
    records = share.archive(f"8086-100e-{way}-mmiotrace.tar.gz").records()
    expect(records["R"] > 5000 and records["W"] > 5000, f"{way}: records: {records}")
