# SPDX-License-Identifier: GPL-2.0-or-later
"""Kinds that send nothing themselves: the archive kept, the browser's page, the mail for a mail program."""

import email
import email.policy
import os
import pathlib
import subprocess
import unittest
import urllib.parse

from harness import DISK, Case
from servers.server import missing
from servers.sink import Sink

NAME = "1b36-0011-alice-mmiotrace.tar.gz"


class Local(Case):
    def texts(self, result):
        """Sentences and details of what was told."""
        return [(event.get("sentence", ""), event.get("detail", "")) for event in result.all("message")]

    def details(self, result):
        return [detail for _, detail in self.texts(result)]

    def test_file(self):
        """Built in, nothing to set up: no consent, no network, the archive stays where it is."""
        path = self.archive()
        before = path.read_bytes()
        result = self.run_program("upload", path, "--target", "file", "--json", "--no-network")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(path.read_bytes(), before)
        self.assertIn(str(path), self.details(result))
        self.assertIn("The archive is ready. Nothing was sent.", [sentence for sentence, _ in self.texts(result)])

    def test_browser(self):
        sink = Sink().start_for(self)
        self.target("there", Kind="browser", URL=f"{sink.url}/drm/nouveau/-/issues/new",
                    Title="Übertakter \u4e2d\u6587 & more")
        path = self.archive()
        result = self.upload(path, "there")
        self.assertIn(str(path), self.details(result))
        page = urllib.parse.urlsplit(next(text for text in self.details(result) if text.startswith(sink.url)))
        query = urllib.parse.parse_qs(page.query)
        self.assertEqual(page.path, "/drm/nouveau/-/issues/new")
        self.assertIn("Übertakter \u4e2d\u6587 & more", query["issue[title]"][0])
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", query["issue[description]"][0])
        self.assertIsNone(result.url)

    def test_browser_without_network(self):
        """The page is for later: nothing of it needs a network now."""
        self.target("there", Kind="browser", URL="https://tracker.invalid/issues/new")
        self.upload(self.archive(), "there", "--no-network")

    def mail(self, result):
        path = pathlib.Path(next(text for text in self.details(result) if text.endswith(".eml")))
        return path, email.message_from_bytes(path.read_bytes(), policy=email.policy.default)

    def test_mail(self):
        """Without a server the mail is a file for the mail program."""
        self.target("there", Kind="smtp", To="traces@example.org", Title="Übertakter \u4e2d\u6587")
        path = self.archive(3_000_000)
        result = self.upload(path, "there", "--no-network")
        mail, message = self.mail(result)
        self.assertEqual(mail.name, NAME.replace(".tar.gz", ".eml"))
        self.assertEqual(mail.stat().st_mode & 0o777, 0o600)
        self.assertEqual(message["X-Unsent"], "1")
        self.assertEqual(message["To"], "traces@example.org")
        self.assertIsNone(message["From"])
        self.assertIn("Übertakter \u4e2d\u6587", message["Subject"])
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", message.get_body().get_content())
        attachments = list(message.iter_attachments())
        self.assertEqual([part.get_filename() for part in attachments], [NAME])
        self.assertEqual(attachments[0].get_content(), path.read_bytes())

    def test_mail_twice(self):
        """The second time it is there already, or is made again; never half of it."""
        self.target("there", Kind="smtp", To="traces@example.org")
        path = self.archive()
        first, _ = self.mail(self.upload(path, "there"))
        again = self.upload(path, "there")
        self.assertTrue(first.is_file(), again)
        self.assertEqual([name for name in os.listdir(first.parent) if name.endswith(".part")], [])

    def test_disk_full(self):
        """No room for the mail: nothing half-made stays, and with room it is made."""
        if os.geteuid() != 0:
            missing("a disk of its own needs root")
        self.mount(self.state.parent, "2m")
        self.target("there", Kind="smtp", To="traces@example.org")
        path = self.archive(1_200_000)
        result = self.upload(path, "there", expect=DISK)
        mails = [name for name in self.state_bytes() if ".eml" in name]
        self.assertEqual(mails, [], result)
        self.assertIn(".eml", result.result["message"])

    def mount(self, folder, size):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", folder], check=True)


if __name__ == "__main__":
    unittest.main()
