# SPDX-License-Identifier: GPL-2.0-or-later
# Left loaded: 3 reads and 2 writes less than a run that unloads the driver again, and no UNMAP.
records = share.archive().records()
same((records["R"], records["W"], records["MAP"]), (7175, 6472, 1), "reads, writes, mappings")
