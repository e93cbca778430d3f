# SPDX-License-Identifier: GPL-2.0-or-later
"""The service is killed in the middle of a capture: the window says so, the machine is put back, and what was traced is not lost."""

import unittest

from desktop import NIC, WindowTest, control, wait_for


class ServiceDies(WindowTest):
    def kill_in_capture(self):
        window = self.open("--device", NIC)
        self.to_capture(window)
        control("access 50")
        # What the window counts is on the disk.
        window.wait_text("350")
        control("service KILL")
        return window

    def test_in_mid_capture(self):
        """The bus starts it again, and it puts the machine back."""
        window = self.kill_in_capture()
        window.wait_step("Verdict")
        window.wait_text("The capture was cut off; what was recorded until then is kept.")
        self.assertIn("This computer is as it was before.", window.text())
        self.picture("verdict")
        wait_for("the tracer to be off", lambda: self.tracer().strip() == "nop")
        window.go_on_until("Review")

    def test_found_again(self):
        """Both die; the next walk offers what was recorded until then."""
        first = self.kill_in_capture()
        first.process.terminate()
        first.process.wait()
        window = self.open()
        window.wait_step("Welcome")
        window.press_beginning("Go on with")
        window.wait_step("Description")
        self.assertEqual(self.tracer().strip(), "nop")


if __name__ == "__main__":
    unittest.main()
