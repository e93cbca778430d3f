# SPDX-License-Identifier: GPL-2.0-or-later
"""The program is killed, the server restarted: the report arrives whole, and what was there is not sent again."""

import os
import signal
import unittest

from harness import INTERRUPTED, OK, Case
from servers import apache as apache_server
from servers.apache import Apache
from servers.fault import MEGABYTE, Between
from servers.nginx import TOKEN, Nginx
from servers.sshd import Sshd
from servers.tus import TOKEN as TUS_TOKEN
from servers.tus import Tus

SIZE = 12 * MEGABYTE
CHUNK = 2 * MEGABYTE


class Killed(Case):
    """The upload is held in its middle by a server between, then the program ends in some way."""

    def hold(self, server, method, **rule):
        between = Between((server.host, server.port)).start_for(self)
        between.rule(method, ".*", "stall", **rule)
        return between

    def kill_when_held(self, between, token, how=signal.SIGKILL):
        """Returns: Result"""
        process = self.start_upload(self.path, "there", token=token)
        self.wait_for(between.reached.is_set, "the upload gets to its middle", process)
        process.send_signal(how)
        result = self.finish(process)
        between.clear()
        return result

    def setUp(self):
        super().setUp()
        self.path = self.archive(SIZE)

    def assert_done_once(self):
        self.assertEqual([item["state"] for item in self.queue_items()], ["done"])


class Resume(Killed):
    def start_tus(self, **rule):
        tus = Tus().start_for(self)
        between = self.hold(tus, "PATCH", **rule)
        self.target("there", Kind="tus", URL=between.url + "/files", Auth="bearer", network={"ChunkSize": CHUNK})
        return tus, between

    def assert_stored(self, tus):
        sizes = {upload["size"]: upload for upload in tus.uploads().values()}
        self.assertIn(os.path.getsize(self.path), sizes)
        self.assert_same_file(self.path, sizes[os.path.getsize(self.path)]["path"])
        self.assertEqual(len(sizes), 2, "the report and its text, each once")
        self.assert_done_once()

    def test_tus(self):
        """Killed in the middle of the fourth piece, the server too; both start again."""
        tus, between = self.start_tus(skip=3, after_bytes=MEGABYTE)
        self.kill_when_held(between, TUS_TOKEN)
        tus.kill()
        stored = tus.stored_bytes()
        self.assertGreaterEqual(stored, 3 * CHUNK)
        self.assertLess(stored, SIZE)
        tus.start()
        before = between.passed_bytes("PATCH")
        self.send_queue("--all", token=TUS_TOKEN)
        self.assert_stored(tus)
        again = between.passed_bytes("PATCH") - before
        self.assertLess(again, SIZE - stored + MEGABYTE, "more was sent than was missing")
        self.assertEqual(between.count("POST"), 2, "one upload for the report, one for its text")

    def test_tus_second_upload(self):
        """`upload` again instead of `queue send` goes on, too."""
        tus, between = self.start_tus(skip=3, after_bytes=MEGABYTE)
        self.kill_when_held(between, TUS_TOKEN)
        self.upload(self.path, "there", token=TUS_TOKEN)
        self.assert_stored(tus)
        self.assertLess(between.passed_bytes("PATCH"), SIZE + CHUNK + MEGABYTE)

    def test_tus_upload_expired(self):
        """The server has forgotten the upload in between: a new one."""
        tus, between = self.start_tus(skip=3, after_bytes=MEGABYTE)
        self.kill_when_held(between, TUS_TOKEN)
        tus.stop()
        for path in tus.files.iterdir():
            path.unlink()
        tus.start()
        self.send_queue("--all", token=TUS_TOKEN)
        self.assert_stored(tus)

    def test_apache_pieces(self):
        """Pieces that arrived whole are not sent again."""
        apache = Apache().start_for(self)
        between = self.hold(apache, "PUT", skip=3, after_bytes=MEGABYTE)
        self.target("there", Kind="webdav", URL=between.url, Auth="basic", User=apache_server.USER,
                    network={"ChunkSize": CHUNK})
        self.kill_when_held(between, apache_server.PASSWORD)
        apache.kill()
        apache.start()
        before = between.passed_bytes("PUT")
        self.send_queue("--all", token=apache_server.PASSWORD)
        self.assert_same_file(self.path, apache.stored(self.path.name))
        self.assertLessEqual(between.passed_bytes("PUT") - before, SIZE - 3 * CHUNK + MEGABYTE)
        self.assertEqual(len([name for name in os.listdir(apache.root) if ".tar." in name]), 1)
        self.assert_done_once()

    def test_sftp(self):
        """Stopped while the file grows on the server, then killed; the connection's server process, too."""
        sshd = Sshd().start_for(self)
        sshd.install_key(self.home)
        self.path = self.archive(60 * MEGABYTE, seed=2)
        self.target("there", Kind="sftp", URL=f"{sshd.url}{sshd.incoming}", Auth="ssh", User=sshd.user,
                    network={"KnownHosts": sshd.known_hosts()})
        process = self.start_upload(self.path, "there")
        self.wait_for(lambda: self.largest(sshd) > 4 * MEGABYTE, "the file grows", process)
        process.send_signal(signal.SIGSTOP)
        sshd.drop_sessions()
        process.kill()
        self.finish(process)
        part = self.largest(sshd)
        self.assertLess(part, os.path.getsize(self.path))
        inode = {path.stat().st_ino for path in sshd.incoming.iterdir()}
        self.send_queue("--all")
        self.assert_same_file(self.path, sshd.incoming / self.path.name)
        self.assertIn((sshd.incoming / self.path.name).stat().st_ino, inode, "it was begun anew")
        self.assertFalse([path for path in sshd.incoming.iterdir() if path.suffix == ".part"])
        self.assert_done_once()

    def largest(self, sshd):
        return max((path.stat().st_size for path in sshd.incoming.iterdir()), default=0)


class Whole(Killed):
    """nginx keeps nothing of a PUT that was broken off: it is sent anew, and is there once."""

    def setUp(self):
        super().setUp()
        self.nginx = Nginx().start_for(self)
        self.between = self.hold(self.nginx, "PUT", after_bytes=MEGABYTE)
        # So that all of it is one request.
        self.target("there", Kind="put", URL=self.between.url + "/bearer", Auth="bearer",
                    network={"ChunkSize": 10 * SIZE})

    def assert_stored(self):
        names = [path.name for path in self.nginx.stored("/bearer").iterdir() if ".tar." in path.name]
        self.assertEqual(names, [self.path.name])
        self.assert_same_file(self.path, self.nginx.stored("/bearer/" + self.path.name))
        self.assert_done_once()

    def test_kill(self):
        self.kill_when_held(self.between, TOKEN)
        self.assertEqual([item["state"] for item in self.queue_items()], ["uploading"])
        self.send_queue("--all", token=TOKEN)
        self.assert_stored()

    def test_interrupt(self):
        """Ctrl-C or SIGTERM: an orderly end, at once."""
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=how.name):
                self.between.hold_again("PUT", ".*", after_bytes=MEGABYTE)
                result = self.kill_when_held(self.between, TOKEN, how)
                self.assertEqual(result.status, INTERRUPTED, result)
                self.assertEqual(result.result.get("error"), "interrupted", result)
                self.assertIn(self.queue_items()[0]["state"], ("consented", "uploading"))
        self.send_queue("--all", token=TOKEN)
        self.assert_stored()

    def test_closed_terminal(self):
        """The person went away: it goes on."""
        process = self.start_upload(self.path, "there", token=TOKEN)
        self.wait_for(self.between.reached.is_set, "the upload gets to its middle", process)
        process.send_signal(signal.SIGHUP)
        self.between.clear()
        result = self.finish(process)
        self.assertEqual(result.status, OK, result)
        self.assert_stored()


if __name__ == "__main__":
    unittest.main()
