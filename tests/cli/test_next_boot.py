# SPDX-License-Identifier: GPL-2.0-or-later
"""--next-boot and the verb `next-boot`, on a fake root: all the way to where the machine would be changed."""

import unittest

from program import BUILT_IN, NIC, ProgramTest, need_root

UNIT = "mmiotrace-wizard-boot.service"
DISK = "0000:02:00.0"
GPU = "0000:01:00.0"
WAITING = "20260101-120000-8086-100e"


class NextBoot(ProgramTest):
    def put_unit(self):
        self.put(f"usr/lib/systemd/system/{UNIT}", "")
        self.put(f"etc/systemd/system/sysinit.target.wants/{UNIT}", "")
        self.put("run/systemd/system/x", "")

    def batch(self, *arguments, device=NIC):
        return ["--batch", "--next-boot", "--device", device, *arguments]

    def one(self, events, kind, name=None):
        return next(event for event in events if event["event"] == kind and name in (None, event.get("id")))

    def test_plan(self):
        """No nickname is needed, nothing is said of now, and a copy of a machine is not changed."""
        self.put_unit()
        before = self.snapshot()
        events, result = self.run_json(3, *self.batch("--duration", "5"))
        self.assertIn("not the real machine", result["message"])
        self.assertEqual(self.snapshot(), before)
        plan = self.one(events, "plan")
        self.assertEqual((plan["device"], plan["way"], plan["driver"]), (NIC, "next-boot", "e1000"))
        self.assertEqual([(change["kind"], change["subject"]) for change in plan["changes"]],
                         [("blacklist", "mmiotrace-wizard-next-boot.conf")])
        self.assertIn("blacklist e1000\n", plan["changes"][0]["after"])
        checks = [event["id"] for event in events if event["event"] == "check"]
        self.assertNotIn("current-tracer", checks)
        self.assertNotIn("device-network", checks)

    def test_in_words(self):
        self.put_unit()
        result = self.assert_fails(3, "not the real machine", *self.batch(device=GPU))
        self.assert_clean(result)
        self.assertNotIn("{", result.err)
        for text in ("modprobe.blacklist=nvidia", "Afterwards: That start removes the file", "happens once"):
            self.assertIn(text, result.err)

    def test_refused(self):
        self.put_unit()
        for device, check in ((BUILT_IN, "device-permanent"), (DISK, "next-boot-disks")):
            events, _ = self.run_json(3, *self.batch(device=device))
            self.assertEqual(self.one(events, "check", check)["level"], "failure")

    def test_no_unit(self):
        events, _ = self.run_json(3, *self.batch())
        self.assertEqual(self.one(events, "check", "next-boot-unit")["level"], "failure")

    def test_usage(self):
        for arguments, text in (
            (["--exercise", "true"], "--exercise"), (["--mark", "x"], "--mark"), (["--no-load-driver"], "--no-load-driver"),
            (["--target", "file", "--consent-upload"], "--target"), (["--duration", "0"], "--duration"),
            (["--duration", "86401"], "--duration"), (["--scenario", "/x"], "--scenario"),
        ):
            self.assert_fails(2, text, *self.batch(*arguments))
        self.assert_fails(2, "--device", "--batch", "--next-boot")
        self.assert_fails(2, "what is", "next-boot", "x")

    def test_one_waits(self):
        self.put_unit()
        self.make_session("20260102-120000-10de-1b80")
        self.make_session(WAITING, state="waiting", restored=False)
        self.assertEqual([event["id"] for event in self.run_json(0, "next-boot")[0]], [WAITING])
        shown = self.assert_ok("next-boot").out
        self.assertIn(" waiting ", shown)
        self.assertNotIn("NOT RESTORED", shown)
        events, _ = self.run_json(8, *self.batch())
        self.assertEqual(self.one(events, "check", "next-boot-waits")["detail"], WAITING)
        self.assert_fails(8, "next-boot --cancel", "sessions", "--delete", WAITING)

    @need_root
    def test_cancel(self):
        self.make_session(WAITING, state="waiting", restored=False)
        self.assert_ok("next-boot", "--cancel")
        self.assertFalse((self.sessions / WAITING).exists())
        result = self.assert_ok("next-boot")
        self.assertEqual(result.out, "")
        self.assertIn("No capture waits", result.err)
        self.assert_fails(2, "no capture waits", "next-boot", "--cancel")


if __name__ == "__main__":
    unittest.main()
