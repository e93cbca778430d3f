# SPDX-License-Identifier: GPL-2.0-or-later
"""The preferences: set with keys alone, kept, and used in the walk."""

import pathlib
import re
import stat
import tarfile
import unittest

from desktop import HOME, LIMIT_SEC, NIC, ROLE, STATE, Atspi, WindowTest, everything, find, has, nameless, patient, press, texts, turn, wait_for

SETTINGS = HOME / ".config/mmiotrace-wizard/settings.conf"
TARGETS = HOME / ".config/mmiotrace-wizard/targets.d"
TARGET = """[Target]
Version=1
Name=The Lab's Own Place
Kind=put
URL=https://lab.invalid/in
Auth=none
"""
NICK, CONTACT, ASK = "Nickname", "Contact", "Ask whether to send the archive"
PLACE, WORDS = "Proposed place", "Words that are masked, too; one a line"
NOTIFY = "Tell me when something happens while I look elsewhere"


def contents(node):
    """GTK 4.8 does not take -1 for the end."""
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


class Preferences(WindowTest):
    # ---- ways

    @staticmethod
    def settings():
        return SETTINGS.read_text() if SETTINGS.exists() else ""

    @staticmethod
    def put(text):
        SETTINGS.parent.mkdir(parents=True, exist_ok=True)
        SETTINGS.write_text(text)

    def show(self, window):
        """The window of the preferences, ready."""
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("ctrl+comma")
        dialog = wait_for("the preferences", window.dialog)
        wait_for("the form", lambda: self.focus(dialog) == NICK)
        return dialog

    @staticmethod
    @patient
    def focus(dialog):
        """The name of what has it: of a drop-down its inner button may have."""
        def walk(node, name):
            name = node.get_name() or name
            if has(node, STATE.FOCUSED):
                return name
            for index in range(node.get_child_count()):
                found = walk(node.get_child_at_index(index), name)
                if found is not None:
                    return found
            return None
        return walk(dialog, "") or ""

    @staticmethod
    @patient
    def text_of(dialog, name):
        return contents(find(dialog, name, ROLE.TEXT))

    @staticmethod
    @patient
    def is_on(dialog, name):
        return has(find(dialog, name, ROLE.CHECK_BOX), STATE.CHECKED)

    @staticmethod
    @patient
    def can_choose_place(dialog):
        return has(find(dialog, PLACE, ROLE.COMBO_BOX), STATE.SENSITIVE)

    def to(self, window, dialog, name):
        """By Tab; each stop has a name."""
        for _ in range(12):
            if self.focus(dialog) == name:
                return
            window.key("Tab")
            turn()
        self.fail(f"Tab does not reach {name}, but {self.focus(dialog)}")

    def leave(self, window, key="Escape"):
        window.key(key)
        wait_for("the preferences to close", lambda: window.dialog() is None)

    def first(self):
        TARGETS.mkdir(parents=True)
        (TARGETS / "lab.conf").write_text(TARGET)
        return self.open()

    # ---- tests

    def test_by_keyboard(self):
        """All of it is set with keys, saved, and still there in another start."""
        window = self.first()
        dialog = self.show(window)
        self.assertEqual(nameless(dialog), [])
        self.picture("empty")
        window.type("white-rabbit")
        self.to(window, dialog, CONTACT)
        window.type("rabbit@wonderland.example")
        self.to(window, dialog, ASK)
        self.assertTrue(self.is_on(dialog, ASK))
        self.to(window, dialog, PLACE)
        window.key("space")
        for _ in range(12):
            if self.focus(dialog) == "The Lab's Own Place":
                break
            window.key("Down")
        window.key("Return")
        self.to(window, dialog, WORDS)
        for word in ("Rosebud", "Mad Hatter", "", "Rosebud"):
            window.type(word)
            window.key("Return")
        self.to(window, dialog, NOTIFY)
        window.key("space")
        wait_for("no notifications", lambda: not self.is_on(dialog, NOTIFY))
        self.picture("filled")
        self.leave(window)
        text = self.settings()
        for line in ("Nick=white-rabbit", "Contact=rabbit@wonderland.example", "Target=lab", "Words=Rosebud;Mad Hatter;", "Notifications=false"):
            self.assertIn(line, text)
        self.assertEqual(stat.S_IMODE(SETTINGS.stat().st_mode), 0o600)
        window.key("ctrl+w")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        window = self.open()
        dialog = self.show(window)
        self.assertEqual(self.text_of(dialog, NICK), "white-rabbit")
        self.assertEqual(self.text_of(dialog, CONTACT), "rabbit@wonderland.example")
        self.assertEqual(self.text_of(dialog, WORDS), "Rosebud\nMad Hatter")
        self.assertIn("The Lab's Own Place", texts(dialog))
        self.assertFalse(self.is_on(dialog, NOTIFY))
        self.leave(window)
        # Nothing was changed: nothing is written.
        self.assertEqual(self.settings(), text)

    def test_mnemonics(self):
        window = self.first()
        dialog = self.show(window)
        for key, name in (("c", CONTACT), ("w", WORDS), ("n", NICK)):
            window.key(f"alt+{key}")
            wait_for(f"the focus on {name}", lambda: self.focus(dialog) == name)
        for key, name in (("a", ASK), ("s", NOTIFY)):
            before = self.is_on(dialog, name)
            window.key(f"alt+{key}")
            wait_for(f"another answer of {name}", lambda: self.is_on(dialog, name) != before)
        window.key("alt+a")
        window.key("alt+p")
        wait_for("the list of places", lambda: self.focus(dialog) == "Ask each time")
        self.assertEqual(nameless(dialog), [])
        self.picture("places")

    def test_menu(self):
        """The same by the menu; and once more is the same window."""
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("F10")
        window.key("p")
        dialog = wait_for("the preferences", window.dialog)
        wait_for("the form", lambda: self.focus(dialog) == NICK)
        window.key("ctrl+comma")
        self.leave(window, "ctrl+w")
        self.assertIsNone(window.process.poll())
        self.assertEqual(self.settings(), "")

    def test_taken_back(self):
        """“Do not ask again” can be taken back; what else stands in the file stays."""
        self.put("# mine\n[Window]\nWidth=800\n[Send]\nAsk=never\n")
        window = self.first()
        dialog = self.show(window)
        self.assertFalse(self.is_on(dialog, ASK))
        self.assertFalse(self.can_choose_place(dialog))
        window.key("alt+a")
        wait_for("the question to come back", lambda: self.is_on(dialog, ASK))
        self.leave(window)
        self.assertNotIn("never", self.settings())
        self.assertIn("# mine", self.settings())
        self.assertIn("Width=800", self.settings())

    def test_broken(self):
        """A file that is not understood is shown, and stays as it is."""
        self.put("nonsense\n")
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("ctrl+comma")
        dialog = wait_for("the preferences", window.dialog)
        wait_for("the reason", lambda: "cannot be read" in texts(dialog) and "settings.conf" in texts(dialog))
        self.picture("broken")
        self.assertEqual(nameless(dialog), [])
        self.leave(window)
        self.assertEqual(self.settings(), "nonsense\n")

    def test_cannot_be_saved(self):
        """The reason is shown; nothing that was typed is lost, and there is a way out."""
        window = self.first()
        dialog = self.show(window)
        window.type("alice")
        # Not even a folder may be made there.
        SETTINGS.parent.chmod(0o500)
        try:
            window.key("Escape")
            wait_for("the reason", lambda: "could not be saved" in texts(dialog))
            self.picture("not-saved")
            self.assertEqual(nameless(dialog), [])
            self.assertEqual(self.text_of(dialog, NICK), "alice")
            press(dialog, "Close Without Saving")
            wait_for("the preferences to close", lambda: window.dialog() is None)
        finally:
            SETTINGS.parent.chmod(0o700)
        self.assertEqual(self.settings(), "")

    def test_no_nickname(self):
        """One that nothing would be left of is not saved as nothing."""
        window = self.open()
        dialog = self.show(window)
        window.type("!?")
        window.key("Escape")
        wait_for("the reason", lambda: "needs a letter" in texts(dialog))
        window.key("alt+n", "ctrl+a")
        window.type("alice")
        self.leave(window)
        self.assertIn("Nick=alice", self.settings())

    def test_window_closes_over_it(self):
        """What was typed is saved all the same."""
        window = self.first()
        dialog = self.show(window)
        window.type("alice")
        wait_for("the name", lambda: self.text_of(dialog, NICK) == "alice")
        # As a window manager would, with the window that is below.
        press(window.window, "Close")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.assertIn("Nick=alice", self.settings())

    def test_in_the_walk(self):
        """Nickname and place are proposed; the word is masked, the contact is not; the review says so."""
        self.put("[Person]\nNick=white-rabbit\nContact=rabbit@wonderland.example\n[Redact]\nWords=Rosebud;\n[Send]\nTarget=lab\n")
        TARGETS.mkdir(parents=True)
        (TARGETS / "lab.conf").write_text(TARGET)
        window = self.open("--device", NIC)
        self.to_capture(window)
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.press("Continue")
        window.wait_step("Description")
        wait_for("the nickname", lambda: self.entry_text(window) == "white-rabbit")
        window.press("Continue")
        wait_for("the story", lambda: has_story(window))
        window.key("ctrl+a")
        window.type("Rosebud and crow@wonderland.example")
        window.press("Continue")
        window.go_on_until("Review")
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        window.wait_text("is not masked")
        window.wait_text("rabbit@wonderland.example")
        self.pack(window)
        wait_for("the places", lambda: "The Lab's Own Place" in self.chosen(window))
        archive = next(HOME.glob("*white-rabbit*.tar.gz"))
        with tarfile.open(archive) as packed:
            text = next(packed.extractfile(member).read().decode() for member in packed if member.name.endswith("description.txt"))
        self.assertRegex(text, re.compile(r"^Contact: rabbit@wonderland\.example$", re.M))
        self.assertNotIn("Rosebud", text)
        self.assertNotIn("crow@wonderland.example", text)

    @staticmethod
    @patient
    def entry_text(window):
        node = window.focused()
        return contents(node) if node is not None else ""

    @staticmethod
    @patient
    def chosen(window):
        return "".join(node.get_name() for node in radios(window) if has(node, STATE.CHECKED))


@patient
def has_story(window):
    node = window.focused()
    return node is not None and has(node, STATE.MULTI_LINE)


def radios(window):
    return [node for node in everything(window.window) if node.get_role() in (ROLE.RADIO_BUTTON, ROLE.CHECK_BOX)]


if __name__ == "__main__":
    unittest.main()
