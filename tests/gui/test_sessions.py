# SPDX-License-Identifier: GPL-2.0-or-later
"""Earlier captures: gone on with, deleted; what the last page says of one; options that name what is not there."""

import subprocess
import unittest

from desktop import CARD, LIMIT_SEC, NIC, PROGRAM, ROLE, WindowTest, control, everything, find, nameless, patient, press, texts, wait_for

NOT_PACKED = "There is a trace, which is not packed yet."


class Sessions(WindowTest):
    def leave_a_trace(self, device=NIC):
        """A capture that was ended by closing the window."""
        window = self.open("--device", device)
        self.to_capture(window)
        window.key("ctrl+w")
        press(wait_for("the question", window.dialog), "Stop the Capture and Close")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)

    @staticmethod
    def show_kept(window):
        """By the menu, as with the mouse."""
        window.key("F10")
        item = wait_for("the menu", lambda: next((node for node in everything(window.window) if node.get_name().startswith("Kept Captures")
                                                  and node.get_role() == ROLE.MENU_ITEM), None))
        item.do_action(0)
        return wait_for("the window", window.dialog)

    def test_delete(self):
        """The question tells the consequence; after a yes it is gone."""
        self.leave_a_trace()
        window = self.open()
        window.wait_text(NOT_PACKED)
        # The name of the device, not only where it is.
        self.assertIn("82540EM", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("earlier")
        window.press_beginning("Delete: Intel")
        dialog = wait_for("the question", window.dialog)
        self.assertIn("It is gone then, for good.", texts(dialog))
        self.assertEqual(nameless(dialog), [])
        self.picture("question")
        press(dialog, "Cancel")
        wait_for("the question to go", lambda: window.dialog() is None)
        self.assertIn(NOT_PACKED, window.text())
        window.press_beginning("Delete: Intel")
        press(wait_for("the question", window.dialog), "Delete")
        wait_for("the capture to go", lambda: window.name_beginning("Delete: Intel") is None)
        window.press("Continue")
        window.wait_step("Device")

    @staticmethod
    @patient
    def delete_buttons(kept):
        return [node.get_name() for node in everything(kept) if node.get_name().startswith("Delete: ")]

    def ask_to_delete(self, window, kept, beginning):
        """Returns: the question"""
        press(kept, next(name for name in self.delete_buttons(kept) if name.startswith(beginning)))
        return wait_for("the question", lambda: next((node for node in everything(window.application) if node.get_role() in
                                                      (ROLE.DIALOG, ROLE.ALERT)), None))

    def test_kept_captures(self):
        """All of them in a window of their own; none goes after a no, and only the one that is meant after a yes; then there is none."""
        self.leave_a_trace()
        self.leave_a_trace(CARD)
        window = self.open()
        window.wait_text(NOT_PACKED)
        kept = self.show_kept(window)
        wait_for("the list", lambda: len(self.delete_buttons(kept)) == 2)
        self.assertIn(NOT_PACKED, texts(kept))
        self.assertEqual(nameless(kept), [])
        self.picture("kept")
        question = self.ask_to_delete(window, kept, "Delete: Intel")
        self.assertIn("It is gone then, for good.", texts(question))
        press(question, "Cancel")
        wait_for("the question to go", lambda: not any(node.get_role() in (ROLE.DIALOG, ROLE.ALERT) for node in everything(window.application)))
        self.assertEqual(len(self.delete_buttons(kept)), 2)
        press(self.ask_to_delete(window, kept, "Delete: Intel"), "Delete")
        wait_for("the other one alone", lambda: [name.split()[1] for name in self.delete_buttons(kept)] == ["NVIDIA"])
        press(self.ask_to_delete(window, kept, "Delete: NVIDIA"), "Delete")
        wait_for("the empty list", lambda: "No capture is kept on this computer." in texts(kept))
        self.assertEqual(self.delete_buttons(kept), [])
        self.picture("none")

    def test_wrong_session(self):
        window = self.open("--session", "2026-11-29-nonsense")
        window.wait_text("This capture cannot be continued.")
        self.assertEqual(window.title(), "Welcome")
        self.assertEqual(window.nameless(), [])
        self.picture("wrong-session")
        window.press("Go On Without It")
        wait_for("a new walk", lambda: window.can("Continue"))

    def test_wrong_device(self):
        window = self.open("--device", "0000:00:1e.7")
        window.press("Continue")
        window.wait_text("This device cannot be traced.")
        self.picture("wrong-device")
        window.press("Choose a Device")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        self.assertEqual(self.kernel_written(), "")

    def test_busy(self):
        """Another device is not begun in the middle of a capture, and the window says so."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        again = subprocess.run([PROGRAM, "--device", CARD], check=False, timeout=LIMIT_SEC, stderr=subprocess.DEVNULL)
        self.assertEqual(again.returncode, 0)
        window.wait_text("The capture in this window is not finished yet.")
        self.assertEqual(window.title(), "Capture")
        window.press("Stop the Capture")
        window.wait_step("Verdict")

    def test_service_dies(self):
        """In mid-capture: it is said, and what became of the computer; what was recorded can be packed."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        control("service KILL")
        window.wait_step("Verdict")
        window.wait_text("The capture was cut off; what was recorded until then is kept.")
        window.wait_text("This computer is as it was before.")
        wait_for("the tracer to be off", lambda: self.tracer().strip() == "nop")
        self.picture("service-died")
        window.press("Continue")
        window.wait_step("Description")


class Done(WindowTest):
    def test_done(self):
        """Result, proof, and what can be done with it."""
        window = self.open("--device", NIC)
        self.to_review(window)
        self.pack(window)
        self.finish_unsent(window)
        for button in ("Show the Folder", "Save a Copy…", "Send It…", "Delete the Capture…", "New Trace"):
            self.assertTrue(window.can(button), button)
        self.assertEqual(window.nameless(), [])
        self.picture("done")
        find(window.window, "Everything that was put back").do_action(0)
        window.wait_text("Now: nop.")
        self.picture("proof")
        window.press("Delete the Capture…")
        press(wait_for("the question", window.dialog), "Delete")
        window.wait_text("The capture was deleted; the archive stays.")
        self.assertNotIn("`mmiotrace-wizard", window.text())
        window.press("New Trace")
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        self.assertNotIn("Earlier captures", window.text().splitlines()[:3])


if __name__ == "__main__":
    unittest.main()
