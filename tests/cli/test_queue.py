# SPDX-License-Identifier: GPL-2.0-or-later
"""`queue`: what waits, and what becomes of it."""

import json
import time
import unittest

from test_upload import UploadTest

DAY_SEC = 24 * 3600


class Queue(UploadTest):
    def wait_in_queue(self, id="here", **options):
        """A report that waits. Returns: its id"""
        self.target(id, **options)
        events, _ = self.run_json(10, *self.upload("--target", id, "--consent-upload", "--no-network"))
        return self.event(events, "queued")["id"]

    def change(self, id, file, **members):
        path = self.queue_folder / id / file
        content = json.loads(path.read_text())
        content.update(members)
        path.write_text(json.dumps(content))

    def states(self):
        return {item["id"]: item["state"] for item in self.items()}

    def test_empty(self):
        for words in (["queue"], ["queue", "list"], ["queue", "send"], ["queue", "send", "--all"], ["queue", "send", "--due"]):
            with self.subTest(words=words):
                result = self.assert_ok(*words)
                self.assertEqual(result.out, "")
                self.assertIn("No report", result.err)
                self.run_json(0, *words)

    def test_list_and_show(self):
        id = self.wait_in_queue()
        item = self.items()[0]
        self.assertEqual((item["id"], item["state"], item["target"], item["host"], item["issue"]),
                         (id, "consented", "here", "127.0.0.1", ""))
        self.assertEqual(item["files"][0]["bytes"], self.archive.stat().st_size)
        result = self.assert_ok("queue")
        for text in (id, "waits", "here", "mmiotrace: 10de:10f0"):
            self.assertIn(text, result.out)
        result = self.assert_ok("queue", "show", id[:6])
        for text in (id, "Report-ID:", "The sound was there.", str(self.queue_folder)):
            self.assertIn(text, result.out)
        events, _ = self.run_json(0, "queue", "show", id)
        self.assertIn("Report-ID:", self.event(events, "item")["body"])
        self.assert_clean(result)

    def test_usage(self):
        id = self.wait_in_queue()
        for words, named in ((["frobnicate"], "frobnicate"), (["list", "x"], "x"), (["show"], "which report"),
                             (["show", id, "y"], "y"), (["drop"], "which report"), (["drop", id, "y"], "y"),
                             (["show", "beef"], "beef"), (["drop", "beef"], "beef"), (["send", "beef"], "beef"),
                             (["send", "--all", id], "--all"), (["send", "--due", id], "--due")):
            with self.subTest(words=words):
                self.assert_clean(self.assert_fails(2, named, "queue", *words))
        self.assertEqual(self.states(), {id: "consented"})

    def test_send(self):
        """Agreed to once; it is sent when the server is there."""
        id = self.wait_in_queue()
        events, _ = self.run_json(10, "queue", "send")
        self.assertEqual(self.event(events, "queued")["id"], id)
        self.assertIn("127.0.0.1", self.items()[0]["failure"]["message"])
        server = self.start_server()
        port = server.url
        self.target("there", port)
        events, result = self.run_json(10, *self.upload("--target", "there", "--consent-upload", "--no-network"))
        other = self.event(events, "queued")["id"]
        events, _ = self.run_json(0, "queue", "send", other)
        self.assertEqual(self.event(events, "sent")["id"], other)
        self.assertEqual(server.archives(), [self.archive.read_bytes()])
        self.assertEqual(self.states(), {id: "consented", other: "done"})
        # What is sent is not sent again.
        puts = len(server.seen)
        self.assert_ok("queue", "send", other)
        self.assertEqual(len(server.seen), puts)

    def test_one_failure_does_not_keep_the_others(self):
        self.wait_in_queue("aaa")
        server = self.start_server()
        good = self.wait_in_queue("zzz", url=server.url)
        result = self.run_program("queue", "send", "--all")
        self.assertEqual(result.status, 10, result)
        self.assertEqual(self.states()[good], "done")

    def test_due(self):
        """For the timer: only what may be tried again, and once."""
        id = self.wait_in_queue()
        self.change(id, "state.json", next_try_sec=int(time.time()) + 3600)
        result = self.assert_ok("queue", "send", "--due")
        self.assertIn("No report", result.err)
        self.change(id, "state.json", next_try_sec=int(time.time()) - 1)
        events, _ = self.run_json(10, "queue", "send", "--due")
        self.assertEqual([event for event in events if event["event"] == "retry"], [])

    def test_due_leaves_to_a_person(self):
        """The file is there, and filing it failed in a way that time does not mend."""
        id = self.wait_in_queue()
        for name in ("permanent", "too-big", "authentication", "person"):
            self.change(id, "state.json", state="uploaded", failure={"class": name, "message": "no"})
            self.assertIn("No report", self.assert_ok("queue", "send", "--due").err, name)
        self.change(id, "state.json", failure={"class": "transient", "message": "no"})
        self.assertEqual(self.run_program("queue", "send", "--due").status, 10)

    def test_refused_waits_for_a_person(self):
        id = self.wait_in_queue()
        self.change(id, "state.json", state="refused")
        for words in (["send"], ["send", "--all"], ["send", "--due"]):
            self.assertIn("No report", self.assert_ok("queue", *words).err)
        self.assertEqual(self.run_program("queue", "send", id).status, 10)

    def test_consent_is_for_one_place(self):
        id = self.wait_in_queue()
        self.target("here", "http://127.0.0.2:1/in")
        _, result = self.run_json(4, "queue", "send", id)
        self.assertEqual(result["error"], "declined")
        self.assertIn("127.0.0.2", result["message"])

    def test_changed_archive(self):
        id = self.wait_in_queue()
        copy = next((self.queue_folder / id / "files").iterdir())
        copy.unlink()
        copy.write_bytes(self.archive.read_bytes() + b"x")
        _, result = self.run_json(4, "queue", "send", id)
        self.assertEqual(result["error"], "declined")

    def test_target_is_gone(self):
        id = self.wait_in_queue()
        (self.root / "etc/mmiotrace-wizard/targets.d/here.conf").unlink()
        self.assert_fails(2, "here", "queue", "send", id)
        self.assertEqual(self.states(), {id: "consented"})

    def test_drop(self):
        id = self.wait_in_queue()
        # Nobody says yes.
        self.assert_fails(4, "drop", "queue", "drop", id)
        self.assertEqual(self.states(), {id: "consented"})
        self.assert_ok("queue", "drop", id, "--yes")
        self.assertEqual(self.states(), {})
        self.assertTrue(self.archive.exists())

    def test_damaged(self):
        """What cannot be read is told, hides nothing, and can be removed."""
        id = self.wait_in_queue()
        (self.queue_folder / id / "meta.json").write_text("{")
        result = self.assert_ok("queue")
        self.assertIn("cannot be read", result.out + result.err)
        self.assert_fails(1, "meta.json", "queue", "show", id)
        self.assert_ok("queue", "drop", id, "--yes")
        self.assertFalse((self.queue_folder / id).exists())

    def test_old_ones_are_told(self):
        id = self.wait_in_queue()
        self.assertNotIn("30 days", self.assert_ok("queue").out)
        self.change(id, "meta.json", created_sec=int(time.time()) - 31 * DAY_SEC)
        self.assertIn("30 days", self.assert_ok("queue").out)
        events, _ = self.run_json(0, "queue")
        self.assertEqual(self.event(events, "message")["id"], "old")
        self.assertEqual(self.states(), {id: "consented"})

    def test_hostile_names(self):
        id = self.wait_in_queue()
        self.change(id, "meta.json", title="\x1b[31mred\x1b]0;x\x07", target="\x1b[2J")
        for words in (["queue"], ["queue", "show", id]):
            self.assert_clean(self.run_program(*words))


if __name__ == "__main__":
    unittest.main()
