# SPDX-License-Identifier: GPL-2.0-or-later
"""--batch and the walk, on a fake root: all the way to where the machine would be changed."""

import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from program import BRIDGE, BUILT_IN, NIC, PROGRAM, SOUND, ProgramTest, need_root

# Facts of a session: the device has the driver that it had.
BOUND = {"device": SOUND, "driver_before": "snd_hda_intel"}
STEPS = ["welcome", "device", "check", "prepare", "capture"]


class RunTest(ProgramTest):
    small = True

    def warn(self):
        """The checks shall find something that a person is asked about."""
        self.put("sys/kernel/tracing/set_event", "sched:sched_switch\n")


class Batch(RunTest):
    def batch(self, *arguments, device=SOUND):
        return ["--batch", "--device", device, "--nick", "alice", "--output", self.out, *arguments]

    def steps(self, events):
        return [event["step"] for event in events if event["event"] == "step"]

    def test_not_live(self):
        """A copy of a machine is never changed; that is said when everything else is right."""
        before = self.snapshot()
        events, result = self.run_json(3, *self.batch())
        self.assertEqual(result["error"], "cannot-trace")
        self.assertIn("not the real machine", result["message"])
        self.assertEqual(self.steps(events), STEPS)
        self.assertEqual(self.snapshot(), before)
        self.assertFalse(self.sessions.exists())

    def test_plain(self):
        self.use_all_devices()
        result = self.assert_fails(3, "not the real machine", *self.batch(device=NIC))
        self.assertEqual(result.out, "")
        self.assert_clean(result)
        self.assertNotIn("> ", result.err)
        for text in ("Unload the kernel module e1000", "Load it again.", "Checks", "Preparation"):
            self.assertIn(text, result.err)

    def test_plan(self):
        self.use_all_devices()
        events, _ = self.run_json(3, *self.batch("--buffer-kb", "64000", device=BUILT_IN))
        plan = next(event for event in events if event["event"] == "plan")
        self.assertEqual((plan["device"], plan["way"], plan["driver"], plan["buffer_kb"]),
                         (BUILT_IN, "rebind", "ehci-pci", 64000))
        self.assertEqual([(change["kind"], change["subject"], change["before"], change["after"])
                          for change in plan["changes"]],
                         [("unbind", BUILT_IN, "ehci-pci", ""), ("recording", "tracing_on", "1", "1"),
                          ("clock", "trace_clock", "local", "mono"),
                          ("buffer", "per_cpu/cpu0/buffer_size_kb", "1408", "64000"), ("cpus", "cpus", "0-3", ""),
                          ("tracer", "current_tracer", "nop", "mmiotrace"), ("bind", BUILT_IN, "", "ehci-pci")])
        for change in plan["changes"]:
            self.assertTrue(change["sentence"] and change["undo"])

    def test_plan_in_words(self):
        """Each change is shown with how it is undone; no place is left unfilled."""
        self.use_all_devices()
        result = self.run_program(*self.batch(device="0000:04:00.0"))
        self.assertEqual(result.err.count("Afterwards:"), 8 - 1, result)
        self.assertNotIn("{", result.err)

    def test_no_load_driver(self):
        events, _ = self.run_json(3, *self.batch("--no-load-driver"))
        plan = next(event for event in events if event["event"] == "plan")
        self.assertNotIn("bind", [change["kind"] for change in plan["changes"]])

    def test_cannot(self):
        self.use_all_devices()
        for device, status, error in ((BRIDGE, 3, "cannot-trace"), ("0000:06:00.0", 2, "usage")):
            with self.subTest(device=device):
                events, result = self.run_json(status, *self.batch(device=device))
                self.assertEqual(result["error"], error)
                self.assertEqual(self.steps(events), STEPS[:3])

    def test_foreign_tracer(self):
        self.put("sys/kernel/tracing/current_tracer", "function\n")
        _, result = self.run_json(8, *self.batch())
        self.assertEqual(result["error"], "busy")

    def test_not_root(self):
        self.put("proc/self/status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n")
        result = self.assert_fails(4, "root", *self.batch())
        self.assertIn("sudo", result.err)

    @need_root
    def test_not_root_on_the_real_machine(self):
        """Without a fake root: nobody gets further than the welcome."""
        env = {name: value for name, value in self.env.items() if name not in ("MTW_ROOT", "MTW_STATE_DIR")}
        done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PROGRAM,
                               "--batch", "--device", "0000:ff:1f.7", "--nick", "alice"],
                              env=env, capture_output=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 4, done)
        self.assertIn(b"root", done.stderr)

    def test_output_folder(self):
        """Made when it is not there; found wrong before anything is changed."""
        self.run_json(3, *self.batch())
        self.assertTrue(self.out.is_dir())
        file = self.folder / "file"
        file.touch()
        events, result = self.run_json(1, *self.batch("--output", file / "below"))
        self.assertIn("below", result["message"])
        self.assertEqual(self.steps(events), STEPS[:3])

    def test_scenario(self):
        bad = self.folder / "bad.conf"
        bad.write_text("[Step one]\nSay=Do it.\n")
        self.assert_fails(1, "Marker is missing", *self.batch("--scenario", bad))
        bad.write_text("nothing\n")
        self.assert_fails(1, "bad.conf", *self.batch("--scenario", bad))
        self.assert_fails(2, "missing.conf", *self.batch("--scenario", self.folder / "missing.conf"))
        good = self.folder / "good.conf"
        good.write_text("[Step one]\nSay=Do it.\nMarker=done\n")
        self.assert_fails(3, "not the real machine", *self.batch("--scenario", good))

    def test_answers(self):
        answers = self.folder / "answers"
        answers.write_text("[Answers]\nnick=bob\nprepare=no\n")
        _, result = self.run_json(4, "--batch", "--device", SOUND, "--output", self.out, "--answers", answers)
        self.assertEqual(result["error"], "declined")
        self.assertIn("prepare", result["message"])
        self.warn()
        answers.write_text("[Answers]\nnick=bob\nwarnings=perhaps\n")
        self.assert_fails(2, "perhaps", "--batch", "--device", SOUND, "--output", self.out, "--answers", answers)
        answers.write_text("[Answers]\nnick=bob\non-lost=perhaps\n")
        self.assert_fails(2, "perhaps", "--batch", "--device", SOUND, "--output", self.out, "--answers", answers)
        answers.write_text("nick=bob\n")
        self.assert_fails(1, "answers", "--batch", "--device", SOUND, "--answers", answers)
        self.assert_fails(2, "absent", "--batch", "--device", SOUND, "--answers", self.folder / "absent")

    def test_describe_file(self):
        """A text that is not there is missed before the capture, not after it."""
        self.assert_fails(2, "story.txt", *self.batch("--describe-file", self.folder / "story.txt"))

    @need_root
    def test_recovers_first(self):
        """What a dead run left is undone before the next one begins."""
        journal = [{"n": 1, "kind": "setting", "subject": "options/overwrite", "before": "1", "after": "0", "keep": False}]
        name = self.make_session(state="capturing", restored=False, journal=journal, **BOUND)
        events, _ = self.run_json(3, *self.batch())
        self.assertIn(("undo", "setting", True), [(event["action"], event["kind"], event["ok"])
                                                  for event in events if event["event"] == "change"])
        self.assertTrue(self.session_state(name)["restored"])

    @need_root
    def test_cannot_recover(self):
        journal = [{"n": 1, "kind": "clock", "subject": "trace_clock", "before": "global", "after": "mono", "keep": False}]
        self.make_session(state="capturing", restored=False, journal=journal, **BOUND)
        events, result = self.run_json(7, *self.batch())
        self.assertEqual(result["error"], "not-restored")
        self.assertEqual(self.steps(events), STEPS[:1])


class Walk(RunTest):
    """On a terminal of its own."""

    def start(self, *arguments, **env):
        self.leader, follower = pty.openpty()
        self.process = subprocess.Popen([PROGRAM, *map(os.fspath, arguments)], cwd=self.folder,
                                        env={**self.env, "TERM": "dumb", **env},
                                        stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
        os.close(follower)
        self.text, self.seen = "", 0
        self.addCleanup(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.leader is not None:
            os.close(self.leader)
        self.leader = None

    def read(self, deadline):
        """Returns: whether there is more"""
        ready, _, _ = select.select([self.leader], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            self.fail(f"nothing more came\n{self.text}")
        try:
            block = os.read(self.leader, 65536)
        except OSError:
            block = b""
        self.text += block.decode(errors="replace").replace("\r\n", "\n")
        return bool(block)

    def expect(self, pattern):
        """Reads until @pattern comes; what was before it is done with."""
        deadline = time.monotonic() + 100
        while True:
            found = re.compile(pattern, re.S).search(self.text, self.seen)
            if found:
                self.seen = found.end()
                return found.group()
            if not self.read(deadline):
                self.fail(f"{pattern} did not come\n{self.text}")

    def say(self, line):
        os.write(self.leader, line.encode() + b"\n")

    def answer(self, question, line):
        self.expect(question + r".*?\n(\[[^]\n]*\] )?> ")
        self.say(line)

    def finish(self, status):
        deadline = time.monotonic() + 100
        while self.read(deadline):
            pass
        self.assertEqual(self.process.wait(timeout=100), status, self.text)

    def test_walk(self):
        self.use_all_devices()
        before = self.snapshot()
        self.start()
        self.answer("Go on\\?", "yes")
        self.expect("Which device")
        listed = self.expect(".*?\n> ")
        # Only what can be traced.
        self.assertIn(NIC, listed)
        self.assertNotIn(BRIDGE, listed)
        self.say(NIC)
        self.answer("warnings.*Go on", "")
        self.expect("Unload the kernel module e1000")
        self.answer("start the capture\\?", "y")
        self.finish(3)
        self.assertIn("not the real machine", self.text)
        self.assertEqual(self.snapshot(), before)
        self.assertFalse(self.sessions.exists())

    def test_device_by_number(self):
        self.start()
        self.answer("Go on\\?", "")
        self.expect("Which device.*\n> ")
        self.say("1")
        self.expect(SOUND)
        self.say("no")
        self.finish(4)

    def test_answers_again(self):
        """What is no answer is asked again."""
        self.start()
        self.answer("Go on\\?", "perhaps")
        self.expect("not one of the answers.*> ")
        self.say("\x1b[A")
        self.expect("not one of the answers.*> ")
        self.say("y")
        self.expect("Which device.*\n> ")
        for line in ("0", "99", "-1", "0000:99:00.0", "+1", ""):
            self.say(line)
            self.expect("not one of the answers.*?> ")
        self.say(SOUND)
        self.answer("start the capture", "n")
        self.finish(4)

    def test_declined(self):
        self.warn()
        for questions in (1, 2, 3):
            with self.subTest(questions=questions):
                before = self.snapshot()
                self.start("--device", SOUND)
                for question in ("Save your work.*Go on", "warnings.*Go on", "start the capture")[:questions - 1]:
                    self.answer(question, "y")
                self.answer("", "n")
                self.finish(4)
                self.assertIn("Not done, as you wished", self.text)
                self.assertEqual(self.snapshot(), before)
                self.end()

    def test_end_of_input(self):
        """Ctrl-D is no answer, and silence is the harmless one: nothing is done."""
        self.start("--device", SOUND)
        self.expect("> ")
        os.write(self.leader, b"\x04")
        self.finish(4)

    def test_interrupt(self):
        self.start("--device", SOUND)
        self.expect("> ")
        self.process.send_signal(signal.SIGINT)
        self.finish(130)

    def test_terminate(self):
        self.warn()
        self.start("--device", SOUND)
        self.answer("Save your work", "y")
        self.expect("Go on all the same.*> ")
        self.process.send_signal(signal.SIGTERM)
        self.finish(130)

    def test_terminal_goes_away(self):
        """SSH dies at a question: the same as no answer. It must not go round and round."""
        self.start("--device", SOUND)
        self.expect("> ")
        os.close(self.leader)
        self.leader = None
        self.assertEqual(self.process.wait(timeout=100), 4)

    def test_json_needs_batch(self):
        self.start("--json")
        self.finish(2)
        self.assertIn('"error":"usage"', self.text)

    def test_no_terminal(self):
        for words in ([], ["--device", NIC], ["--nick", "alice"]):
            with self.subTest(words=words):
                self.assert_fails(2, "--batch", *words)
                self.assert_fails(2, "--batch", *words, stdin=subprocess.PIPE)


if __name__ == "__main__":
    unittest.main()
