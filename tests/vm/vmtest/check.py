# SPDX-License-Identifier: GPL-2.0-or-later
"""What is checked on the host after a scenario: its files on the share, by general rules and by its own NAME.check.py."""

import hashlib
import json
import re
import runpy
import tarfile

MEMBERS = ("mydump.txt", "lspci.txt", "dmesg.txt", "description.txt", "system.txt", "manifest.json")


class Wrong(Exception):
    """What a check found."""


def expect(condition, text):
    if not condition:
        raise Wrong(text)


def same(found, wanted, what):
    expect(found == wanted, f"{what} is {found!r}, not {wanted!r}")


class Archive:
    """A finished archive, opened as any `tar xzf` would; its general rules are checked at once."""

    def __init__(self, path):
        self.name = path.name
        with tarfile.open(path, "r:gz") as tar:
            infos = tar.getmembers()
            self.files = {info.name: tar.extractfile(info).read() for info in infos if info.isfile()}
        for info in infos:
            expect(info.isfile() and "/" not in info.name or info.name.startswith("extra"),
                   f"{self.name}: {info.name} is not a file at top level")
            same((info.uid, info.gid), (0, 0), f"{self.name}: owner of {info.name}")
        for name in MEMBERS:
            expect(name in self.files, f"{self.name}: no {name}")
            expect(self.files[name].strip() != b"", f"{self.name}: {name} is empty")
        self.manifest = json.loads(self.files["manifest.json"])
        self._check_manifest()

    def _check_manifest(self):
        """Each file but the manifest itself is in it, with its true size and SHA-256."""
        text = self.files["manifest.json"].decode()
        for name, data in self.files.items():
            if name != "manifest.json":
                expect(f'"{name}"' in text, f"{self.name}: the manifest does not name {name}")
                expect(hashlib.sha256(data).hexdigest() in text, f"{self.name}: the manifest's sum of {name} is wrong")

    def text(self, name):
        return self.files[name].decode(errors="replace")

    def records(self):
        """How many lines of each kind the trace has: {"R": ..., "W": ..., "MAP": ...}."""
        return count_records(self.text("mydump.txt"))

    def markers(self):
        return re.findall(r"^MARK [0-9.]+ (.*)$", self.text("mydump.txt"), re.M)


def count_records(trace):
    counts = {}
    for line in trace.splitlines():
        kind = line.split(" ", 1)[0]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


class Share:
    """The files that a scenario left."""

    def __init__(self, folder):
        self.folder = folder

    def text(self, name):
        return (self.folder / name).read_text(errors="replace")

    def events(self, run=1, boot=1, kind=None):
        """The JSON lines that one run of the program printed, all or those of one kind."""
        lines = self.text(f"run-{boot}-{run}.out").splitlines()
        events = [json.loads(line) for line in lines if line.strip()]
        return [event for event in events if kind in (None, event.get("event"))]

    def one(self, kind, run=1, boot=1):
        events = self.events(run, boot, kind)
        expect(events, f"run {run}: no event {kind!r}")
        return events[-1]

    def sessions(self, boot=1):
        """The session folders, oldest first."""
        return sorted(path for path in (self.folder / f"sessions-{boot}").glob("*") if path.is_dir())

    def archives(self):
        return [Archive(path) for path in sorted((self.folder / "archives").glob("*.tar.gz"))]

    def archive(self, name="8086-100e-alice-mmiotrace.tar.gz"):
        path = self.folder / "archives" / name
        expect(path.exists(), f"no archive {name} (there are: {[a.name for a in path.parent.glob('*')]})")
        return Archive(path)


def general(share):
    """Rules for every scenario: archives are complete, JSON output is JSON and ends with the result."""
    share.archives()
    for path in share.folder.glob("archives/*"):
        expect(path.name.endswith(".tar.gz"), f"left behind beside the archive: {path.name}")
    for path in sorted(share.folder.glob("run-*.out")):
        text = path.read_text(errors="replace")
        if not text.startswith("{"):
            continue
        try:
            events = [json.loads(line) for line in text.splitlines()]
        except ValueError as error:
            raise Wrong(f"{path.name}: not JSON: {error}") from error
        expect(all("event" in event for event in events), f"{path.name}: an object without \"event\"")
        status = path.with_suffix(".status")
        if events[-1]["event"] == "result" and status.exists():
            same(events[-1].get("status"), int(status.read_text()), f"{path.name}: status in the result")


def after(plan, folder):
    """Checks what the scenario left; returns what is wrong, or None."""
    share = Share(folder)
    try:
        general(share)
        if plan.check.exists():
            runpy.run_path(str(plan.check), {"share": share, "expect": expect, "same": same, "json": json})
    except (Wrong, OSError, KeyError, ValueError, tarfile.TarError) as error:
        return f"{type(error).__name__}: {error}" if not isinstance(error, Wrong) else str(error)
    return None
