# SPDX-License-Identifier: GPL-2.0-or-later
"""The window of root: no service is asked, the capture is made in the window's own process."""

import os
import tarfile
import unittest

from desktop import NIC, WindowTest, shown


class Root(WindowTest):
    def test_walk(self):
        """To the end, and the computer is as before."""
        self.assertEqual(os.geteuid(), 0)
        window = self.open("--device", NIC)
        self.to_review(window)
        self.assertIn("sys/kernel/tracing/current_tracer=mmiotrace", self.kernel_written())
        self.assertEqual(self.tracer().strip(), "nop")
        self.pack(window)
        self.finish_unsent(window)
        self.assertIn("This computer is as it was before.", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("done")
        with tarfile.open(self.archive(window)) as packed:
            self.assertTrue(any(name.endswith("mydump.txt") for name in packed.getnames()))
        # Nobody has started it.
        self.assertEqual(shown("service").strip(), "")
        window.press("Finish")
        window.process.wait()


if __name__ == "__main__":
    unittest.main()
