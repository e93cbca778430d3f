# SPDX-License-Identifier: GPL-2.0-or-later
"""The real program on a fake root: what all tests of the command line share.

meson sets MTW_PROGRAM, MTW_TEST_DATA and MTW_TEST_DESKTOP (a ready root of tests/data/make-fake-root); by hand:

    MTW_PROGRAM=build/src/mmiotrace-wizard python3 -m unittest discover tests/cli
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
PROGRAM = os.environ.get("MTW_PROGRAM", str(SOURCE / "build/src/mmiotrace-wizard"))
DATA = pathlib.Path(os.environ.get("MTW_TEST_DATA", SOURCE / "tests/data"))
TRACES = DATA / "traces"
NOBODY = 65534

# The most that one run may take. Nothing comes near it; a program that hangs shall not hang the tests.
LIMIT_SEC = 120

NIC = "0000:00:03.0"
SOUND = "0000:01:00.1"
BUILT_IN = "0000:00:1d.0"
BRIDGE = "0000:00:00.0"

ESCAPES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Result:
    """What a run left behind."""

    def __init__(self, status, out, err):
        self.status = status
        self.out_bytes, self.err_bytes = out, err
        self.out, self.err = out.decode(errors="replace"), err.decode(errors="replace")

    def __str__(self):
        return f"status {self.status}\n--- stdout\n{self.out}--- stderr\n{self.err}---"


def make_desktop():
    """A fake root. Returns: (folder, whether to remove it)"""
    ready = os.environ.get("MTW_TEST_DESKTOP")
    if ready:
        return pathlib.Path(ready)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mtw-desktop-"))
    subprocess.run([DATA / "make-fake-root", folder], check=True)
    unittest.addModuleCleanup(shutil.rmtree, folder)
    return folder


@functools.cache
def desktop():
    return make_desktop()


@functools.cache
def small_desktop():
    """The same with one device only: naming those of Intel takes a second in a sanitized build."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="mtw-desktop-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    shutil.copytree(desktop(), folder, symlinks=True, dirs_exist_ok=True)
    for link in (folder / "sys/bus/pci/devices").iterdir():
        if link.name != SOUND:
            link.unlink()
    return folder


class ProgramTest(unittest.TestCase):
    """
    A test with a folder of its own: self.folder, in it self.state (above the sessions) and self.out (not made). The
    root is one for all until a test wants to change it: self.put, self.own_root.
    """

    maxDiff = None
    # Whether SOUND is the only device of its root.
    small = False

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mtw-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = small_desktop() if self.small else desktop()
        self.owns_root = False
        self.state = self.folder / "state"
        self.state.mkdir()
        self.sessions = self.state / "sessions"
        self.out = self.folder / "out"
        self.env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "MTW_ROOT": str(self.root),
            "MTW_STATE_DIR": str(self.state),
            "MTW_DATA_DIR": str(SOURCE / "data"),
            "G_DEBUG": "fatal-criticals",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def own_root(self):
        """A copy of the root, to be changed. Returns: its folder"""
        if not self.owns_root:
            shutil.copytree(self.root, self.folder / "root", symlinks=True)
            self.use_root(self.folder / "root")
            self.owns_root = True
        return self.root

    def use_root(self, folder):
        self.root = folder
        self.env["MTW_ROOT"] = str(folder)

    def use_all_devices(self):
        """For a test of a class that is `small`."""
        self.use_root(desktop())

    def run_program(self, *arguments, env=None, before=(), **options):
        """Runs it. @env: further variables; @before: words in front of the program, such as setpriv."""
        environment = {**self.env, **(env or {})}
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                   "cwd": self.folder, **options}
        done = subprocess.run([*before, PROGRAM, *map(os.fspath, arguments)], env=environment, timeout=LIMIT_SEC,
                              check=False, **options)
        return Result(done.returncode, done.stdout or b"", done.stderr or b"")

    def run_json(self, status, *arguments, **options):
        """Runs it with --json and checks the rules that hold for all verbs. Returns: the events but the last, the result"""
        result = self.run_program(*arguments, "--json", **options)
        events = self.check_json(result, status)
        return events[:-1], events[-1]

    def check_json(self, result, status):
        events = []
        for line in result.out.splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                self.fail(f"not JSON: {line!r}\n{result}")
            self.assertIsInstance(event, dict, result)
            self.assertIsInstance(event.get("event"), str, result)
            events.append(event)
        self.assertTrue(events, f"nothing on stdout\n{result}")
        last = events[-1]
        self.assertEqual([event["event"] for event in events].count("result"), 1, result)
        self.assertEqual(last["event"], "result", result)
        self.assertEqual(last["status"], result.status, result)
        self.assertEqual(result.status, status, result)
        for name in ("error", "message", "hint"):
            self.assertEqual(name in last, status != 0, result)
        return events

    def assert_ok(self, *arguments, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.status, 0, result)
        return result

    def assert_fails(self, status, text, *arguments, **options):
        """It ends with @status, and the person is told of @text on stderr."""
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.status, status, result)
        self.assertIn(text, result.err, result)
        self.assertTrue(result.err.startswith("mmiotrace-wizard: ") or "\nmmiotrace-wizard: " in result.err, result)
        return result

    def assert_clean(self, result):
        """Nothing that steers a terminal."""
        for text in (result.out, result.err):
            found = ESCAPES.search(text)
            self.assertIsNone(found, f"{found}\n{result}")

    def put(self, path, text):
        """A file of the root with @text (str or bytes)."""
        full = self.own_root() / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.unlink(missing_ok=True)
        if isinstance(text, str):
            text = text.encode()
        full.write_bytes(text)
        return full

    def get(self, path):
        return (self.root / path).read_text()

    def make_session(self, name="20260101-120000-8086-100e", trace=None, journal=(), verdict=None, log=None, **facts):
        """A session as a run leaves it. Returns: its id"""
        folder = self.sessions / name
        folder.mkdir(parents=True)
        self.sessions.chmod(0o700)
        state = {"format": 1, "id": name, "state": "captured", "restored": True, "time_sec": 1767268800,
                 "device": NIC, "vendor_id": 0x8086, "device_id": 0x100e, "driver": "e1000", "driver_before": "e1000",
                 "module": "e1000", "way": "reload", "boot_id": "11111111-2222-3333-4444-555555555555",
                 "buffer_kb": 64000, **facts}
        (folder / "state.json").write_text(json.dumps(state))
        (folder / "lock").touch()
        (folder / "log").write_text(log if log is not None else "12:00:00 state: captured\n")
        if journal:
            (folder / "journal").write_text("".join(json.dumps(line) + "\n" for line in journal))
        if trace is not None:
            (folder / "trace.txt").write_bytes(trace)
        if verdict is not None:
            (folder / "verdict.json").write_text(json.dumps(verdict))
        return name

    def session_state(self, name):
        return json.loads((self.sessions / name / "state.json").read_text())

    def snapshot(self):
        """The content of all files of the root: what a capture could have changed."""
        return {str(path.relative_to(self.root)): path.read_bytes() for path in sorted(self.root.rglob("*"))
                if path.is_file() and not path.is_symlink()}


def need_root(test):
    return unittest.skipUnless(os.geteuid() == 0, "needs root")(test)


# In front of the program: as a user with no rights at all.
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


def trace_bytes(name):
    """A file of tests/data/traces, unpacked."""
    import lzma

    path = next(TRACES.glob(name + "*"))
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


if __name__ == "__main__":
    unittest.main()
