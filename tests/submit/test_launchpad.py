# SPDX-License-Identifier: GPL-2.0-or-later
"""Launchpad: the archive is uploaded, the person finishes the bug in the browser."""

import unittest
import urllib.parse

from harness import NETWORK, REJECTED, Case, sha256_of
from servers.fault import MEGABYTE
from servers.launchpad_stub import TOKEN, Launchpad
from servers.stub import Reply

NAME = "1b36-0011-alice-mmiotrace.tar.gz"


class LaunchpadCase(Case):
    def setUp(self):
        super().setUp()
        self.launchpad = Launchpad().start_for(self)

    def there(self, network=None, **keys):
        self.target("there", Kind="launchpad", URL=self.launchpad.url, network=network,
                    **{"Project": "ubuntu/+source/linux", **keys})

    def item(self):
        items = self.queue_items()
        self.assertEqual(len(items), 1)
        return items[0]

    def page(self, result):
        """The address that the person is to open."""
        return result.last("message")["detail"]

    def test_blob(self):
        self.there()
        path = self.archive(2 * MEGABYTE)
        result = self.upload(path, "there")
        self.assertEqual(len(self.launchpad.blobs), 1)
        blob = self.launchpad.blobs[0]
        self.assertEqual([(one.name, sha256_of(one.content)) for one in blob.attachments], [(NAME, self.sha256(path))])
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", blob.description)
        page = urllib.parse.urlsplit(self.page(result))
        self.assertEqual(page.path, f"/ubuntu/+source/linux/+filebug/{TOKEN}")
        self.assertIn("mmiotrace: ", urllib.parse.parse_qs(page.query)["field.title"][0])
        self.assertEqual(self.item()["state"], "done")

    def test_other_letters(self):
        self.there(Title="Übertakter \u4e2d\u6587")
        result = self.upload(self.archive(), "there")
        title = urllib.parse.parse_qs(urllib.parse.urlsplit(self.page(result)).query)["field.title"][0]
        self.assertIn("Übertakter \u4e2d\u6587", title)

    def test_tokens(self):
        """What is no token does not get into an address."""
        for number, token in enumerate((None, "", "a/../../evil", "x" * 200, "a b", "a?b", "\u00e4")):
            with self.subTest(token=token):
                self.launchpad.token = token
                self.there()
                result = self.upload(self.archive(seed=number), "there", expect=REJECTED)
                self.assertIn("no token", result.result["message"])

    def test_refused(self):
        self.there()
        self.launchpad.fault("POST", r"/\+storeblob", Reply("413 Payload Too Large"), times=99)
        self.upload(self.archive(), "there", expect=REJECTED)
        self.assertEqual(self.launchpad.blobs, [])

    def test_again(self):
        """503, then it works; nothing of the first try is left here."""
        self.there()
        self.launchpad.fault("POST", r"/\+storeblob", Reply("503 Service Unavailable"))
        path = self.archive()
        self.upload(path, "there")
        self.assertEqual(len(self.launchpad.blobs), 1)
        self.assertEqual([name for name in self.state_bytes() if name.endswith(".part")], [])

    def test_moved(self):
        """302 after POST is no success."""
        self.there(network={"Retries": 0})
        self.launchpad.fault("POST", r"/\+storeblob", Reply("302 Found", headers={"Location": "/login"}), times=9)
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json")
        self.assertIn(result.status, (REJECTED, NETWORK), result)

    def test_no_project(self):
        self.there(Project=None)
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json")
        self.assertNotEqual(result.status, 0, result)
        self.assertEqual(self.launchpad.requests, [])


if __name__ == "__main__":
    unittest.main()
