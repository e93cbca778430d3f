# SPDX-License-Identifier: GPL-2.0-or-later
# The card's start, its network coming up, and the person's markers; all of it through the bus.
records = share.archive().records()
expect(records["R"] > 5000 and records["W"] > 5000, f"records: {records}")
expect("Linux version" in share.archive().text("dmesg.txt"), "dmesg.txt does not begin at boot")
