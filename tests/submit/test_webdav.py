# SPDX-License-Identifier: GPL-2.0-or-later
"""WebDAV: folders that are made, NAME.part that is renamed when it is whole."""

import os
import re
import unittest

from harness import REJECTED, Case
from servers import apache as apache_server
from servers.apache import Apache
from servers.fault import MEGABYTE, Between
from servers.nginx import TOKEN, Nginx

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
LETTER = "1b36-0011-alice-mmiotrace.txt"
CHUNK = MEGABYTE
# PUT and MKCOL alone.
PLAIN = "location /plain/ { create_full_put_path on; dav_methods PUT MKCOL; }"


def setUpModule():
    global nginx, apache
    nginx = Nginx(more=PLAIN).start_for(unittest)
    apache = Apache().start_for(unittest)


class WebDavCase(Case):
    def setUp(self):
        super().setUp()
        self.place = re.sub(r"\W", "-", self.id())
        self.folder_there = apache.stored(self.place)
        self.folder_there.mkdir(mode=0o777)
        self.folder_there.chmod(0o777)

    def apache_target(self, url=None, network=None, **keys):
        self.target("there", Kind="webdav", URL=f"{url or apache.url}/{self.place}", Auth="basic",
                    User=apache_server.USER, network=network, **{"PartFile": True, **keys})

    def send(self, path, **options):
        return self.upload(path, "there", token=apache_server.PASSWORD, **options)

    def requests(self, method):
        return [line for line in apache.access_log if line.startswith(f"{method} ") and self.place in line]


class Folders(WebDavCase):
    def test_made(self):
        """Project has folders that are not there; what is there is no error."""
        self.apache_target(Project="traces/of-cards/2026")
        path = self.archive()
        self.send(path)
        self.assert_same_file(path, self.folder_there / "traces/of-cards/2026" / NAME)
        self.assertEqual(len(self.requests("MKCOL")), 3)
        self.send(self.archive(seed=2, name="other.tar.gz"))
        self.assertTrue((self.folder_there / "traces/of-cards/2026/other.tar.gz").is_file())

    def test_nginx(self):
        nginx.stored(f"/bearer/{self.place}").mkdir()
        self.target("there", Kind="webdav", URL=f"{nginx.url}/bearer/{self.place}", Auth="bearer", PartFile=True,
                    Project="a/b")
        path = self.archive()
        self.upload(path, "there", token=TOKEN)
        folder = nginx.stored(f"/bearer/{self.place}/a/b")
        self.assert_same_file(path, folder / NAME)
        self.assertEqual(sorted(os.listdir(folder)), [NAME, LETTER])

    def test_no_base(self):
        """The address itself is not made: it may be mistyped."""
        self.apache_target(url=f"{apache.url}/nowhere", Project="traces")
        result = self.send(self.archive(), expect=REJECTED)
        self.assertIn("the folder of the address is not there", result.result["message"])


class Parts(WebDavCase):
    def test_renamed(self):
        """The name appears with the whole file only."""
        self.apache_target(network={"ChunkSize": CHUNK})
        path = self.archive(3 * MEGABYTE)
        result = self.send(path)
        self.assert_same_file(path, self.folder_there / NAME)
        self.assertEqual(sorted(os.listdir(self.folder_there)), [NAME, LETTER])
        archives = [line for line in self.requests("PUT") if ".tar.gz" in line]
        self.assertTrue(all(".part " in line for line in archives), archives)
        self.assertEqual(len(self.requests("MOVE")), 1)
        self.assertEqual(result.url, f"{apache.url}/{self.place}/{NAME}")

    def test_taken(self):
        """Overwrite: F keeps a file that came while ours was sent."""
        between = Between((apache.host, apache.port)).start_for(self)
        self.apache_target(url=between.url)
        between.rule("PUT", ".*part", "stall", after_bytes=1000)
        path = self.archive()
        process = self.start_upload(path, "there", token=apache_server.PASSWORD)
        self.wait_for(between.reached.is_set, "the PUT begins", process)
        (self.folder_there / NAME).write_text("somebody else's")
        between.clear()
        result = self.finish(process)
        self.assertEqual(result.status, 0, result)
        tagged = NAME.replace(".tar.gz", f"-{result.last('sent')['report_id'][:8]}.tar.gz")
        self.assertEqual((self.folder_there / NAME).read_text(), "somebody else's")
        self.assert_same_file(path, self.folder_there / tagged)
        self.assertEqual([name for name in os.listdir(self.folder_there) if name.endswith(".part")], [])

    def test_lost_reply_of_move(self):
        """It was renamed: seen, and not sent again."""
        between = Between((apache.host, apache.port)).start_for(self)
        self.apache_target(url=between.url)
        between.rule("MOVE", ".*", "lose-reply")
        path = self.archive()
        self.send(path)
        self.assert_same_file(path, self.folder_there / NAME)
        self.assertEqual(sorted(os.listdir(self.folder_there)), [NAME, LETTER])
        self.assertLess(between.passed_bytes("PUT"), 2 * os.path.getsize(path))

    def test_no_move(self):
        """A server that cannot rename: the message says what to change, and with it the file arrives."""
        keys = {"Kind": "webdav", "URL": nginx.url + "/plain", "Auth": "none"}
        self.target("there", PartFile=True, **keys)
        path = self.archive()
        result = self.upload(path, "there", expect=REJECTED)
        self.assertIn("PartFile=false", result.result["message"])
        self.target("there", PartFile=False, **keys)
        self.upload(path, "there")
        self.assert_same_file(path, nginx.stored("/plain/" + NAME))


if __name__ == "__main__":
    unittest.main()
