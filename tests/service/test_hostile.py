# SPDX-License-Identifier: GPL-2.0-or-later
"""Arguments of a stranger: nothing happens, the error has a name, the service lives."""

import base64
import json
import os
import random
import re
import unicodedata
import unittest

from harness import BusError, CARD, Case, NIC, SESSIONS, machine

KNOWN_ERRORS = {"usage", "invalid", "not_found", "busy", "failed", "permission", "cannot_trace"}
ROUNDS = 200
BIG = "x" * (64 * 1024 + 1)
TEXTS = ["", " ", "..", "../..", "../../etc/shadow", "/etc/shadow", "lock", "state.json", "journal", "collected/../lock", "a\nb",
         "\x1b[31mred", "\u202e", "%s%n", "$(reboot)", "`reboot`", "'; reboot #", "\\", '"', "{}", "[]", "null", "0", "-1", "1e999",
         "x" * 65, BIG, "\ud7ff\ue000", "𝕏" * 100]
OPTION_VALUES = [None, True, False, 0, 1, -1, 2**31, 2**63 - 1, -2**63, 1.5, 1e308, "", "x", "0000:00:03.0\n", "../0000:00:03.0",
                 "0000:00:03.0/../0000:00:02.0", "0:3.0", "FFFF:FF:1F.8", BIG[:1000], [], [1], ["a"] * 65, [["a"]], {}, {"a": {}}]
OPTION_NAMES = ["device", "driver", "module_options", "buffer_kb", "countdown_sec", "unattended_sec", "load_driver", "issue",
                "profile", "notes", "collectors", "consent_edid", "consent_vbios", "min_free_bytes", "owner_uid", "", "Device", "x" * 100]
DEEP = [("[" * depth + "]" * depth) for depth in (50, 5000, 30000)] + ['{"a":' * 10000 + "1" + "}" * 10000]
NOT_JSON = ["", " ", "{", "}", "[]", "null", "1", '"x"', "{'device':1}", '{"device":}', '{"device":"0000:00:03.0",}', "nan",
            '{"device":"0000:00:03.0"} {"a":1}', "//\n{}", '{"a":1e99999}', '{"device":"\\ud800"}', '{"device":"\\u0000"}', *DEEP]


def base64_of(data):
    return {"base64": base64.b64encode(data).decode()}


class Hostile(Case):
    def setUp(self):
        super().setUp()
        self.alice = self.client("alice")
        self.alice.json("ListSessions")
        self.pid = self.service_pid()

    def tearDown(self):
        self.alice.json("ListSessions")
        self.assertEqual(self.pid, self.service_pid(), "the service died")
        self.assert_as_before()

    def try_it(self, method, signature, *values):
        """Whatever happens, it happens in order. Returns: the error's name, or None"""
        try:
            self.alice.call(method, signature, *values)
        except BusError as error:
            self.assertIn(error.name, KNOWN_ERRORS, error)
            self.assertLessEqual(len(error.message), 1000)
            self.assertFalse([char for char in error.message if unicodedata.category(char) == "Cc"], repr(error.message))
            return error.name
        return None

    def finished(self):
        session = self.alice.start()
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")
        return session


class Options(Hostile):
    METHODS = (("Check", "(s)"), ("Plan", "(s)"), ("PlanNextBoot", "(s)"), ("Start", "(ss)", ""), ("ArrangeNextBoot", "(su)", 60))

    def refuse_all(self, text):
        for method, signature, *more in self.METHODS:
            with self.subTest(method=method, text=text[:60]):
                self.assertIsNotNone(self.try_it(method, signature, text, *more))

    def test_not_json(self):
        for text in NOT_JSON:
            self.refuse_all(text)

    def test_too_long(self):
        self.refuse_all(json.dumps({"device": NIC, "driver": "x" * 70000}))

    def test_wrong_types(self):
        wrong = {"device": [1, True, [], {}, "", "eth0", "0000:00:03.0 ", "../0000:00:03.0"],
                 "driver": [1, False, [], "", "a b", "a/b", "..", "a\nb", "x" * 65],
                 "buffer_kb": ["1", -1, 1.5, True, [], 2**40, 2**63 - 1]}
        of_capture = {"module_options": [1, [], "a\nb", 'a="b c"', "a`b`", "$(x)", "a\\", "x" * 1025],
                      "countdown_sec": [-1, 61, "1", 1.0], "unattended_sec": [-1, 86401, "1"],
                      "load_driver": [0, 1, "yes", [], {}], "consent_edid": [1, "true"], "consent_vbios": [0, []],
                      "issue": [1, "a b", "a\nb", "x" * 2049], "profile": [1, [], "", "../x", "x" * 256],
                      "notes": [1, [], "x" * 32769],
                      "collectors": ["a", {}, 1, [1], [None], [["a"]], ["a b"], ["../x"], [""], ["a"] * 65]}
        for name, values in {**wrong, **of_capture}.items():
            for value in values:
                for method, signature, *more in self.METHODS if name in wrong else self.METHODS[1:]:
                    with self.subTest(method=method, name=name, value=str(value)[:40]):
                        text = json.dumps({"device": NIC, name: value})
                        self.assertEqual("usage", self.try_it(method, signature, text, *more))

    def test_unknown_members(self):
        """Whose name is said, so that somebody with another version understands."""
        for method, signature, *more in self.METHODS:
            message = self.assert_refused("usage", self.alice.call, method, signature,
                                          json.dumps({"device": NIC, "owner_uid": 0}), *more)
            self.assertIn("owner_uid", message)

    def test_seconds_of_next_boot(self):
        for seconds in (0, 86401, 2**32 - 1):
            self.assertEqual("usage", self.try_it("ArrangeNextBoot", "(su)", json.dumps({"device": NIC}), seconds))

    def test_random(self):
        """Not Start: what is valid by chance would begin. A seed makes it the same each time."""
        dice = random.Random(5)
        for _ in range(ROUNDS):
            options = {dice.choice(OPTION_NAMES): dice.choice(OPTION_VALUES) for _ in range(dice.randint(0, 4))}
            text = json.dumps(options)
            if dice.random() < 0.3 and text:
                at = dice.randrange(len(text))
                text = text[:at] + dice.choice(['"', "{", "\\", "é", ""]) + text[at + 1:]
            self.try_it(*dice.choice((("Check", "(s)"), ("Plan", "(s)"), ("PlanNextBoot", "(s)"))), text)


class Sessions(Hostile):
    """Names of sessions and of what is in them."""

    OF_SESSION = (("Attach", "(s)"), ("Mark", "(ss)", "x"), ("Stop", "(s)"), ("Abort", "(s)"), ("GetEvents", "(su)", 0),
                  ("GetCounters", "(s)"), ("OpenFile", "(ss)", "log"), ("GetFacts", "(s)"), ("KeepFact", "(sss)", "notes", '"x"'),
                  ("Collect", "(s)"), ("GetIdentifiers", "(s)"), ("Log", "(ss)", "x"), ("DeleteSession", "(s)"),
                  ("CancelNextBoot", "(s)"), ("Recover", "(s)"))

    def test_no_such_session(self):
        for text in TEXTS:
            for method, signature, *more in self.OF_SESSION:
                with self.subTest(method=method, session=text[:40]):
                    self.assertEqual("not_found", self.try_it(method, signature, text, *more))
            self.try_it("Start", "(ss)", json.dumps({"device": NIC}), text or "x")

    def test_a_folder_that_is_no_session(self):
        (SESSIONS / "20260101-000000-8086-100e").mkdir(parents=True)
        (SESSIONS / "20260101-000000-8086-100f").symlink_to("/etc")
        for name in ("20260101-000000-8086-100e", "20260101-000000-8086-100f"):
            self.assertEqual("not_found", self.try_it("GetFacts", "(s)", name))
        self.assertEqual([], self.alice.json("ListSessions"))

    def test_state_that_is_nonsense(self):
        folder = SESSIONS / "20260101-000000-8086-100e"
        folder.mkdir(parents=True)
        for text in ("", "{", "[]", '{"owner_uid":"4001"}', '{"owner_uid":4001.0}', '{"owner_uid":-1}', "[" * 100000):
            (folder / "state.json").write_text(text)
            self.assertEqual([], self.alice.json("ListSessions"), text[:40])
            self.root().json("ListSessions")

    def test_files(self):
        session = self.finished()
        os.symlink("/etc/shadow", SESSIONS / session / "collected" / "shadow")
        for name in TEXTS + ["trace-1.txt", "collected", "collected/", "collected/..", "collected/shadow", "collected//lspci.txt",
                             "./log", "log/", "verdict.json/x", "collected/none"]:
            with self.subTest(name=name[:40]):
                self.assertIsNotNone(self.try_it("OpenFile", "(ss)", session, name))
        self.alice.call("OpenFile", "(ss)", session, "trace.txt")
        self.assertTrue(base64.b64decode(self.alice.files[0]).startswith(b"VERSION"))

    def test_facts(self):
        session = self.finished()
        before = self.state_of(session)
        for name in TEXTS + ["owner_uid", "restored", "device", "id", "error", "collected"]:
            self.assertEqual("usage", self.try_it("KeepFact", "(sss)", session, name, '"x"'), name[:40])
        for value in ["", "1", "null", "{}", "[]", "true", '"a', '"a","restored":false', '"a"} {', "x" * 70000, *DEEP]:
            self.assertIsNotNone(self.try_it("KeepFact", "(sss)", session, "notes", value), value[:40])
        for state in ("capturing", "preparing", "waiting", "recovered", ""):
            self.assertEqual("usage", self.try_it("KeepFact", "(sss)", session, "state", json.dumps(state)))
        self.assertEqual(before, self.state_of(session))
        self.assertIsNone(self.try_it("KeepFact", "(sss)", session, "notes", '"a\\u0007b"'))

    def test_kept_files(self):
        session = self.finished()

        def keep(about, data=b"x"):
            text = about if isinstance(about, str) else json.dumps(about)
            return self.try_it("KeepFile", "(ssay)", session, text, base64_of(data))
        for name in TEXTS + ["../lock", "a/b", ".hidden", "-x", "x" * 300]:
            is_plain = re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_])?", name) is not None
            self.assertEqual(is_plain, keep({"id": name}) is None, name[:40])
        for about in NOT_JSON + [{}, {"id": 1}, {"id": ["a"]}, {"id": "a.txt", "detail": "x" * 5000}]:
            self.assertIsNotNone(keep(about), str(about)[:40])
        self.assertIsNotNone(keep({"id": "a.txt"}, b"x" * (1024 * 1024 + 64 * 1024 + 1)))
        self.assertIsNone(keep({"id": "a.txt", "level": "ok"}, b"x" * 1024 * 1024))
        # Nor over one that is there.
        self.assertEqual("usage", keep({"id": "a.txt"}, b"other"))
        self.assertEqual(["a.txt"], [name for name in os.listdir(SESSIONS / session / "collected") if name.startswith("a")])

    def test_too_many_files(self):
        session = self.finished()
        results = [self.try_it("KeepFile", "(ssay)", session, json.dumps({"id": f"f{number}.txt"}), base64_of(b"x"))
                   for number in range(140)]
        self.assertIn("usage", results)
        self.assertLessEqual(len(os.listdir(SESSIONS / session / "collected")), 128)
        # The session is still one that can be read, and deleted.
        self.alice.json("Collect", "(s)", session)
        self.alice.json("GetFacts", "(s)", session)
        self.alice.call("DeleteSession", "(s)", session)

    def test_log(self):
        session = self.finished()
        self.alice.call("Log", "(ss)", session, "one\ntwo\x1b[31m")
        self.assertIn("one two", (SESSIONS / session / "log").read_text().splitlines()[-1].replace("  ", " "))
        self.assertEqual("usage", self.try_it("Log", "(ss)", session, "x" * 5000))
        with open(SESSIONS / session / "log", "a") as log:
            log.write("x" * (1024 * 1024))
        self.assertEqual("usage", self.try_it("Log", "(ss)", session, "one more"))


class Running(Hostile):
    def test_markers(self):
        session = self.alice.start()
        for text in TEXTS:
            self.try_it("Mark", "(ss)", session, text)
        self.alice.call("Stop", "(s)", session)
        self.assertTrue(self.alice.wait_for_event(session, "done")["restored"])
        trace = (SESSIONS / session / "trace.txt").read_text()
        self.assertNotIn("\x1b", trace)
        for line in trace.splitlines():
            self.assertRegex(line, r"^(VERSION|PCIDEV|MAP|UNMAP|MARK|[RW]) ")

    def test_numbers_of_events(self):
        session = self.alice.start()
        for after in (0, 1, 5, 1000, 2**31, 2**32 - 1):
            self.assertIsNone(self.try_it("GetEvents", "(su)", session, after))
        self.alice.call("Stop", "(s)", session)
        self.alice.wait_for_event(session, "done")

    def test_wrong_signatures(self):
        """GDBus says no before the service sees them."""
        for method, signature, values in (("Start", "(s)", ("{}",)), ("Start", "(ssu)", ("{}", "", 1)), ("Mark", "(u)", (1,)),
                                          ("GetEvents", "(ss)", ("a", "b")), ("ListDevices", "(s)", ("x",)),
                                          ("Nothing", "()", ())):
            with self.assertRaises(BusError) as caught:
                self.alice.call(method, signature, *values)
            self.assertIn(caught.exception.name.rsplit(".", 1)[1], ("InvalidArgs", "UnknownMethod"))

    def test_flood(self):
        """Who sends more than can be done is told so; others are served."""
        flood = 200
        for _ in range(flood):
            self.alice.send("Check", "(s)", "{}")
        self.assertEqual([], self.client("bob").json("ListSessions"))
        for _ in range(flood):
            self.alice.answer()
        self.many_at_once()

    def many_at_once(self):
        """One connection of bus_client waits for each answer; so many connections do not."""
        crowd = [self.client("alice") for _ in range(40)]
        for client in crowd:
            client.send("Check", "(s)", "{}")
        answers = [client.receive() for client in crowd]
        busy = [answer for answer in answers if answer.get("error", "").endswith("busy")]
        self.assertLessEqual(len(busy), len(crowd) - 32)
        self.assertEqual(len(crowd), len(busy) + sum("values" in answer for answer in answers))


if __name__ == "__main__":
    unittest.main()
