# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports that wait: consent bound to the content, one program at a time, a full disk; nothing lost, nothing twice."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from harness import BUSY, DECLINED, DISK, NETWORK, OK, Case, make_archive
from servers import smtp as smtp_server
from servers import tls
from servers.fault import MEGABYTE, Between, Fault
from servers.nginx import TOKEN, Nginx
from servers.server import missing
from servers.smtp import Smtp


def setUpModule():
    global nginx
    nginx = Nginx().start_for(unittest)


class QueueCase(Case):
    """A target "there": nginx with something between that can hold or refuse."""

    def setUp(self):
        super().setUp()
        self.between = Between((nginx.host, nginx.port)).start_for(self)
        self.folder_url = f"/bearer/{self.id().rsplit('.', 1)[-1]}"
        self.put_target()

    def put_target(self, url=None, **keys):
        return self.target("there", Kind="put", URL=url or self.between.url + self.folder_url, Auth="bearer", **keys)

    def stored(self):
        """Archives on the server."""
        folder = nginx.stored(self.folder_url)
        return sorted(path for path in folder.iterdir() if ".tar." in path.name) if folder.exists() else []

    def queue_one(self, path):
        """Leaves the report in the queue: the server is down."""
        self.between.rule("PUT", ".*", "refuse", times=1000)
        self.upload(path, "there", token=TOKEN, expect=NETWORK)
        self.between.rules.clear()

    def item_folder(self):
        folders = [path for path in (self.state / "queue").iterdir() if path.is_dir()]
        self.assertEqual(len(folders), 1)
        return folders[0]


class Consent(QueueCase):
    def test_json_without_consent(self):
        """A program that forgot to say yes: nothing goes out, not even a question."""
        for arguments in (("--json",), ()):
            with self.subTest(arguments=arguments):
                result = self.run_program("upload", self.archive(), "--target", "there", *arguments, token=TOKEN)
                self.assertEqual(result.status, DECLINED, result)
                self.assertFalse(self.between.seen)
        self.assertTrue(self.archive().exists())

    def test_sent_as_shown(self):
        """The sum that was shown is that of what arrived."""
        path = self.archive()
        result = self.upload(path, "there", token=TOKEN)
        shown = result.last("preview").get("sha256")
        self.assertEqual(shown, self.sha256(path), result)
        self.assertEqual(shown, self.sha256(self.stored()[0]))
        self.assertEqual(result.last("sent").get("sha256"), shown)

    def test_changed_archive(self):
        """Written over in the meantime, also through a hard link: it is not sent."""
        path = self.archive()
        self.queue_one(path)
        with open(path, "r+b") as file:
            file.seek(1000)
            file.write(b"something else")
        result = self.run_program("queue", "send", "--all", "--json", token=TOKEN)
        if self.stored():
            self.assertEqual(self.sha256(self.stored()[0]), self.sha256_before(path), result)
        else:
            self.assertEqual(result.status, DECLINED, result)

    def sha256_before(self, path):
        """Of the archive as it was agreed to: the same seed makes it again."""
        path.unlink()
        return self.sha256(self.archive())

    def test_changed_copy(self):
        self.queue_one(self.archive())
        file = next((self.item_folder() / "files").iterdir())
        data = bytearray(file.read_bytes())
        data[1000] ^= 1
        file.unlink()
        file.write_bytes(data)
        self.send_queue("--all", token=TOKEN, expect=DECLINED)
        self.assertFalse(self.stored())

    def test_swapped_copy(self):
        """A link or a pipe in the place of the file: neither followed nor waited for."""
        secret = self.folder / "secret.txt"
        secret.write_text("private")
        self.queue_one(self.archive())
        file = next((self.item_folder() / "files").iterdir())
        for name, make in (("link", lambda: file.symlink_to(secret)), ("pipe", lambda: os.mkfifo(file)),
                           ("gone", lambda: None), ("folder", file.mkdir)):
            with self.subTest(swapped=name):
                shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink(missing_ok=True)
                make()
                result = self.run_program("queue", "send", "--all", "--json", token=TOKEN)
                self.assertNotEqual(result.status, OK, result)
                self.assertFalse(self.stored())

    def test_archive_deleted(self):
        """The queue has its own."""
        path = self.archive()
        before = self.sha256(path)
        self.queue_one(path)
        path.unlink()
        self.send_queue("--all", token=TOKEN)
        self.assertEqual(self.sha256(self.stored()[0]), before)

    def test_target_leads_elsewhere(self):
        """The file of the target was changed to another server: nobody agreed to that one."""
        other = Fault("127.0.0.3").start_for(self)
        self.queue_one(self.archive())
        self.put_target(other.url)
        self.send_queue("--all", token=TOKEN, expect=DECLINED)
        self.assertFalse(other.requests)

    def test_other_place_of_that_name(self):
        """What was sent there before the target's file was changed is not there now."""
        other = Fault("127.0.0.3").start_for(self)
        path = self.archive()
        self.upload(path, "there", token=TOKEN)
        self.put_target(other.url + "/new")
        result = self.upload(path, "there", token=TOKEN)
        self.assertEqual(len([name for name in other.stored if ".tar." in name]), 1, result)

    def test_not_a_file(self):
        pipe = self.folder / "1b36-0011-a-mmiotrace.tar.gz"
        os.mkfifo(pipe)
        for path in (pipe, self.folder, pathlib.Path("/dev/zero")):
            with self.subTest(path=path):
                result = self.run_program("upload", path, "--target", "there", "--consent-upload", "--json",
                                          token=TOKEN)
                self.assertIn(result.status, (1, 2), result)
        self.assertFalse(self.between.seen)


class Names(QueueCase):
    def test_hostile_names(self):
        """Of the archive: nothing of it leads to another place on the server or forges a header."""
        good = self.archive()
        for name in ("1b36-0011-a b-mmiotrace.tar.gz", "..", "a\r\nX-Evil: 1.tar.gz", "%2e%2e%2fx.tar.gz",
                     "a?b#c.tar.gz", "ünïcode.tar.gz", '"quoted".tar.gz', "-x.tar.gz", "a\x1b[31m.tar.gz"):
            if name == "..":
                continue
            with self.subTest(name=name):
                path = self.folder / "names" / name
                path.parent.mkdir(exist_ok=True)
                shutil.copy(good, path)
                place = self.target(f"place-{len(name)}", Kind="put", Auth="bearer",
                                    URL=self.between.url + self.folder_url + f"/{len(name)}")
                result = self.run_program("upload", "--target", place, "--consent-upload", "--json", "--", path,
                                          token=TOKEN)
                self.assertEqual(result.status, OK, result)
                self.assertNotIn("\x1b", result.out + result.stderr)
                stored = [entry for entry in nginx.stored(f"{self.folder_url}/{len(name)}").iterdir()
                          if ".tar." in entry.name]
                self.assertEqual(len(stored), 1, result)
                self.assertRegex(stored[0].name, r"^[A-Za-z0-9._-]+$")

    def test_hostile_manifest(self):
        """Of an archive that a stranger made: what goes into the subject of a mail stays in it."""
        smtp = Smtp().start_for(self)
        path = self.folder / "1b36-0011-eve-mmiotrace.tar.gz"
        make_archive(path, 1000, nick="a\r\nX-Evil: 1\r\nBcc: eve@evil.example\r\n\r\nbody\x1b[31m\u202e/../x")
        self.target("mail", Kind="smtp", URL=f"smtp://localhost:{smtp.port}", Auth="smtp", User=smtp_server.USER,
                    From="bob@here.example", To="dumps@there.example", network={"CAFile": tls.authority().ca_file})
        result = self.upload(path, "mail", token=smtp_server.PASSWORD)
        self.assertEqual(len(smtp.mails), 1, result)
        self.assertEqual(smtp.mails[0].rcpt_tos, ["dumps@there.example"])
        head = smtp.mails[0].content.replace(b"\r\n", b"\n").split(b"\n\n")[0]
        self.assertNotRegex(head, rb"(?im)^(X-Evil|Bcc)")
        self.assertNotIn(b"\x1b", smtp.mails[0].content)
        self.assertNotIn("\x1b", result.out + result.stderr)


class OneAtATime(QueueCase):
    def test_two_programs(self):
        """The second one does not touch what the first one is sending."""
        path = self.archive(3 * MEGABYTE)
        self.between.rule("PUT", ".*", "stall", after_bytes=MEGABYTE)
        first = self.start_upload(path, "there", token=TOKEN)
        self.wait_for(self.between.reached.is_set, "the upload begins", first)
        second = self.upload(path, "there", token=TOKEN, expect=BUSY)
        self.assertEqual(self.between.count("PUT"), 1, second)
        sent = self.run_program("queue", "send", "--all", "--json", token=TOKEN)
        self.assertEqual(self.between.count("PUT"), 1, sent)
        dropped = self.run_program("queue", "drop", self.item_folder().name, "--json", "--yes")
        self.assertNotEqual(dropped.status, OK, dropped)
        self.between.clear()
        self.assertEqual(self.finish(first).status, OK)
        self.assertEqual([file.name for file in self.stored()], [path.name])

    def test_twice_is_once(self):
        """What was sent is not sent again."""
        path = self.archive()
        url = self.upload(path, "there", token=TOKEN).url
        puts = self.between.count("PUT")
        again = self.upload(path, "there", token=TOKEN)
        self.assertEqual(self.between.count("PUT"), puts, again)
        self.assertIn(url, again.out)
        self.assertEqual(len(self.stored()), 1)


@unittest.skipUnless(os.geteuid() == 0, "a disk of its own needs root")
class FullDisk(QueueCase):
    """The folder of the state is on a disk of 2 MiB."""

    def setUp(self):
        super().setUp()
        self.state.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs", self.state],
                          check=False).returncode != 0:
            missing("a tmpfs cannot be mounted")
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)

    def fill(self):
        """Takes all the space that is left. Returns: the file to remove"""
        filler = self.state / "filler"
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        return filler

    def test_no_room_for_the_archive(self):
        result = self.upload(self.archive(3 * MEGABYTE), "there", token=TOKEN, expect=DISK)
        self.assertFalse(self.stored(), result)
        queue = self.state / "queue"
        self.assertFalse(list(queue.rglob("*.tar*")) if queue.exists() else [], "something half-made stays")
        self.assertFalse(self.queue_items())

    def test_no_room_for_the_state(self):
        """Full in the middle of the upload: what is known stays known, and afterwards it goes on."""
        path = self.archive(MEGABYTE)
        self.between.rule("PUT", ".*", "stall", after_bytes=MEGABYTE // 2)
        process = self.start_upload(path, "there", token=TOKEN)
        self.wait_for(self.between.reached.is_set, "the upload begins", process)
        filler = self.fill()
        before = {name: json.loads((self.item_folder() / name).read_text()) for name in ("meta.json", "state.json")}
        self.between.clear()
        result = self.finish(process)
        self.assertEqual(result.status, DISK, result)
        after = {name: json.loads((self.item_folder() / name).read_text()) for name in ("meta.json", "state.json")}
        self.assertEqual(after, before)
        filler.unlink()
        self.send_queue("--all", token=TOKEN)
        self.assertEqual([file.name for file in self.stored()], [path.name])
        self.assert_same_file(path, self.stored()[0])


class Keeping(QueueCase):
    def test_show_and_drop(self):
        """The person's archive outlives its place in the queue."""
        path = self.archive()
        before = self.sha256(path)
        self.queue_one(path)
        item = self.queue_items()[0]
        shown = self.run_program("queue", "show", item["id"])
        self.assertEqual(shown.status, OK, shown)
        self.assertIn(self.between.host, shown.out + shown.stderr)
        plain = self.run_program("queue", "list")
        self.assertIn(item["id"][:8], plain.out)
        dropped = self.run_program("queue", "drop", item["id"], "--yes", "--json")
        self.assertEqual(self.queue_items(), [], dropped)
        self.assertEqual(self.sha256(path), before)

    def test_no_network(self):
        result = self.upload(self.archive(), "there", "--no-network", token=TOKEN, expect=NETWORK)
        self.assertFalse(self.between.seen, result)
        self.assertEqual(len(self.queue_items()), 1)
        self.send_queue("--all", token=TOKEN)
        self.assertEqual(len(self.stored()), 1)

    def test_damaged_items(self):
        """Rubbish in the queue folder is told, and the others are sent."""
        self.queue_one(self.archive())
        queue = self.state / "queue"
        for name, text in (("aaaaaaaaaaaaaaaa", "{"), ("bbbbbbbbbbbbbbbb", "[]"), ("cccccccccccccccc", '{"state":7}')):
            (queue / name).mkdir(mode=0o700)
            for file in ("meta.json", "state.json"):
                (queue / name / file).write_text(text)
        listed = self.run_program("queue", "list", "--json")
        self.assertEqual(len(listed.all("item")), 1, listed)
        self.assertIn("aaaaaaaa", listed.out + listed.stderr)
        self.run_program("queue", "send", "--all", "--json", token=TOKEN)
        self.assertEqual(len(self.stored()), 1)


if __name__ == "__main__":
    unittest.main()
