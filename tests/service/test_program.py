# SPDX-License-Identifier: GPL-2.0-or-later
"""The program of a person who is not root: all through the service."""

import os
import pathlib
import pwd
import tarfile
import unittest

import pexpect

from harness import (BRIDGE, BUSY, CANNOT_TRACE, CARD, Case, LIMIT_SEC, NIC, NOT_FOUND, OK, PERMISSION, PROGRAM, SESSIONS, USAGE,
                     as_user, machine, wait_for)

ROOT_PASSWORD = "fake-root"
BATCH = ("--batch", "--json", "--device", NIC, "--nick", "al", "--duration", "1")


class Terminal(pexpect.spawn):
    """The program on a terminal of its own, as a user."""

    def __init__(self, user, *arguments):
        how = as_user(user)
        super().__init__(str(PROGRAM), list(arguments), env=how["env"], cwd=how["cwd"], encoding="utf-8", timeout=LIMIT_SEC,
                         preexec_fn=lambda: self.become(how), dimensions=(50, 160))

    @staticmethod
    def become(how):
        os.setgroups([])
        os.setgid(how["group"])
        os.setuid(how["user"])

    def exit_status(self):
        self.expect(pexpect.EOF)
        self.close()
        return self.exitstatus


class Batch(Case):
    def test_archive_is_of_the_person(self):
        result = self.program("alice", *BATCH)
        self.assertEqual(OK, result.status, result)
        archive = pathlib.Path(result.last("archive")["path"])
        self.assertEqual(4001, archive.stat().st_uid)
        with tarfile.open(archive) as tar:
            names = {pathlib.PurePath(name).name for name in tar.getnames()}
        self.assertLessEqual({"mydump.txt", "description.txt", "lspci.txt", "dmesg.txt"}, names)
        done = result.last("done")
        self.assertEqual([True, True], [done["restored"], done["trace"]])
        self.assertEqual("packed", self.state_of(done["session"])["state"])
        self.assert_as_before()

    def test_what_only_root_reads_is_masked(self):
        machine.command("put dev/kmsg 6,3,99,-;serial FAKE-SERIAL-4711 of this board")
        result = self.program("alice", *BATCH)
        self.assertEqual(OK, result.status, result)
        with tarfile.open(result.last("archive")["path"]) as tar:
            for member in tar.getmembers():
                if member.isfile():
                    self.assertNotIn(b"FAKE-SERIAL-4711", tar.extractfile(member).read(), member.name)

    def test_another_try_after_losses(self):
        """It is made in the same session, with a larger buffer; erin may only begin once."""
        may = pathlib.Path("/run/erin-may")
        may.touch()
        machine.command("lose 7")
        process = self.start_program("erin", *BATCH, "--buffer-kb", "2048")
        self.wait_until_traced()
        may.unlink()
        result = self.finish(process)
        self.assertEqual(OK, result.status, result)
        self.assertEqual(1, len(os.listdir(SESSIONS)))
        self.assertEqual([("lost", 2048), ("good", 4096)],
                         [(entry["grade"], entry["buffer_kb"]) for entry in self.state_of(os.listdir(SESSIONS)[0])["tries"]])

    def test_exercise(self):
        """What a command printed goes into the archive: much of it, of a long command."""
        command = "sh -c 'yes | head -c 2000000' " + "y" * 6000
        result = self.program("alice", *BATCH[:-2], "--exercise", command)
        self.assertEqual(OK, result.status, result)
        self.assertEqual([], [event for event in result.all("message") if event["id"] == "exercise"])
        with tarfile.open(result.last("archive")["path"]) as tar:
            sizes = {pathlib.PurePath(member.name).name: member.size for member in tar.getmembers()}
        self.assertGreater(sizes["exercise-1.txt"], 1000000)

    def test_denied(self):
        result = self.program("carol", *BATCH)
        self.assertEqual(PERMISSION, result.status, result)
        self.assertEqual("permission", result.last("result")["error"])
        self.assertIn("org.mmiotrace.wizard.", result.last("result")["message"])
        self.assert_as_before()

    def test_busy(self):
        alice = self.client("alice")
        session = alice.start(CARD)
        result = self.program("bob", *BATCH)
        self.assertEqual(BUSY, result.status, result)
        self.assertIn(f"user alice has been tracing {CARD} since", result.last("result")["message"])
        alice.call("Stop", "(s)", session)
        alice.wait_for_event(session, "done")

    def test_what_cannot_be_traced(self):
        result = self.program("alice", "--batch", "--json", "--device", BRIDGE, "--nick", "al")
        self.assertEqual(CANNOT_TRACE, result.status, result)

    def test_interrupted_by_a_signal(self):
        process = self.start_program("alice", "--batch", "--json", "--device", NIC, "--nick", "al", "--duration", "0")
        self.wait_until_traced()
        process.send_signal(2)
        result = self.finish(process)
        self.assertEqual(OK, result.status, result)
        self.assert_as_before()


class Verbs(Case):
    def make_session(self, user="alice"):
        client = self.client(user)
        session = client.start()
        client.call("Stop", "(s)", session)
        client.wait_for_event(session, "done")
        return session

    def test_check(self):
        result = self.program("carol", "check", "--device", NIC)
        self.assertEqual(PERMISSION, result.status, result)
        result = self.program("alice", "check", "--device", NIC, "--json")
        self.assertEqual(OK, result.status, result)
        self.assertEqual({"ok"}, {event["level"] for event in result.all("check")}, result)
        self.assertEqual(USAGE, self.program("alice", "check", "--device", "nonsense").status)

    def test_sessions_and_show(self):
        self.assertEqual(OK, self.program("alice", "sessions").status)
        session = self.make_session()
        listed = self.program("alice", "sessions", "--json").all("session")
        self.assertEqual([(session, "captured")], [(event["id"], event["state"]) for event in listed])
        self.assertEqual([], self.program("bob", "sessions", "--json").all("session"))
        shown = self.program("alice", "show", session)
        self.assertEqual(OK, shown.status, shown)
        self.assertIn("bind 0000:00:03.0", shown.out)
        self.assertEqual(NOT_FOUND, self.program("bob", "show", session).status)
        for nonsense in ("../../etc", "\x1b[31m", "x" * 100000, os.fsdecode(b"\xff\xfe")):
            result = self.program("alice", "show", nonsense)
            self.assertEqual(NOT_FOUND, result.status, result)
            self.assertNotIn("\x1b", result.err)
        self.assertEqual(NOT_FOUND, self.program("bob", "sessions", "--delete", session).status)
        self.assertEqual(OK, self.program("alice", "sessions", "--delete", session).status)
        self.assertEqual([], os.listdir(SESSIONS))

    def test_show_what_runs(self):
        """A capture at work is none that died."""
        alice = self.client("alice")
        session = alice.start()
        for verb in (["show", session], ["sessions"]):
            shown, = self.program("alice", *verb, "--json").all("session")
            self.assertEqual(["capturing", True], [shown["state"], shown["live"]], verb)
        alice.call("Stop", "(s)", session)
        alice.wait_for_event(session, "done")

    def test_pack_later(self):
        session = self.make_session()
        self.end_service()
        result = self.program("alice", "pack", session, "--nick", "al", "--json")
        self.assertEqual(OK, result.status, result)
        self.assertTrue(os.path.exists(result.last("archive")["path"]))
        self.assertEqual("packed", self.state_of(session)["state"])
        self.assertEqual(NOT_FOUND, self.program("bob", "pack", session, "--nick", "b").status)

    def test_recover(self):
        result = self.program("alice", "recover")
        self.assertEqual(OK, result.status, result)
        self.assertEqual(USAGE, self.program("alice", "recover", "--nick", "al").status)
        self.assertEqual(NOT_FOUND, self.program("alice", "recover", "20260101-000000-8086-100e").status)


class Attach(Case):
    def test_needs_a_terminal_and_a_capture(self):
        self.assertEqual(USAGE, self.program("alice", "attach").status)
        terminal = Terminal("alice", "attach")
        terminal.expect("no capture is running")
        self.assertEqual(NOT_FOUND, terminal.exit_status())

    def test_of_another(self):
        alice = self.client("alice")
        session = alice.start()
        terminal = Terminal("bob", "attach")
        terminal.expect("you have no session")
        self.assertEqual(NOT_FOUND, terminal.exit_status())
        alice.call("Stop", "(s)", session)
        alice.wait_for_event(session, "done")

    def test_goes_on(self):
        """The program that began it is killed; another one marks, stops and packs."""
        process = self.start_program("alice", "--batch", "--json", "--device", NIC, "--nick", "al", "--duration", "600")
        self.wait_until_traced()
        process.kill()
        self.finish(process)
        terminal = Terminal("alice", "attach", "--nick", "al")
        terminal.expect("The driver is up.")
        terminal.sendline("here again")
        terminal.expect("marker: here again")
        terminal.sendline("")
        terminal.expect("The trace is complete.")
        while terminal.expect([r"Packed: (\S+)", r"(\n|\] )> "]) != 0:
            terminal.sendline("")
        archive = terminal.match.group(1)
        self.assertTrue(os.path.exists(archive))
        terminal.close(force=True)
        self.assert_as_before()

    def test_another_try_is_like_the_first(self):
        """Events were lost: whoever came back to the capture makes it again, with what it was begun with."""
        machine.command("lose 7")
        process = self.start_program("alice", "--batch", "--json", "--device", NIC, "--nick", "al", "--duration", "600",
                                     "--driver", "e1000", "--profile", "storage", "--buffer-kb", "2048")
        self.wait_until_traced()
        process.kill()
        self.finish(process)
        session, = os.listdir(SESSIONS)
        begun = self.state_of(session)
        self.assertEqual(["e1000", 2048, "storage", "storage"],
                         [begun["options"]["driver"], begun["options"]["buffer_kb"], begun["options"]["profile"],
                          begun["profile"]])
        terminal = Terminal("alice", "attach", "--nick", "al")
        for stop in ("Events were lost. What now?", "The trace is complete."):
            terminal.expect("The driver is up.")
            terminal.sendline("")
            terminal.expect(stop)
            terminal.sendline("retry")
        terminal.close(force=True)
        again = self.state_of(session)
        self.assertEqual([("lost", 2048), ("good", 4096)], [(entry["grade"], entry["buffer_kb"]) for entry in again["tries"]])
        self.assertEqual({**begun["options"], "buffer_kb": 4096}, again["options"])
        self.assert_as_before()


class Password(Case):
    """Dave has to know root's; polkit's own agent asks on the terminal."""

    def run_recover(self, *answers):
        # A session of dave's that was not put back: root made it for him, and was killed.
        process = self.start_program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "600",
                                     "--output", pwd.getpwnam("dave").pw_dir, env={**os.environ, "SUDO_UID": str(pwd.getpwnam("dave").pw_uid),
                                          "SUDO_GID": str(pwd.getpwnam("dave").pw_gid), "SUDO_USER": "dave"})
        self.wait_until_traced()
        process.kill()
        self.finish(process)
        terminal = Terminal("dave", "recover", os.listdir(SESSIONS)[0])
        terminal.expect("undo what an earlier trace left behind")
        for answer in answers:
            terminal.expect("Password: ")
            terminal.sendline(answer)
        return terminal

    def test_right(self):
        terminal = self.run_recover(ROOT_PASSWORD)
        terminal.expect("AUTHENTICATION COMPLETE")
        self.assertEqual(OK, terminal.exit_status())
        self.assert_as_before()

    def test_wrong(self):
        terminal = self.run_recover("wrong")
        terminal.expect("AUTHENTICATION FAILED")
        self.assertEqual(PERMISSION, terminal.exit_status())

    def test_device_is_in_the_sentence(self):
        terminal = Terminal("dave", "--batch", "--device", CARD, "--nick", "d", "--duration", "1")
        terminal.expect(r"trace the driver of NVIDIA Corporation .* \(0000:00:02.0\)")
        terminal.expect("Password: ")
        terminal.sendline(ROOT_PASSWORD)
        terminal.expect("Packed: ")
        self.assertEqual(OK, terminal.exit_status())
        self.assert_as_before(CARD, "nouveau")

    def test_caller_goes_before_the_password(self):
        """Nothing is begun for nobody, though the password is right; and the question is taken back."""
        dave = Case.client(self, "dave")
        how = as_user("dave")
        agent = pexpect.spawn("/usr/bin/pkttyagent", ["--process", str(dave.process.pid)], env=how["env"], encoding="utf-8",
                              timeout=LIMIT_SEC, preexec_fn=lambda: Terminal.become(how))
        self.addCleanup(agent.close, force=True)
        self.root().property("State")
        registered = f"Registered Authentication Agent for unix-process:{dave.process.pid}:"
        wait_for("the agent", lambda: registered in self.polkit_log())
        dave.send("Start", "(ss)", '{"device":"%s"}' % NIC, "", interactive=True)
        agent.expect("Password: ")
        dave.kill()
        agent.sendline(ROOT_PASSWORD)
        agent.expect("AUTHENTICATION (COMPLETE|FAILED)")
        self.assertEqual([], self.root().json("ListSessions"))
        self.assertEqual("idle", self.root().property("State"))
        self.assert_as_before()

    def polkit_log(self):
        return (pathlib.Path(os.environ["MTW_SERVICE_LOG"]).parent / "polkit.log").read_text()


if __name__ == "__main__":
    unittest.main()
