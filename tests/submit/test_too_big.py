# SPDX-License-Identifier: GPL-2.0-or-later
"""An archive that the server does not take: smaller, in parts, elsewhere or kept; never the same again and again."""

import gzip
import lzma
import subprocess
import unittest

from harness import OK, REJECTED, Case
from servers.fault import MEGABYTE, Fault
from servers.nginx import TOKEN, Nginx
from servers.sink import Sink
from servers.tus import TOKEN as TUS_TOKEN
from servers.tus import Tus

LIMIT = MEGABYTE


def setUpModule():
    global small, large
    small = Nginx(max_body=str(LIMIT)).start_for(unittest)
    large = Nginx().start_for(unittest)


class TooBig(Case):
    def setUp(self):
        super().setUp()
        self.place = f"/bearer/{self.id().rsplit('.', 1)[-1]}"

    def put_target(self, on_too_big, server=None, **keys):
        return self.target("there", **{"Kind": "put", "URL": (server or small).url + self.place, "Auth": "bearer",
                                       "OnTooBig": on_too_big, **keys})

    def stored(self, server=None):
        """{name: path}"""
        folder = (server or small).stored(self.place)
        return {path.name: path for path in folder.iterdir()} if folder.exists() else {}

    def assert_kept(self, path, result, before):
        self.assertEqual(self.sha256(path), before)
        self.assertIn(str(path), result.stderr + result.out, "it does not say where the archive is")
        self.assertFalse(self.stored())


class Kept(TooBig):
    def test_refused_by_the_server(self):
        path = self.archive(3 * MEGABYTE)
        before = self.sha256(path)
        self.put_target("save")
        result = self.upload(path, "there", token=TOKEN, expect=REJECTED)
        self.assert_kept(path, result, before)
        self.assertFalse(result.all("retry"), result)

    def test_not_even_begun(self):
        """The server said no before the file: with Expect nothing of it was sent."""
        server = Fault().start_for(self)
        self.target("there", Kind="put", URL=server.url + "/early413", Auth="bearer", OnTooBig="save")
        result = self.upload(self.archive(3 * MEGABYTE), "there", token=TOKEN, expect=REJECTED)
        puts = [request for request in server.requests if request.method == "PUT"]
        self.assertEqual(len(puts), 1, result)
        self.assertEqual(puts[0].late_bytes, 0)

    def test_said_after_the_file(self):
        server = Fault().start_for(self)
        self.target("there", Kind="put", URL=server.url + "/late413", Auth="bearer", OnTooBig="save")
        self.upload(self.archive(3 * MEGABYTE), "there", token=TOKEN, expect=REJECTED)
        self.assertEqual(server.count("PUT"), 1)

    def test_known_beforehand(self):
        """MaxSize of the target: the server is not bothered with it."""
        path = self.archive(3 * MEGABYTE)
        before, lines = self.sha256(path), len(small.access_log)
        self.put_target("save", MaxSize=LIMIT)
        result = self.upload(path, "there", token=TOKEN, expect=REJECTED)
        self.assert_kept(path, result, before)
        self.assertFalse([line for line in small.access_log[lines:] if "PUT" in line])

    def test_server_tells(self):
        """tus says its limit; nothing is begun."""
        tus = Tus(max_bytes=LIMIT).start_for(self)
        self.target("there", Kind="tus", URL=tus.endpoint, Auth="bearer", OnTooBig="save")
        result = self.upload(self.archive(3 * MEGABYTE), "there", token=TUS_TOKEN, expect=REJECTED)
        self.assertFalse(tus.uploads(), result)
        self.assertEqual(result.last("inquiry").get("limit"), LIMIT)


class Smaller(TooBig):
    def test_recompress(self):
        path = self.archive(3 * MEGABYTE, repeat=12)
        before = self.sha256(path)
        self.put_target("recompress;save")
        self.upload(path, "there", token=TOKEN)
        name = path.name.replace(".tar.gz", ".tar.xz")
        stored = self.stored()
        self.assertIn(name, stored)
        self.assertLess(stored[name].stat().st_size, LIMIT)
        self.assertEqual(lzma.decompress(stored[name].read_bytes()), gzip.decompress(path.read_bytes()))
        self.assertEqual(self.sha256(path), before)
        checked = self.run_program("verify", stored[name])
        self.assertEqual(checked.status, OK, checked)

    def test_recompress_does_not_help(self):
        path = self.archive(3 * MEGABYTE)
        before = self.sha256(path)
        self.put_target("recompress;save")
        result = self.upload(path, "there", token=TOKEN, expect=REJECTED)
        self.assert_kept(path, result, before)

    def test_split(self):
        """In parts that the note tells how to join: its own commands give the archive back."""
        path = self.archive(3 * MEGABYTE)
        self.put_target("split;save", MaxSize=LIMIT)
        self.upload(path, "there", token=TOKEN)
        stored = self.stored()
        parts = sorted(name for name in stored if name.startswith(path.name + ".0"))
        self.assertGreater(len(parts), 2)
        self.assertTrue(all(stored[name].stat().st_size <= LIMIT for name in parts))
        note = stored[path.name + ".join.txt"].read_text()
        for name in parts:
            self.assertIn(name, note)
        command = next(line.split(":", 1)[1] for line in note.splitlines() if line.strip().startswith("Linux"))
        subprocess.run(["/bin/sh", "-c", command], cwd=small.stored(self.place), check=True)
        self.assert_same_file(path, small.stored(self.place) / path.name)
        self.assertIn(self.sha256(path), note)

    def test_one_after_the_other(self):
        """Packed tighter does not help: then in parts."""
        path = self.archive(3 * MEGABYTE)
        self.put_target("recompress;split;save", MaxSize=LIMIT)
        self.upload(path, "there", token=TOKEN)
        self.assertGreater(len([name for name in self.stored() if name[-4:-1] == ".00"]), 2)

    def test_too_many_parts(self):
        """Nobody wants to join a hundred."""
        path = self.archive(4 * MEGABYTE)
        before = self.sha256(path)
        self.put_target("split;save", MaxSize=65536)
        result = self.upload(path, "there", token=TOKEN, expect=REJECTED)
        self.assert_kept(path, result, before)

    def test_nothing_stays(self):
        """Of the smaller copies, after success and after a refusal."""
        self.put_target("recompress;split;save", MaxSize=LIMIT)
        self.upload(self.archive(3 * MEGABYTE), "there", token=TOKEN)
        self.put_target("recompress;save")
        self.upload(self.archive(3 * MEGABYTE, seed=2), "there", token=TOKEN, expect=REJECTED)
        left = [path for path in self.state.rglob("*") if path.is_file() and path.stat().st_size > 500_000]
        self.assertFalse(left)


class Elsewhere(TooBig):
    def test_same_host(self):
        """Consent given beforehand is for a host: another service of it may have the file."""
        path = self.archive(3 * MEGABYTE)
        self.put_target("fallback:other;save", MaxSize=LIMIT)
        self.target("other", Kind="put", URL=large.url + self.place, Auth="none")
        result = self.run_program("upload", path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        stored = self.stored(large)
        self.assertFalse(self.stored())
        if stored:
            self.assertEqual(result.status, OK, result)
            self.assert_same_file(path, stored[path.name])
        else:
            self.assertNotEqual(result.status, OK, result)

    def test_other_host(self):
        """Nobody agreed to that one."""
        sink = Sink("127.0.0.2").start_for(self)
        path = self.archive(3 * MEGABYTE)
        before = self.sha256(path)
        self.put_target("fallback:other;save", MaxSize=LIMIT)
        self.target("other", Kind="put", URL=sink.url, Auth="none")
        result = self.upload(path, "there", token=TOKEN, expect=REJECTED)
        sink.assert_untouched(self)
        self.assert_kept(path, result, before)


if __name__ == "__main__":
    unittest.main()
