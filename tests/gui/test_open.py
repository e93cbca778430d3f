# SPDX-License-Identifier: GPL-2.0-or-later
"""`mmiotrace-wizard` without a terminal and without options opens the window; everything else stays as it was."""

import os
import pty
import shutil
import subprocess
import unittest
from unittest import mock

import desktop
from desktop import HOME, LIMIT_SEC, PROGRAM, WindowTest, wait_for

COMMAND = PROGRAM.with_name("mmiotrace-wizard")
NEEDS_TERMINAL = "the walk needs a terminal"
NOT_INSTALLED = "there is also a window, which is not installed"


class Open(WindowTest):
    @staticmethod
    def run_command(*arguments, command=COMMAND, without=(), **streams):
        """Returns: exit status, and what it said"""
        environment = {name: value for name, value in os.environ.items() if name not in without}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        done = subprocess.run([command, *arguments], env=environment, text=True, check=False, timeout=LIMIT_SEC, **streams)
        return done.returncode, (done.stdout or "") + (done.stderr or "")

    def test_opens(self):
        """It becomes the window: the process is the same. (No stream of a test is a terminal: see `run`.)"""
        with mock.patch.object(desktop, "PROGRAM", COMMAND):
            window = self.open()
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        window.key("ctrl+w")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)

    def test_options_and_verbs(self):
        """What is asked for is done, without a window."""
        status, text = self.run_command("--version")
        self.assertEqual(status, 0)
        self.assertIn("mmiotrace-wizard", text)
        self.assertIn("0000:00:03.0", self.run_command("devices")[1])
        status, text = self.run_command("--device", "0000:00:03.0")
        self.assertIn(NEEDS_TERMINAL, text)
        self.assertNotIn(NOT_INSTALLED, text)
        self.assertNotEqual(status, 0)

    def test_no_desktop(self):
        status, text = self.run_command(without=("DISPLAY", "WAYLAND_DISPLAY"))
        self.assertIn(NEEDS_TERMINAL, text)
        self.assertNotIn(NOT_INSTALLED, text)
        self.assertNotEqual(status, 0)

    def test_not_installed(self):
        """The error is the same, with a hint."""
        if shutil.which(PROGRAM.name):
            self.skipTest(f"{PROGRAM.name} is installed on this machine")
        alone = HOME / "mmiotrace-wizard"
        shutil.copy(COMMAND, alone)
        status, text = self.run_command(command=alone)
        alone.unlink()
        self.assertIn(NEEDS_TERMINAL, text)
        self.assertIn(NOT_INSTALLED, text)
        self.assertNotEqual(status, 0)

    def test_one_stream_is_a_terminal(self):
        """Somebody can read what it says there: no window."""
        for name in ("stdout", "stderr"):
            master, slave = pty.openpty()
            try:
                status, text = self.run_command(**{name: slave})
                text += os.read(master, 10000).decode() if name == "stderr" else ""
            finally:
                os.close(slave)
                os.close(master)
            self.assertIn(NEEDS_TERMINAL, text, name)
            self.assertNotEqual(status, 0)

    def test_terminal(self):
        """The walk on the terminal, as ever."""
        master, slave = pty.openpty()
        process = subprocess.Popen([COMMAND], stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        said = b""
        while b"Welcome" not in said:
            said += os.read(master, 1000)
        self.assertIsNone(process.poll())
        process.terminate()
        while True:
            try:
                if not os.read(master, 1000):
                    break
            except OSError:
                break
        process.wait(LIMIT_SEC)
        os.close(master)


if __name__ == "__main__":
    unittest.main()
