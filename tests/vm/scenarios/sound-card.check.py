# SPDX-License-Identifier: GPL-2.0-or-later
trace = share.archive("8086-2668-alice-mmiotrace.tar.gz").text("mydump.txt").splitlines()
for access in ("R 1", "R 2", "R 4", "W 1", "W 2", "W 4"):
    expect(any(line.startswith(access + " ") for line in trace), f"no {access}")
