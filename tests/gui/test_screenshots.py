# SPDX-License-Identifier: GPL-2.0-or-later
"""No test: the pictures of the window in README and AppStream. `./dev screenshots` runs it."""

import subprocess
import unittest

from desktop import PICTURES, WindowTest

SHOWN = ("Welcome", "Device", "Capture", "Review", "Done")


class Screenshots(WindowTest):
    size = (1000, 860)
    window_size = (920, 800)

    def test_pictures(self):
        window = self.open()
        window.resize(*self.window_size)
        for title in self.walk(window):
            if title in SHOWN:
                self.only_window(f"window-{title.lower()}")

    def only_window(self, name):
        """Without the root window behind it, and without the shadow around it."""
        self.screen.picture("whole")
        subprocess.run(["convert", PICTURES / "whole.png", "-trim", "+repage", PICTURES / f"{name}.png"], check=True)
        (PICTURES / "whole.png").unlink()


if __name__ == "__main__":
    unittest.main()
