# SPDX-License-Identifier: GPL-2.0-or-later
"""A web folder that takes PUT: whole files, pieces, names that are taken, what the server really has."""

import os
import re
import unittest

from harness import AUTH, NETWORK, REJECTED, Case
from servers import apache as apache_server
from servers import nginx as nginx_server
from servers.apache import Apache
from servers.fault import MEGABYTE, Between
from servers.nginx import TOKEN, Nginx
from servers.stub import Reply, Stub

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
CHUNK = MEGABYTE
# A folder that one may only write to.
DROP = """
location /drop/ {
  create_full_put_path on;
  if ($request_method = HEAD) { return 403; }
}
"""


def setUpModule():
    global nginx, apache
    nginx = Nginx(more=DROP).start_for(unittest)
    apache = Apache().start_for(unittest)


class PutCase(Case):
    def setUp(self):
        super().setUp()
        # A folder of its own, so that the tests do not see each other's files.
        self.place = re.sub(r"\W", "-", self.id())

    def nginx_target(self, below="/bearer", url=None, **keys):
        folder = nginx.stored(f"{below}/{self.place}")
        folder.mkdir(exist_ok=True, parents=True)
        self.target("there", Kind="put", URL=f"{url or nginx.url}{below}/{self.place}",
                    **{"Auth": "bearer", **keys})
        return folder

    def apache_target(self, url=None, **network):
        folder = apache.stored(self.place)
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        self.target("there", Kind="put", URL=f"{url or apache.url}/{self.place}", Auth="basic",
                    User=apache_server.USER, network=network)
        return folder

    def tagged(self, result):
        """The name with the first digits of the report's id."""
        return NAME.replace(".tar.gz", f"-{result.last('sent')['report_id'][:8]}.tar.gz")

    def requests(self, server, method):
        return [line for line in server.access_log if f"{method} /" in line and self.place in line]


class Whole(PutCase):
    def test_archive_and_letter(self):
        folder = self.nginx_target()
        path = self.archive(300_000)
        result = self.upload(path, "there", token=TOKEN)
        self.assert_same_file(path, folder / NAME)
        self.assertEqual(result.url, f"{nginx.url}/bearer/{self.place}/{NAME}")
        self.assertEqual(sorted(os.listdir(folder)), [NAME, NAME.replace(".tar.gz", ".txt")])
        letter = (folder / NAME.replace(".tar.gz", ".txt")).read_text()
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", letter)
        self.assertTrue(letter.startswith("mmiotrace: "), letter)

    def test_progress(self):
        self.nginx_target()
        result = self.upload(self.archive(3 * MEGABYTE), "there", token=TOKEN)
        events = result.all("progress")
        values = [event["bytes"] for event in events]
        self.assertEqual(values, sorted(values))
        self.assertEqual([event["confirmed"] for event in events], [False] * (len(events) - 1) + [True])
        self.assertEqual(events[-1]["bytes"], events[-1]["total"])

    def test_basic(self):
        folder = self.nginx_target("/dav", Auth="basic", User=nginx_server.USER)
        path = self.archive()
        self.upload(path, "there", token=nginx_server.PASSWORD)
        self.assert_same_file(path, folder / NAME)

    def test_wrong_password(self):
        folder = self.nginx_target("/dav", Auth="basic", User=nginx_server.USER)
        self.upload(self.archive(), "there", token="wrong", expect=AUTH)
        self.assertEqual(os.listdir(folder), [])

    def test_pieces_not_taken(self):
        """nginx says 501 to the first piece: the file goes whole, once."""
        folder = self.nginx_target()
        path = self.archive(3 * MEGABYTE)
        self.target("there", Kind="put", URL=f"{nginx.url}/bearer/{self.place}", Auth="bearer",
                    network={"ChunkSize": CHUNK})
        self.upload(path, "there", token=TOKEN)
        self.assert_same_file(path, folder / NAME)
        statuses = [line.split('"')[2].split()[0] for line in self.requests(nginx, "PUT") if ".tar.gz" in line]
        self.assertEqual(statuses, ["501", "201"])

    def test_lost_reply(self):
        """It is there already: looked for, not sent again."""
        between = Between((nginx.host, nginx.port)).start_for(self)
        folder = self.nginx_target(url=between.url)
        between.rule("PUT", ".*tar.gz", "lose-reply")
        path = self.archive()
        self.upload(path, "there", token=TOKEN)
        self.assert_same_file(path, folder / NAME)
        self.assertEqual(sum(1 for seen in between.seen if seen[0] == "PUT" and seen[1].endswith(".gz")), 1)


class Racer(Between):
    """Somebody is faster: `file` appears just before request number `left` of that method."""

    file, method, left = None, "PUT", 1

    def find_rule(self, method, path):
        if method == self.method:
            self.left -= 1
            if self.left == 0:
                self.file.write_text("somebody else's")
        return super().find_rule(method, path)


class Names(PutCase):
    def test_other_file(self):
        """Somebody else's file of that name stays; ours gets the report's digits, and so does its letter."""
        folder = self.nginx_target()
        (folder / NAME).write_text("somebody else's")
        path = self.archive()
        result = self.upload(path, "there", token=TOKEN)
        self.assertEqual((folder / NAME).read_text(), "somebody else's")
        self.assert_same_file(path, folder / self.tagged(result))
        self.assertTrue((folder / self.tagged(result).replace(".tar.gz", ".txt")).is_file())
        self.assertFalse((folder / NAME.replace(".tar.gz", ".txt")).exists())

    def test_other_letter(self):
        folder = self.nginx_target()
        letter = folder / NAME.replace(".tar.gz", ".txt")
        letter.write_text("somebody else's")
        result = self.upload(self.archive(), "there", token=TOKEN)
        self.assertEqual(letter.read_text(), "somebody else's")
        self.assertFalse((folder / NAME).exists())
        self.assertTrue((folder / self.tagged(result)).is_file())

    def test_same_size(self):
        """The same size is not the same file."""
        folder = self.nginx_target()
        path = self.archive()
        (folder / NAME).write_bytes(b"x" * os.path.getsize(path))
        result = self.upload(path, "there", token=TOKEN)
        self.assert_same_file(path, folder / self.tagged(result))

    def test_came_between(self):
        """The file appears between our look and our PUT: If-None-Match keeps it."""
        racer = Racer((apache.host, apache.port)).start_for(self)
        folder = self.apache_target(url=racer.url)
        racer.file = folder / NAME
        path = self.archive()
        result = self.upload(path, "there", token=apache_server.PASSWORD)
        self.assertEqual((folder / NAME).read_text(), "somebody else's")
        self.assert_same_file(path, folder / self.tagged(result))

    def test_came_earlier(self):
        """After the names were chosen, before the last look: for servers that do not heed If-None-Match."""
        racer = Racer((nginx.host, nginx.port)).start_for(self)
        folder = self.nginx_target(url=racer.url)
        racer.file, racer.method = folder / NAME, "HEAD"
        # One for the folder and the credentials, two for the names.
        racer.left = 4
        path = self.archive()
        result = self.upload(path, "there", token=TOKEN)
        self.assertLess(racer.left, 1)
        self.assertEqual((folder / NAME).read_text(), "somebody else's")
        self.assert_same_file(path, folder / self.tagged(result))

    def test_nobody_may_look(self):
        """Without a look no name is known to be free: the one with the digits."""
        folder = self.nginx_target("/drop", Auth="none")
        path = self.archive()
        result = self.upload(path, "there")
        self.assert_same_file(path, folder / self.tagged(result))
        self.assertFalse((folder / NAME).exists())


class Pieces(PutCase):
    def test_pieces(self):
        folder = self.apache_target(ChunkSize=CHUNK)
        path = self.archive(3 * MEGABYTE + 1000)
        self.upload(path, "there", token=apache_server.PASSWORD)
        self.assert_same_file(path, folder / NAME)
        pieces = [line for line in self.requests(apache, "PUT") if ".tar.gz" in line]
        self.assertEqual(len(pieces), 4)

    def test_lost_reply(self):
        """Of the third piece: it is there, the fourth comes next."""
        between = Between((apache.host, apache.port)).start_for(self)
        folder = self.apache_target(url=between.url, ChunkSize=CHUNK)
        between.rule("PUT", ".*tar.gz", "lose-reply", skip=2)
        path = self.archive(4 * MEGABYTE)
        size = os.path.getsize(path)
        self.upload(path, "there", token=apache_server.PASSWORD)
        self.assert_same_file(path, folder / NAME)
        self.assertLess(between.passed_bytes("PUT"), size + CHUNK // 2)

    def test_cut_piece(self):
        between = Between((apache.host, apache.port)).start_for(self)
        folder = self.apache_target(url=between.url, ChunkSize=CHUNK)
        between.rule("PUT", ".*tar.gz", "cut", skip=2, after_bytes=CHUNK // 2)
        path = self.archive(4 * MEGABYTE)
        size = os.path.getsize(path)
        result = self.upload(path, "there", token=apache_server.PASSWORD)
        self.assert_same_file(path, folder / NAME)
        self.assertEqual(len(result.all("retry")), 1)
        self.assertLess(between.passed_bytes("PUT"), size + CHUNK)

    def test_header_ignored(self):
        """A server that takes each piece for the whole file: seen at the second one, then sent whole."""
        store = Store(ignore_range=True).start_for(self)
        self.target("there", Kind="put", URL=store.url + "/x", network={"ChunkSize": CHUNK})
        path = self.archive(3 * MEGABYTE)
        self.upload(path, "there")
        self.assertEqual(store.sizes[f"/x/{NAME}"], os.path.getsize(path))
        self.assertEqual(store.count("PUT", f"/x/{NAME}"), 3)


class Store(Stub):
    """Knows sizes only. @loses: of each file so many bytes, None: the file; @ignore_range: Content-Range."""

    def __init__(self, loses=0, ignore_range=False, **options):
        super().__init__(**options)
        self.loses, self.ignore_range = loses, ignore_range
        self.sizes = {}

    def answer(self, request):
        if request.method == "HEAD":
            size = self.sizes.get(request.path)
            return Reply("404 Not Found") if size is None else Reply(headers={"Content-Length": size})
        if "content-range" in request.headers and not self.ignore_range:
            return Reply("501 Not Implemented")
        if self.loses is not None:
            self.sizes[request.path] = request.body_bytes - self.loses
        return Reply("201 Created")


class Refusals(PutCase):
    def test_shortened(self):
        store = Store(loses=10).start_for(self)
        self.target("there", Kind="put", URL=store.url, network={"Retries": 1})
        result = self.upload(self.archive(), "there", expect=NETWORK)
        self.assertIn("bytes of", result.result["message"])
        self.assertEqual(store.count("PUT"), 2)

    def test_not_there(self):
        """A yes without the file is no yes."""
        store = Store(loses=None).start_for(self)
        self.target("there", Kind="put", URL=store.url)
        self.upload(self.archive(), "there", expect=REJECTED)
        self.assertEqual(store.count("PUT"), 1)

    def test_no_folder(self):
        self.target("there", Kind="put", URL=apache.url + "/nowhere", Auth="basic", User=apache_server.USER)
        result = self.upload(self.archive(), "there", token=apache_server.PASSWORD, expect=REJECTED)
        self.assertIn("no such folder", result.result["message"])

    def test_server_full(self):
        """507: kept for later, and sent when there is room."""
        small = Apache(small_disk=True).start_for(self)
        filler = small.stored("filler")
        filler.write_bytes(bytes(1_900_000))
        self.target("there", Kind="put", URL=small.url, Auth="basic", User=apache_server.USER, network={"Retries": 0})
        path = self.archive(600_000)
        result = self.upload(path, "there", token=apache_server.PASSWORD, expect=NETWORK)
        self.assertIn("no room left", result.result["message"])
        filler.unlink()
        self.send_queue("--all", token=apache_server.PASSWORD)
        self.assert_same_file(path, small.stored(NAME))


if __name__ == "__main__":
    unittest.main()
