# SPDX-License-Identifier: GPL-2.0-or-later
records = share.archive().records()
same((records["R"], records["W"], records["MAP"]), (7178, 6474, 1), "reads, writes, mappings")
