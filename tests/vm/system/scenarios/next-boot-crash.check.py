# SPDX-License-Identifier: GPL-2.0-or-later
records = share.archive().records()
expect(records["W"] >= 1000, f"records: {records}")
