# SPDX-License-Identifier: GPL-2.0-or-later
"""The computer could not be put back as it was: the last page begins with that, and cleans up."""

import unittest

from desktop import NIC, WindowTest, children, control, find, patient, wait_for

NOT_RESTORED, RESTORED = "Something on this computer is not as it was before.", "This computer is as it was before."
FAILED = "Not everything on this computer is as it was before."
CLEAN_UP = "Clean Up"
TRACER = "current_tracer"


class NotRestored(WindowTest):
    def to_verdict(self):
        """The tracer cannot be switched off any more."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        control(f"refuse {TRACER} EBUSY 0")
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_answerable()
        return window

    def to_done(self):
        window = self.to_verdict()
        window.go_on_until("Sending")
        window.press("Continue")
        wait_for("the end", lambda: window.can("Finish"))
        return window

    @staticmethod
    @patient
    def facts(window):
        return [row.get_name() for row in children(find(window.window, "Result"))]

    def test_verdict(self):
        """The trace is whole, and it is said at once that the computer is not as before."""
        window = self.to_verdict()
        window.wait_text("The trace is complete.")
        window.wait_text(NOT_RESTORED)
        self.assertIn("Device or resource busy", window.text())
        self.assertNotIn("cut off", window.text())
        self.picture("verdict")

    def test_clean_up(self):
        """The last page begins with it, once, and with what can be done; cleaning up in vain is said, and when it helps, all is well."""
        window = self.to_done()
        facts = self.facts(window)
        self.assertTrue(facts[0].startswith(NOT_RESTORED), facts)
        for words in ("Device or resource busy", "“Clean Up” puts it right", "restart the computer"):
            self.assertIn(words, facts[0])
        self.assertEqual([fact for fact in facts[1:] if "as it was before" in fact], [])
        self.assertIn("The archive is saved on this computer.", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("done")
        window.press(CLEAN_UP)
        window.wait_text(FAILED)
        self.assertEqual(window.title(), "Not Finished")
        self.assertEqual(self.tracer().strip(), "mmiotrace")
        self.assertTrue(self.facts(window)[0].startswith(NOT_RESTORED))
        self.picture("in-vain")
        control(f"allow {TRACER}")
        window.press(CLEAN_UP)
        window.wait_text(RESTORED)
        self.assertEqual(window.title(), "Done")
        self.assertEqual(self.tracer().strip(), "nop")
        self.assertNotIn(NOT_RESTORED, window.text())
        self.assertNotIn(FAILED, window.text())
        self.assertFalse(window.can(CLEAN_UP))
        self.picture("clean")


if __name__ == "__main__":
    unittest.main()
