# SPDX-License-Identifier: GPL-2.0-or-later
# The number of accesses is the same every time: the emulated card is up for a moment only.
archive = share.archive()
records = archive.records()
same({kind: records.get(kind, 0) for kind in ("R", "W", "MAP", "UNMAP", "UNKNOWN", "VERSION")},
     {"R": 7178, "W": 6474, "MAP": 1, "UNMAP": 1, "UNKNOWN": 0, "VERSION": 1}, "records")
expect(archive.text("mydump.txt").startswith("VERSION 20070824\nPCIDEV "), "the trace does not begin with its header")
expect(len(archive.markers()) >= 2, f"markers: {archive.markers()}")
expect("00:04.0" in archive.text("lspci.txt"), "lspci.txt does not show the device")
expect("Linux version" in archive.text("dmesg.txt"), "dmesg.txt does not begin at boot")
expect("8086:100e" in archive.text("system.txt").lower() + archive.text("description.txt").lower(), "ids not named")
(session,) = share.sessions()
state = json.loads((session / "state.json").read_text())
same(state["restored"], True, "restored")
same(state["state"], "packed", "state of the session")
