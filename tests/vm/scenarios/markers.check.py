# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive("1234-11e8-alice-mmiotrace.tar.gz")
trace = archive.files["mydump.txt"]
text = trace.decode("utf-8")  # no half characters
markers = archive.markers()
expect("plain text" in markers, f"markers: {markers}")
expect("emoji 🎉 done" in markers, "the emoji is not whole")
expect(not any(line.startswith("W ") and "0xdead" in line for line in text.splitlines()), "a forged record")
expect(any("two" in marker and "0xdead" in marker for marker in markers), "the two lines are not one marker")
expect(not any(ord(letter) < 32 for marker in markers for letter in marker), "control characters in a marker")
expect(any(marker.startswith("xxxx") and len(marker) <= 1000 for marker in markers), "the long marker")
expect(any(marker.startswith("ää") and 900 <= len(marker.encode()) <= 1000 for marker in markers), "the umlauts")
same(sum(line.startswith("W ") for line in text.splitlines()), 10, "writes of the driver")
