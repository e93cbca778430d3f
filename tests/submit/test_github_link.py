# SPDX-License-Identifier: GPL-2.0-or-later
"""GitHub takes no archives: the file goes to a store, the issue gets a link to it."""

import unittest
import urllib.parse

from harness import AUTH, NOT_FILED, REJECTED, Case
from servers.github_stub import GitHub
from servers.nginx import Nginx
from servers.stub import Reply

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
TOKEN = "good-token"


class LinkCase(Case):
    def setUp(self):
        super().setUp()
        self.nginx = Nginx().start_for(self)
        self.github = GitHub().start_for(self)
        self.target("store", Kind="put", URL=self.nginx.url + "/open")
        self.there()

    def there(self, **keys):
        self.target("there", Kind="github-link", URL=self.github.url,
                    **{"Project": "gfx/traces", "Store": "store", **keys})

    def tearDown(self):
        self.assertEqual(self.github.broken, [])
        super().tearDown()

    def stored(self):
        return self.nginx.stored("/open/" + NAME)

    def puts(self):
        return sum(1 for line in self.nginx.access_log if "PUT /open/" in line and ".tar.gz" in line)

    def link(self):
        return f"Archive: {self.nginx.url}/open/{NAME}\n"


class New(LinkCase):
    def test_issue(self):
        path = self.archive()
        result = self.upload(path, "there", token=TOKEN)
        self.assert_same_file(path, self.stored())
        issue = self.github.issues[-1]
        self.assertEqual(issue["user"]["login"], "alice")
        self.assertIn(self.link(), issue["body"])
        self.assertIn(self.sha256(path), issue["body"])
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", issue["body"])
        self.assertEqual(result.url, f"{self.github.url}/gfx/traces/issues/2")
        self.assertEqual(result.last("inquiry")["who"], "alice")

    def test_labels(self):
        self.there(Labels=["mmiotrace", "bug"])
        self.upload(self.archive(), "there", token=TOKEN)
        self.assertEqual([label["name"] for label in self.github.issues[-1]["labels"]], ["mmiotrace", "bug"])

    def test_token_stays(self):
        """The store does not get the token of GitHub."""
        self.nginx.stop()
        store = Recorder(port=self.nginx.port).start_for(self)
        self.upload(self.archive(), "there", token=TOKEN)
        self.assertGreater(store.count("PUT"), 0)
        self.assertFalse([request for request in store.requests if "authorization" in request.headers])
        self.assertFalse([request for request in store.requests if TOKEN in str(request.headers)])

    def test_hostile_address(self):
        """The address of the issue is made of its number, whatever the answer names."""
        self.github.hostile_url = "https://evil.invalid/\x1b[31m"
        result = self.upload(self.archive(), "there", token=TOKEN)
        self.assertEqual(result.url, f"{self.github.url}/gfx/traces/issues/2")


class Recorder(GitHub):
    """A store that keeps the requests."""

    def handle(self, request):
        stored = {one.path for one in self.requests if one.method == "PUT"}
        if request.method == "HEAD":
            size = [one.body_bytes for one in self.requests if one.method == "PUT" and one.path == request.path]
            return Reply(headers={"Content-Length": size[-1]}) if request.path in stored else Reply("404 Not Found")
        return Reply("201 Created")


class Broken(LinkCase):
    def test_lost_reply(self):
        """The issue is there: found, not opened twice."""
        self.github.fault("POST", r".*/issues", "lose-reply")
        result = self.upload(self.archive(), "there", token=TOKEN)
        self.assertEqual(len(self.github.issues), 2)
        self.assertEqual(result.url, f"{self.github.url}/gfx/traces/issues/2")
        self.assertEqual(self.puts(), 1)

    def test_issue_later(self):
        """A wrong token for the issue: the file is there, and is not sent again when the token is right."""
        path = self.archive()
        self.github.fault("POST", r".*/issues", Reply("403 Forbidden", b'{"message":"Resource not accessible"}'),
                          times=9)
        result = self.run_program("upload", path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertIn(result.status, (AUTH, NOT_FILED), result)
        self.assertEqual(len(self.github.issues), 1)
        self.github.faults.clear()
        self.upload(path, "there", token=TOKEN)
        self.assertEqual(len(self.github.issues), 2)
        self.assertEqual(self.puts(), 1)

    def test_wrong_token(self):
        """Seen before the file is sent."""
        self.upload(self.archive(), "there", token="wrong", expect=AUTH)
        self.assertEqual(self.puts(), 0)

    def test_no_repository(self):
        self.there(Project="gfx/nothing")
        self.github.has_issues = True
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertIn(result.status, (REJECTED, NOT_FILED), result)
        self.assertIn("does not exist", result.result["message"])

    def test_no_issues(self):
        self.github.has_issues = False
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertIn(result.status, (REJECTED, NOT_FILED), result)
        self.assertIn("takes no issues", result.result["message"])

    def test_store_down(self):
        """No file, no issue."""
        self.nginx.stop()
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertNotEqual(result.status, 0, result)
        self.assertEqual(len(self.github.issues), 1)
        self.nginx.start()
        self.send_queue("--all", token=TOKEN)
        self.assertEqual(len(self.github.issues), 2)

    def test_store_is_a_tracker(self):
        self.target("store", Kind="browser", URL="https://example.org/new")
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertNotEqual(result.status, 0, result)
        self.assertIn("Store=store is a tracker", result.result["message"])
        self.assertEqual(len(self.github.issues), 1)


class Existing(LinkCase):
    def send(self, path, **options):
        result = self.run_program("upload", path, "--issue", f"{self.github.url}/gfx/traces/issues/1",
                                  "--consent-upload", "--json", token=TOKEN, **options)
        self.assertEqual(result.status, 0, result)
        return result

    def test_comment(self):
        path = self.archive()
        result = self.send(path)
        self.assertEqual(len(self.github.issues), 1)
        comment = self.github.comments[0]
        self.assertIn(self.link(), comment["body"])
        self.assertEqual(result.url, f"{self.github.url}/gfx/traces/issues/1#issuecomment-9000")

    def test_lost_reply(self):
        """Found on the second page of the comments."""
        for number in range(120):
            self.github.add_comment("boss", 1, f"comment {number}")
        self.github.fault("POST", r".*/comments", "lose-reply")
        self.send(self.archive())
        self.assertEqual(len(self.github.comments), 121)


class WithoutToken(LinkCase):
    def setUp(self):
        super().setUp()
        self.there(Auth="none")

    def test_page(self):
        """The file is stored; the person opens the page, which is filled in."""
        path = self.archive()
        result = self.upload(path, "there")
        self.assert_same_file(path, self.stored())
        self.assertEqual(len(self.github.issues), 1)
        page = urllib.parse.urlsplit(result.last("message")["detail"])
        query = urllib.parse.parse_qs(page.query)
        self.assertEqual(page.path, "/gfx/traces/issues/new")
        self.assertIn(self.link(), query["body"][0])
        self.assertTrue(query["title"][0].startswith("mmiotrace"))


if __name__ == "__main__":
    unittest.main()
