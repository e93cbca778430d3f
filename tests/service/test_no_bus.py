# SPDX-License-Identifier: GPL-2.0-or-later
"""A rescue shell: no bus. Root needs none; others are told what they can do."""

import unittest

from harness import Case, NIC, OK, PERMISSION


class NoBus(Case):
    def end_service(self, number=0):
        """There is none."""

    def test_root_traces(self):
        result = self.program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "1", "--output", "/run")
        self.assertEqual(OK, result.status, result)
        self.assert_as_before()

    def test_user_is_told(self):
        for arguments in (("--batch", "--device", NIC, "--nick", "al"), ("recover",)):
            result = self.program("alice", *arguments)
            self.assertEqual(PERMISSION, result.status, result)
        result = self.program("alice", "check", "--device", NIC)
        self.assertIn("root", result.out)


if __name__ == "__main__":
    unittest.main()
