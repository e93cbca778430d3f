# SPDX-License-Identifier: GPL-2.0-or-later
"""The walk through all pages, with the real service on the fake machine."""

import pathlib
import tarfile
import unittest

import desktop
from desktop import NIC, ROLE, STATE, WindowTest, children, control, everything, find, has, nameless, wait_for


class Walk(WindowTest):
    def test_all_pages(self):
        """Welcome to Done; every page has names for all its controls, and the archive is a real one."""
        window = self.open()
        for title in self.walk(window):
            self.assertEqual(window.nameless(), [], title)
        self.assertIn("This computer is as it was before.", window.text())
        with tarfile.open(self.archive(window)) as packed:
            names = [pathlib.PurePath(name).name for name in packed.getnames()]
        self.assertIn("mydump.txt", names)
        window.press("Finish")
        self.assertEqual(window.process.wait(desktop.LIMIT_SEC), 0)

    def test_device_search(self):
        """What cannot be traced is there, with its reason, and cannot be chosen."""
        window = self.open()
        window.press("Continue")
        window.wait_step("Device")
        rows = wait_for("the devices", lambda: [node.get_name() for node in everything(find(window.window, "Devices"))
                                                if node.get_role() == ROLE.LIST_ITEM])
        bridge = next(name for name in rows if "0000:00:00.0" in name)
        self.assertIn("bridge", bridge)
        window.fill("Search the devices", "e1000")
        wait_for("the network card", lambda: "e1000" in self.selected(window))
        window.fill("Search the devices", "no such thing")
        wait_for("nothing to go on with", lambda: not window.can("Continue"))

    @staticmethod
    def selected(window):
        return "".join(row.get_name() for row in children(find(window.window, "Devices")) if has(row, STATE.SELECTED))

    def test_back(self):
        """The way back leads to the question before; what was answered before that stays answered."""
        window = self.open()
        window.press("Continue")
        window.wait_step("Device")
        window.press("Back")
        window.wait_step("Welcome")
        wait_for("no way back", lambda: not window.can("Back"))
        self.assertEqual(self.kernel_written(), "")


    def test_windows_of_the_menu(self):
        """Each opens, all its controls have names, and Escape closes it."""
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        for name in ("Details", "Kept Captures…", "Preferences", "About mmiotrace wizard"):
            dialog = window.menu(name)
            self.picture(name.split()[0].lower())
            # GTK's own window has its texts without names.
            self.assertEqual([bad for bad in nameless(dialog) if name != "About mmiotrace wizard" or "GtkTextView" not in bad], [], name)
            window.key("Escape")
            wait_for(f"{name} to close", lambda: window.dialog() is None)

    def test_checks_fail_and_run_again(self):
        """A failure stays on the page; when it is put right, `Run Again` goes on."""
        control("put sys/kernel/security/lockdown none integrity [confidentiality]")
        window = self.open("--device", NIC)
        window.press("Continue")
        window.wait_step("Checks")
        window.wait_text("locked down")
        wait_for("another try", lambda: window.can("Try Again"))
        control("put sys/kernel/security/lockdown [none] integrity confidentiality")
        window.press("Run Again")
        wait_for("the checks to pass", lambda: window.can("Continue") or window.can("Go On All the Same"))

    def test_lost_and_again(self):
        """Lost events are a warning at once, and another try is one answer."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        control("service STOP")
        control("access 60000")
        control("service CONT")
        window.wait_text("events are lost")
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_text("Events were lost. What now?")
        self.picture("verdict-lost")
        window.press("Again with a Larger Buffer")
        window.wait_step("Capture")
        self.wait_driver(window)
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_text("The trace is complete.")

    def test_redaction(self):
        """A word of the person's own is masked; what was masked is shown; a file is left out; another edited."""
        window = self.open("--device", NIC)
        self.to_review(window)
        window.fill("A word that is masked, too", "e1000")
        window.press("Mask It, Too")
        window.wait_text("word of yours")
        window.choose_row("Files", "system.txt")
        window.press("Show What Was Masked")
        window.wait_text("as they were collected")
        self.picture("diff")
        window.press("Back to the Files")
        window.press("Leave It Out")
        window.wait_text("left out")
        window.choose_row("Files", "dmesg.txt")
        window.press("Edit")
        wait_for("the editor", lambda: window.name_of_focus().startswith("dmesg.txt"))
        window.key("ctrl+a", "Delete")
        window.type("nothing to see")
        self.picture("edit")
        window.press("Save")
        self.pack(window)
        self.finish_unsent(window)
        with tarfile.open(self.archive(window)) as packed:
            files = {pathlib.PurePath(member.name).name: packed.extractfile(member).read() for member in packed if member.isfile()}
        self.assertNotIn("system.txt", files)
        self.assertEqual(files["dmesg.txt"], b"nothing to see")
        self.assertNotIn(b"e1000", files["lspci.txt"])


if __name__ == "__main__":
    unittest.main()
