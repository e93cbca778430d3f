# SPDX-License-Identifier: GPL-2.0-or-later
"""`sessions`, `show`, `recover` and two of them at once."""

import fcntl
import os
import struct
import subprocess
import unittest

from program import AS_NOBODY, NIC, PROGRAM, ProgramTest, need_root, trace_bytes

HOSTILE_IDS = ("", ".", "..", "../x", "../../../etc", "/etc/passwd", "20260101-120000-8086-100e/../x", "a b", "ABC",
               "\x1b[31m", "\u00fc", "x" * 5000)


class Sessions(ProgramTest):
    def test_none(self):
        result = self.assert_ok("sessions")
        self.assertEqual(result.out, "")
        self.assertIn("No capture", result.err)
        events, _ = self.run_json(0, "sessions")
        self.assertEqual(events, [])
        self.assertFalse(self.sessions.exists())

    def test_list(self):
        self.make_session("20260102-120000-10de-1b80", state="packed", archive="/home/alice/10de-1b80-alice.tar.gz")
        self.make_session("20260101-120000-8086-100e")
        result = self.assert_ok("sessions")
        lines = result.out.splitlines()
        self.assertEqual(len(lines), 2, result)
        self.assertRegex(lines[0], rf"^20260101-120000-8086-100e +20\d\d-\d\d-\d\d \d\d:\d\d +captured +{NIC}")
        self.assertIn("/home/alice/10de-1b80-alice.tar.gz", lines[1])
        events, _ = self.run_json(0, "sessions")
        self.assertEqual([(event["event"], event["id"], event["state"], event["live"]) for event in events],
                         [("session", "20260101-120000-8086-100e", "captured", False),
                          ("session", "20260102-120000-10de-1b80", "packed", False)])

    def test_died(self):
        self.make_session(state="capturing", restored=False)
        result = self.assert_ok("sessions")
        self.assertIn(" died ", result.out)
        self.assertIn("NOT RESTORED", result.out)
        self.assertEqual(self.run_json(0, "sessions")[0][0]["state"], "died")

    def test_live(self):
        name = self.make_session(state="capturing", restored=False)
        with open(self.sessions / name / "lock", "r+b") as lock:
            hold(lock)
            result = self.assert_ok("sessions")
            self.assertIn(" capturing ", result.out)
            self.assertTrue(self.run_json(0, "sessions")[0][0]["live"])
            self.assert_fails(8, "locked", "sessions", "--delete", name)

    def test_broken_ones_are_no_obstacle(self):
        good = self.make_session()
        for number, text in enumerate(("", "{", "[]", "null", '{"state":[],"device":{},"restored":"no","time_sec":"x"}',
                                       '{"time_sec":9223372036854775807}')):
            folder = self.sessions / f"20250101-00000{number}-8086-100e"
            folder.mkdir()
            (folder / "state.json").write_text(text)
        (self.sessions / "20250101-000009-8086-100e").mkdir()
        (self.sessions / "file").write_text("x")
        result = self.assert_ok("sessions")
        self.assertIn(good, result.out)
        # What cannot be listed is told.
        for number in (0, 1, 2, 3, 9):
            self.assertIn(f"20250101-00000{number}-8086-100e", result.err)
        self.run_json(0, "sessions")

    def test_hostile_state(self):
        self.make_session(state="\x1b[31mred\n", device="\x1b]0;title\x07", archive="\u202e\x9b31m\nx", time_sec=-1)
        self.assert_clean(self.assert_ok("sessions"))
        self.assert_clean(self.assert_ok("show", "20260101-120000-8086-100e"))
        self.run_json(0, "sessions")

    def test_delete(self):
        name = self.make_session(trace=b"VERSION 20070824\n")
        self.assert_ok("sessions", "--delete", name)
        self.assertFalse((self.sessions / name).exists())
        self.assert_fails(2, name, "sessions", "--delete", name)

    def test_delete_not_restored(self):
        name = self.make_session(state="recovered", restored=False)
        self.assert_fails(7, "not restored", "sessions", "--delete", name)
        self.assertTrue((self.sessions / name / "state.json").exists())

    def test_hostile_ids(self):
        self.make_session()
        (self.state / "x").mkdir()
        (self.state / "x/state.json").write_text('{"restored":true}')
        before = sorted(self.state.rglob("*"))
        verbs = [["show"], ["sessions", "--delete"], ["pack", "--nick", "alice"]]
        if os.geteuid() == 0:
            verbs.append(["recover"])
        for words in verbs:
            for name in HOSTILE_IDS:
                with self.subTest(words=words, name=name[:40]):
                    result = self.run_program(*words, name)
                    self.assertEqual(result.status, 2, result)
                    self.assert_clean(result)
                    self.check_json(self.run_program(words[0], "--json", *words[1:], name), 2)
        self.assertEqual([path for path in sorted(self.state.rglob("*")) if path.name != "capture.lock"], before)

    @need_root
    def test_not_allowed(self):
        """Sessions are root's; whoever is not root is told so."""
        self.make_session()
        self.state.chmod(0o700)
        self.folder.chmod(0o755)
        for words in (["sessions"], ["show", "20260101-120000-8086-100e"], ["recover"]):
            with self.subTest(words=words):
                result = self.assert_fails(4, "", *words, before=AS_NOBODY)
                self.assertIn("sudo", result.err)
                _, last = self.run_json(4, *words, before=AS_NOBODY)
                self.assertEqual(last["error"], "permission")


class Show(ProgramTest):
    VERDICT = {"grade": "lost", "sentence": "The trace has gaps: events were lost.", "events": 9, "reads": 5, "writes": 4,
               "lost": {"events": 7}, "bars": [{"index": 0, "start": "0xfeb40000", "reads": 5, "writes": 4}],
               "findings": [{"serious": True, "sentence": "Events are missing.", "detail": "7"}]}

    def test_show(self):
        name = self.make_session(verdict=self.VERDICT, log="12:00:01 state: preparing\n12:00:02 marker: X is up\n")
        result = self.assert_ok("show", name)
        self.assertEqual(result.err, "")
        for text in (name, "The trace has gaps", "5 reads", "0xfeb40000", "Events are missing. (7)", "marker: X is up"):
            self.assertIn(text, result.out)
        events, _ = self.run_json(0, "show", name)
        self.assertEqual(len(events), 1)
        self.assertEqual(events[0]["event"], "session")
        self.assertEqual(events[0]["verdict"], self.VERDICT)
        self.assertEqual(events[0]["device"], NIC)

    def test_log_with_a_hole(self):
        """A power cut leaves zeros where lines had not reached the disk."""
        name = self.make_session(log="12:00:01 first\n" + "\0" * 300 + "12:00:09 last\n")
        result = self.assert_ok("show", name)
        self.assertIn("first", result.out)
        self.assertIn("last", result.out)

    def test_nothing_but_the_state(self):
        name = self.make_session()
        (self.sessions / name / "log").unlink()
        (self.sessions / name / "lock").unlink()
        self.assert_ok("show", name)
        self.run_json(0, "show", name)

    def test_hostile_verdicts(self):
        name = self.make_session(log="12:00:00 \x1b[31mred\x07\n\xff\n")
        for text in ("", "{}", "[]", "{", '{"grade":7,"lost":null,"bars":[1,null,{}],"findings":["x",{},null]}',
                     '{"grade":"good","sentence":"\\u001b[31m","bars":{},"findings":{"a":1}}',
                     '{"findings":[{"sentence":"\\u001b[2J","detail":"\\u009b31m"}],"bars":[{"start":"\\u001b[m"}]}'):
            with self.subTest(text=text):
                (self.sessions / name / "verdict.json").write_text(text)
                self.assert_clean(self.assert_ok("show", name))
                self.run_json(0, "show", name)

    def test_broken_state(self):
        name = self.make_session()
        for text, status in (("", 1), ("{", 1), ("[]", 1)):
            (self.sessions / name / "state.json").write_text(text)
            self.assert_fails(status, name, "show", name)
        (self.sessions / name / "state.json").unlink()
        self.assert_fails(2, name, "show", name)


BOOT_ID = "11111111-2222-3333-4444-555555555555"


def planned(number, kind, subject, before, after):
    return {"n": number, "kind": kind, "subject": subject, "before": before, "after": after, "keep": False}


class Recover(ProgramTest):
    # As the fake root is: already as before.
    JOURNAL = [planned(1, "setting", "options/overwrite", "1", "0"), {"n": 1, "status": "applied"},
               planned(2, "clock", "trace_clock", "local", "mono")]
    # The clock is neither that of before nor ours.
    FOREIGN = [planned(1, "clock", "trace_clock", "global", "mono"), {"n": 1, "status": "applied"}]

    def die(self, journal, **facts):
        name = self.make_session(state="capturing", restored=False, journal=journal, driver_before="e1000", **facts)
        (self.sessions / name / "trace-1.txt").write_bytes(trace_bytes("20-dev-e1000e") + b"R 4 1.00")
        return name

    @need_root
    def test_nothing(self):
        result = self.assert_ok("recover")
        self.assertIn("nothing to recover", result.out + result.err)
        events, _ = self.run_json(0, "recover")
        self.assertEqual([(event["event"], event["id"]) for event in events], [("message", "nothing")])

    @need_root
    def test_recover(self):
        name = self.die(self.JOURNAL)
        events, _ = self.run_json(0, "recover")
        self.assertEqual([(event["event"], event.get("action"), event.get("kind"), event.get("ok")) for event in events],
                         [("change", "undo", "clock", True), ("change", "undo", "setting", True),
                          ("message", None, None, None)])
        state = self.session_state(name)
        self.assertEqual((state["state"], state["restored"]), ("recovered", True))
        self.assertEqual((self.sessions / name / "trace.txt").read_bytes(), trace_bytes("20-dev-e1000e"))
        self.assertIn("nothing to recover", self.assert_ok("recover").err)

    @need_root
    def test_plain(self):
        name = self.die(self.JOURNAL)
        result = self.assert_ok("recover", name)
        self.assertIn("trace is saved", result.err)
        self.assertEqual(self.session_state(name)["state"], "recovered")

    @need_root
    def test_after_a_restart(self):
        name = self.die(self.FOREIGN, boot_id="99999999-2222-3333-4444-555555555555")
        before = self.snapshot()
        self.assert_ok("recover")
        self.assertTrue(self.session_state(name)["restored"])
        self.assertEqual(self.snapshot(), before)

    @need_root
    def test_not_restored(self):
        name = self.die(self.FOREIGN)
        before = self.snapshot()
        events, result = self.run_json(7, "recover")
        self.assertEqual(result["error"], "not-restored")
        self.assertIn("trace_clock", result["message"])
        self.assertEqual([event["ok"] for event in events], [False])
        self.assertFalse(self.session_state(name)["restored"])
        self.assertTrue((self.sessions / name / "trace.txt").exists())
        self.assertEqual(self.snapshot(), before)
        self.assert_fails(7, "left alone", "recover")

    @need_root
    def test_one_that_fails_is_no_obstacle_for_others(self):
        bad = self.make_session("20260102-120000-8086-100e", state="capturing", restored=False, journal=self.FOREIGN)
        good = self.make_session("20260101-120000-8086-100e", state="capturing", restored=False, journal=self.JOURNAL)
        self.assert_fails(7, "trace_clock", "recover")
        self.assertFalse(self.session_state(bad)["restored"])
        self.assertTrue(self.session_state(good)["restored"])

    @need_root
    def test_somebody_traces_by_hand(self):
        """Nobody here knows about it: it is not switched off unasked."""
        self.put("sys/kernel/tracing/current_tracer", "mmiotrace\n")
        before = self.snapshot()
        result = self.assert_fails(8, "--reset", "recover")
        self.assertEqual(self.snapshot(), before, result)

    @need_root
    def test_reset(self):
        """Sessions first; nothing is said about a tracer that nobody left on."""
        name = self.die(self.JOURNAL)
        events, _ = self.run_json(0, "recover", "--reset")
        self.assertEqual([event.get("id") for event in events if event["event"] == "message"], ["recovered"])
        self.assertEqual(self.session_state(name)["state"], "recovered")
        events, _ = self.run_json(0, "recover", "--reset")
        self.assertEqual([event["id"] for event in events], ["nothing"])

    @need_root
    def test_finished(self):
        name = self.make_session(state="packed", trace=b"VERSION 20070824\n")
        self.assert_ok("recover", name)
        self.assertEqual(self.session_state(name)["state"], "packed")

    @need_root
    def test_unknown(self):
        self.assert_fails(2, "20990101", "recover", "20990101")


def hold(lock):
    """Takes the lock of a session as a living process has it (an open file description lock)."""
    f_ofd_setlk = 37
    fcntl.fcntl(lock, f_ofd_setlk, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))


class AtOnce(ProgramTest):
    """Two verbs at the same time, several times: whoever is second is told, and nothing is half done."""

    def race(self, *commands):
        environment = self.env
        running = [subprocess.Popen([PROGRAM, *words], env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
                   for words in commands]
        results = []
        for process in running:
            out, err = process.communicate(timeout=100)
            self.assertNotIn(b"CRITICAL", err)
            self.assertNotIn(b"Sanitizer", err)
            results.append((process.returncode, out, err))
        return results

    def test_delete(self):
        for _ in range(5):
            name = self.make_session(trace=b"x" * 100000)
            results = self.race(*[["sessions", "--delete", name]] * 2)
            statuses = sorted(status for status, _, _ in results)
            self.assertEqual(statuses[0], 0, results)
            # gone, locked, or gone while it was looked at
            self.assertIn(statuses[1], (0, 1, 2, 8), results)
            self.assertFalse((self.sessions / name).exists())

    @need_root
    def test_recover(self):
        for _ in range(5):
            name = self.make_session(state="capturing", restored=False, journal=Recover.JOURNAL)
            results = self.race(["recover"], ["recover"], ["sessions"])
            statuses = sorted(status for status, _, _ in results)
            self.assertEqual(statuses[:2], [0, 0], results)
            self.assertIn(statuses[2], (0, 8), results)
            self.assertEqual(self.session_state(name)["restored"], True)
            self.assert_ok("sessions", "--delete", name)

    @need_root
    def test_list_disturbs_nobody(self):
        for _ in range(3):
            name = self.make_session(state="capturing", restored=False, journal=Recover.JOURNAL)
            results = self.race(["recover", name], *[["sessions"]] * 4, ["show", name])
            self.assertEqual([status for status, _, _ in results], [0] * 6, results)
            self.assert_ok("sessions", "--delete", name)


if __name__ == "__main__":
    unittest.main()
