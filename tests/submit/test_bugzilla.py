# SPDX-License-Identifier: GPL-2.0-or-later
"""Bugzilla (a stub with the error codes of its source): the key, base64, large files, and answers with codes."""

import unittest

from harness import AUTH, NETWORK, PROGRAM, REJECTED, Case
from servers.bugzilla_stub import Bugzilla
from servers.stub import Reply

MEGABYTE = 1 << 20
TOKEN = "good-token"
ATTACH = r"/rest/bug/\d+/attachment"


class BugzillaCase(Case):
    header = False

    def setUp(self):
        super().setUp()
        self.bugzilla = Bugzilla(header=self.header).start_for(self)
        self.old = self.bugzilla.add_bug("The display stays black", "On this card.")
        self.path = self.archive()

    def bugzilla_target(self, **keys):
        return self.target("there", **{"Kind": "bugzilla", "URL": self.bugzilla.url, "Product": "Drivers",
                                       "Component": "Video", "Version": "2.5",
                                       "Auth": "header:X-BUGZILLA-API-KEY" if self.header else "json:api_key", **keys})

    def send(self, *arguments, path=None, token=TOKEN, **options):
        if not (self.config / "targets.d/there.conf").exists():
            self.bugzilla_target()
        result = self.upload(path or self.path, "there", *arguments, token=token, **options)
        self.assertEqual(self.bugzilla.broken, [])
        self.assertTrue(self.bugzilla.no_token_in_addresses())
        return result

    def url_of(self, number):
        return f"{self.bugzilla.url}/show_bug.cgi?id={number}"

    def only_bug(self):
        made = [bug for number, bug in self.bugzilla.bugs.items() if number != self.old]
        self.assertEqual(len(made), 1, "so many bugs were filed")
        return made[0]

    def assert_attached(self, number, *paths):
        attached = self.bugzilla.attachments[number]
        self.assertEqual([entry["file_name"] for entry in attached], [path.name for path in paths])
        for entry, path in zip(attached, paths):
            self.assert_same_file(path, entry["file"].path)


class NewBug(BugzillaCase):
    def test_with_file(self):
        result = self.send()
        bug = self.only_bug()
        preview = result.last("preview")
        self.assertEqual(result.url, self.url_of(bug["id"]))
        self.assertEqual((bug["summary"], bug["comments"][0], bug["version"], bug["creator"]),
                         (preview["title"], preview["body"], "2.5", "alice"))
        self.assert_attached(bug["id"], self.path)
        self.assertEqual(self.bugzilla.attachments[bug["id"]][0]["file"].content_type, "application/gzip")

    def test_default_version(self):
        self.bugzilla_target(Version=None)
        self.send()
        self.assertEqual(self.only_bug()["version"], "unspecified")

    def test_all_lengths(self):
        """Base64 ends in none, one or two "="."""
        lengths = set()
        for seed in range(2, 40):
            path = self.archive(30_000 + seed, seed=seed)
            if path.stat().st_size % 3 in lengths:
                continue
            lengths.add(path.stat().st_size % 3)
            self.send(path=path)
            self.assert_same_file(path, self.bugzilla.files[-1].path)
        self.assertEqual(lengths, {0, 1, 2})

    def test_in_parts(self):
        self.bugzilla.max_kib = 1024
        self.bugzilla_target(OnTooBig="split")
        path = self.archive(3 * MEGABYTE, seed=2)
        self.send(path=path)
        attached = self.bugzilla.attachments[self.only_bug()["id"]]
        parts = sorted((entry for entry in attached if entry["file_name"][-3:].isdigit()),
                       key=lambda entry: entry["file_name"])
        self.assertGreaterEqual(len(parts), 3)
        self.assertEqual(b"".join(part["file"].path.read_bytes() for part in parts), path.read_bytes())

    def test_large(self):
        """150 MB are never whole in memory, and their base64 not either."""
        self.bugzilla.max_local_mib = 200
        path = self.archive(150_000_000, seed=3)
        # The sanitizers' own memory is larger than that.
        sanitized = b"__asan_init" in PROGRAM.read_bytes()
        self.send(path=path, before=[] if sanitized else ["prlimit", "--data=80000000"])
        self.assert_attached(self.only_bug()["id"], path)

    def test_long_text(self):
        """Bugzilla refuses more than 65535 characters: the middle is left out, not the number of the report."""
        (self.config / "targets.d/long.txt").write_text("x" * 501 + "\u00e4" * 32400 + "\n@DESCRIPTION@\n")
        self.bugzilla_target(BodyFile="long.txt")
        report_id = self.send().last("sent")["report_id"]
        text = self.only_bug()["comments"][0]
        self.assertLessEqual(len(text.encode()), 65000)
        self.assertTrue(text.startswith("x" * 501 + "\u00e4"))
        self.assertIn(f"\u00e4\n[...]\n\nReport-ID: {report_id}\n", text)

    def test_strange_key(self):
        """It is put into JSON as text."""
        key = 'a"b\\c","product":"x'
        self.bugzilla.tokens = {key: "alice"}
        self.send(token=key)
        self.assert_attached(self.only_bug()["id"], self.path)

    def test_key_only_in_bodies(self):
        self.send()
        for request in self.bugzilla.requests:
            self.assertNotIn(TOKEN, f"{request.target}{request.headers}")
        self.assertTrue([body for body in self.bugzilla.bodies() if body.get("api_key") == TOKEN])

    def test_twice(self):
        self.send()
        self.archive_state_is_lost()
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertEqual(result.last("inquiry")["duplicate"], self.url_of(self.only_bug()["id"]), result)
        self.only_bug()

    def test_not_twice(self):
        """The digits alone are not enough, and what was closed as no report does not count."""
        report_id = self.send().last("sent")["report_id"]
        self.archive_state_is_lost()
        self.only_bug()["resolution"] = "INVALID"
        self.bugzilla.add_bug(f"trace [{report_id[:8]}]", "Report-ID: 00000000-0000-0000-0000-000000000000")
        result = self.send()
        self.assertIsNone(result.last("inquiry")["duplicate"])
        self.assertEqual(len(self.bugzilla.bugs), 4)

    def archive_state_is_lost(self):
        for item in self.queue_items():
            self.run_program("queue", "drop", item["id"], "--yes")
        self.assertEqual(self.queue_items(), [])

    def test_account(self):
        """Stock Bugzilla does not tell whose key it is, but whether it takes it."""
        self.bugzilla_target()
        good = self.run_program("targets", "test-auth", "there", "--json", token=TOKEN)
        self.assertEqual((good.status, good.last("account")["who"]), (0, None), good)
        self.assertEqual(self.run_program("targets", "test-auth", "there", token="bad").status, AUTH)


class Existing(BugzillaCase):
    def into_old(self, number=None, **options):
        return self.send("--issue", self.url_of(number or self.old), **options)

    def test_with_file(self):
        result = self.into_old()
        self.assertEqual(result.url, self.url_of(self.old))
        self.assert_attached(self.old, self.path)
        self.assertEqual(self.bugzilla.bugs[self.old]["comments"][1:], [result.last("preview")["body"]])

    def test_lost_reply(self):
        self.bugzilla.fault("POST", ATTACH, "lose-reply")
        self.into_old()
        self.assert_attached(self.old, self.path)

    def test_unknown(self):
        """Found out before the file is sent."""
        result = self.into_old(99, expect=REJECTED)
        self.assertIn("Bug #99 does not exist", result.stderr)
        self.assertEqual(self.bugzilla.posts(ATTACH), 0)

    def test_hidden(self):
        """401, but the key is right: other credentials are not asked for."""
        self.bugzilla.hidden.add(self.old)
        self.bugzilla.tokens["bobs-token"] = "bob"
        result = self.into_old(token="bobs-token", expect=REJECTED)
        self.assertIn("You are not authorized to access bug", result.stderr)
        self.assertEqual(self.bugzilla.posts(ATTACH), 0)


class LostReply(BugzillaCase):
    def test_bug(self):
        self.bugzilla.fault("POST", "/rest/bug", "lose-reply")
        self.send()
        self.assert_attached(self.only_bug()["id"], self.path)
        self.assertEqual(self.bugzilla.posts("/rest/bug"), 1)

    def test_attachment(self):
        self.bugzilla.fault("POST", ATTACH, "lose-reply")
        self.send()
        self.assert_attached(self.only_bug()["id"], self.path)

    def test_without_rpc(self):
        """What everyone may see is enough to find it."""
        self.bugzilla.rpc = False
        self.bugzilla.fault("POST", "/rest/bug", "lose-reply")
        self.bugzilla.fault("POST", ATTACH, "lose-reply")
        self.send()
        self.assert_attached(self.only_bug()["id"], self.path)

    def test_trouble(self):
        """A server in front of it has trouble: tried again, and not for ever."""
        self.bugzilla.fault("POST", "/rest/bug", Reply("502 Bad Gateway", b"<html>bad"), times=9)
        result = self.send(expect=NETWORK)
        self.assertEqual(len(result.all("retry")), 2)
        self.assertEqual(len(self.bugzilla.bugs), 1)


class Refused(BugzillaCase):
    def test_wrong_key(self):
        """306 comes with status 400."""
        self.send(token="wrong", expect=AUTH)
        self.assertEqual(len(self.bugzilla.bugs), 1)

    def test_key_later(self):
        """Revoked between bug and attachment: the bug is not filed again."""
        self.bugzilla.fault("POST", ATTACH, Reply(
            "400 Bad Request", b'{"error":true,"code":306,"message":"The API key has been revoked."}'))
        self.send(expect=AUTH)
        self.assertEqual(self.bugzilla.attachments[self.only_bug()["id"]], [])
        self.bugzilla.tokens = {"new-token": "alice"}
        self.send_queue("--all", token="new-token")
        self.assert_attached(self.only_bug()["id"], self.path)

    def test_too_big(self):
        """It tells its limit: no bug is filed."""
        self.bugzilla_target(OnTooBig="save")
        result = self.send(path=self.archive(2 * MEGABYTE, seed=2), expect=REJECTED)
        self.assertEqual(result.last("inquiry")["limit"], 1000 << 10)
        self.assertEqual(self.bugzilla.posts("/rest/.*"), 0)

    def test_local_limit(self):
        """The larger of both limits counts."""
        self.bugzilla.max_local_mib = 5
        result = self.send(path=self.archive(2 * MEGABYTE, seed=2))
        self.assertEqual(result.last("inquiry")["limit"], 5 * MEGABYTE)

    def test_too_big_without_limit(self):
        """The limit is told only with the refusal (600): the parts go to the bug that was filed before."""
        self.bugzilla.rpc, self.bugzilla.max_kib = False, 9500
        self.bugzilla_target(OnTooBig="split")
        path = self.archive(12_000_000, seed=2)
        self.send(path=path)
        attached = self.bugzilla.attachments[self.only_bug()["id"]]
        parts = sorted((entry for entry in attached if entry["file_name"][-3:].isdigit()),
                       key=lambda entry: entry["file_name"])
        self.assertEqual(b"".join(part["file"].path.read_bytes() for part in parts), path.read_bytes())

    def test_names(self):
        for keys, words in (({"Product": "Nonsuch"}, "Either the product does not exist"),
                            ({"Component": "Nonsuch"}, "There is no component named so")):
            with self.subTest(keys=keys):
                self.bugzilla_target(**keys)
                self.assertIn(words, self.send(expect=REJECTED).stderr)
        self.assertEqual(len(self.bugzilla.bugs), 1)

    def test_attachment(self):
        """The bug is filed, its file is not taken: it says so, and the bug is not filed again."""
        refusal = Reply("400 Bad Request", b'{"error":true,"code":601,"message":"no \\u001b[31msuch type"}')
        self.bugzilla.fault("POST", ATTACH, refusal)
        result = self.send(expect=REJECTED)
        self.assertIn("such type (error 601)", result.stderr)
        self.assertNotIn("\x1b", result.stderr)
        self.only_bug()


class Header(NewBug):
    """As the forks do it: the key in a header, and everything by REST."""

    header = True

    def test_key_only_in_bodies(self):
        self.send()
        for request in self.bugzilla.requests:
            self.assertEqual(request.headers.get("x-bugzilla-api-key"), TOKEN)
            self.assertNotEqual(request.path, "/jsonrpc.cgi")
        self.assertFalse([body for body in self.bugzilla.bodies() if "api_key" in body])

    def test_account(self):
        result = self.send()
        self.assertEqual(result.last("inquiry")["who"], "alice")

    test_large = test_all_lengths = test_strange_key = None


if __name__ == "__main__":
    unittest.main()
