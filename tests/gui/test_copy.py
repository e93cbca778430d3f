# SPDX-License-Identifier: GPL-2.0-or-later
"""The last page saves a copy of the archive where the person wants it; what is there already is not lost."""

import unittest

from desktop import HOME, NIC, ROLE, WindowTest, children, control, everything, patient, texts, wait_for

DISK = HOME / "Documents"
SAVE, FAILED = "Save a Copy…", "The copy could not be saved."


class Copy(WindowTest):
    def to_done(self):
        window = self.open("--device", NIC)
        self.to_review(window)
        self.pack(window)
        self.finish_unsent(window)
        wait_for("the end", lambda: window.can(SAVE))
        return window, self.archive(window).read_bytes()

    @staticmethod
    def save(window, path):
        """In the desktop's window for it, with keys: a path instead of the name that is proposed."""
        window.press(SAVE)
        wait_for("where to", lambda: window.dialog() and window.dialog().get_name() == "Save a Copy")
        window.key("ctrl+a")
        window.type(str(path))
        window.key("Return")

    @staticmethod
    def wait_saved(window, path, content):
        wait_for("the window to close", lambda: window.dialog() is None)
        wait_for("the copy", lambda: path.exists() and path.read_bytes() == content)

    @staticmethod
    @patient
    def asks(window):
        """The desktop, whether to replace what is there."""
        return any("already exists" in texts(node) for node in children(window.application))

    def answer(self, window, button):
        wait_for("the question", lambda: self.asks(window))
        self.press_of_desktop(window, button)
        wait_for("the question to go", lambda: not self.asks(window))

    @staticmethod
    @patient
    def press_of_desktop(window, word):
        """GTK's own buttons have more in their names than the word on them. The newest of its windows comes last."""
        nodes = [node for top in children(window.application) if top != window.window for node in everything(top)
                 if node.get_role() == ROLE.PUSH_BUTTON and word in node.get_name()]
        nodes[-1].do_action(0)

    def test_save(self):
        """The copy is whole, and the archive stays; what has the name already is replaced only after a yes."""
        window, content = self.to_done()
        copy = HOME / "copy.tar.gz"
        self.save(window, copy)
        self.wait_saved(window, copy, content)
        self.assertEqual(self.archive(window).read_bytes(), content)
        copy.write_text("another one")
        self.save(window, copy)
        self.answer(window, "Cancel")
        self.press_of_desktop(window, "Cancel")
        wait_for("the window to close", lambda: window.dialog() is None)
        self.assertEqual(copy.read_text(), "another one")
        self.save(window, copy)
        self.answer(window, "Replace")
        self.wait_saved(window, copy, content)
        self.assertNotIn(FAILED, window.text())

    def test_cannot_be_saved(self):
        """Where the person may not write, and on a full disk: it is said why, nothing half is left, and it can be tried once more."""
        window, content = self.to_done()
        self.save(window, "/usr/copy.tar.gz")
        window.wait_text(FAILED)
        self.assertIn("Permission denied", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("not-saved")
        control("documents 1")
        wait_for("the disk", DISK.is_mount)
        (DISK / "full").write_bytes(bytes(1024 * 1024 - 4096))
        self.save(window, DISK / "copy.tar.gz")
        wait_for("the reason", lambda: "No space left" in window.text())
        self.assertEqual([path.name for path in DISK.iterdir()], ["full"])
        self.picture("full")
        (DISK / "full").unlink()
        self.save(window, DISK / "copy.tar.gz")
        self.wait_saved(window, DISK / "copy.tar.gz", content)
        wait_for("the failure to go", lambda: FAILED not in window.text())
        self.assertEqual(self.archive(window).read_bytes(), content)


if __name__ == "__main__":
    unittest.main()
