# SPDX-License-Identifier: GPL-2.0-or-later
"""`check` and `devices`."""

import json
import subprocess
import unittest

from program import AS_NOBODY, BRIDGE, BUILT_IN, NIC, SOUND, ProgramTest, need_root, small_desktop

MACHINE = ["architecture", "root", "tracefs", "kernel-config", "lockdown", "tracer-available", "current-tracer",
           "trace-reader", "trace-events", "tracing-cpumask", "cpus", "memory", "disk", "cmdline"]


class Check(ProgramTest):
    def checks(self, status, *arguments, **options):
        """Returns: {id: event} in the order of the output"""
        events, result = self.run_json(status, "check", *arguments, **options)
        self.assertTrue(all(event["event"] == "check" for event in events))
        for event in events:
            self.assertIn(event["level"], ("ok", "warning", "failure"))
            self.assertTrue(event["sentence"])
            self.assertIn("detail", event)
            self.assertIn("hint", event)
        return {event["id"]: event for event in events}, result

    def test_all_well(self):
        before = self.snapshot()
        checks, _ = self.checks(0)
        self.assertEqual([name for name in checks if name in MACHINE], MACHINE)
        self.assertTrue(all(check["level"] == "ok" for check in checks.values()), checks)
        self.assertEqual(self.snapshot(), before)

    def test_plain(self):
        result = self.assert_ok("check", "--device", NIC)
        self.assertEqual(result.err, "")
        self.assert_clean(result)
        self.assertEqual(len([line for line in result.out.splitlines() if line.startswith("  ok ")]), 19)
        self.assertIn("  warning  The network goes through this device", result.out)
        self.assertIn("(eth0)", result.out)

    def test_device(self):
        checks, _ = self.checks(0, "--device", "00:03.0")
        self.assertIn(f"{NIC} [8086:100e]", checks["device"]["detail"])
        self.assertEqual(checks["device-network"]["level"], "warning")
        self.assertEqual(checks["device-driver"]["detail"], "e1000")

    def assert_failure(self, status, error, name, *arguments, plain=True):
        checks, result = self.checks(status, *arguments)
        self.assertEqual(checks[name]["level"], "failure", checks)
        self.assertTrue(checks[name]["hint"], checks[name])
        self.assertEqual(result["error"], error)
        if not plain:
            return
        result = self.run_program("check", *arguments)
        self.assertEqual(result.status, status, result)
        self.assertIn("FAILED", result.out)
        self.assertIn("mmiotrace-wizard: ", result.err)

    def test_lockdown(self):
        self.put("sys/kernel/security/lockdown", "none integrity [confidentiality]\n")
        self.assert_failure(3, "cannot-trace", "lockdown")

    def test_kernel_without(self):
        self.put("sys/kernel/tracing/available_tracers", "function nop\n")
        self.assert_failure(3, "cannot-trace", "tracer-available")

    def test_not_x86(self):
        self.put("proc/sys/kernel/arch", "aarch64\n")
        self.assert_failure(3, "cannot-trace", "architecture")

    def test_foreign_tracer(self):
        self.put("sys/kernel/tracing/current_tracer", "function\n")
        self.assert_failure(8, "busy", "current-tracer")
        self.assertNotIn("fix", self.checks(8)[0]["current-tracer"])

    def test_own_tracer(self):
        """The program can do something about that one, and says so to programs only."""
        self.put("sys/kernel/tracing/current_tracer", "mmiotrace\n")
        self.assert_failure(8, "busy", "current-tracer")
        self.assertEqual({name: check["fix"] for name, check in self.checks(8)[0].items() if "fix" in check},
                         {"current-tracer": "recover"})

    def test_foreign_reader(self):
        self.own_root()
        (self.root / "proc/1042/fd/9").symlink_to(self.root / "sys/kernel/tracing/trace_pipe")
        self.assert_failure(8, "busy", "trace-reader")
        checks, _ = self.checks(8)
        self.assertIn("Xorg", checks["trace-reader"]["detail"])

    def test_not_root_by_the_status(self):
        self.put("proc/self/status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n")
        self.assert_failure(4, "permission", "root")

    def test_bridge(self):
        self.assert_failure(3, "cannot-trace", "device-bridge", "--device", BRIDGE, plain=False)

    def test_io_ports_only(self):
        self.assert_failure(3, "cannot-trace", "device-bars", "--device", "0000:00:1f.1", plain=False)

    def test_several_drivers(self):
        self.assert_failure(2, "usage", "driver-choice", "--device", "0000:06:00.0")
        checks, _ = self.checks(0, "--device", "0000:06:00.0", "--driver", "amdgpu")
        self.assertEqual(checks["device-way"]["level"], "ok")

    def test_no_such_driver(self):
        self.assert_failure(2, "usage", "driver-choice", "--device", SOUND, "--driver", "no-such-driver")

    def test_disk_in_use(self):
        self.assert_failure(3, "cannot-trace", "device-disk", "--device", "0000:02:00.0")

    @need_root
    def test_machine_without_anything(self):
        """An empty folder is no machine; that is said and nothing crashes."""
        empty = self.folder / "empty"
        empty.mkdir()
        checks, _ = self.checks(3, env={"MTW_ROOT": str(empty)})
        self.assertEqual(checks["tracefs"]["level"], "failure")

    @need_root
    def test_as_nobody(self):
        """Whoever is not root may look too."""
        self.put("proc/self/status", "Name:\tx\nUid:\t65534\t65534\t65534\t65534\nCapEff:\t0000000000000000\n")
        self.folder.chmod(0o755)
        (self.root / "sys/kernel/tracing").chmod(0o700)
        checks, _ = self.checks(4, before=AS_NOBODY)
        self.assertEqual(checks["root"]["level"], "failure")


class Devices(ProgramTest):
    found = None

    def list_devices(self):
        events, _ = self.run_json(0, "devices")
        self.assertTrue(all(event["event"] == "device" for event in events))
        return {event["device"]: event for event in events}

    def devices(self):
        """Those of the root that nobody changes; asked once."""
        if Devices.found is None:
            Devices.found = self.list_devices()
        return Devices.found

    def test_ways(self):
        ways = {address: device["way"] for address, device in self.devices().items()}
        self.assertEqual(ways, {
            "0000:00:00.0": "none", "0000:00:01.0": "none", NIC: "reload", "0000:00:1b.0": "rebind",
            BUILT_IN: "rebind", "0000:00:1f.1": "none", "0000:01:00.0": "none", "0000:01:00.1": "rebind",
            "0000:02:00.0": "none", "0000:03:00.0": "none", "0000:04:00.0": "load", "0000:05:00.0": "load",
            "0000:06:00.0": "choose", "0000:07:00.0": "none"})

    def test_one(self):
        device = self.devices()["0000:01:00.0"]
        self.assertEqual(device["ids"], "10de:1b80")
        self.assertEqual(device["class"], "030000")
        self.assertEqual((device["driver"], device["module"]), ("nvidia", "nvidia"))
        self.assertEqual(device["bars"][1], {"index": 1, "kind": "memory", "start": "0xe0000000", "length": 0x10000000})
        self.assertEqual(device["bars"][3]["kind"], "io")
        self.assertEqual(device["reason"]["id"], "device-display")
        self.assertEqual(self.devices()[NIC]["reason"]["id"], "device-way")

    def test_choose(self):
        device = self.devices()["0000:06:00.0"]
        self.assertIsNone(device["driver"])
        self.assertIn("amdgpu", device["error"]["message"])

    def test_plain(self):
        result = self.assert_ok("devices")
        self.assertEqual(result.err, "")
        self.assert_clean(result)
        self.assertIn("[10de:1b80]\n", result.out)
        self.assertIn("driver: e1000\n", result.out)
        self.assertIn("    BAR 3: memory, 32.0 MiB\n", result.out)

    def test_none(self):
        subprocess.run(["rm", "-rf", self.own_root() / "sys/bus/pci/devices"], check=True)
        result = self.assert_ok("devices")
        self.assertEqual(result.out, "")
        self.assertIn("no PCI device", result.err)
        self.assertEqual(self.list_devices(), {})

    def test_hostile_names(self):
        """Names from the machine are shown as text, whatever is in them."""
        self.use_root(small_desktop())
        device = f"sys/devices/pci0000:00/0000:00:01.0/{SOUND}"
        link = self.own_root() / device / "driver"
        link.unlink()
        self.put(f"{device}/modalias", b"pci:\xff\x1b]0;x\x07\n")
        self.put(f"{device}/revision", "garbage\n")
        self.assert_clean(self.assert_ok("devices"))
        link.symlink_to("../../../bus/pci/drivers/evil\x1b[31m\nname")
        result = self.assert_ok("devices")
        self.assert_clean(result)
        found = self.list_devices()[SOUND]
        self.assertIn("evil", json.dumps(found["driver"]))


if __name__ == "__main__":
    unittest.main()
