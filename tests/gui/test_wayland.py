# SPDX-License-Identifier: GPL-2.0-or-later
"""The walk under Wayland, with buttons alone: a compositor without screen takes no keys."""

import os
import pathlib
import subprocess
import unittest

from desktop import PICTURES, WindowTest, set_looks, wait_for


class Weston:
    """A compositor of its own, without a screen."""

    def __init__(self, width, height, font):
        name = f"mtw-{os.getpid()}"
        self.server = subprocess.Popen(["weston", "--backend=headless-backend.so", f"--socket={name}", f"--width={width}", f"--height={height}",
                                        "--use-pixman", "--idle-time=0", "--debug", "--no-config"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("weston", (pathlib.Path(os.environ["XDG_RUNTIME_DIR"]) / name).exists)
        os.environ.update(WAYLAND_DISPLAY=name, GDK_BACKEND="wayland")
        os.environ.pop("DISPLAY", None)
        set_looks(font)

    @staticmethod
    def picture(name):
        """weston's own tool chooses the name of the file."""
        subprocess.run(["weston-screenshooter"], cwd=PICTURES, check=True)
        newest = max(PICTURES.glob("wayland-screenshot-*.png"), key=lambda path: path.stat().st_mtime_ns)
        newest.rename(PICTURES / f"{name}.png")

    def close(self):
        self.server.terminate()
        self.server.wait()


class Wayland(WindowTest):
    make_screen = Weston

    def test_all_pages(self):
        window = self.open()
        for title in self.walk(window):
            if title in ("Welcome", "Capture", "Done"):
                self.picture(title.lower())
        self.assertIn("This computer is as it was before.", window.text())
        window.press("Finish")
        self.assertEqual(window.process.wait(60), 0)


if __name__ == "__main__":
    unittest.main()
