# SPDX-License-Identifier: GPL-2.0-or-later
"""Closing the window, and coming back."""

import subprocess
import unittest

from desktop import LIMIT_SEC, NIC, PROGRAM, WindowTest, press, texts, wait_for


class Close(WindowTest):
    def ask_to_close(self, window):
        window.key("ctrl+w")
        return wait_for("the question", window.dialog)

    def test_detach_and_come_back(self):
        """The capture goes on; the next window finds it, and ends it."""
        first = self.open("--device", NIC)
        self.to_capture(first)
        dialog = self.ask_to_close(first)
        self.assertIn("The capture goes on without this window.", texts(dialog))
        self.picture("question")
        press(dialog, "Close, and Let It Go On")
        self.assertEqual(first.process.wait(LIMIT_SEC), 0)
        self.assertEqual(self.tracer().strip(), "mmiotrace")
        second = self.open()
        second.wait_text("A capture that is running now")
        self.picture("earlier")
        second.press_beginning("Go on with")
        second.wait_step("Capture")
        second.wait_text("events per second")
        second.press("Stop the Capture")
        second.wait_step("Verdict")
        second.wait_text("The trace is complete.")

    def test_stop_and_close(self):
        """Or it is ended first; the trace can be packed later."""
        first = self.open("--device", NIC)
        self.to_capture(first)
        press(self.ask_to_close(first), "Stop the Capture and Close")
        self.assertEqual(first.process.wait(LIMIT_SEC), 0)
        wait_for("the tracer to be off", lambda: self.tracer().strip() == "nop")
        second = self.open()
        second.wait_step("Welcome")
        wait_for("the welcome", lambda: second.can("Continue"))
        self.picture("later")
        second.wait_text("There is a trace, which is not packed yet")
        second.press_beginning("Go on with")
        second.wait_step("Description")

    def test_keep_open(self):
        window = self.open("--device", NIC)
        self.to_capture(window)
        press(self.ask_to_close(window), "Keep It Open")
        wait_for("the question to go", lambda: window.dialog() is None)
        window.press("Stop the Capture")
        window.wait_step("Verdict")

    def test_before_anything(self):
        """Nothing is lost: no question."""
        window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("ctrl+w")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.assertEqual(self.kernel_written(), "")

    def test_one_instance(self):
        """A second start shows the first window, and ends."""
        first = self.open()
        first.wait_step("Welcome")
        wait_for("the welcome", lambda: first.can("Continue"))
        first.press("Continue")
        first.wait_step("Device")
        self.assertEqual(self.run_again(), 0)
        self.assertEqual(first.title(), "Device")

    @staticmethod
    def run_again():
        return subprocess.run([PROGRAM], check=False, timeout=LIMIT_SEC, stderr=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    unittest.main()
