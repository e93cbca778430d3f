# SPDX-License-Identifier: GPL-2.0-or-later
"""What the program itself can do about a check that is not passed."""

import unittest

from desktop import NIC, WindowTest, control, texts, wait_for

MODULE = (
    "put sys/module/e1000/initstate live",
    "put sys/module/e1000/refcnt 0",
    "link sys/bus/pci/drivers/e1000/module ../../../../module/e1000",
)


class Fix(WindowTest):
    def to_checks(self, window):
        window.wait_step("Welcome")
        window.go_on_until("Checks")

    def test_clean_up(self):
        """A tracer that nobody knows of is switched off; then the checks are passed."""
        control("put sys/kernel/tracing/current_tracer mmiotrace")
        window = self.open("--device", NIC)
        self.to_checks(window)
        wait_for("the failure", lambda: window.can("Try Again"))
        # A screen reader hears which check it belongs to.
        button = wait_for("the button", lambda: window.name_beginning("Clean Up"))
        self.assertIn("mmiotrace is switched on already", button)
        self.assertNotIn("`mmiotrace-wizard", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("clean-up")
        window.press(button)
        wait_for("the checks to pass", lambda: window.can("Continue") or window.can("Go On All the Same"))
        self.assertEqual(self.tracer().strip(), "nop")
        self.assertIsNone(window.name_beginning("Clean Up"))

    def test_again_stays(self):
        """The checks run again where they are: the pages before them do not flash by."""
        control("put sys/kernel/tracing/current_tracer mmiotrace")
        window = self.open("--device", NIC)
        self.to_checks(window)
        wait_for("the failure", lambda: window.can("Try Again"))
        with window.heard_titles() as titles:
            control("put sys/kernel/tracing/current_tracer nop")
            window.press("Try Again")
            wait_for("the checks to pass", lambda: window.can("Continue") or window.can("Go On All the Same"))
        self.assertEqual(set(titles) - {"Checks"}, set())
        window.press(next(name for name in ("Continue", "Go On All the Same") if window.can(name)))
        window.wait_step("Preparation")
        window.wait_answerable()
        with window.heard_titles() as titles:
            window.key("Escape")
            window.wait_step("Checks")
            window.wait_answerable()
        self.assertEqual(titles, ["Checks"])

    def test_free_room(self):
        """The disk is nearly full: the kept captures are shown, and when they are closed the checks run again."""
        control("disk 12")
        window = self.open("--device", NIC)
        self.to_checks(window)
        wait_for("the failure", lambda: window.can("Try Again"))
        button = wait_for("the button", lambda: window.name_beginning("Delete Old Captures…"))
        self.picture("free-room")
        window.press(button)
        kept = wait_for("the kept captures", window.dialog)
        wait_for("the list", lambda: "No capture is kept on this computer." in texts(kept))
        control("disk 0")
        window.key("Escape")
        wait_for("the checks to pass", lambda: window.can("Continue") or window.can("Go On All the Same"))

    def make_next_boot_possible(self):
        """The driver is a module that cannot be unloaded, and systemd would start the unit."""
        control("boot-unit")
        for command in MODULE:
            control(command)
        control("put sys/module/e1000/refcnt 1")
        control("put sys/module/e1000/initstate live")

    def at_next_start(self):
        """From the checks to Done. Returns: the window"""
        self.make_next_boot_possible()
        # Without these the device cannot be let go.
        control("remove sys/bus/pci/drivers/e1000/unbind")
        control("remove sys/bus/pci/drivers/e1000/bind")
        window = self.open("--device", NIC)
        self.to_checks(window)
        window.press(wait_for("the button", lambda: window.name_beginning("Trace at the Next Start…: ")))
        window.wait_text("kept from being loaded by itself")
        window.press(next(name for name in ("Continue", "Go On All the Same") if window.can(name)))
        window.wait_step("Preparation")
        wait_for("the plan", lambda: window.can("Trace at the Next Start"))
        self.assertEqual(window.nameless(), [])
        self.picture("plan")
        window.press("Trace at the Next Start")
        window.wait_step("Done")
        window.wait_text("The driver is traced at the next start of this computer.")
        return window

    def test_next_boot(self):
        """Instead of now; it is told what happens, and it can be taken back: on Done, and on the first page."""
        window = self.at_next_start()
        self.assertEqual(window.nameless(), [])
        self.assertNotIn("mmiotrace-wizard pack", window.text())
        self.picture("next-boot")
        window.press("Take It Back")
        window.wait_text("It was taken back: the next start is a usual one.")
        self.assertEqual(self.kernel_written(), "")

    def test_take_back_later(self):
        """The first page of the next window has it; then there is nothing to take back."""
        window = self.at_next_start()
        window.press("Finish")
        window.process.wait()
        again = self.open()
        again.wait_text("It is made at the next start of this computer.")
        self.assertEqual(again.nameless(), [])
        self.picture("waits")
        again.press_beginning("Take back")
        wait_for("it to go", lambda: again.name_beginning("Take back") is None)
        self.assertTrue(again.can("Continue"))


class Dark(Fix):
    theme = "Default:dark"
    size = (400, 760)


if __name__ == "__main__":
    unittest.main()
