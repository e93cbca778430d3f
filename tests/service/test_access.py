# SPDX-License-Identifier: GPL-2.0-or-later
"""Who may do what."""

import json
import pathlib
import unittest

from harness import BRIDGE, CARD, Case, NIC, SESSIONS, machine, wait_for


def options(device=NIC, **more):
    return json.dumps({"device": device, **more})


class Everyone(Case):
    """Without any right."""

    def test_sees_devices(self):
        devices = {device["device"]: device for device in self.client("carol").json("ListDevices")}
        self.assertEqual("rebind", devices[NIC]["way"])
        self.assertEqual("none", devices[BRIDGE]["way"])
        self.assertEqual("e1000", devices[NIC]["driver"])

    def test_checks_and_plans_with_eyes_of_root(self):
        dave = self.client("dave")
        checks = {message["id"]: message["level"] for message in dave.json("Check", "(s)", options())}
        self.assertEqual("ok", checks["root"])
        self.assertEqual("ok", checks["tracer-available"])
        plan = dave.json("Plan", "(s)", options())
        self.assertEqual("rebind", plan["way"])
        self.assertEqual(["unbind", "tracer", "bind"], [change["kind"] for change in plan["changes"]
                                                        if change["kind"] in ("unbind", "tracer", "bind")])
        self.assertEqual("", machine.written())

    def test_reads_properties(self):
        carol = self.client("carol")
        self.assertEqual(["idle", "", "", 0, 0],
                         [carol.property(name) for name in ("State", "Session", "Device", "OwnerUid", "SinceSec")])

    def test_has_no_sessions_at_first(self):
        self.assertEqual([], self.client("carol").json("ListSessions"))


class Deny(Case):
    def test_by_a_rule(self):
        carol = self.client("carol")
        for method, signature, values in (("Start", "(ss)", (options(), "")), ("Check", "(s)", ("{}",)),
                                          ("Plan", "(s)", (options(),)), ("ArrangeNextBoot", "(su)", (options(), 60))):
            message = self.assert_refused("permission", carol.call, method, signature, *values)
            self.assertIn("rules of this machine", message)
        self.assert_as_before()
        self.assertEqual("", machine.written())
        self.assertFalse(SESSIONS.exists() and any(SESSIONS.iterdir()))

    def test_without_a_rule_a_password_is_needed(self):
        dave = self.client("dave")
        message = self.assert_refused("permission", dave.call, "Start", "(ss)", options(), "")
        self.assertIn("administrator's password", message)
        self.assert_as_before()

    def test_nobody_is_asked_about_what_cannot_be(self):
        """Dave would be asked for a password; what is wrong is said before."""
        dave = self.client("dave")
        self.assert_refused("not_found", dave.call, "Start", "(ss)", options("0000:07:00.0"), "")
        self.assert_refused("usage", dave.call, "Start", "(ss)", options(buffer_kb="much"), "")
        self.assert_refused("not_found", dave.call, "Start", "(ss)", options(), "20260101-000000-8086-100e")


class Allow(Case):
    def test_by_a_rule(self):
        alice = self.client("alice")
        session = alice.start()
        self.assert_tracing()
        alice.call("Stop", "(s)", session)
        done = alice.wait_for_event(session, "done")
        self.assertTrue(done["restored"])
        self.assertEqual("good", done["verdict"]["grade"])
        self.assertNotIn("error", done)
        self.assert_as_before()
        self.assertEqual(4001, self.state_of(session)["owner_uid"])

    def test_root_is_not_asked(self):
        session = self.root().start(CARD)
        self.root().call("Stop", "(s)", session)
        self.root().wait_for_event(session, "done")
        self.assert_as_before(CARD, "nouveau")

    def test_another_try_of_the_same(self):
        alice = self.client("alice")
        session = alice.start(buffer_kb=2048)
        alice.call("Stop", "(s)", session)
        alice.wait_for_event(session, "done")
        self.assertEqual(session, alice.call("Start", "(ss)", options(buffer_kb=4096), session))
        wait_for("the second try", lambda: [event for event in alice.events(session)[0] if event.get("try") == 2])
        alice.call("Stop", "(s)", session)


class Strangers(Case):
    """Bob may trace, but what is Alice's is not there for him."""

    def setUp(self):
        super().setUp()
        self.alice, self.bob = self.client("alice"), self.client("bob")

    CALLS = (("Attach", "(s)", ()), ("Mark", "(ss)", ("hello",)), ("Stop", "(s)", ()), ("Abort", "(s)", ()),
             ("GetEvents", "(su)", (0,)), ("GetCounters", "(s)", ()), ("OpenFile", "(ss)", ("trace.txt",)),
             ("GetFacts", "(s)", ()), ("KeepFact", "(sss)", ("notes", '"x"')), ("KeepFile", "(ssay)", ("{}", b"x")),
             ("Collect", "(s)", ()), ("GetIdentifiers", "(s)", ()), ("Log", "(ss)", ("x",)), ("DeleteSession", "(s)", ()),
             ("CancelNextBoot", "(s)", ()), ("Recover", "(s)", ()))

    def try_all(self, session):
        for method, signature, values in self.CALLS:
            with self.subTest(method=method):
                values = [list(value) if isinstance(value, bytes) else value for value in values]
                message = self.assert_refused("not_found", self.bob.call, method, signature, session, *values)
                self.assertEqual(f'you have no session "{session}" here', message)
        self.assertEqual([], self.bob.json("ListSessions"))

    def test_running(self):
        session = self.alice.start()
        self.try_all(session)
        self.assert_tracing()
        events, _ = self.alice.events(session)
        self.assertNotIn("hello", [event.get("text") for event in events])
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")

    def test_finished(self):
        session = self.alice.start()
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        self.try_all(session)
        # Also when the service does not remember it.
        self.end_service()
        self.try_all(session)
        self.assertEqual([session], [facts["id"] for facts in self.alice.json("ListSessions")])
        self.assertTrue((SESSIONS / session / "trace.txt").exists())

    def test_another_try_in_it(self):
        session = self.alice.start()
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        self.assert_refused("not_found", self.bob.call, "Start", "(ss)", options(), session)

    def test_root_sees_and_stops_all(self):
        session = self.alice.start()
        self.assertEqual([session], [facts["id"] for facts in self.root().json("ListSessions")])
        self.root().call("Stop", "(s)", session)
        self.assertTrue(self.root().wait_for_event(session, "done")["restored"])

    def test_is_not_disturbed_by_them(self):
        session = self.alice.start()
        for method, signature, values in (("ListDevices", "()", ()), ("Check", "(s)", ("{}",)), ("Plan", "(s)", (options(),)),
                                          ("Start", "(ss)", (options(CARD), "")), ("ArrangeNextBoot", "(su)", (options(), 5))):
            message = self.assert_refused("busy", self.bob.call, method, signature, *values)
            self.assertRegex(message, rf"^user alice has been tracing {NIC} since \d\d:\d\d$")
        self.assertTrue(self.alice.json("ListDevices"))
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        self.assertTrue(self.bob.json("ListDevices"))


class Tries(Case):
    """What was allowed once is no key to everything. Erin may as long as there is a file."""

    def setUp(self):
        super().setUp()
        may = pathlib.Path("/run/erin-may")
        may.touch()
        self.erin = self.client("erin")
        self.session = self.erin.start(driver="e1000", buffer_kb=2048)
        self.erin.call("Stop", "(s)", self.session)
        self.erin.wait_for_event(self.session, "done")
        may.unlink()

    def again(self, client, device=NIC, **more):
        return client.call("Start", "(ss)", options(device, **more), self.session)

    def test_the_same(self):
        self.assertEqual(self.session, self.again(self.erin, driver="e1000", buffer_kb=4096, countdown_sec=1))
        self.erin.call("Stop", "(s)", self.session)

    def test_not_once_more(self):
        self.assert_refused("permission", self.erin.call, "Start", "(ss)", options(driver="e1000"), "")

    def test_with_other_options(self):
        for more in ({}, {"driver": "e1000", "module_options": "debug=16"}, {"driver": "e1000", "load_driver": False}):
            with self.subTest(more=more):
                self.assert_refused("permission", self.again, self.erin, **more)

    def test_by_another_connection(self):
        self.assert_refused("permission", self.again, self.client("erin"), driver="e1000")

    def test_of_another_device(self):
        """Not even who may: the facts of the session are about the one device."""
        pathlib.Path("/run/erin-may").touch()
        self.assertIn("another device", self.assert_refused("usage", self.again, self.erin, CARD))

    def test_after_the_service_ended(self):
        pathlib.Path("/run/erin-may").touch()
        self.end_service()
        self.assertIn("not the last one", self.assert_refused("not_found", self.again, self.erin, driver="e1000"))


if __name__ == "__main__":
    unittest.main()
