# SPDX-License-Identifier: GPL-2.0-or-later
"""A bus without the service, and a service that hangs."""

import os
import signal
import unittest

from harness import Case, FAILED, NAME, NIC, OK, PERMISSION, PROGRAM, SOURCE, WORK, machine

SERVICES = "/usr/share/dbus-1/system-services"


class NoService(Case):
    def test_root_traces(self):
        result = self.program("root", "--batch", "--json", "--device", NIC, "--nick", "r", "--duration", "1", "--output", "/run")
        self.assertEqual(OK, result.status, result)
        self.assert_as_before()

    def test_user_is_told(self):
        for arguments in (("--batch", "--device", NIC, "--nick", "al"), ("recover",)):
            result = self.program("alice", *arguments)
            self.assertEqual(PERMISSION, result.status, result)

    def test_attach(self):
        result = self.program("alice", "attach")
        self.assertNotEqual(OK, result.status)


class Broken(Case):
    """The bus knows it, but it does not come up."""

    def install(self, command):
        path = f"{SERVICES}/{NAME}.service"
        with open(path, "w") as file:
            file.write(f"[D-BUS Service]\nName={NAME}\nExec={command}\nUser=root\n")
        self.addCleanup(self.reload)
        self.addCleanup(os.unlink, path)
        self.reload()

    def reload(self):
        os.system("dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig >/dev/null")

    def test_ends_at_once(self):
        self.install("/bin/false")
        result = self.program("alice", "sessions", "--json")
        self.assertEqual(FAILED, result.status, result)
        self.assertIn(NAME, result.last("result")["message"])

    def test_hangs(self):
        """It is alive for the bus, and answers nobody. The program gives up and says who is to blame."""
        self.install(f"/usr/bin/env MTW_STATE_DIR={WORK}/state MTW_DATA_DIR={SOURCE}/data {PROGRAM}d")
        self.assertEqual(OK, self.program("alice", "sessions").status)
        os.kill(self.service_pid(), signal.SIGSTOP)
        result = self.program("alice", "sessions", "--json")
        self.assertEqual(FAILED, result.status, result)
        self.assertEqual("timeout", result.last("result")["error"])
        self.assertIn(f"the service {NAME} does not answer", result.last("result")["message"])
        self.assertEqual("", machine.written())


if __name__ == "__main__":
    unittest.main()
