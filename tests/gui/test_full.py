# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk becomes full while it packs: that is said, with what to do; nothing is lost, and it is packed when there is room again."""

import errno
import tarfile
import unittest

from desktop import HOME, NIC, WindowTest, control, press, wait_for

DISK = HOME / "Documents"
FULL, ROOM = "The disk is full or failed.", "Make room on the disk."


class Full(WindowTest):
    def setUp(self):
        """The archives go to a small disk of their own."""
        super().setUp()
        control("documents 2")
        wait_for("the disk", DISK.is_mount)
        (HOME / ".config").mkdir(exist_ok=True)
        (HOME / ".config/user-dirs.dirs").write_text('XDG_DOCUMENTS_DIR="$HOME/Documents"\n')
        self.addCleanup((HOME / ".config/user-dirs.dirs").unlink)

    @staticmethod
    def fill():
        """Returns: the file that takes all that is left"""
        filler = DISK / "holiday.mp4"
        try:
            with open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC
        return filler

    def to_packing(self, full):
        window = self.open("--device", NIC)
        self.to_review(window)
        full()
        window.press("Continue")
        window.press("I Agree")
        window.wait_step("Not Finished")
        return window

    def assert_whole(self, path):
        with tarfile.open(path) as packed:
            self.assertTrue(any(name.endswith("mydump.txt") for name in packed.getnames()))

    def test_archives(self):
        """Where the archives go: nothing half is left there, and the trace is packed from the last page."""
        window = self.to_packing(self.fill)
        window.wait_text(FULL)
        self.assertIn(ROOM, window.text())
        self.assertIn("No space left on device", window.text())
        self.assertIn("This computer is as it was before.", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("archives")
        self.assertEqual([path.name for path in DISK.iterdir()], ["holiday.mp4"])
        (DISK / "holiday.mp4").unlink()
        window.press("Go On")
        window.go_on_until("Sending")
        window.press("Continue")
        window.wait_step("Done")
        wait_for("the end", lambda: window.can("Finish"))
        self.assertNotIn(FULL, window.text())
        self.assert_whole(self.archive(window))

    def test_captures(self):
        """Where the captures are: the archive is whole, and is told; and the capture can be deleted all the same."""
        control("disk 64")
        window = self.to_packing(lambda: control("fill-disk"))
        window.wait_text(FULL)
        self.assertIn(ROOM, window.text())
        self.assertIn("No space left on device", window.text())
        self.assertIn("The archive is saved on this computer.", window.text())
        self.assert_whole(self.archive(window))
        self.picture("captures")
        window.press("Delete the Capture…")
        press(wait_for("the question", window.dialog), "Delete")
        window.wait_text("The capture was deleted; the archive stays.")
        self.assert_whole(self.archive(window))


if __name__ == "__main__":
    unittest.main()
