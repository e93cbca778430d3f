# SPDX-License-Identifier: GPL-2.0-or-later
same(len(share.events(kind="verdict")), 1, "tries")
