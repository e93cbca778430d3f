# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers and networks that do it wrong: what is tried again, how often, and what is believed."""

import socket
import time
import unittest

from harness import AUTH, FAILED, NETWORK, OK, REJECTED, Case
from servers.fault import MEGABYTE, Between, Fault
from servers.nginx import TOKEN, Nginx
from servers.server import free_port

RETRIES = 2


class FaultCase(Case):
    """Targets whose addresses end in the name of a fault."""

    size = 200_000

    def setUp(self):
        super().setUp()
        self.server = Fault().start_for(self)
        self.path = self.archive(self.size)

    def send(self, fault, expect, network=None, **keys):
        return self.upload(self.path, self.fault_target(fault, network, **keys), token=TOKEN, expect=expect)

    def fault_target(self, fault, network=None, **keys):
        return self.target("at-" + fault.replace("/", "-"), Kind="put", URL=f"{self.server.url}/{fault}", Auth="bearer",
                           network={"Retries": RETRIES, **(network or {})}, **keys)

    def puts(self, fault):
        """How often the file itself was sent (the text beside it is another one)."""
        return self.server.count("PUT", f"/{fault}/{self.path.name}")

    def assert_there(self, fault):
        """The file is there, once, and whole."""
        files = [path for path in self.server.stored_below(fault) if ".tar." in path]
        self.assertEqual(len(files), 1, files)
        stored = self.server.stored[files[0]]
        self.assertEqual(stored.body, self.path.read_bytes())

    def assert_queued(self, result):
        """It waits: the next `queue send` has all it needs."""
        items = self.queue_items()
        self.assertEqual(len(items), 1, result)
        self.assertIn(items[0]["state"], ("consented", "uploading", "uploaded"), result)
        return items[0]


class Broken(FaultCase):
    size = 3_000_000

    def test_reset(self):
        for fault in ("reset", "fin"):
            with self.subTest(fault=fault):
                result = self.send(fault, NETWORK)
                self.assertEqual(self.puts(fault), 1 + RETRIES, result)
                self.assertEqual(len(result.all("retry")), RETRIES, result)
        self.assertEqual(len(self.queue_items()), 2)

    def test_reset_then_better(self):
        result = self.send("reset-then-take", OK)
        self.assertEqual(self.puts("reset-then-take"), 3, result)
        self.assert_there("reset-then-take")

    def test_queue_goes_on(self):
        """What was given up is sent later, when the server has recovered."""
        self.server.fail_times = RETRIES + 1
        self.assert_queued(self.send("reset-then-take", NETWORK))
        self.send_queue("--all", token=TOKEN)
        self.assert_there("reset-then-take")
        self.assertEqual([item["state"] for item in self.queue_items()], ["done"])

    def test_refused(self):
        self.target("there", Kind="put", URL=f"http://127.0.0.1:{free_port()}/x", Auth="bearer")
        self.assert_queued(self.upload(self.path, "there", token=TOKEN, expect=NETWORK))

    def test_no_such_host(self):
        self.target("there", Kind="put", URL="https://nope.invalid/x", Auth="bearer")
        self.assert_queued(self.upload(self.path, "there", token=TOKEN, expect=NETWORK))

    def test_black_hole(self):
        """A server whose queue of connections is full: nobody ever answers."""
        with socket.socket() as hole, socket.socket() as first:
            hole.bind(("127.0.0.1", 0))
            hole.listen(0)
            first.connect(hole.getsockname())
            port = hole.getsockname()[1]
            self.target("there", Kind="put", URL=f"http://127.0.0.1:{port}/x", Auth="bearer",
                        network={"ConnectTimeout": 1, "Retries": 1})
            self.assert_queued(self.upload(self.path, "there", token=TOKEN, expect=NETWORK))


class OtherProtocol(FaultCase):
    """IPv6: by its address, and where the name has both and only one answers (localhost, in most other tests)."""

    def setUp(self):
        super().setUp()
        self.server = Fault("::1").start_for(self)

    def test_address(self):
        self.send("any", OK)
        self.assert_there("any")

    def test_name(self):
        self.target("there", Kind="put", URL=f"http://localhost:{self.server.port}/any", Auth="bearer")
        self.upload(self.path, "there", token=TOKEN)
        self.assert_there("any")


class Slow(FaultCase):
    size = 1_000_000

    def test_too_slow(self):
        result = self.send("slow", NETWORK, network={"LowSpeed": 65536, "LowSpeedTime": 1, "Retries": 0})
        self.assert_queued(result)

    def test_stalled(self):
        self.assert_queued(self.send("stalled", NETWORK, network={"LowSpeed": 1024, "LowSpeedTime": 1, "Retries": 0}))

    def test_slow_but_going_on(self):
        self.send("steady", OK, network={"LowSpeed": 1024, "LowSpeedTime": 2})
        self.assert_there("steady")

    def test_no_answer(self):
        """It has the file and says nothing."""
        result = self.send("hang", NETWORK, network={"LowSpeed": 1024, "LowSpeedTime": 1, "Retries": 0})
        self.assert_queued(result)
        self.assertNotIn(100, [event.get("percent") for event in result.all("progress")])


class LostReply(FaultCase):
    def test_put(self):
        """It looks before it sends again, and finds its own file."""
        self.send("lost-once", OK)
        self.assert_there("lost-once")
        self.assertEqual(self.puts("lost-once"), 1)


class Refused(FaultCase):
    def assert_final(self, fault, expect, tries=1):
        result = self.send(fault, expect)
        self.assertEqual(self.puts(fault), tries, result)
        self.assertFalse(result.all("retry"), result)
        return result

    def test_never_again(self):
        for status in (400, 404, 405, 415, 422):
            with self.subTest(status=status):
                self.assert_final(f"status/{status}", REJECTED)

    def test_credentials(self):
        for status, expect in ((401, AUTH), (403, AUTH)):
            with self.subTest(status=status):
                self.assert_final(f"status/{status}", expect)

    def test_later_states(self):
        """Each is tried again, and not for ever."""
        for status in (408, 425, 429, 500, 502, 503, 504):
            with self.subTest(status=status):
                result = self.send(f"status/{status}", NETWORK, network={"Retries": 1})
                self.assertEqual(self.puts(f"status/{status}"), 2, result)

    def test_expectation(self):
        """417: once more without Expect, in the same try."""
        self.size = 3_000_000
        self.path = self.archive(self.size, seed=2)
        self.send("417", OK)
        self.assert_there("417")

    def test_escapes(self):
        """A refusal cannot write on the terminal."""
        result = self.send("escapes", REJECTED)
        for text in (result.stderr, result.out.replace("\\u001b", "\x1b")):
            for bad in ("\x1b", "\x07", "\u202e", "\\u202e", "\\u0007"):
                self.assertNotIn(bad, text)


class Later(FaultCase):
    def test_flaky(self):
        """503 twice, then the file is taken."""
        result = self.send("flaky", OK)
        self.assertEqual(self.puts("flaky"), 3, result)
        self.assert_there("flaky")

    def test_when(self):
        """All the ways to say how long."""
        self.server.fail_times = 1
        for fault in ("429", "429-date", "429-none", "429-reset", "429-negative", "429-rubbish"):
            with self.subTest(fault=fault):
                result = self.send(fault, OK)
                self.assertEqual(self.puts(fault), 2, result)
                self.assert_there(fault)

    def test_seconds_are_heeded(self):
        retries = self.send("429", OK).all("retry")
        self.assertGreaterEqual(min(retry["in_sec"] for retry in retries), 1, retries)

    def test_absurd(self):
        """Thirty years are not believed."""
        result = self.send("429-absurd", OK)
        self.assertEqual(self.puts("429-absurd"), 3, result)

    def test_long(self):
        """Two hours are, but nobody waits that long: it stays in the queue, and is not due before."""
        result = self.send("429-long", NETWORK)
        self.assertEqual(self.puts("429-long"), 1, result)
        self.assertGreater(self.assert_queued(result)["next_try_sec"], time.time() + 7000)
        self.send_queue("--due", token=TOKEN)
        self.assertEqual(self.puts("429-long"), 1)


class Rubbish(FaultCase):
    def test_no_answer_at_all(self):
        """After the whole file: it is not believed, and not sent again before a look (which finds nothing)."""
        for fault in ("truncated", "empty"):
            with self.subTest(fault=fault):
                result = self.send(fault, NETWORK)
                self.assertFalse(result.all("sent"), result)
                self.assertLessEqual(self.puts(fault), 1 + RETRIES, result)

    def test_not_http(self):
        for fault in ("no-http", "nul", "header-flood"):
            with self.subTest(fault=fault):
                result = self.send_any(fault)
                self.assertFalse(result.all("sent"), result)
                self.assertIn(result.status, (FAILED, NETWORK, REJECTED), result)
                self.assertLessEqual(self.puts(fault), 1 + RETRIES, result)

    def test_huge(self):
        """An answer of 1 GiB is not read."""
        result = self.send_any("huge")
        self.assertIn(result.status, (FAILED, NETWORK, REJECTED), result)
        self.assertLess(self.server.huge_sent, 64 * MEGABYTE, "so much of it was taken")

    def send_any(self, fault):
        return self.run_program("upload", self.path, "--target", self.fault_target(fault), "--consent-upload", "--json",
                                token=TOKEN)


class BehindAFilter(Case):
    """nginx with something between that breaks connections."""

    def setUp(self):
        super().setUp()
        self.nginx = Nginx().start_for(self)
        self.between = Between((self.nginx.host, self.nginx.port)).start_for(self)
        self.path = self.archive(3_000_000)
        self.target("there", Kind="put", URL=self.between.url + "/bearer", Auth="bearer")

    def stored(self):
        return sorted(path.name for path in self.nginx.stored("/bearer").iterdir() if ".tar." in path.name)

    def test_lost_reply(self):
        self.between.rule("PUT", ".*", "lose-reply")
        self.upload(self.path, "there", token=TOKEN)
        self.assertEqual(self.stored(), [self.path.name])
        self.assert_same_file(self.path, self.nginx.stored("/bearer/" + self.path.name))

    def test_cut(self):
        self.between.rule("PUT", ".*", "cut", after_bytes=MEGABYTE)
        result = self.upload(self.path, "there", token=TOKEN)
        self.assertEqual(len(result.all("retry")), 1, result)
        self.assertEqual(self.stored(), [self.path.name])
        self.assert_same_file(self.path, self.nginx.stored("/bearer/" + self.path.name))

    def test_progress(self):
        """Never backwards within a try, and the total is reached only after the server's yes."""
        events = self.upload(self.path, "there", token=TOKEN).events
        done = [event["bytes"] for event in events if event.get("event") == "progress"]
        self.assertEqual(done, sorted(done))
        total = [index for index, event in enumerate(events)
                 if event.get("event") == "progress" and event["bytes"] >= event["total"]]
        self.assertTrue(total, "it never reached the total")
        self.between.rule("PUT", ".*", "refuse", status="403 Forbidden")
        other = self.archive(3_000_000, seed=2)
        refused = self.upload(other, "there", token=TOKEN, expect=AUTH)
        self.assertFalse([event for event in refused.all("progress") if event["bytes"] >= event["total"]], refused)


if __name__ == "__main__":
    unittest.main()
