# SPDX-License-Identifier: GPL-2.0-or-later
"""What all tests of this folder share. They run inside of fake-machine, as root. See README.md."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(HERE))

WORK = pathlib.Path(os.environ["MTW_FAKE_MACHINE"])
PROGRAM = pathlib.Path(os.environ["MTW_PROGRAM_DIR"]) / "src/mmiotrace-wizard"
STATE = pathlib.Path(os.environ["MTW_STATE_DIR"])
SESSIONS = STATE / "sessions"
TRACING = "sys/kernel/tracing"

NAME = "org.mmiotrace.Wizard1"
ERROR = NAME + ".Error."
CARD, NIC, SHARED, BRIDGE = "0000:00:02.0", "0000:00:03.0", "0000:00:04.0", "0000:00:00.0"
NOTHING_SAID = 4294967295

# The most that one wait may take; nothing comes near it.
LIMIT_SEC = 60
POLL_SEC = 0.02

# Exit statuses (src/base/error.h).
OK, FAILED, USAGE, CANNOT_TRACE, PERMISSION, BUSY, INTERRUPTED = 0, 1, 2, 3, 4, 8, 130
NOT_FOUND = 2


def wait_for(what, found):
    """Polls until @found returns something; the test fails when it does not."""
    end = time.monotonic() + LIMIT_SEC
    while True:
        result = found()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(POLL_SEC)


def as_user(user):
    """What subprocess needs to run something as somebody else."""
    entry = pwd.getpwnam(user)
    environment = {"HOME": entry.pw_dir, "USER": user, "LOGNAME": user, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                   "TERM": "dumb", "G_DEBUG": "fatal-criticals"}
    environment.update({name: os.environ[name] for name in os.environ if name.endswith("_OPTIONS") or name.startswith("MTW_")})
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "env": environment, "cwd": entry.pw_dir}


class BusError(Exception):
    """@name: behind the service's prefix: "busy"; or all of another's error name."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name, self.message = name.removeprefix(ERROR), message


class Client:
    """A program of a user with a connection of its own to the bus."""

    def __init__(self, user):
        self.user = user
        self.process = subprocess.Popen(["/usr/bin/python3", str(HERE / "bus_client.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, **as_user(user))
        self.bus_name = self.receive()["name"]

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the client of {self.user} died")
        return json.loads(line)

    def send(self, method, signature="()", *arguments, **more):
        """Without waiting for the answer: `receive`."""
        request = {"method": method, "signature": signature, "arguments": arguments, **more}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def answer(self):
        answer = self.receive()
        if "error" in answer:
            raise BusError(answer["error"], answer["message"])
        self.files = answer["files"]
        values = answer["values"]
        return values[0] if len(values) == 1 else values or None

    def call(self, method, signature="()", *arguments, **more):
        """The value of the answer; raises BusError."""
        self.send(method, signature, *arguments, **more)
        return self.answer()

    def json(self, method, signature="()", *arguments):
        return json.loads(self.call(method, signature, *arguments))

    def property(self, name):
        return self.call("Get", "(ss)", NAME + ".Manager", name, interface="org.freedesktop.DBus.Properties")

    def start(self, device=NIC, again="", **options):
        """Begins a capture and waits until the driver is up. Returns: the session's id"""
        session = self.call("Start", "(ss)", json.dumps({"device": device, **options}), again)
        self.wait_for_event(session, "driver-up")
        return session

    def events(self, session, after=0):
        """All there are, and the number of the last."""
        events = []
        while True:
            text, last = self.call("GetEvents", "(su)", session, after)
            more = json.loads(text)
            events += more
            if last in (after, NOTHING_SAID):
                return events, last
            after = last

    def wait_for_event(self, session, name):
        def look():
            found = [event for event in self.events(session)[0] if event["event"] == name]
            return found[-1] if found else None
        return wait_for(f"the event {name}", look)

    def kill(self):
        self.process.kill()
        self.close()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Result:
    """What a run of the program left behind. @events: its JSON lines."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err
        self.events = [json.loads(line) for line in out.splitlines() if line.startswith("{")]

    def last(self, name):
        return [event for event in self.events if event.get("event") == name][-1]

    def all(self, name):
        return [event for event in self.events if event.get("event") == name]

    def __repr__(self):
        return f"status {self.status}\n{self.out}\n{self.err}"


class Machine:
    """The kernel of the fake machine, from outside."""

    folder = WORK / "machine"

    def command(self, text):
        with open(self.folder / "control", "w") as control:
            control.write(text + "\n")

    def read(self, path):
        return (self.folder / path).read_text().strip()

    def written(self):
        return (self.folder / "written").read_text()

    def driver(self, address):
        try:
            return os.readlink(self.folder / f"sys/bus/pci/devices/{address}/driver").rsplit("/", 1)[1]
        except FileNotFoundError:
            return None


machine = Machine()


class Case(unittest.TestCase):
    """Each test begins with a fresh machine, no session and no service."""

    maxDiff = None

    def setUp(self):
        self.addCleanup(self.end_service)
        shutil.rmtree(STATE, ignore_errors=True)
        machine.command("reset")

    def client(self, user):
        client = Client(user)
        self.addCleanup(client.close)
        return client

    # ---- the service

    def root(self):
        if not hasattr(self, "_root"):
            self._root = self.client("root")
        return self._root

    def service_pid(self):
        """0: it does not run."""
        done = subprocess.run(["dbus-send", "--system", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
                               "org.freedesktop.DBus.GetConnectionUnixProcessID", f"string:{NAME}"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        return int(done.stdout.split()[-1]) if done.returncode == 0 else 0

    def end_service(self, number=signal.SIGTERM):
        """Does nothing when none runs. In order, unless killed."""
        pid = self.service_pid()
        if pid:
            os.kill(pid, signal.SIGCONT)
            os.kill(pid, number)
            wait_for("the service's end", lambda: self.service_pid() != pid and not os.path.exists(f"/proc/{pid}/fd/0"))

    # ---- the program

    def start_program(self, user, *arguments, **more):
        return subprocess.Popen([str(PROGRAM), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **{**as_user(user), **more})

    def finish(self, process):
        out, err = process.communicate(timeout=LIMIT_SEC)
        return Result(process.returncode, out, err)

    def program(self, user, *arguments):
        return self.finish(self.start_program(user, *arguments))

    # ---- what is to be

    def assert_refused(self, name, function, *arguments, **more):
        """A BusError with that name of the service. Returns: its message"""
        with self.assertRaises(BusError) as caught:
            function(*arguments, **more)
        self.assertEqual(name, caught.exception.name, caught.exception.message)
        return caught.exception.message

    def assert_as_before(self, address=NIC, driver="e1000"):
        self.assertEqual("nop", machine.read(f"{TRACING}/current_tracer"))
        self.assertEqual("1", machine.read(f"{TRACING}/tracing_on"))
        self.assertEqual("[local]", machine.read(f"{TRACING}/trace_clock").split()[0])
        self.assertEqual("0-3", machine.read("sys/devices/system/cpu/online"))
        self.assertEqual(driver, machine.driver(address))

    def assert_tracing(self):
        self.assertEqual("mmiotrace", machine.read(f"{TRACING}/current_tracer"))
        self.assertEqual("0", machine.read("sys/devices/system/cpu/online"))

    def wait_until_traced(self, address=NIC):
        wait_for("a traced driver", lambda: machine.read(f"{TRACING}/current_tracer") == "mmiotrace" and machine.driver(address))

    def state_of(self, session):
        return json.loads((SESSIONS / session / "state.json").read_text())
