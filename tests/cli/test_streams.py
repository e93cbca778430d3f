# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the output goes: closed, full or broken streams, terminals, locales."""

import os
import pty
import re
import subprocess
import unittest

from program import PROGRAM, SOUND, ProgramTest, need_root, trace_bytes

TRACE = "20-dev-e1000e"


class Streams(ProgramTest):
    small = True

    def setUp(self):
        super().setUp()
        self.trace = self.folder / "trace.txt"
        self.trace.write_bytes(trace_bytes(TRACE))
        self.session = self.make_session(trace=trace_bytes(TRACE))
        self.listing = (["check"], ["devices"], ["verify", self.trace], ["sessions"], ["show", self.session],
                        ["--help"], ["check", "--help"], ["--version"])

    def shell(self, words, redirection, **options):
        """Through a shell, which can close what Python cannot."""
        command = " ".join(f"'{word}'" for word in (PROGRAM, *map(os.fspath, words)))
        done = subprocess.run(["/bin/sh", "-c", f"{command} {redirection}"], env=self.env, cwd=self.folder, timeout=100,
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.assertGreaterEqual(done.returncode, 0)
        for text in (done.stdout, done.stderr):
            self.assertNotIn(b"Sanitizer", text)
            self.assertNotIn(b"CRITICAL", text)
        return done

    def files(self):
        return {path: path.read_bytes() for path in self.state.rglob("*") if path.is_file()}

    def test_closed_stdout(self):
        """No file that it opens becomes its standard output, and a lost result is not a success."""
        before = self.files()
        for words in (*self.listing, ["check", "--json"], ["sessions", "--json"], ["show", self.session, "--json"]):
            with self.subTest(words=words):
                done = self.shell(words, ">&-")
                self.assertNotEqual(done.returncode, 0, done)
        self.assertEqual(self.files(), before)

    def test_closed_stderr(self):
        before = self.files()
        self.assertEqual(self.shell(["check"], "2>&-").returncode, 0)
        self.assertEqual(self.shell(["show", "nothing"], "2>&-").returncode, 2)
        self.assertEqual(self.shell(["frobnicate"], "2>&-").returncode, 2)
        self.assertEqual(self.files(), before)

    def test_all_closed(self):
        before = self.files()
        self.assertNotEqual(self.shell(["show", self.session, "--json"], "<&- >&- 2>&-").returncode, 0)
        self.assertEqual(self.shell([], "<&- 2>&-").returncode, 2)
        self.assertEqual(self.files(), before)

    @need_root
    def test_recover_with_closed_streams(self):
        """The machine comes first; nothing is written into the session's own files."""
        journal = [{"n": 1, "kind": "setting", "subject": "options/overwrite", "before": "1", "after": "0", "keep": False}]
        name = self.make_session("20260102-000000-8086-100e", state="capturing", restored=False, journal=journal, device=SOUND,
                                 driver_before="snd_hda_intel")
        self.shell(["recover", "--json"], "<&- >&- 2>&-")
        self.assertTrue(self.session_state(name)["restored"])
        for path, text in self.files().items():
            self.assertNotIn(b'"event"', text, path)

    def test_full_disk(self):
        for words in (*self.listing, ["check", "--json"], ["devices", "--json"]):
            with self.subTest(words=words):
                done = self.shell(words, ">/dev/full")
                self.assertNotEqual(done.returncode, 0, done)
                self.assertIn(b"mmiotrace-wizard: ", done.stderr)

    def test_worse_status_stays(self):
        """An error of the verb itself says more than that of the stream."""
        self.assertEqual(self.shell(["show", "nothing", "--json"], ">/dev/full").returncode, 2)
        self.assertEqual(self.shell(["check", "--device", "0000:7f:00.0"], ">/dev/full").returncode, 2)

    def test_broken_pipe(self):
        """`... | head -1`: it ends, by itself and without noise."""
        for words in (["devices"], ["devices", "--json"], ["verify", self.trace]):
            with self.subTest(words=words):
                done = self.shell(words, "| head -c 1 >/dev/null")
                self.assertEqual(done.returncode, 0)

    def on_terminal(self, words, **env):
        """All that it writes to a terminal."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([PROGRAM, *map(os.fspath, words)], env={**self.env, "TERM": "xterm", **env},
                                   cwd=self.folder, stdin=follower, stdout=follower, stderr=follower,
                                   start_new_session=True)
        os.close(follower)
        text = b""
        while True:
            try:
                block = os.read(leader, 65536)
            except OSError:
                break
            if not block:
                break
            text += block
        os.close(leader)
        process.wait(timeout=100)
        return text.decode()

    def test_colours(self):
        self.assertIn("\x1b[32m", self.on_terminal(["check"]))
        self.assertIn("\x1b[32m", self.on_terminal(["verify", self.trace]))

    def test_no_colours(self):
        for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            with self.subTest(env=env):
                self.assertNotIn("\x1b", self.on_terminal(["check"], **env))
        self.assertIn("\x1b[32m", self.on_terminal(["check"], NO_COLOR=""))

    def test_no_colours_in_files(self):
        for words in self.listing:
            with self.subTest(words=words):
                result = self.run_program(*words, env={"TERM": "xterm-256color"})
                self.assert_clean(result)

    def test_no_colours_in_json(self):
        text = self.on_terminal(["check", "--json", "--device", SOUND])
        self.assertNotIn("\x1b", text)

    def test_locales(self):
        """A locale that is there or not, with a comma in its numbers or not: the JSON is the same."""
        wanted = self.assert_ok("verify", self.trace, "--json").out
        for locale in ("de_DE.UTF-8", "C", "POSIX", "C.UTF-8", "xx_YY.ISO-8859-1", ""):
            with self.subTest(locale=locale):
                env = {"LC_ALL": locale, "LANG": locale}
                self.assertEqual(self.assert_ok("verify", self.trace, "--json", env=env).out, wanted)
                self.assert_ok("check", env=env)
                self.assert_ok("--help", env=env)

    def test_texts_in_any_locale(self):
        """Over SSH the locale is often "C": a name with letters outside of ASCII is taken all the same."""
        path = self.folder / "träce.txt"
        path.write_bytes(trace_bytes(TRACE))
        for locale in ("C", "C.UTF-8"):
            with self.subTest(locale=locale):
                self.assert_ok("verify", path, env={"LC_ALL": locale})
                self.assert_fails(2, "größe", "check", "--device", "größe", env={"LC_ALL": locale})

    def test_debug_variables(self):
        """Variables that GLib and the shell know do no harm."""
        result = self.assert_ok("sessions", env={"G_MESSAGES_DEBUG": "all", "COLUMNS": "1", "IFS": "x"})
        self.assertRegex(result.out, re.escape(self.session))


if __name__ == "__main__":
    unittest.main()
