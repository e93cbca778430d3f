# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of the capture: the steps of a scenario in any order, the plot and what it says in words, markers, the loss."""

import re
import time
import unittest

from desktop import CARD, NIC, ROLE, WindowTest, children, control, everything, find, wait_for

DESKTOP = "Start the desktop (or only X: startx) and wait until the picture is there."
TEST_3D = "Run a small 3D program for some seconds, for example glxgears, and end it."
MODE = "Change the resolution of the screen, wait, and change it back."
END = "End the desktop (or X) and wait until the text console is back."


class Scenario(WindowTest):
    def steps(self, window):
        rows = find(window.window, "What to do")
        return [row.get_name() for row in children(rows)] if rows else []

    def wait_row(self, window, name):
        wait_for(f"the row {name!r} among {self.steps(window)}", lambda: name in self.steps(window))

    @staticmethod
    def focus(window):
        node = window.focused()
        return node.get_name() if node else None

    def wait_focus(self, window, name):
        wait_for(f"the focus on {name!r}, not {self.focus(window)!r}", lambda: self.focus(window) == name)

    @staticmethod
    def markers(window):
        rows = find(window.window, "Markers")
        return [row.get_name() for row in children(rows)] if rows else []

    def test_in_order(self):
        """With Enter alone: the focus is always on the button of the step that is to be done."""
        window = self.open("--device", CARD)
        self.to_capture(window)
        self.wait_row(window, f"{DESKTOP}, now")
        self.assertEqual(self.steps(window)[1:], [f"{TEST_3D}, optional", f"{MODE}, optional", END])
        self.assertEqual(window.nameless(), [])
        for step in (DESKTOP, TEST_3D, MODE, END):
            self.wait_focus(window, f"Done: {step}")
            window.key("Return")
            self.wait_row(window, f"{step}, done")
        window.wait_text("All steps are done")
        self.wait_focus(window, "What you do now")
        for marker in ("X is up", "3D test", "mode change", "X down"):
            self.assertIn(marker, self.markers(window))
        self.picture("all-done")
        window.press("Stop the Capture")
        window.wait_step("Verdict")

    def test_out_of_order(self):
        """A later one first; the one that was open has its turn again; others are left out."""
        window = self.open("--device", CARD)
        self.to_capture(window)
        self.wait_focus(window, f"Done: {DESKTOP}")
        window.press(f"Do now: {MODE}")
        self.wait_row(window, f"{MODE}, now · optional")
        self.wait_row(window, DESKTOP)
        self.picture("out-of-order")
        window.press(f"Done: {MODE}")
        self.wait_row(window, f"{MODE}, done")
        self.wait_row(window, f"{DESKTOP}, now")
        self.assertIn("mode change", self.markers(window))
        self.assertIn("What to do: 1 of 4 done", window.text())
        window.press(f"Done: {DESKTOP}")
        self.wait_row(window, f"{TEST_3D}, now · optional")
        window.press(f"Leave out: {TEST_3D}")
        self.wait_row(window, f"{TEST_3D}, left out")
        self.wait_focus(window, f"Done: {END}")
        self.assertNotIn("3D test", self.markers(window))
        self.picture("left-out")

    def test_by_itself(self):
        """Steps that need nobody say so, and cannot be ended by a button."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        wait_for("the steps", lambda: self.steps(window))
        names = self.steps(window)
        link = next(name for name in names if name.startswith("The card finds out"))
        self.assertIn("goes on by itself", link)
        self.assertIsNone(window.button("Done: The card finds out how fast the other end is."))
        self.assertIsNone(window.button("Leave out: The card finds out how fast the other end is."))
        self.picture("by-itself")

    def test_writing_is_not_interrupted(self):
        """Who writes a marker while a step begins by itself goes on writing."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        wait_for("the steps", lambda: self.steps(window))
        window.key("alt+m")
        self.wait_focus(window, "What you do now")
        wait_for("the step for the person", lambda: any(name.startswith("Use the network") and ", now" in name for name in self.steps(window)))
        window.type("cable is loose")
        window.key("Return")
        wait_for("the marker", lambda: "cable is loose" in self.markers(window))


class Live(WindowTest):
    @staticmethod
    def go_on_button(window):
        return next((node for node in everything(window.window) if node.get_role() == ROLE.PUSH_BUTTON and node.get_name().startswith("Go on with")), None)

    RATE = re.compile(r"([\d,]+) events? per second now, ([\d,]+) at most; (\d+) markers?")

    def rate(self, window):
        found = self.RATE.search(window.text())
        return [int(number.replace(",", "")) for number in found.groups()] if found else None

    def test_words_of_the_plot(self):
        """What the plot shows is said, too: the rate, the peak, the markers; and per BAR."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        control("access 2000")
        wait_for("the peak", lambda: self.rate(window) and self.rate(window)[1] >= 500)
        wait_for("quiet", lambda: self.rate(window)[0] == 0)
        before = self.rate(window)
        self.assertGreaterEqual(before[1], 500)
        self.assertEqual(find(window.window, role=ROLE.IMAGE, name=self.RATE.search(window.text())[0]) is not None, True)
        for text in ("video starts", "a longer text of a marker that has no room"):
            window.fill("What you do now", text)
            window.press("Set Marker")
            window.wait_text(text)
            time.sleep(1.1)
        # The steps of the scenario set some, too.
        wait_for("two more markers", lambda: self.rate(window)[2] >= before[2] + 2)
        window.wait_text("BAR 0")
        self.picture("markers")

    def test_come_back(self):
        """The window that comes back knows the time, the steps and the markers that were set."""
        first = self.open("--device", CARD)
        self.to_capture(first)
        first.fill("What you do now", "before")
        first.press("Set Marker")
        first.wait_text("before")
        first.key("ctrl+w")
        dialog = wait_for("the question", first.dialog)
        wait_for("the button", lambda: find(dialog, "Close, and Let It Go On", ROLE.PUSH_BUTTON)).do_action(0)
        first.process.wait(60)
        second = self.open()
        wait_for("the earlier capture", lambda: self.go_on_button(second)).do_action(0)
        second.wait_step("Capture")
        second.wait_text("before")
        wait_for("the time", lambda: re.search(r"\b\d:\d\d\b", second.text()))
        wait_for("the field", lambda: second.can("Set Marker"))
        self.assertEqual(second.nameless(), [])
        second.press("Stop the Capture")
        second.wait_step("Verdict")


if __name__ == "__main__":
    unittest.main()
