# SPDX-License-Identifier: GPL-2.0-or-later
"""No test: the pictures of the window in README and AppStream. `./dev screenshots` runs it."""

import subprocess
import time
import unittest

from desktop import PICTURES, WindowTest, control

SHOWN = ("Welcome", "Device", "Capture", "Review", "Done")
# What the driver does, second by second, and what the person writes meanwhile.
ACCESSES = (1500, 1100, 700, 120, 90, 100, 80, 640, 900, 870, 910, 400, 60, 80)
MARKERS = {3: "desktop is there", 7: "glxgears"}


class Screenshots(WindowTest):
    size = (1000, 860)
    window_size = (920, 800)

    def test_pictures(self):
        window = self.open()
        window.resize(*self.window_size)
        for title in self.walk(window):
            if title == "Capture":
                self.use(window)
            if title in SHOWN:
                self.only_window(f"window-{title.lower()}")

    @staticmethod
    def use(window):
        """So long that there is something to see."""
        for second, count in enumerate(ACCESSES):
            if second in MARKERS:
                window.fill("What you do now", MARKERS[second])
                window.press("Set Marker")
                window.wait_text(MARKERS[second])
            control(f"access {count}")
            time.sleep(1)

    def only_window(self, name):
        """Without the root window behind it, and without the shadow around it."""
        self.screen.picture("whole")
        subprocess.run(["convert", PICTURES / "whole.png", "-trim", "+repage", PICTURES / f"{name}.png"], check=True)
        (PICTURES / "whole.png").unlink()


if __name__ == "__main__":
    unittest.main()
