# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive()
marks = [line.split(" ", 2)[2] for line in archive.text("mydump.txt").splitlines() if line.startswith("MARK ")]
wanted = ["interface up", "link", "traffic starts", "loading a page", "cable is pulled", "traffic starts", "traffic",
          "interface down"]
same([mark for mark in marks if mark in wanted], wanted, "the markers, in order")
expect("cable is back" not in marks, "the step that was left out has a marker")
expect("a virtual hub" in archive.text("description.txt"), "an answer")
