# SPDX-License-Identifier: GPL-2.0-or-later
"""What was left behind, and whose it is nobody knows: told by the checks, and put back for anyone who may."""

import json
import pathlib
import signal
import unittest

from harness import BUSY, Case, NIC, OK, PERMISSION, SESSIONS, TRACING, machine

CURRENT_TRACER = pathlib.Path("/", TRACING, "current_tracer")


def switch_on_by_hand():
    """As somebody would who works with the tracing files."""
    CURRENT_TRACER.write_text("mmiotrace")


def undone(events):
    return [event["kind"] for event in events if event["action"] == "undo" and event["ok"]]


class Reset(Case):
    def test_nothing_to_do(self):
        self.assertEqual([], self.client("alice").json("Reset"))
        self.assertEqual([], self.root().json("Reset"))
        result = self.program("alice", "recover", "--reset", "--json")
        self.assertEqual(OK, result.status, result)
        self.assertEqual("nothing", result.last("message")["id"])

    def test_tracer_without_a_session(self):
        switch_on_by_hand()
        self.assert_tracing()
        # Perhaps somebody is at work: it stays until it is asked for.
        self.assertEqual(OK, self.program("alice", "recover").status)
        self.assert_tracing()
        self.assertEqual(["tracer", "cpus", "buffer", "recording"], undone(self.client("alice").json("Reset")))
        self.assert_as_before()

    def test_program(self):
        """The same work, by the service or by root's own process."""
        for user in ("alice", "root"):
            with self.subTest(user=user):
                switch_on_by_hand()
                result = self.program(user, "recover", "--reset", "--json")
                self.assertEqual(OK, result.status, result)
                self.assertEqual(["tracer", "cpus", "buffer", "recording"], undone(result.all("change")))
                self.assertEqual([], result.all("message"))
                self.assert_as_before()

    def test_who_may_not(self):
        switch_on_by_hand()
        self.assert_refused("permission", self.client("carol").call, "Reset")
        result = self.program("carol", "recover", "--reset")
        self.assertEqual(PERMISSION, result.status, result)
        self.assert_tracing()

    def test_while_the_service_captures(self):
        alice = self.client("alice")
        session = alice.start()
        for client in (alice, self.client("bob"), self.root()):
            self.assert_refused("busy", client.call, "Reset")
        self.assertEqual(BUSY, self.program("bob", "recover", "--reset").status)
        self.assert_tracing()
        alice.call("Stop", "(s)", session)
        self.assertTrue(alice.wait_for_event(session, "done")["restored"])

    def start_root(self):
        process = self.start_program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "600",
                                     "--output", "/run")
        self.wait_until_traced()
        return process

    def test_while_root_captures(self):
        """Not in the service; the tracer belongs to a session that is alive."""
        process = self.start_root()
        self.assert_refused("busy", self.client("alice").call, "Reset")
        result = self.program("root", "recover", "--reset")
        self.assertEqual(BUSY, result.status, result)
        self.assert_tracing()
        process.send_signal(signal.SIGINT)
        self.finish(process)
        self.assert_as_before()

    def test_session_of_somebody_else(self):
        """It died while the service was up, which so did not see to it when it was started."""
        bob = self.client("bob")
        self.assertEqual([], bob.json("ListSessions"))
        process = self.start_root()
        process.kill()
        self.finish(process)
        self.assert_tracing()
        kinds = undone(bob.json("Reset"))
        # By the journal: the driver, and the clock, which is more than without a session.
        self.assertIn("bind", kinds)
        self.assertIn("clock", kinds)
        self.assert_as_before()
        states = [json.loads(path.read_text()) for path in SESSIONS.glob("*/state.json")]
        self.assertEqual([("recovered", True)], [(state["state"], state["restored"]) for state in states])
        # It is still not his.
        self.assertEqual([], bob.json("ListSessions"))


class Fix(Case):
    """What the program can do about a finding is told with it."""

    def find(self, name, **options):
        checks = self.client("alice").json("Check", "(s)", json.dumps({"device": NIC, **options}))
        return [check for check in checks if check["id"] == name][0]

    def test_recover(self):
        self.assertNotIn("fix", self.find("current-tracer"))
        switch_on_by_hand()
        self.assertEqual("recover", self.find("current-tracer")["fix"])

    def test_free_room(self):
        self.assertEqual("free-room", self.find("disk", min_free_bytes=1 << 60)["fix"])

    def test_of_a_person(self):
        """From the service's side of the bus to what the program prints."""
        switch_on_by_hand()
        result = self.program("alice", "--batch", "--json", "--device", NIC, "--nick", "al")
        self.assertEqual(BUSY, result.status, result)
        fixes = {check["id"]: check["fix"] for check in result.all("check") if "fix" in check}
        self.assertEqual("recover", fixes["current-tracer"])


if __name__ == "__main__":
    unittest.main()
