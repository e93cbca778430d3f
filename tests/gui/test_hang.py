# SPDX-License-Identifier: GPL-2.0-or-later
"""A home on a disk that hangs: the window goes on answering, and nothing that was typed is lost."""

import os
import tarfile
import unittest

from desktop import HOME, LIMIT_SEC, NIC, ROLE, STATE, WindowTest, control, find, has, patient, press, shown, wait_for
from test_preferences import NICK, contents

FOLDERS = (HOME / ".config/mmiotrace-wizard", HOME / ".local/state/mmiotrace-wizard")
SETTINGS = FOLDERS[0] / "settings.conf"
TEXT = "nothing to see"


class Hang(WindowTest):
    def setUp(self):
        super().setUp()
        for folder in FOLDERS:
            folder.mkdir(parents=True)
        control("hang mount")
        wait_for("the disk", lambda: all(os.path.ismount(folder) for folder in FOLDERS))

    def tearDown(self):
        self.hang("")
        super().tearDown()

    @staticmethod
    def hang(what):
        control(f"hang {what}")
        wait_for("the disk", lambda: shown("hang") == what)

    # ---- looking

    def wait_asked(self, what):
        """Something of this program hangs now."""
        wait_for(f"{what} on the disk", lambda: any(line.split()[1] == what for line in shown("asked").splitlines()[self.before:]))

    def begin(self, what):
        """From now on the disk hangs."""
        self.hang(what)
        self.before = len(shown("asked").splitlines())

    def assert_answers(self, window):
        """The menu opens, and what it has."""
        window.menu("Details")
        window.key("Escape")
        wait_for("the details to close", lambda: window.dialog() is None)

    @staticmethod
    @patient
    def is_busy(dialog):
        return has(dialog, STATE.BUSY)

    @staticmethod
    @patient
    def nickname(dialog):
        node = find(dialog, NICK, ROLE.TEXT)
        return contents(node) if has(node, STATE.SENSITIVE) else None

    def to_welcome(self):
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        return window

    def show_preferences(self, window):
        window.key("ctrl+comma")
        return wait_for("the preferences", window.dialog)

    def to_editor(self):
        window = self.open("--device", NIC)
        self.to_review(window)
        window.choose_row("Files", "dmesg.txt")
        return window

    def edit(self, window):
        window.press("Edit")
        wait_for("the editor", lambda: window.name_of_focus().startswith("dmesg.txt"))
        window.key("ctrl+a", "Delete")
        window.type(TEXT)

    def leave(self, window):
        """By closing it until it is gone."""
        window.key("ctrl+w")
        press(wait_for("the question", window.dialog), "Close")
        wait_for("the question to go", lambda: window.dialog() is None)

    # ---- tests

    def test_reading_preferences(self):
        """They can be left while they are read, and looked at again."""
        window = self.to_welcome()
        self.begin("all")
        dialog = self.show_preferences(window)
        self.wait_asked("getattr")
        wait_for("the sign that it takes time", lambda: self.is_busy(dialog))
        self.picture("reading")
        window.key("Escape")
        wait_for("the preferences to close", lambda: window.dialog() is None)
        self.assert_answers(window)
        dialog = self.show_preferences(window)
        self.hang("")
        wait_for("the form", lambda: self.nickname(dialog) == "")
        wait_for("the sign to go", lambda: not self.is_busy(dialog))

    def test_saving_preferences(self):
        window = self.to_welcome()
        dialog = self.show_preferences(window)
        wait_for("the form", lambda: self.nickname(dialog) == "")
        window.type("alice")
        self.begin("write fsync")
        window.key("Escape")
        self.wait_asked("write")
        wait_for("the sign that it takes time", lambda: self.is_busy(dialog))
        # The program's window goes, and what was typed is saved all the same.
        press(window.window, "Close")
        wait_for("the windows to go", lambda: window.dialog() is None)
        self.assertIsNone(window.process.poll())
        self.hang("")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.assertIn("Nick=alice", SETTINGS.read_text())

    def test_reading_text(self):
        window = self.to_editor()
        self.begin("open")
        window.press("Edit")
        self.wait_asked("open")
        window.wait_text("One moment, please")
        self.assert_answers(window)
        self.hang("")
        wait_for("the editor", lambda: window.name_of_focus().startswith("dmesg.txt"))

    def test_saving_text(self):
        window = self.to_editor()
        self.edit(window)
        self.begin("fsync")
        window.press("Save")
        self.wait_asked("fsync")
        window.wait_text("One moment, please")
        self.assertFalse(window.can("Save"))
        self.picture("saving")
        self.assert_answers(window)
        self.hang("")
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        self.assertTrue(any(TEXT == path.read_text() for path in FOLDERS[1].glob("reports/*/files/dmesg.txt")))

    def test_text_cannot_be_saved(self):
        """The editor stays, with what was typed, until it can."""
        window = self.to_editor()
        self.edit(window)
        folder = next(FOLDERS[1].glob("reports/*/files"))
        folder.chmod(0o500)
        window.press("Save")
        window.wait_text("The file could not be saved.")
        wait_for("the editor", lambda: window.can("Save") and contents(window.focused()) == TEXT)
        self.picture("not-saved")
        folder.chmod(0o700)
        window.press("Save")
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        self.assertEqual((folder / "dmesg.txt").read_text(), TEXT)

    def test_closing_while_copying(self):
        """A copy of the archive on that disk: the window answers, and goes, and the copy is whole in the end."""
        window = self.to_editor()
        window.go_on_until("Sending")
        window.go_on_until("Done")
        archive, copy = self.archive(window), FOLDERS[0] / "copy.tar.gz"
        window.press("Save a Copy…")
        dialog = wait_for("where to", window.dialog)
        window.key("ctrl+a")
        window.type(str(copy))
        self.begin("write")
        window.key("Return")
        self.wait_asked("write")
        window.wait_text("One moment, please")
        self.assertFalse(window.can("Finish"))
        wait_for("the window for it to close", lambda: window.dialog() != dialog)
        self.assert_answers(window)
        window.key("ctrl+w")
        wait_for("the window to go", lambda: not self.is_shown(window))
        self.assertIsNone(window.process.poll())
        self.hang("")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.assertEqual(copy.read_bytes(), archive.read_bytes())

    def test_closing_while_saving(self):
        """It is saved, and the window closes then."""
        window = self.to_editor()
        self.edit(window)
        self.begin("fsync")
        window.press("Save")
        self.wait_asked("fsync")
        self.leave(window)
        window.wait_text("One moment, please")
        self.assert_answers(window)
        self.hang("")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.assertTrue(any(TEXT == path.read_text() for path in FOLDERS[1].glob("reports/*/files/dmesg.txt")))

    def test_closing_for_good(self):
        """Whoever insists need not wait."""
        window = self.to_editor()
        self.begin("open")
        window.press("Edit")
        self.wait_asked("open")
        self.leave(window)
        window.key("ctrl+w")
        wait_for("the window to go", lambda: not self.is_shown(window))
        self.hang("")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)

    @staticmethod
    def is_shown(window):
        try:
            return bool(window.number())
        except Exception:
            return False

    def test_only_threads_wait(self):
        """In a whole walk the main loop's thread wants nothing of the disk."""
        window = self.to_editor()
        self.edit(window)
        window.press("Save")
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        self.pack(window)
        window.go_on_until("Done")
        dialog = self.show_preferences(window)
        wait_for("the form", lambda: self.nickname(dialog) == "")
        window.type("alice")
        window.key("Escape")
        wait_for("the preferences to close", lambda: window.dialog() is None)
        window.menu("Kept Captures…")
        wait_for("the list", lambda: not window.can("One moment, please"))
        asked = [line.split(" ", 2) for line in shown("asked").splitlines()]
        self.assertGreater(len(asked), 50)
        self.assertEqual([line for line in asked if line[0] == str(window.process.pid)], [])
        with tarfile.open(self.archive(window)) as packed:
            text = next(packed.extractfile(member).read() for member in packed if member.name.endswith("dmesg.txt"))
        self.assertEqual(text, TEXT.encode())


if __name__ == "__main__":
    unittest.main()
