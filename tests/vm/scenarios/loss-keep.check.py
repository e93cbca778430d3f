# SPDX-License-Identifier: GPL-2.0-or-later
# The driver makes 20000 writes; the mapping and the marker before them are lost too (the oldest go first).
writes = share.archive("1234-11e8-alice-mmiotrace.tar.gz").records()["W"]
lost = share.one("verdict")["lost"]
expect(0 <= writes + lost - 20000 <= 10, f"{writes} writes and {lost} lost are not 20000 and a few")
