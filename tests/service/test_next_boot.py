# SPDX-License-Identifier: GPL-2.0-or-later
"""Wishing for a capture at the next start, and taking it back. The start itself is in tests/vm/system."""

import json
import os
import pathlib
import unittest

from harness import CARD, CANNOT_TRACE, Case, NIC, OK, SESSIONS, machine

FOLDER = pathlib.Path("/etc/modprobe.d")
UNITS = pathlib.Path("/run/systemd/system")
UNIT = "mmiotrace-wizard-boot.service"
OPTIONS = json.dumps({"device": NIC})


class NextBoot(Case):
    """The driver of the network card is a module here, and systemd would start the unit."""

    def setUp(self):
        super().setUp()
        wants = UNITS / "sysinit.target.wants"
        wants.mkdir(parents=True, exist_ok=True)
        for folder in (UNITS, wants):
            (folder / UNIT).touch()
        machine.command("put sys/module/e1000/initstate live")
        machine.command("put sys/module/e1000/refcnt 0")
        machine.command("link sys/bus/pci/drivers/e1000/module ../../../../module/e1000")
        self.alice = self.client("alice")

    def test_there_and_back(self):
        plan = self.alice.json("PlanNextBoot", "(s)", OPTIONS)
        self.assertEqual("next-boot", plan["way"])
        self.assertEqual([], os.listdir(FOLDER))
        session = self.alice.call("ArrangeNextBoot", "(su)", OPTIONS, 60)
        text = "".join(path.read_text() for path in FOLDER.iterdir())
        self.assertIn("blacklist e1000\n", text)
        self.assertEqual([(session, "waiting", False)],
                         [(facts["id"], facts["state"], facts["restored"]) for facts in self.alice.json("ListSessions")])
        self.assertEqual("", machine.written())
        for client in (self.client("bob"), self.alice):
            self.assertIn(session, self.assert_refused("busy", client.call, "ArrangeNextBoot", "(su)", OPTIONS, 60))
        self.assert_refused("not_found", self.client("bob").call, "CancelNextBoot", "(s)", session)
        # Another process of the service does not undo what waits.
        self.end_service()
        self.assertEqual("waiting", self.alice.json("ListSessions")[0]["state"])
        self.alice.call("CancelNextBoot", "(s)", session)
        self.assertEqual([], os.listdir(FOLDER))
        self.assertEqual([], self.alice.json("ListSessions"))

    def test_a_finished_session_is_not_taken_back(self):
        """Taking back deletes."""
        session = self.alice.start(CARD)
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        self.assert_refused("usage", self.alice.call, "CancelNextBoot", "(s)", session)
        self.assertTrue((SESSIONS / session / "trace.txt").exists())

    def test_built_in(self):
        self.assert_refused("cannot_trace", self.alice.call, "PlanNextBoot", "(s)", json.dumps({"device": CARD}))

    def test_program(self):
        result = self.program("alice", "--batch", "--json", "--device", NIC, "--nick", "al", "--next-boot", "--duration", "60")
        self.assertEqual(OK, result.status, result)
        self.assertEqual(1, len(os.listdir(SESSIONS)))
        self.assertEqual(OK, self.program("alice", "next-boot", "--cancel").status)
        self.assertEqual([], os.listdir(SESSIONS))
        self.assertEqual([], os.listdir(FOLDER))
        result = self.program("alice", "--batch", "--json", "--device", CARD, "--nick", "al", "--next-boot", "--duration", "60")
        self.assertEqual(CANNOT_TRACE, result.status, result)


if __name__ == "__main__":
    unittest.main()
