# SPDX-License-Identifier: GPL-2.0-or-later
"""The service is killed in the middle; other programs are at work."""

import os
import signal
import unittest

from harness import CARD, Case, INTERRUPTED, NIC, NOTHING_SAID, OK, SESSIONS, machine, wait_for


def one_session():
    names = os.listdir(SESSIONS) if SESSIONS.exists() else []
    return names[0] if len(names) == 1 else None


class Killed(Case):
    def kill_in_capture(self, client):
        session = client.start()
        client.call("Mark", "(ss)", session, "before")
        machine.command("access 5")
        wait_for("the counters", lambda: client.json("GetCounters", "(s)", session)["target"] == 305)
        self.end_service(signal.SIGKILL)
        self.assert_tracing()
        return session

    def test_next_call_puts_back(self):
        """The bus starts it again; it finds its own journal, and what was traced is kept."""
        alice = self.client("alice")
        session = self.kill_in_capture(alice)
        events, last = alice.events(session, 3)
        self.assertEqual(NOTHING_SAID, last)
        self.assertEqual(["done"], [event["event"] for event in events])
        self.assertEqual(["interrupted", True, True],
                         [events[0]["error"]["name"], events[0]["restored"], events[0]["trace"]])
        self.assert_as_before()
        self.assertEqual("recovered", self.state_of(session)["state"])
        trace = (SESSIONS / session / "trace.txt").read_text()
        self.assertIn(" before\n", trace)
        self.assertEqual(305, sum(line[:2] in ("R ", "W ") for line in trace.splitlines()))
        self.assertEqual(([], NOTHING_SAID), alice.events(session, last))

    def test_any_call_puts_back(self):
        """Whoever calls: the first thing the new process does is to put the machine back."""
        session = self.kill_in_capture(self.client("alice"))
        self.assertEqual([], self.client("bob").json("ListSessions"))
        self.assert_as_before()
        self.assertTrue(self.state_of(session)["restored"])

    def test_program_hears_of_it(self):
        process = self.start_program("alice", "--batch", "--json", "--device", NIC, "--nick", "al", "--duration",
                                     "600")
        self.wait_until_traced()
        self.end_service(signal.SIGKILL)
        result = self.finish(process)
        self.assertEqual(INTERRUPTED, result.status, result)
        done = result.last("done")
        self.assertEqual(["interrupted", True], [done["error"]["name"], done["restored"]])
        self.assertEqual("interrupted", result.last("result")["error"])
        self.assert_as_before()

    def test_killed_before_anything_was_changed(self):
        """The session still is of who wished for it."""
        alice = self.client("alice")
        machine.command("refuse drivers/e1000/unbind EBUSY 0")
        session = alice.call("Start", "(ss)", '{"device":"%s"}' % NIC, "")
        alice.wait_for_event(session, "done")
        self.end_service(signal.SIGKILL)
        self.assertEqual([session], [facts["id"] for facts in alice.json("ListSessions")])


class Others(Case):
    """Root's own process traces, without the service."""

    def start_root(self, **environment):
        process = self.start_program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "600",
                                     "--output", "/run")
        self.wait_until_traced()
        return process

    def stop(self, process):
        process.send_signal(signal.SIGINT)
        return self.finish(process)

    def test_is_left_alone_and_busy(self):
        process = self.start_root()
        alice = self.client("alice")
        self.assertEqual([], alice.json("ListSessions"))
        self.assert_tracing()
        message = self.assert_refused("busy", alice.call, "Start", "(ss)", '{"device":"%s"}' % CARD, "")
        self.assertIn("another mmiotrace-wizard is at work", message)
        session = wait_for("root's session", one_session)
        for method, signature, values in (("GetEvents", "(su)", (0,)), ("Recover", "(s)", ()), ("DeleteSession", "(s)", ())):
            self.assert_refused("busy", self.root().call, method, signature, session, *values)
        # One cannot stop what one does not run.
        self.root().call("Stop", "(s)", session)
        self.assert_tracing()
        self.assertIn(self.stop(process).status, (OK, INTERRUPTED))
        self.assert_as_before()
        done = self.root().events(session)[0]
        self.assertEqual(["done"], [event["event"] for event in done])
        self.assertTrue(done[0]["restored"])

    def test_killed_is_put_back_by_the_service(self):
        process = self.start_root()
        process.kill()
        self.finish(process)
        self.assert_tracing()
        self.root().json("ListDevices")
        self.assert_as_before()

    def test_recover_as_a_user(self):
        """A session of alice's that died, and the service could not put it back by itself at first."""
        alice = self.client("alice")
        session = alice.start()
        self.end_service(signal.SIGKILL)
        machine.command("refuse current_tracer EBUSY 60")
        self.assertFalse(self.program("carol", "recover").status == OK and self.state_of(session)["restored"])
        result = self.program("alice", "recover", "--json")
        self.assertEqual(OK, result.status, result)
        self.assert_as_before()
        self.assertTrue(self.state_of(session)["restored"])


if __name__ == "__main__":
    unittest.main()
