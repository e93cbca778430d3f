# SPDX-License-Identifier: GPL-2.0-or-later
"""A server of the tests: on loopback, in a folder of its own, ended by its process id."""

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent.parent

# Nothing comes near it: a server that does not start shall not hang the tests.
START_SEC = 300
STOP_SEC = 60
POLL_SEC = 0.02

MISSING_IS_A_FAILURE = bool(os.environ.get("CI"))


class ServerError(Exception):
    pass


def family_of(host):
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def free_port(host="127.0.0.1"):
    """A port that nobody listens on now."""
    with socket.socket(family_of(host)) as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def find_tool(name):
    """Absolute path of a program, also of the system's folders. Raises SkipTest (in CI: an error) without it."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/bin:/sbin:/bin")
    if path is None:
        missing(f"{name} is not installed")
    return path


def missing(what):
    """For what a developer's machine may lack: `./dev submit` installs it. In CI nothing may be left out."""
    if MISSING_IS_A_FAILURE:
        raise ServerError(what)
    raise unittest.SkipTest(what)


def fill(template, places):
    """@NAME@ of @template replaced. A place without a value is a mistake of the test."""
    return re.sub(r"@([A-Z_]+)@", lambda found: str(places[found.group(1)]), template)


def read_head(connection, limit=1 << 20):
    """The head of one HTTP request from a socket. Returns: (head as text, what came behind it) or (None, b"")"""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more or len(data) > limit:
            return None, b""
        data += more
    head, rest = data.split(b"\r\n\r\n", 1)
    return head.decode("latin-1"), rest


class Server:
    """
    What all have in common: a temporary folder, a host, a port, a log. A context manager; or shared by a module:

        def setUpModule():
            global nginx
            nginx = Nginx().start_for(unittest)     # ended behind the module's last test

    A subclass says in `command` what to run, after it has made its files in `prepare`.
    """

    scheme = "http"

    def __init__(self, host="127.0.0.1", port=0):
        self.host = host
        self.port = port or free_port(host)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"mtw-{type(self).__name__.lower()}-"))
        self.folder.chmod(0o755)
        self.process = None
        self.prepared = False

    # ---- for subclasses ----

    def prepare(self):
        """Files that are made once, before the first start."""

    def command(self):
        """The words of the command that runs the server in the foreground."""
        raise NotImplementedError

    def environment(self):
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}

    def is_ready(self):
        with socket.socket() as probe:
            probe.settimeout(1)
            return probe.connect_ex((self.host, self.port)) == 0

    # ---- for tests ----

    @property
    def url(self):
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def log_path(self):
        return self.folder / "server.log"

    @property
    def log(self):
        """All it has printed so far."""
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    def start(self):
        if not self.prepared:
            self.prepare()
            self.prepared = True
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(list(map(str, self.command())), stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, env=self.environment(), cwd=self.folder,
                                            start_new_session=True)
        try:
            self.wait_until(self.is_ready, "does not answer", START_SEC)
        except BaseException:
            self.stop()
            raise
        return self

    def wait_until(self, condition, what, seconds=START_SEC):
        """Until @condition() is true. Fails at once when the process has ended."""
        end = time.monotonic() + seconds
        while not condition():
            if self.process is not None and self.process.poll() is not None:
                raise ServerError(f"{type(self).__name__} ended: {self.log}")
            if time.monotonic() > end:
                raise ServerError(f"{type(self).__name__} {what} after {seconds} s: {self.log}")
            time.sleep(POLL_SEC)

    def stop(self, how=signal.SIGTERM):
        """Ends the process and what it has started; what it stored stays, so that it can be started again."""
        if self.process is None:
            return
        self._signal(how)
        try:
            self.process.wait(STOP_SEC)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self.process.wait()
        # Workers of a killed server would keep the port.
        self._signal(signal.SIGKILL)
        self.process = None

    def _signal(self, number):
        """To the group that it leads: the session is its own, so nobody else is in there."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def kill(self):
        self.stop(signal.SIGKILL)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_for(self, owner):
        """Starts it until the module (@owner: unittest) or the test (@owner: the TestCase) has ended."""
        add = owner.addModuleCleanup if owner is unittest else owner.addCleanup
        add(self.close)
        return self.start()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()


class ThreadServer(Server):
    """A server in this process: a thread a connection, answered by `serve`; OSErrors are kept in `errors`."""

    def __init__(self, host="127.0.0.1", port=0, context=None):
        super().__init__(host, port)
        self.context = context  # an ssl.SSLContext, for https
        if context is not None:
            self.scheme = "https"
        self.errors = []
        self.lock = threading.Lock()
        self.ending = threading.Event()
        self.connections = set()
        self.listener = None

    def serve(self, connection):
        raise NotImplementedError

    def start(self):
        if not self.prepared:
            self.prepare()
            self.prepared = True
        self.ending.clear()
        self.listener = socket.socket(family_of(self.host))
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind((self.host, self.port))
        self.listener.listen(64)
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()
        return self

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with self.lock:
            self.connections.add(connection)
        try:
            if self.context is not None:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.serve(connection)
        except OSError as error:
            # A client that goes away is part of most tests.
            with self.lock:
                self.errors.append(error)
        finally:
            with self.lock:
                self.connections.discard(connection)
            connection.close()

    def pause(self, seconds):
        """Waits, but not longer than the server lives."""
        self.ending.wait(seconds)

    def stop(self, how=signal.SIGTERM):
        if self.listener is None:
            return
        self.ending.set()
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()
        self.listener = None
        with self.lock:
            open_ones = list(self.connections)
        for connection in open_ones:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
