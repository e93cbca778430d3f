# SPDX-License-Identifier: GPL-2.0-or-later
"""A real Request Tracker 5 (Debian's package) with a database of its own."""

import base64
import json
import pathlib
import subprocess
import urllib.request

from servers import server

HOME = pathlib.Path("/usr/share/request-tracker5")
SETUP = pathlib.Path("/usr/sbin/rt-setup-database-5")
PASSWORD = "Secret-pass1"

CONFIG = """\
Set($rtname, 'rt.test');
Set($Organization, 'rt.test');
Set($CorrespondAddress, 'rt@example.invalid');
Set($CommentAddress, 'rt@example.invalid');
Set($WebDomain, '@HOST@');
Set($WebPort, @PORT@);
Set($WebPath, '');
Set($DatabaseType, 'SQLite');
Set($DatabaseName, '@FOLDER@/rt.sqlite3');
Set($MailCommand, 'testfile');
Set($LogToSyslog, undef);
Set($LogToSTDERR, 'warning');
$RT::MasonDataDir = '@FOLDER@/mason';
$RT::MasonSessionDir = '@FOLDER@/sessions';
Set($Timezone, 'UTC');
@MORE@
1;
"""


class RequestTracker(server.Server):
    """
    Queue "traces" with one ticket (`ticket`), where "reporter" may create and reply; queue "notes" with one (`noted`),
    where they may only comment; queue "closed", where they may nothing. `token`: of the reporter. @more: further
    lines of the configuration.
    """

    def __init__(self, more="", **options):
        for needed in (HOME / "libexec/rt-server", HOME / "libexec/standalone_httpd", SETUP):
            if not needed.exists():
                server.missing(f"{needed} is not there (packages request-tracker5, rt5-db-sqlite, rt5-standalone)")
        super().__init__(**options)
        self.more = more
        self.token = ""
        self.ticket = self.noted = self.user = 0

    def environment(self):
        return {**super().environment(), "RT_SITE_CONFIG": str(self.folder / "site.pm"),
                "RT_SITE_CONFIG_DIR": str(self.folder / "site.d"), "PERL_HASH_SEED": "0"}

    def tool(self, *words):
        done = subprocess.run(list(map(str, words)), cwd=self.folder, env=self.environment(), capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise server.ServerError(f"{words[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def prepare(self):
        for name in ("site.d", "mason", "sessions"):
            (self.folder / name).mkdir()
        (self.folder / "site.pm").write_text(server.fill(CONFIG, {
            "HOST": self.host, "PORT": self.port, "FOLDER": self.folder, "MORE": self.more}))
        self.tool(SETUP, "--action", "init", "--skip-create")
        seed = json.loads(self.tool("/usr/bin/perl", server.HERE / "rt-seed.pl").splitlines()[-1])
        self.token, self.ticket, self.noted, self.user = (seed[name] for name in ("token", "ticket", "noted", "user"))

    def command(self):
        return ["/usr/bin/perl", HOME / "libexec/rt-server", "--server", "Standalone", "--host", self.host,
                "--port", self.port]

    # ---- what tests look at, as root ----

    def api(self, path):
        request = urllib.request.Request(f"{self.url}/REST/2.0{path}")
        request.add_header("Authorization", "Basic " + base64.b64encode(b"root:password").decode())
        with urllib.request.urlopen(request) as reply:
            return json.loads(reply.read())

    def tickets(self):
        """Numbers of the tickets, without those of the seed."""
        items = self.api("/tickets?query=id%20%3E%200&per_page=100&orderby=id")["items"]
        return [int(item["id"]) for item in items if int(item["id"]) not in (self.ticket, self.noted)]

    def attachments(self, ticket):
        """All pieces of a ticket's mails: [{"Filename", "ContentType", "Content" (bytes)}]"""
        items = self.api(f"/ticket/{ticket}/attachments?per_page=100&fields=Filename,ContentType")["items"]
        pieces = []
        for item in items:
            piece = self.api(f"/attachment/{item['id']}")
            pieces.append({**item, "Content": base64.b64decode(piece.get("Content") or "")})
        return pieces
