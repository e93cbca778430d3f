# SPDX-License-Identifier: GPL-2.0-or-later
# 270 records are the driver's load (measured); the desktop's first pictures are thousands.
kept_away, there_already = (share.archive(f"1234-1111-alice-mmiotrace{more}.tar.gz") for more in ("", "-2"))
for archive in (kept_away, there_already):
    records = archive.records()
    expect(records["R"] > 250 and records["W"] > 10 and records["MAP"] >= 2, f"{archive.name}: records: {records}")
expect("was there already" in there_already.text("description.txt"), "the description does not say that the driver was there already")
expect("was there already" not in kept_away.text("description.txt"), "the description says that the driver was there already")
