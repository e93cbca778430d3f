# SPDX-License-Identifier: GPL-2.0-or-later
# What was recorded before the kill is in the archive; what the client heard is that it was cut off, not that all is well.
records = share.archive("1234-11e8-alice-mmiotrace.tar.gz").records()
expect(records["W"] >= 150, f"records: {records}")
done = share.one("done", run=2)
same(done["error"]["name"], "interrupted", "the last event's error")
same(done["restored"], True, "restored")
same(done["trace"], True, "trace")
same(share.one("result", run=2)["error"], "interrupted", "the client's result")
