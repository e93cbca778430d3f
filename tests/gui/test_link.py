# SPDX-License-Identifier: GPL-2.0-or-later
"""Who asked for the trace: the address on the first page."""

import unittest

from gi.repository import Atspi

from desktop import WindowTest, find, wait_for

FIELD = "Address of who asked for it"
TABS = 10
LINK = "https://gitlab.freedesktop.org/drm/nouveau/-/issues/1"
REFUSED = "Nothing can be sent to that address."


class Link(WindowTest):
    def welcome(self):
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        return window

    @staticmethod
    def content(window):
        entry = find(window.window, FIELD)
        return Atspi.Text.get_text(entry, 0, Atspi.Text.get_character_count(entry))

    def test_empty(self):
        """It need not be filled in; and what a trace is stands there."""
        window = self.welcome()
        for text in ("What happens", "What can go wrong", "Nothing without you", "A driver developer would like to see"):
            self.assertIn(text, window.text())
        self.assertEqual(window.nameless(), [])
        window.press("Continue")
        window.wait_step("Device")

    def test_refused(self):
        """What is no address is said beside the field, which keeps it; with another one it goes on."""
        window = self.welcome()
        window.fill(FIELD, "  https://example.org/nobody-knows-this\n")
        window.press("Continue")
        window.wait_text(REFUSED)
        self.assertEqual(window.title(), "Welcome")
        wait_for("the field to have the focus", lambda: window.name_of_focus() == FIELD)
        self.assertEqual(self.content(window), "https://example.org/nobody-knows-this")
        self.assertNotIn("mmiotrace-wizard targets", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("refused")
        window.fill(FIELD, LINK)
        wait_for("the refusal to go", lambda: REFUSED not in window.text())
        window.press("Continue")
        window.wait_step("Device")

    def test_back(self):
        """The way back leads to the page, not to a question that it answers by itself; what was pasted is cleaned."""
        window = self.welcome()
        window.fill(FIELD, f"\n  {LINK} \n")
        window.press("Continue")
        window.wait_step("Device")
        window.press("Back")
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        self.assertEqual(self.content(window), LINK)
        self.assertFalse(window.can("Back"))
        window.press("Continue")
        window.wait_step("Device")
        window.press("Back")
        window.wait_step("Welcome")

    def test_by_keys(self):
        """Enter in the field goes on."""
        window = self.welcome()
        for _ in range(TABS):
            if window.name_of_focus() == FIELD:
                break
            window.key("Tab")
        window.type(LINK)
        window.key("Return")
        window.wait_step("Device")


class Dark(Link):
    theme = "Default:dark"
    size = (400, 760)


if __name__ == "__main__":
    unittest.main()
