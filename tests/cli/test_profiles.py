# SPDX-License-Identifier: GPL-2.0-or-later
"""`profiles`: list, show and check."""

import unittest

from program import SOURCE, ProgramTest

GOOD = """[Profile]
Title=A \\s test
Contact=https://example.org/
[Match]
Vendor=8086
[Step one]
Marker=one is done
Say=Do one.
"""


class Profiles(ProgramTest):
    def test_list(self):
        result = self.assert_ok("profiles")
        self.assert_clean(result)
        self.assertEqual(result.out, self.assert_ok("profiles", "list").out)
        shipped = {path.stem for path in (SOURCE / "data/profiles").glob("*.conf")}
        events, _ = self.run_json(0, "profiles", "list")
        self.assertEqual({event["id"] for event in events if event["event"] == "profile"}, shipped)
        for name in shipped:
            self.assertIn(name, result.out)

    def test_show(self):
        for path in (SOURCE / "data/profiles").glob("*.conf"):
            with self.subTest(profile=path.stem):
                self.assert_clean(self.assert_ok("profiles", "show", path.stem))
                self.assert_ok("profiles", "check", path)
                events, _ = self.run_json(0, "profiles", "show", path.stem)
                self.assertEqual([event["event"] for event in events], ["profile"])

    def test_unknown(self):
        for name in ("no-such-profile", "", "../../../etc/passwd", "\x1b[31m"):
            with self.subTest(name=name):
                result = self.run_program("profiles", "show", name)
                self.assertEqual(result.status, 2, result)
                self.assert_clean(result)

    def test_own(self):
        """One of this machine comes before a shipped one."""
        self.put("etc/mmiotrace-wizard/profiles/generic.conf", GOOD)
        events, _ = self.run_json(0, "profiles", "show", "generic")
        self.assertEqual(events[0]["title"], "A   test")

    def test_bad_one_hides_nothing(self):
        self.put("etc/mmiotrace-wizard/profiles/generic.conf", "[Profile\n")
        self.put("etc/mmiotrace-wizard/profiles/hostile.conf", b"\x1b[31m\xff\n")
        result = self.assert_ok("profiles")
        self.assert_clean(result)
        self.assertIn("generic", result.out)
        self.run_json(0, "profiles")

    def test_check(self):
        path = self.folder / "x.conf"
        for text, line in ((GOOD + "Wait=sometimes\n", 9), (GOOD.replace("Marker=", "Mark="), 7),
                           ("", 1), ("[Profile]\n", 1), ("\xff\n", 1)):
            with self.subTest(text=text):
                path.write_text(text, encoding="latin-1")
                result = self.run_program("profiles", "check", path)
                self.assertEqual(result.status, 1, result)
                self.assertIn(f"x.conf:{line}: ", result.err)
                self.assert_clean(result)
                _, last = self.run_json(1, "profiles", "check", path)
                self.assertEqual(last["error"], "invalid")
        path.write_text(GOOD)
        self.assertIn("good", self.assert_ok("profiles", "check", path).out)
        self.assert_fails(2, "missing.conf", "profiles", "check", self.folder / "missing.conf")

    def test_usage(self):
        for words in (["frobnicate"], ["show"], ["check"], ["list", "x"], ["show", "a", "b"]):
            with self.subTest(words=words):
                self.assert_fails(2, words[-1] if len(words) != 1 or words[0] == "frobnicate" else "which",
                                  "profiles", *words)
                self.run_json(2, "profiles", *words)


if __name__ == "__main__":
    unittest.main()
