# SPDX-License-Identifier: GPL-2.0-or-later
"""The reference server of the tus protocol, from npm, installed once into the cache folder."""

import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import subprocess

from servers.server import SOURCE, HERE, Server, find_tool, missing

NODE_FILES = HERE / "tus-node"
TOKEN = "tus-sekrit"


def cache_folder():
    return pathlib.Path(os.environ.get("MTW_CACHE_DIR", SOURCE / "build/cache")) / "npm"


def installed(source=NODE_FILES):
    """The packages that package-lock.json names, in a folder named by its sum. Returns: the folder"""
    digest = hashlib.sha256((source / "package-lock.json").read_bytes()).hexdigest()[:16]
    folder = cache_folder() / digest
    folder.mkdir(parents=True, exist_ok=True)
    # Two modules of the tests may want it at the same time.
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(source / name, folder / name)
            done = subprocess.run([find_tool("npm"), "ci", "--omit=optional", "--ignore-scripts", "--no-audit",
                                   "--no-fund", "--cache", folder / "npm-cache"],
                                  cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                missing(f"npm could not install the tus server: {done.stdout[-500:]}")
            (folder / "complete").touch()
    return folder


class Tus(Server):
    """@token: asked for as bearer token (None: nobody is). Started again it knows its uploads: the folder stays."""

    def __init__(self, host="127.0.0.1", port=0, max_bytes=0, token=TOKEN):
        super().__init__(host, port)
        self.max_bytes = max_bytes
        self.token = token
        self.files = self.folder / "files"

    def prepare(self):
        packages = installed()
        self.files.mkdir()
        # Node looks for packages beside the program.
        shutil.copy(NODE_FILES / "server.mjs", self.folder / "server.mjs")
        (self.folder / "node_modules").symlink_to(packages / "node_modules")

    def environment(self):
        more = {"TUS_TOKEN": self.token} if self.token else {}
        return {**super().environment(), **more}

    def command(self):
        return [find_tool("node"), "server.mjs", self.host, self.port, self.files, self.max_bytes]

    @property
    def endpoint(self):
        return f"{self.url}/files"

    def uploads(self):
        """What it knows: {id: {"size", "metadata", "offset"...}}; "path" is the file's."""
        found = {}
        for note in sorted(self.files.glob("*.json")):
            try:
                facts = json.loads(note.read_text())
            except ValueError:
                continue  # just being written
            path = note.with_suffix("")
            found[facts["id"]] = {**facts, "path": path, "stored": path.stat().st_size if path.exists() else 0}
        return found

    def stored_bytes(self):
        """Of all uploads together."""
        return sum(upload["stored"] for upload in self.uploads().values())

    def only_upload(self):
        uploads = list(self.uploads().values())
        if len(uploads) != 1:
            raise AssertionError(f"{len(uploads)} uploads instead of one")
        return uploads[0]
