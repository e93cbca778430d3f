# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive("1234-11e8-alice-mmiotrace.tar.gz")
same(archive.records()["W"], 5000, "writes in the last try")
same(len(share.archives()), 1, "archives")
verdicts = share.events(kind="verdict")
expect(len(verdicts) >= 3, f"{len(verdicts)} tries, but 64 and 128 KB are both too small")
