# SPDX-License-Identifier: GPL-2.0-or-later
"""The walk without a mouse: Enter goes on, Escape goes back, Tab reaches everything and is never caught."""

import unittest

from desktop import NIC, STATE, WindowTest, everything, find, has, wait_for

TABS = 40


class Keys(WindowTest):
    @staticmethod
    def is_text(node):
        return node is not None and has(node, STATE.MULTI_LINE)

    def test_enter_goes_on(self):
        """From Welcome to Done with Enter alone, but for what is typed and for the end of the capture."""
        window = self.open("--device", NIC)
        window.wait_step("Welcome")
        for title in ("Welcome", "Checks", "Preparation"):
            window.wait_step(title)
            while window.title() == title:
                window.wait_answerable()
                before = window.text()
                window.key("Return")
                wait_for("what comes next", lambda: window.title() != title or window.text() != before)
        self.wait_driver(window)
        window.key("alt+m")
        wait_for("the field for markers or its button", lambda: window.name_of_focus() in ("What you do now", "Set Marker", "It Is Done"))
        # Enter does not stop the capture.
        self.assertEqual(window.title(), "Capture")
        window.key("alt+s")
        for title in ("Verdict", "Description", "Review", "Sending"):
            window.wait_step(title)
            while window.title() == title:
                window.wait_answerable()
                before = window.text()
                # In a text of many lines Enter is one more.
                window.key("alt+c" if self.is_text(window.focused()) else "Return")
                wait_for("what comes next", lambda: window.title() != title or window.text() != before)
        window.wait_step("Done")

    def test_escape_goes_back(self):
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("Return")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        window.key("Escape")
        window.wait_step("Welcome")

    def test_tab_reaches_all(self):
        """On the page of devices: search, list and buttons, and round again."""
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("Return")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        seen = []
        for _ in range(TABS):
            window.key("Tab")
            seen.append(window.name_of_focus())
        for wanted in ("Search the devices", "Continue", "Back", "Menu"):
            self.assertIn(wanted, seen)
        self.assertTrue(any("NVIDIA" in name for name in seen), seen)
        # The list of the steps is not among them.
        self.assertFalse(any(", now" in name for name in seen), seen)

    def test_tab_leaves_the_text(self):
        """Tab in the editor goes on, and does not write."""
        window = self.open("--device", NIC)
        self.to_review(window)
        window.choose_row("Files", "description.txt")
        window.press("Edit")
        wait_for("the editor", lambda: window.name_of_focus().startswith("description.txt"))
        window.key("Tab")
        wait_for("the focus to leave", lambda: window.name_of_focus() in ("Cancel", "Save"))
        window.press("Cancel")
        wait_for("the files", lambda: window.can("Show What Was Masked"))

    def test_button_says_what_is_asked(self):
        """Whoever only hears what has the focus hears the question with it."""
        window = self.open("--device", NIC)
        self.to_review(window)
        window.press("Continue")
        wait_for("the question", lambda: window.can("I Agree"))
        asked = "Do you agree to hand it out?"
        self.assertIn(asked, window.text())
        self.assertIn(asked, window.focused().get_description())

    def test_search_by_keys(self):
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("Return")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        for _ in range(TABS):
            if window.name_of_focus() == "Search the devices":
                break
            window.key("Tab")
        window.type("e1000")
        wait_for("the network card", lambda: any(has(node, STATE.SELECTED) and "e1000" in node.get_name()
                                                 for node in everything(find(window.window, "Devices"))))
        window.key("Return")
        wait_for("the next step", lambda: window.title() == "Checks" or window.can("No"))


if __name__ == "__main__":
    unittest.main()
