# SPDX-License-Identifier: GPL-2.0-or-later
"""The real program sends to real servers on loopback: what all tests of this folder share. See README.md."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.insert(0, str(HERE))

PROGRAM_DIR = pathlib.Path(os.environ.get("MTW_PROGRAM_DIR", SOURCE / "build"))
PROGRAM = PROGRAM_DIR / "src/mmiotrace-wizard"
TRACE = SOURCE / "tests/data/traces/29-dev-pvpanic-6.1.txt"

# The most that one run may take; nothing comes near it.
LIMIT_SEC = 180
POLL_SEC = 0.01
# Of each line that a failed test shows.
SHOWN_CHARACTERS = 300

# Exit statuses (src/base/error.h).
OK, FAILED, USAGE, DECLINED, DISK, NETWORK, REJECTED, AUTH, TLS, NOT_FILED = 0, 1, 2, 4, 9, 10, 11, 12, 13, 14
BUSY, INTERRUPTED = 8, 130

# So small that a test with several tries takes a second.
NETWORK_KEYS = {"RetryCap": 1, "Retries": 2, "ConnectTimeout": 10}


class Result:
    """What a run left behind. @events: its JSON lines, the last is the "result"."""

    def __init__(self, status, out, err):
        self.status = status
        self.out_bytes, self.err_bytes = out, err
        self.out, self.stderr = out.decode(errors="replace"), err.decode(errors="replace")
        self.events = []
        for line in self.out.splitlines():
            try:
                self.events.append(json.loads(line))
            except ValueError:
                pass

    def all(self, name):
        """The events of that name."""
        return [event for event in self.events if event.get("event") == name]

    def last(self, name):
        """The last event of that name; {} without one."""
        found = self.all(name)
        return found[-1] if found else {}

    @property
    def url(self):
        """Address of the report that was sent; None if it was not."""
        return self.last("sent").get("url")

    @property
    def result(self):
        return self.last("result")

    def __str__(self):
        """For the message of a failed test: long lines cut."""
        out, err = ("\n".join(line[:SHOWN_CHARACTERS] for line in text.splitlines())
                    for text in (self.out, self.stderr))
        return f"status {self.status}\n--- stdout\n{out}\n--- stderr\n{err}\n---"


def sha256_of(data):
    return hashlib.sha256(data).hexdigest()


def random_bytes(seed, count):
    """@count of them, always the same for a @seed; randbytes itself takes 256 MiB at most."""
    source, block = random.Random(seed), 1 << 24
    return b"".join(source.randbytes(min(block, count - start)) for start in range(0, count, block))


def make_archive(path, filler_bytes, seed=1, repeat=1, level=1, nick="alice"):
    """
    An archive as the program packs it: the manifest first, sums that fit. @filler_bytes: of what gzip cannot shrink;
    with @repeat it is the same block again and again, too far away for gzip. @level: of gzip
    """
    files = {
        "mydump.txt": TRACE.read_bytes(),
        "lspci.txt": b"00:04.0 System peripheral [0880]: Red Hat, Inc. QEMU PVPanic device [1b36:0011]\n",
        "dmesg.txt": b"[    0.000000] Linux version 6.1.0\n",
        "system.txt": b"kernel: 6.1.0\n",
        "description.txt": f"The test number {seed}.\n".encode(),
    }
    if filler_bytes:
        files["vbios.rom"] = random_bytes(seed, filler_bytes // repeat) * repeat
    manifest = {
        "format": 1, "program": "mmiotrace-wizard", "version": "0.1", "time": "2026-01-01T12:00:00Z",
        "time_sec": 1767268800, "nick": nick,
        "files": [{"name": name, "bytes": len(data), "sha256": sha256_of(data)} for name, data in files.items()],
        "verdict": {"grade": "good", "sentence": "The trace is complete.", "events": 3, "reads": 1, "writes": 1,
                    "lost": {"events": 0, "exact": True}},
        "capture": {"device": "0000:00:04.0", "vendor_id": 0x1b36, "device_id": 0x0011, "driver": "pvpanic-pci"},
        "collected": [],
    }
    files = {"manifest.json": (json.dumps(manifest, indent=2) + "\n").encode(), **files}
    # Without the time of now, so that the same is always the same.
    with (gzip.GzipFile(path, "wb", compresslevel=level, mtime=0) as packed,
          tarfile.open(fileobj=packed, mode="w") as tar):
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1767268800
            tar.addfile(info, io.BytesIO(data))


def keyfile_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "".join(f"{part};" for part in value)
    return str(value)


class Case(unittest.TestCase):
    """A test with a home of its own: self.home, self.config, self.state, self.env."""

    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mtw-submit-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.home = self.folder / "home"
        self.config = self.home / ".config/mmiotrace-wizard"
        self.state = self.home / ".local/state/mmiotrace-wizard"
        self.runtime = self.folder / "run"
        for folder in (self.config / "targets.d", self.state.parent, self.runtime):
            folder.mkdir(parents=True)
        self.runtime.chmod(0o700)
        # No session bus: no keyring answers, and none of the person who runs the tests is asked.
        self.env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.config.parent),
            "XDG_STATE_HOME": str(self.state.parent),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "LC_ALL": "C.UTF-8",
            "MTW_DATA_DIR": str(SOURCE / "data"),
            "G_DEBUG": "fatal-criticals",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    # ---- what is sent where ----

    def target(self, id, network=None, **keys):
        """
        Writes targets.d/ID.conf. @keys: of [Target], written as they are (Kind="put", URL=...); @network: of [Network],
        on top of NETWORK_KEYS. A key with the value None is left out. Returns: @id
        """
        target = {"Version": 1, "Name": f"Test {id}", "Enabled": True, "Visibility": "unknown", **keys}
        sections = {"Target": target, "Network": {**NETWORK_KEYS, **(network or {})}}
        text = ""
        for section, values in sections.items():
            text += f"[{section}]\n"
            text += "".join(f"{name}={keyfile_value(value)}\n" for name, value in values.items() if value is not None)
        (self.config / "targets.d" / f"{id}.conf").write_text(text)
        return id

    def archive(self, bytes=200_000, seed=1, name="1b36-0011-alice-mmiotrace.tar.gz", repeat=1):
        """
        A valid report archive of about @bytes; the same @seed gives the same content. @repeat: xz makes it about so
        many times smaller. Returns: its path
        """
        folder = self.folder / f"archive-{seed}"
        folder.mkdir(exist_ok=True)
        path = folder / name
        make_archive(path, max(bytes - 1500, 0), seed, repeat)
        return path

    def token_file(self, token):
        """A file with the secret that only its owner can read. Returns: its path"""
        path = self.folder / f"token-{len(list(self.folder.glob('token-*')))}"
        path.touch(mode=0o600)
        path.write_text(token + "\n")
        return path

    # ---- running ----

    def words(self, arguments, token=None):
        verb, *rest = map(os.fspath, arguments)
        secret = [] if token is None else ["--token-file", str(self.token_file(token))]
        return [str(PROGRAM), verb, *secret, *rest]

    def run_program(self, *arguments, token=None, env=None, input=None, before=()):
        """Runs it. @env: further variables (None removes one); @before: words in front of it. Returns: Result"""
        done = subprocess.run([*before, *self.words(arguments, token)], env=self.environment(env), input=input,
                              stdin=subprocess.DEVNULL if input is None else None, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder, timeout=LIMIT_SEC, check=False)
        return self.sane(Result(done.returncode, done.stdout, done.stderr))

    def start_program(self, *arguments, token=None, env=None, before=()):
        """
        Starts it, to be killed or watched. Returns: a subprocess.Popen with stdout and stderr as pipes, which ends with
        the test; `finish` waits for it.
        """
        process = subprocess.Popen([*before, *self.words(arguments, token)], env=self.environment(env),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder)
        self.addCleanup(self.end, process)
        return process

    def environment(self, more):
        env = {**self.env, **(more or {})}
        return {name: value for name, value in env.items() if value is not None}

    def end(self, process, how=signal.SIGKILL):
        if process.poll() is None:
            process.send_signal(how)
        process.communicate()

    def finish(self, process):
        """Waits until a started program has ended. Returns: Result"""
        out, err = process.communicate(timeout=LIMIT_SEC)
        return self.sane(Result(process.returncode, out, err))

    def sane(self, result):
        """What holds for every run: it did not crash, and no sanitizer complained."""
        self.assertNotIn(-result.status, (signal.SIGSEGV, signal.SIGABRT, signal.SIGTRAP, signal.SIGBUS), result)
        self.assertNotIn("Sanitizer", result.stderr, result)
        self.assertNotIn("runtime error:", result.stderr, result)
        return result

    def upload(self, path, target, *arguments, token=None, expect=0, **options):
        """`mmiotrace-wizard upload PATH --target ID --consent-upload --json`. @expect: exit status. Returns: Result"""
        result = self.run_program("upload", path, "--target", target, "--consent-upload", "--json", *arguments,
                                  token=token, **options)
        self.assertEqual(result.status, expect, result)
        self.assertEqual(result.result.get("status"), expect, result)
        return result

    def start_upload(self, path, target, *arguments, **options):
        return self.start_program("upload", path, "--target", target, "--consent-upload", "--json", *arguments,
                                  **options)

    def send_queue(self, *arguments, token=None, expect=0, **options):
        """`mmiotrace-wizard queue send --json`"""
        result = self.run_program("queue", "send", "--json", *arguments, token=token, **options)
        self.assertEqual(result.status, expect, result)
        return result

    def queue_items(self):
        """What `queue list --json` tells of each item."""
        result = self.run_program("queue", "list", "--json")
        self.assertEqual(result.status, 0, result)
        return result.all("item")

    # ---- looking ----

    def sha256(self, path):
        return sha256_of(pathlib.Path(path).read_bytes())

    def assert_same_file(self, sent, received):
        """Byte for byte (by their sums: a difference of megabytes helps nobody)."""
        self.assertTrue(pathlib.Path(received).is_file(), f"{received} did not arrive")
        self.assertEqual((os.stat(received).st_size, self.sha256(received)), (os.stat(sent).st_size, self.sha256(sent)))

    def wait_for(self, condition, what, process=None):
        """Until @condition() is true; the test fails when @process ends before that."""
        end = time.monotonic() + LIMIT_SEC
        while not condition():
            if process is not None and process.poll() is not None and not condition():
                self.fail(f"{what}: the program ended before\n{self.finish(process)}")
            self.assertLess(time.monotonic(), end, f"{what}: never")
            time.sleep(POLL_SEC)

    def state_bytes(self):
        """Everything that was written below the home: {path: content}"""
        return {str(path): path.read_bytes() for path in sorted(self.home.rglob("*"))
                if path.is_file() and not path.is_symlink()}
