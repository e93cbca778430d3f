# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive()
marks = [line.split(" ", 2)[2] for line in archive.text("mydump.txt").splitlines() if line.startswith("MARK ")]
wanted = ["link goes up", "link is up", "one second later", "link is down"]
same([mark for mark in marks if mark in wanted], wanted, "the markers of the steps, in order")
expect("seen by a person" not in marks, "a step that only a person can do was not left out")
expect("Made by a file of answers." in archive.text("description.txt"), "the story")
