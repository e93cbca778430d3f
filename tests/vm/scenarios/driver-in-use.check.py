# SPDX-License-Identifier: GPL-2.0-or-later
records = share.archive("1234-11e8-alice-mmiotrace.tar.gz").records()
same((records["R"], records["W"], records["UNKNOWN"], records["MAP"]), (11, 10, 4, 1), "reads, writes, unknown, mappings")
