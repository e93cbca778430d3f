# SPDX-License-Identifier: GPL-2.0-or-later
"""The host's side of a scenario (NAME.host.py): logs in over SSH, cuts the power, waits for what the guest tells."""

import runpy
import shlex
import socket
import subprocess
import threading
import time

from vmtest.check import Wrong, expect, same

POLL_SEC = 0.2
# How long one thing may take: the machine is emulated, on processors that others use too.
LIMIT_SEC = 300
SSH = ("ssh", "-F", "none", "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no",
       "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=60")
NOT_REACHED = 255


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Host:
    """What a host's side works with, under the name `vm`. It runs once, beside all boots of the scenario."""

    def __init__(self, scenario, key, folder):
        self.scenario = scenario
        self.key = key
        self.folder = folder
        self.share = folder / "share"
        self.port = free_port()
        self.boot = 0
        self.why = None
        self.ended = threading.Event()
        self.cut = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.sessions = []

    # ---- for the machine ----

    def start(self):
        if self.scenario.driver.exists():
            self.thread.start()

    def finish(self):
        """The machine has ended; returns what was wrong on the host's side, or None."""
        self.ended.set()
        if self.thread.ident:
            self.thread.join(LIMIT_SEC)
        for session in self.sessions:
            session.kill()
            session.wait()
        return self.why or ("the host's side did not end" if self.thread.is_alive() else None)

    def _run(self):
        try:
            runpy.run_path(str(self.scenario.driver), {"vm": self, "expect": expect, "same": same})
        except Exception as error:  # whatever it is, it is the scenario's failure
            self.why = f"host: {error}" if isinstance(error, Wrong) else f"host: {type(error).__name__}: {error}"

    # ---- for the scenario ----

    def wait(self, what, condition, limit=LIMIT_SEC):
        """Until `condition` returns something that is true, which is returned."""
        deadline = time.monotonic() + limit
        while True:
            found = condition()
            if found:
                return found
            expect(not self.ended.is_set(), f"the machine ended before: {what}")
            expect(time.monotonic() < deadline, f"not within {limit} s: {what}")
            time.sleep(POLL_SEC)

    def hear(self, name, limit=LIMIT_SEC):
        """Waits for the guest's `tell_host NAME`."""
        self.wait(f"the guest tells {name}", (self.share / name).exists, limit)

    def tell(self, name):
        (self.share / name).touch()

    def argv(self, command, user="root", options=()):
        return [*SSH, "-i", str(self.key), "-p", str(self.port), *options, f"{user}@127.0.0.1", command]

    def reachable(self):
        """Waits until one can log in."""
        self.wait("an SSH login", lambda: subprocess.run(self.argv("true"), stdin=subprocess.DEVNULL, check=False,
                                                         stderr=subprocess.DEVNULL).returncode == 0)

    def run(self, command, user="root", status=0):
        """A command in a login of its own; returns what it printed."""
        done = subprocess.run(self.argv(command, user), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE, timeout=LIMIT_SEC, check=False)
        expect(done.returncode == status, f"{command}: status {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
        return done.stdout

    def session(self, name, *command, user="root", terminal=False):
        """A login that goes on beside what follows: a Popen, its output in NAME.out and NAME.err among the results."""
        with open(self.folder / f"{name}.out", "wb") as out, open(self.folder / f"{name}.err", "wb") as err:
            session = subprocess.Popen(self.argv(shlex.join(command), user, ("-tt",) if terminal else ("-T",)),
                                       stdin=subprocess.PIPE, stdout=out, stderr=err)
        self.sessions.append(session)
        return session

    def output(self, name):
        return (self.folder / f"{name}.out").read_text(errors="replace")

    def power_cut(self):
        """Ends the machine as a power cut does, and waits for the next boot to begin."""
        boot = self.boot
        self.cut.set()
        self.wait("the next boot", lambda: self.boot > boot)
