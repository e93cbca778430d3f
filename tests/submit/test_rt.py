# SPDX-License-Identifier: GPL-2.0-or-later
"""A real Request Tracker: tickets and replies with their files, and attachments that it cuts without a word."""

import base64
import unittest

from harness import AUTH, REJECTED, Case, sha256_of
from servers.fault import Between
from servers.rt import PASSWORD, RequestTracker

MEGABYTE = 1 << 20
# More than the parts have that the program makes, less than BIG; in this database everything is a third larger.
LIMIT = 14_000_000
BIG = 12_000_000
DROP = f"Set($MaxAttachmentSize, {LIMIT});\nSet($DropLongAttachments, 1);"


def setUpModule():
    global rt
    rt = RequestTracker(more=DROP).start_for(unittest)


class RtCase(Case):
    def setUp(self):
        super().setUp()
        self.before = set(rt.tickets())
        # Another content for each test: otherwise the report of an earlier one would be found.
        self.seed = sum(map(ord, self.id()))
        self.path = self.archive(seed=self.seed, name=f"n{self.seed}-mmiotrace.tar.gz")

    def rt_target(self, url=None, **keys):
        return self.target("there", **{"Kind": "rt", "URL": url or rt.url, "Queue": "traces", "Version": None,
                                       "Auth": "header:Authorization", **keys})

    def made(self):
        return [number for number in rt.tickets() if number not in self.before]

    def only_ticket(self):
        tickets = self.made()
        self.assertEqual(len(tickets), 1, "so many tickets were made")
        return tickets[0]

    def messages(self, ticket, report_id):
        """Messages that name the report (not the mails about them): [(how it came in, text)]"""
        messages = []
        for item in rt.api(f"/ticket/{ticket}/history?fields=Type&per_page=100")["items"]:
            if item["Type"] not in ("Create", "Correspond", "Comment"):
                continue
            for piece in rt.api(f"/transaction/{item['id']}/attachments?per_page=100")["items"]:
                content = rt.api(f"/attachment/{piece['id']}")
                text = base64.b64decode(content.get("Content") or "").decode(errors="replace")
                if content["ContentType"] == "text/plain" and report_id in text:
                    messages.append((item["Type"], text))
        return messages

    def assert_one_message(self, ticket, result, kind):
        self.assertEqual([how for how, _ in self.messages(ticket, result.last("sent")["report_id"])], [kind])

    def assert_attached(self, ticket, path):
        pieces = [piece for piece in rt.attachments(ticket) if piece["Filename"] == path.name]
        self.assertEqual(len(pieces), 1)
        self.assertEqual(sha256_of(pieces[0]["Content"]), self.sha256(path))


class NewTicket(RtCase):
    def test_with_file(self):
        self.rt_target()
        result = self.upload(self.path, "there", token=rt.token)
        number = self.only_ticket()
        ticket = rt.api(f"/ticket/{number}")
        preview = result.last("preview")
        self.assertEqual(result.url, f"{rt.url}/Ticket/Display.html?id={number}")
        self.assertEqual(result.last("inquiry")["who"], "reporter")
        self.assertEqual(ticket["Subject"], preview["title"])
        self.assertEqual([user["id"] for user in ticket["Requestor"]], ["reporter"])
        ((kind, text),) = self.messages(number, preview["report_id"])
        self.assertEqual(kind, "Create")
        self.assertEqual(text.strip(), preview["body"].strip())
        self.assert_attached(number, self.path)

    def test_password(self):
        self.rt_target(Auth="basic", User="reporter")
        self.upload(self.path, "there", token=PASSWORD)
        self.assert_attached(self.only_ticket(), self.path)

    def test_lost_reply(self):
        between = Between((rt.host, rt.port)).start_for(self)
        between.rule("POST", "/REST/2.0/ticket", "lose-reply")
        self.rt_target(between.url)
        result = self.upload(self.path, "there", token=rt.token)
        number = self.only_ticket()
        self.assertEqual(result.url, f"{between.url}/Ticket/Display.html?id={number}")
        self.assert_attached(number, self.path)
        self.assertEqual(between.count("POST", "/REST/2.0/ticket"), 1)

    def test_verified_later(self):
        """The ticket is there, the question what became of its file fails: no second message."""
        between = Between((rt.host, rt.port)).start_for(self)
        between.rule("GET", "/REST/2.0/ticket/.*", "refuse")
        self.rt_target(between.url)
        result = self.upload(self.path, "there", token=rt.token)
        self.assert_attached(self.only_ticket(), self.path)
        self.assert_one_message(self.only_ticket(), result, "Create")

    def test_twice(self):
        """The same archive again, from another home: it is found, and nothing is sent."""
        self.rt_target()
        first = self.upload(self.path, "there", token=rt.token)
        other = type(self)("test_twice")
        other.setUp()
        self.addCleanup(other.doCleanups)
        other.rt_target()
        result = other.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json",
                                   token=rt.token)
        self.assertEqual(result.last("inquiry")["duplicate"], first.url, result)
        self.only_ticket()

    def test_dropped(self):
        """RT takes 12 MB with a yes, and keeps nothing of it: smaller parts go into the same ticket."""
        path = self.archive(BIG, seed=self.seed, name=f"big{self.seed}-mmiotrace.tar.gz")
        self.rt_target(OnTooBig="split")
        self.upload(path, "there", token=rt.token)
        pieces = {piece["Filename"]: piece["Content"] for piece in rt.attachments(self.only_ticket())}
        parts = sorted(name for name in pieces if name[-3:].isdigit())
        self.assertGreaterEqual(len(parts), 2, list(pieces))
        self.assertEqual(sha256_of(b"".join(pieces[name] for name in parts)), self.sha256(path))


class Reply(RtCase):
    def reply(self, ticket, url=None, **options):
        base = url or rt.url
        return self.upload(self.path, "there", "--issue", f"{base}/Ticket/Display.html?id={ticket}", token=rt.token,
                           **options)

    def test_with_file(self):
        self.rt_target()
        result = self.reply(rt.ticket)
        self.assertFalse(self.made())
        self.assertEqual(result.url, f"{rt.url}/Ticket/Display.html?id={rt.ticket}")
        self.assert_one_message(rt.ticket, result, "Correspond")
        self.assert_attached(rt.ticket, self.path)

    def test_only_comments(self):
        """Where the account may not reply, it is a comment."""
        self.rt_target()
        result = self.reply(rt.noted)
        self.assert_one_message(rt.noted, result, "Comment")
        self.assert_attached(rt.noted, self.path)

    def test_lost_reply(self):
        between = Between((rt.host, rt.port)).start_for(self)
        between.rule("POST", ".*/correspond", "lose-reply")
        self.rt_target(between.url)
        result = self.reply(rt.ticket, between.url)
        self.assert_one_message(rt.ticket, result, "Correspond")
        self.assert_attached(rt.ticket, self.path)

    def test_unknown(self):
        self.rt_target()
        result = self.reply(99999, expect=REJECTED)
        self.assertIn("does not exist, or your account may not see it", result.stderr)


class Refused(RtCase):
    def test_wrong_token(self):
        for token in (rt.token[:-1] + "x", "no-token-of-rt"):
            with self.subTest(token=token):
                self.rt_target()
                self.upload(self.path, "there", token=token, expect=AUTH)
        self.assertFalse(self.made())

    def test_wrong_password(self):
        self.rt_target(Auth="basic", User="reporter")
        self.upload(self.path, "there", token="wrong", expect=AUTH)

    def test_closed_queue(self):
        self.rt_target(Queue="closed")
        result = self.upload(self.path, "there", token=rt.token, expect=REJECTED)
        self.assertIn("queue closed does not exist, or your account may not see it", result.stderr)
        self.assertFalse(self.made())

    def test_wrong_path(self):
        """Outside of REST RT answers with a page for logging in, and says 200: that is no success."""
        self.rt_target(rt.url + "/elsewhere")
        result = self.upload(self.path, "there", token=rt.token, expect=REJECTED)
        self.assertIn("it answered with a web page", result.stderr)


if __name__ == "__main__":
    unittest.main()
