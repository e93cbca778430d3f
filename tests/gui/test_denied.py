# SPDX-License-Identifier: GPL-2.0-or-later
"""A person to whom polkit says no."""

import unittest

from desktop import NIC, WindowTest, wait_for


class Denied(WindowTest):
    def test_denied(self):
        """The reason is said, nothing was changed, and it can be tried again."""
        window = self.open("--device", NIC)
        window.wait_step("Welcome")
        while not window.can("Try Again"):
            self.assertNotEqual(window.title(), "Capture" if window.can("Stop the Capture") else "")
            wait_for("a question", lambda: window.answers())
            if not window.can("Try Again"):
                window.go_on()
        self.picture("denied")
        self.assertNotIn("mmiotrace", self.tracer())
        self.assertEqual(self.kernel_written(), "")


if __name__ == "__main__":
    unittest.main()
