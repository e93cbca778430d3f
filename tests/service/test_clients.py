# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients come and go; the capture stays."""

import json
import re
import signal
import unittest

from harness import BRIDGE, CARD, Case, NIC, SESSIONS, machine, wait_for


class Capture(Case):
    def setUp(self):
        super().setUp()
        self.alice = self.client("alice")

    def stop(self, client, session):
        client.call("Stop", "(s)", session)
        return client.wait_for_event(session, "done")

    def test_whole_walk(self):
        session = self.alice.start()
        self.alice.call("Attach", "(s)", session)
        self.assertEqual(["capturing", session, NIC, 4001],
                         [self.alice.property(name) for name in ("State", "Session", "Device", "OwnerUid")])
        self.alice.call("Mark", "(ss)", session, "one\ntwo\x1b[31m")
        machine.command("access 7")
        wait_for("the counters", lambda: self.alice.json("GetCounters", "(s)", session)["target"] == 307)
        self.stop(self.alice, session)
        self.assertEqual("", self.alice.call("GetCounters", "(s)", session))
        self.assertEqual(["idle", ""], [self.alice.property(name) for name in ("State", "Session")])
        self.alice.call("OpenFile", "(ss)", session, "trace.txt")
        trace = (SESSIONS / session / "trace.txt").read_text()
        self.assertEqual(307, len(re.findall(r"^[RW] ", trace, re.M)))
        self.assertEqual(["capture start", "driver load", "one two [31m", "capture stop"],
                         re.findall(r"^MARK \S+ (.*)$", trace, re.M))

    def test_events_have_numbers(self):
        session = self.alice.start()
        first, last = self.alice.events(session)
        self.assertEqual(len(first), last)
        self.assertEqual(([], last), self.alice.events(session, last))
        self.assertEqual(first[2:], self.alice.events(session, 2)[0])
        self.assertEqual(([], last), self.alice.events(session, last + 5))
        self.stop(self.alice, session)

    def test_client_is_killed(self):
        """The capture goes on; another client of the same person gets all from the first event on, and ends it."""
        first = Case.client(self, "alice")
        session = first.start()
        first.call("Attach", "(s)", session)
        first.call("Mark", "(ss)", session, "before")
        first.kill()
        self.assert_tracing()
        self.assertEqual(session, self.alice.property("Session"))
        self.alice.call("Attach", "(s)", session)
        self.alice.call("Mark", "(ss)", session, "after")
        self.assertTrue(self.stop(self.alice, session)["trace"])
        events, _ = self.alice.events(session)
        self.assertEqual("preparing", events[0]["state"])
        self.assertEqual(["capture start", "driver load", "before", "after", "capture stop"],
                         [event["text"] for event in events if event["event"] == "marker"])
        self.assert_as_before()

    def test_second_client_is_told_who_traces(self):
        session = self.alice.start()
        for client in (self.client("bob"), self.client("alice"), self.root()):
            message = self.assert_refused("busy", client.call, "Start", "(ss)", json.dumps({"device": CARD}), "")
            self.assertRegex(message, rf"^user alice has been tracing {NIC} since ")
        self.assertTrue(self.stop(self.alice, session)["restored"])

    def test_abort_deletes_the_session(self):
        session = self.alice.start()
        self.alice.call("Abort", "(s)", session)
        self.alice.wait_for_event(session, "done")
        wait_for("the deletion", lambda: not (SESSIONS / session).exists())
        # Who was late still hears how it ended.
        self.assertTrue(self.alice.wait_for_event(session, "done")["restored"])
        self.assertEqual([], self.alice.json("ListSessions"))
        self.assert_refused("not_found", self.alice.call, "OpenFile", "(ss)", session, "trace.txt")
        self.assert_as_before()

    def test_delete_and_recover_wait_for_the_end(self):
        session = self.alice.start()
        for method in ("DeleteSession", "Collect", "Recover"):
            self.assert_refused("busy", self.alice.call, method, "(s)", session)
        self.assert_refused("busy", self.alice.call, "OpenFile", "(ss)", session, "trace.txt")
        self.stop(self.alice, session)
        self.alice.call("DeleteSession", "(s)", session)
        self.assertFalse((SESSIONS / session).exists())

    def test_whom_it_is_for(self):
        """Another program that goes on with the session knows it from there, also after a new try."""
        issue = "https://example.org/-/issues/7"
        session = self.alice.start(issue=issue)
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        self.assertEqual(issue, self.alice.json("GetFacts", "(s)", session)["issue"])
        session = self.alice.start(again=session, issue=issue)
        self.alice.call("Stop", "(s)", session)
        wait_for("the second try", lambda: self.alice.property("State") == "idle")
        self.assertEqual(issue, self.alice.json("GetFacts", "(s)", session)["issue"])

    def test_another_program_may_trace_afterwards(self):
        """The service is still there, and somebody attached; root's own process is not kept from it."""
        session = self.alice.start()
        self.alice.call("Attach", "(s)", session)
        self.stop(self.alice, session)
        result = self.program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "1",
                              "--output", "/run")
        self.assertEqual(0, result.status, result)

    def test_caller_goes_before_it_begins(self):
        """Others' calls come first; nothing is begun for nobody."""
        crowd = [self.client("root") for _ in range(8)]
        caller = Case.client(self, "root")
        for client in crowd:
            client.call("Check", "(s)", json.dumps({"device": CARD}), post=True)
        for client in crowd:
            client.property("State")
        caller.call("Start", "(ss)", json.dumps({"device": NIC}), "", post=True)
        # What comes after it on the way to the service has been answered, so it was taken.
        caller.property("State")
        caller.kill()
        self.assertEqual([], self.root().json("ListSessions"))
        self.assert_as_before()

    def failing(self, device, error):
        session = self.alice.call("Start", "(ss)", json.dumps({"device": device}), "")
        done = self.alice.wait_for_event(session, "done")
        self.assertEqual([True, False, error], [done["restored"], done["trace"], done["error"]["name"]])
        self.end_service()
        self.assertEqual([session], [facts["id"] for facts in self.alice.json("ListSessions")])
        self.assertEqual("done", self.alice.events(session)[0][0]["event"])
        self.alice.call("DeleteSession", "(s)", session)
        self.assert_as_before()

    def test_failed_capture_is_the_callers(self):
        machine.command("refuse drivers/e1000/unbind EBUSY 1")
        self.failing(NIC, "busy")

    def test_one_that_failed_at_once_too(self):
        self.failing(BRIDGE, "cannot-trace")


class Unattended(Case):
    """The dead man's timer."""

    def test_ends_a_capture_that_nobody_watches(self):
        alice = self.client("alice")
        session = alice.start(unattended_sec=1)
        done = alice.wait_for_event(session, "done")
        self.assertEqual([True, True], [done["restored"], done["trace"]])
        self.assert_as_before()

    def test_begins_when_the_last_one_goes(self):
        first, second, looker = (Case.client(self, "alice") for _ in range(3))
        session = first.start(unattended_sec=2)
        first.call("Attach", "(s)", session)
        second.call("Attach", "(s)", session)
        first.kill()
        looker.call("Mark", "(ss)", session, "one is there")
        second.kill()
        done = looker.wait_for_event(session, "done")
        self.assertTrue(done["restored"])

    def test_attached_to_another_session_is_not_there(self):
        """Bob looks at his own old session: that keeps no capture of Alice's alive."""
        bob, alice = self.client("bob"), self.client("alice")
        old = bob.start(CARD)
        bob.call("Stop", "(s)", old)
        bob.wait_for_event(old, "done")
        bob.call("Attach", "(s)", old)
        session = alice.start(unattended_sec=1)
        self.assertTrue(alice.wait_for_event(session, "done")["restored"])


class Ending(Case):
    """The service is told to end."""

    def test_in_the_middle_of_a_capture(self):
        alice = self.client("alice")
        session = alice.start()
        self.end_service(signal.SIGTERM)
        self.assert_as_before()
        state = self.state_of(session)
        self.assertEqual(["captured", True], [state["state"], state["restored"]])
        done = alice.wait_for_event(session, "done")
        self.assertEqual("good", done["verdict"]["grade"])
        self.assertNotIn("error", done)


if __name__ == "__main__":
    unittest.main()
