# SPDX-License-Identifier: GPL-2.0-or-later
# The markers from before the end of the login and from after it, in one trace.
markers = share.archive("1234-11e8-alice-mmiotrace.tar.gz").markers()
for marker in ("driver load", "before ended", "after ended", "capture stop"):
    expect(marker in markers, f"markers: {markers}")
