# SPDX-License-Identifier: GPL-2.0-or-later
"""--help, --version and words that cannot be understood."""

import re
import unittest

from program import NIC, ProgramTest


class Help(ProgramTest):
    def verbs(self):
        text = self.assert_ok("--help").out
        listed = text.split("\nVerbs:\n", 1)[1].split("\n\n", 1)[0]
        return re.findall(r"^  (\S+)", listed, re.M)

    def assert_help(self, result):
        self.assertEqual(result.status, 0, result)
        self.assertEqual(result.err, "", result)
        self.assertIn("Usage:", result.out)
        for line in result.out.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.assert_clean(result)

    def test_help(self):
        for words in (["--help"], ["-h"], ["help"]):
            with self.subTest(words=words):
                self.assert_help(self.run_program(*words))

    def test_verbs(self):
        verbs = self.verbs()
        for verb in ("check", "devices", "verify", "recover", "sessions", "show", "pack"):
            self.assertIn(verb, verbs)
        for verb in verbs:
            with self.subTest(verb=verb):
                result = self.run_program(verb, "--help")
                self.assert_help(result)
                self.assertIn(f"mmiotrace-wizard {verb}".split(" ")[1], result.out)
                self.assertIn("--json", result.out)

    def test_batch_help(self):
        result = self.run_program("--batch", "--help")
        self.assert_help(result)
        for option in ("--device", "--nick", "--exercise", "--mark", "--duration", "--scenario", "--answers",
                       "--on-lost", "--max-retries", "--buffer-kb", "--no-load-driver", "--output", "--json"):
            self.assertIn(option, result.out)

    def test_help_tells_of_every_option(self):
        """The overview and the list that GLib makes of the table have the same options."""
        def options(text):
            return set(re.findall(r"--[a-z][a-z-]+", text))
        listed = options(self.run_program("--batch", "--help").out) - {"--help"}
        told = options(self.assert_ok("--help").out) - {"--help", "--version"}
        self.assertEqual(listed - told, set())
        self.assertEqual(told - listed, set())

    def test_version(self):
        result = self.assert_ok("--version")
        self.assertRegex(result.out, r"\Ammiotrace-wizard \d+\.\d+(\.\d+)?\n\Z")
        self.assertEqual(result.err, "")


class Usage(ProgramTest):
    CASES = (
        (["frobnicate"], "frobnicate"),
        (["--frobnicate"], "--frobnicate"),
        (["check", "--frobnicate"], "--frobnicate"),
        (["check", "extra"], "extra"),
        (["check", "--device"], "--device"),
        (["devices", "extra"], "extra"),
        (["verify"], "file"),
        (["verify", "a", "b"], "file"),
        (["sessions", "extra"], "extra"),
        (["sessions", "--delete"], "--delete"),
        (["show"], "session"),
        (["show", "a", "b"], "session"),
        (["pack"], "session"),
        (["recover", "a", "b"], "one session"),
        (["--batch"], "--device"),
        (["--batch", "--device", NIC], "--nick"),
        (["--batch", "--nick", "alice"], "--device"),
        (["--batch", "--device", NIC, "--nick", "alice", "extra"], "extra"),
        (["--batch", "--device", NIC, "--nick", "alice", "--duration", "-1"], "--duration"),
        (["--batch", "--device", NIC, "--nick", "alice", "--duration", "1.5"], "1.5"),
        (["--batch", "--device", NIC, "--nick", "alice", "--duration", "99999999999"], "--duration"),
        (["--batch", "--device", NIC, "--nick", "alice", "--max-retries", "many"], "many"),
        (["--batch", "--device", NIC, "--nick", "alice", "--buffer-kb", "0"], "--buffer-kb"),
        (["--batch", "--device", NIC, "--nick", "alice", "--buffer-kb", "64M"], "64M"),
        (["--batch", "--device", NIC, "--nick", "alice", "--on-lost", "cry"], "cry"),
        (["--batch", "--device", NIC, "--nick", "alice", "--exercise", "no-such-program x"], "no-such-program"),
        (["--batch", "--device", NIC, "--nick", "alice", "--exercise", "echo 'open"], "open"),
        (["--batch", "--device", NIC, "--nick", "alice", "--exercise", ""], "--exercise"),
        (["--batch", "--device", NIC, "--nick", "\u00fc"], "\u00fc"),
        (["--batch", "--device", NIC, "--nick", ""], "--nick"),
        (["--batch", "--device", NIC, "--nick", "alice", "--model", "///"], "///"),
        (["--batch", "--device", NIC, "--nick", "alice", "--redact", "perhaps"], "perhaps"),
    )

    def test_usage(self):
        before = self.snapshot()
        for words, named in self.CASES:
            with self.subTest(words=words):
                result = self.assert_fails(2, named, *words)
                self.assertEqual(result.out, "", result)
                self.assert_clean(result)
        self.assertEqual(self.snapshot(), before)
        self.assertFalse(self.sessions.exists())

    def test_usage_json(self):
        """A script gets its last line whatever it asked for."""
        for words, named in self.CASES:
            with self.subTest(words=words):
                result = self.check_json(self.run_program(words[0], "--json", *words[1:]), 2)[-1]
                self.assertEqual(result["error"], "usage")
                self.assertIn(named, result["message"])

    def test_bad_addresses(self):
        for address in ("", "1", "0000:00:03", "0000:00:03.8", "0000:00:20.0", "../../../etc", NIC + "x", NIC + "\n",
                        "\x1b[31m", "e1000"):
            for words in (["check", "--device", address],
                          ["--batch", "--nick", "alice", "--device", address]):
                with self.subTest(words=words):
                    self.assert_clean(self.assert_fails(2, "PCI address", *words))
                    _, result = self.run_json(2, *words)
                    self.assertEqual(result["error"], "usage")

    def test_missing_device(self):
        for address in ("0000:7f:00.0", "7f:00.0"):
            for words in (["check", "--device", address],
                          ["--batch", "--nick", "alice", "--device", address]):
                with self.subTest(words=words):
                    self.assert_fails(2, "0000:7f:00.0", *words)
                    _, result = self.run_json(2, *words)
                    self.assertEqual(result["error"], "not-found")
                    self.assertIn("devices", result["hint"])


if __name__ == "__main__":
    unittest.main()
