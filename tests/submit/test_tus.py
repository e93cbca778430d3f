# SPDX-License-Identifier: GPL-2.0-or-later
"""tus: an upload with an address of its own, in pieces, gone on with where the server is. Killed programs: test_kill."""

import os
import unittest

from harness import AUTH, REJECTED, Case, sha256_of
from servers.fault import MEGABYTE, Between
from servers.stub import Reply, Stub
from servers.tus import TOKEN, Tus

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
CHUNK = MEGABYTE


class TusCase(Case):
    def setUp(self):
        super().setUp()
        self.tus = Tus().start_for(self)

    def between(self):
        return Between((self.tus.host, self.tus.port)).start_for(self)

    def there(self, url=None, **network):
        self.target("there", Kind="tus", URL=(url or self.tus.url) + "/files", Auth="bearer",
                    network={"ChunkSize": CHUNK, **network})

    def by_name(self, name):
        found = [upload for upload in self.tus.uploads().values() if upload["metadata"]["filename"] == name]
        self.assertEqual(len(found), 1, f"uploads of {name}")
        return found[0]

    def assert_stored(self, path, uploads=2):
        """The archive and the letter beside it, whole."""
        self.assertEqual(len(self.tus.uploads()), uploads)
        self.assert_same_file(path, self.by_name(NAME)["path"])


class Uploads(TusCase):
    def test_archive_and_letter(self):
        self.there()
        path = self.archive(3 * MEGABYTE + 1000)
        result = self.upload(path, "there", token=TOKEN)
        self.assert_stored(path)
        archive = self.by_name(NAME)
        self.assertEqual(archive["metadata"]["sha256"], self.sha256(path))
        self.assertEqual(result.url, f"{self.tus.endpoint}/{archive['id']}")
        letter = self.by_name("1b36-0011-alice-mmiotrace.txt")["path"].read_text()
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", letter)
        self.assertEqual(result.all("progress")[-1]["bytes"], os.path.getsize(path))

    def test_wrong_token(self):
        self.there()
        self.upload(self.archive(), "there", token="wrong", expect=AUTH)
        self.assertEqual(self.tus.uploads(), {})

    def test_too_large(self):
        """Tus-Max-Size is asked for before: nothing is sent."""
        small = Tus(max_bytes=100_000).start_for(self)
        self.target("there", Kind="tus", URL=small.endpoint, Auth="bearer", OnTooBig="save")
        result = self.upload(self.archive(), "there", token=TOKEN, expect=REJECTED)
        self.assertEqual(result.last("inquiry").get("limit"), 100_000, result)
        self.assertEqual(small.uploads(), {})


class Broken(TusCase):
    def test_cut(self):
        """In the middle of a piece: what arrived of it stays."""
        between = self.between()
        self.there(between.url)
        between.rule("PATCH", ".*", "cut", skip=1, after_bytes=CHUNK // 2)
        path = self.archive(4 * MEGABYTE)
        self.upload(path, "there", token=TOKEN)
        self.assert_stored(path)
        self.assertLess(between.passed_bytes("PATCH"), os.path.getsize(path) + CHUNK)
        self.assertEqual(between.count("POST"), 2)

    def test_lost_reply(self):
        """Of a piece: HEAD tells that it is there."""
        between = self.between()
        self.there(between.url)
        between.rule("PATCH", ".*", "lose-reply", skip=1)
        path = self.archive(4 * MEGABYTE)
        self.upload(path, "there", token=TOKEN)
        self.assert_stored(path)
        self.assertLess(between.passed_bytes("PATCH"), os.path.getsize(path) + CHUNK // 2)

    def test_gone(self):
        """404 and 410 in the middle: a new upload, in the same run."""
        for status in ("404 Not Found", "410 Gone"):
            with self.subTest(status=status):
                between = self.between()
                self.there(between.url)
                between.rule("PATCH", ".*", "refuse", skip=2, status=status)
                between.rule("HEAD", ".*", "refuse", status=status)
                path = self.archive(4 * MEGABYTE, seed=int(status[:3]))
                self.upload(path, "there", token=TOKEN)
                stored = [upload for upload in self.tus.uploads().values()
                          if upload["metadata"].get("sha256") == self.sha256(path)]
                self.assertEqual(len(stored), 2)
                whole = [upload for upload in stored if upload["stored"] == os.path.getsize(path)]
                self.assertEqual(len(whole), 1)
                self.assert_same_file(path, whole[0]["path"])

    def test_conflict(self):
        """409: the server is asked where it is."""
        between = self.between()
        self.there(between.url)
        between.rule("PATCH", ".*", "refuse", skip=1, status="409 Conflict")
        path = self.archive(4 * MEGABYTE)
        self.upload(path, "there", token=TOKEN)
        self.assert_stored(path)
        self.assertEqual(between.count("HEAD"), 1)


class FakeTus(Stub):
    """Answers by the book, but for what a test changes. @location: of new uploads instead of their own."""

    def __init__(self, location="", stuck=False, always=None, **options):
        super().__init__(**options)
        self.location, self.stuck, self.always = location, stuck, always
        self.data = {}  # path: bytes

    def answer(self, request):
        if request.method == "POST":
            path = f"/files/{len(self.data)}"
            self.data[path] = b""
            return Reply("201 Created", headers={"Location": path if self.location == "" else self.location})
        if request.method == "PATCH" and self.always:
            return Reply(self.always)
        if request.method == "PATCH" and not self.stuck:
            self.data[request.path] += request.body
        return Reply("200 OK", headers={"Upload-Offset": len(self.data.get(request.path, b""))})


class Hostile(Case):
    def send(self, expect=REJECTED, **options):
        server = FakeTus(**options).start_for(self)
        self.target("there", Kind="tus", URL=server.url + "/files", network={"ChunkSize": CHUNK})
        self.path = self.archive(2 * MEGABYTE)
        return server, self.upload(self.path, "there", expect=expect)

    def test_book(self):
        """What the others change is all that is wrong with this server."""
        server, _ = self.send(expect=0)
        self.assertEqual(sha256_of(server.data["/files/0"]), self.sha256(self.path))

    def test_other_server(self):
        for location in ("http://127.0.0.2:9/files/1", "https://evil.invalid/x", "//evil.invalid/x", "http://[",
                         "file:///etc/passwd", None):
            with self.subTest(location=location):
                server, result = self.send(location=location)
                self.assertIn("Location", result.result["message"])
                self.assertEqual(server.count("PATCH"), 0)

    def test_stuck(self):
        """Says yes to every piece and has none: an end, not a loop."""
        server, _ = self.send(stuck=True)
        self.assertEqual(server.count("PATCH"), 1)

    def test_always_gone(self):
        server, result = self.send(always="410 Gone")
        self.assertIn("again and again", result.result["message"])
        self.assertLess(server.count("PATCH"), 10)


if __name__ == "__main__":
    unittest.main()
