# SPDX-License-Identifier: GPL-2.0-or-later
"""A real Redmine (Debian's package) with a database of its own."""

import json
import os
import pathlib
import secrets
import subprocess
import urllib.request

from servers import server

HOME = pathlib.Path("/usr/share/redmine")
MAX_KIB = 2048

DATABASE = """\
production:
  adapter: sqlite3
  database: @FOLDER@/redmine.sqlite3
  encoding: utf8
  timeout: 20000
"""


class Redmine(server.Server):
    """
    Project "nouveau" with two issues: `issue`, and `own` of "mute". `keys`: API keys of "reporter" and "german" (may
    report; Redmine speaks German with one of them), "stranger" (may only read), "mute" (may change their own
    issues, but add no notes), "boss" (may all); `trackers`: {name: id}. Files of more than MAX_KIB are refused.
    """

    def __init__(self, **options):
        for needed in (HOME / "config.ru", pathlib.Path("/usr/bin/puma")):
            if not needed.exists():
                server.missing(f"{needed} is not there (packages redmine, puma)")
        super().__init__(**options)
        self.keys = {}
        self.trackers = {}
        self.issue = self.own = 0

    def environment(self):
        # The name of Debian's instance becomes a folder below instances/: this one leads to ours.
        up = "/".join([".."] * len(HOME.parts))
        return {**super().environment(), "RAILS_ENV": "production", "SCHEMA": "/dev/null",
                "X_DEBIAN_SITEID": f"{up}/{self.folder}".replace("//", "/"), "MTW_MAX_KIB": str(MAX_KIB)}

    def rails(self, *words):
        """Runs bin/rails. Returns: its output"""
        done = subprocess.run(["/usr/bin/ruby", "bin/rails", *map(str, words)], cwd=HOME, env=self.environment(),
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise server.ServerError(f"rails {words[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def prepare(self):
        for name in ("config", "files", "log", "tmp"):
            (self.folder / name).mkdir()
        (self.folder / "config/database.yml").write_text(server.fill(DATABASE, {"FOLDER": self.folder}))
        (self.folder / "config/secret_key.txt").write_text(secrets.token_hex(32))
        self.rails("db:migrate")
        seed = json.loads(self.rails("runner", server.HERE / "redmine-seed.rb").splitlines()[-1])
        self.keys = {name: seed[name] for name in ("reporter", "german", "stranger", "mute", "boss")}
        self.trackers = seed["trackers"]
        self.issue, self.own = seed["issue"], seed["own"]

    def command(self):
        # Outside of the bundle: the package's Gemfile does not name puma.
        return ["/usr/bin/puma", "-C", "/dev/null", "--dir", HOME, "-e", "production", "-t", "2:4",
                "-b", f"tcp://{self.host}:{self.port}", HOME / "config.ru"]

    # ---- what tests look at ----

    def api(self, path, key="boss", method="GET", body=None):
        """A call. Returns: the answer's JSON, None for an empty one"""
        request = urllib.request.Request(self.url + path, method=method,
                                         data=None if body is None else json.dumps(body).encode())
        request.add_header("X-Redmine-API-Key", self.keys[key])
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as reply:
            data = reply.read()
        return json.loads(data) if data.strip() else None

    def get_issue(self, number):
        return self.api(f"/issues/{number}.json?include=attachments,journals")["issue"]

    def issues(self):
        """All issues, the oldest first, without those of the seed."""
        issues = self.api("/issues.json?status_id=*&limit=100&sort=id")["issues"]
        return [issue for issue in issues if issue["id"] not in (self.issue, self.own)]

    def download(self, attachment, path):
        """Writes what was received to @path."""
        request = urllib.request.Request(f"{self.url}/attachments/download/{attachment['id']}/{attachment['filename']}")
        request.add_header("X-Redmine-API-Key", self.keys["boss"])
        with urllib.request.urlopen(request) as reply, open(path, "wb") as out:
            out.write(reply.read())
        return path

    def stored_uploads(self):
        """How many files were ever uploaded and are kept, attached or not."""
        return sum(len(files) for _, _, files in os.walk(self.folder / "files"))
