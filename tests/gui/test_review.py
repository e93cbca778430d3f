# SPDX-License-Identifier: GPL-2.0-or-later
"""The pages that a person reads: what is going to change, what the trace is worth, what was masked."""

import unittest

from desktop import NIC, ROLE, STATE, WindowTest, children, control, everything, find, has, wait_for


class Preparation(WindowTest):
    def test_all_is_told(self):
        """Each change with its undoing, the memory, the time, and the warning to save one's work."""
        window = self.open("--device", NIC)
        while window.title() != "Preparation":
            window.go_on()
        window.wait_answerable()
        text = window.text()
        changes = [row.get_name() for row in children(find(window.window, "Changes"))]
        self.assertGreater(len(changes), 3)
        for change in changes:
            self.assertIn("Afterwards:", change)
            self.assertNotIn("{", change)
        self.assertIn("Please save your work now", text)
        self.assertIn("Buffer for events", text)
        self.assertIn("until you stop", text)
        self.assertEqual(window.nameless(), [])
        self.assertNotIn("mmiotrace\n", self.kernel_written())


class Verdict(WindowTest):
    def lose(self, window):
        control("service STOP")
        control("access 60000")
        control("service CONT")
        window.wait_text("events are lost")
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_text("Events were lost. What now?")

    def test_again_with_one_click(self):
        """The main button, or Enter, is another try, and how large its buffer is stands there."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.lose(window)
        self.assertRegex(window.text(), r"Another try has a buffer of [\d.]+ [KMG]iB for events instead of [\d.]+ [KMG]iB")
        self.assertEqual(window.nameless(), [])
        self.picture("lost")
        wait_for("the focus on the main button", lambda: window.focused() and window.focused().get_name() == "Again with a Larger Buffer")
        window.key("Return")
        window.wait_step("Capture")
        self.wait_driver(window)
        window.press("Stop the Capture")
        window.wait_text("The trace is complete.")

    def test_keep(self):
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.lose(window)
        window.press("Keep It as It Is")
        window.wait_step("Description")

    def test_give_up(self):
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.lose(window)
        window.press("Give Up, and Pack Nothing")
        window.wait_step("Not Finished")
        self.assertNotIn("The archive is saved", window.text())


class Masked(WindowTest):
    def diff(self, window, name):
        window.choose_row("Files", name)
        window.press("Show What Was Masked")
        wait_for("the lines", lambda: window.can("Back to the Files"))

    @staticmethod
    def lines(window, name):
        """Of the list, which is called as its title."""
        title = next(node.get_name() for node in everything(window.window) if node.get_role() == ROLE.LABEL and node.get_name().startswith(f"{name}: "))
        rows = next(node for node in everything(window.window) if node.get_name() == title and node.get_role() == ROLE.LIST)
        return [row.get_name() for row in children(rows)]

    def test_what_was_masked(self):
        """Each line as it was and as it is, with its number; the files say in plain words what was masked."""
        window = self.open("--device", NIC)
        self.to_review(window)
        self.assertEqual(window.nameless(), [])
        files = [row.get_name() for row in children(find(window.window, "Files"))]
        masked = next(name for name in files if name.startswith("system.txt"))
        self.assertIn("×", masked)
        self.diff(window, "system.txt")
        lines = wait_for("the lines", lambda: self.lines(window, "system.txt"))
        self.assertRegex(lines[0], r"^Line \d+: “.+” is now “.+”$")
        before, after = lines[0].split("” is now “")
        self.assertNotEqual(before.split("“")[1], after[:-1])
        self.assertEqual(window.nameless(), [])
        self.picture("diff")
        window.press("Back to the Files")

    def test_nothing_was_masked(self):
        """A file without anything to mask says so, and shows no empty list."""
        window = self.open("--device", NIC)
        self.to_review(window)
        rows = [row.get_name() for row in children(find(window.window, "Files"))]
        name = next(row.split(",")[0] for row in rows if "nothing masked" in row)
        self.diff(window, name)
        window.wait_text(f"Nothing was masked in {name}")
        self.picture("nothing")

    def test_labels(self):
        """Both fields have a label that is seen, and its key."""
        window = self.open("--device", NIC)
        self.to_review(window)
        for label, key in (("A word that is masked, too", "alt+o"), ("A value that is not masked", "alt+v")):
            self.assertIn(label, window.text())
            window.key(key)
            wait_for(f"the focus on {label!r}", lambda label=label: window.focused() and window.focused().get_name() == label)
            self.assertTrue(has(window.focused(), STATE.FOCUSED))


if __name__ == "__main__":
    unittest.main()
