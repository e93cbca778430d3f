# SPDX-License-Identifier: GPL-2.0-or-later
"""GitLab's API (a stub that is as strict as its documentation): upload, issue, note, and what must not be believed."""

import json
import unittest
import urllib.parse

from harness import AUTH, NOT_FILED, REJECTED, Case
from servers.gitlab_stub import CAPTCHA, SPAM, GitLab
from servers.stub import Reply, json_reply

MEGABYTE = 1 << 20
TOKEN = "good-token"
UPLOADS, ISSUES = r"/api/v4/projects/.*/uploads", r"/api/v4/projects/.*/issues"


class GitLabCase(Case):
    def setUp(self):
        super().setUp()
        self.gitlab = GitLab().start_for(self)
        self.old = self.gitlab.add_issue("boss", "The display stays black", "On this card.")
        self.path = self.archive()

    def gitlab_target(self, **keys):
        return self.target("there", **{"Kind": "gitlab", "URL": self.gitlab.url, "Project": "drm/nouveau",
                                       "Auth": "bearer", "Version": None, **keys})

    def send(self, *arguments, path=None, token=TOKEN, **options):
        if not (self.config / "targets.d/there.conf").exists():
            self.gitlab_target()
        result = self.upload(path or self.path, "there", *arguments, token=token, **options)
        self.assertEqual(self.gitlab.broken, [])
        self.assertTrue(self.gitlab.no_token_in_addresses())
        return result

    def into_old(self, **options):
        return self.send("--issue", self.old["web_url"], **options)

    def only_issue(self):
        made = self.gitlab.issues[1:]
        self.assertEqual(len(made), 1, "so many issues were made")
        return made[0]

    def assert_linked(self, text, *paths):
        """The text links to these files, and they are what was sent."""
        files = self.gitlab.linked(text)
        self.assertEqual([file and file.name for file in files], [path.name for path in paths])
        for file, path in zip(files, paths):
            self.assert_same_file(path, file.path)

    def uploads(self):
        return self.gitlab.posts(UPLOADS)


class NewIssue(GitLabCase):
    def test_with_file(self):
        self.gitlab_target(Labels=["mmiotrace", "needs info"])
        result = self.send()
        issue = self.only_issue()
        preview = result.last("preview")
        self.assertEqual(result.url, issue["web_url"])
        self.assertEqual(result.last("inquiry")["who"], "alice")
        self.assertEqual((issue["title"], issue["labels"], issue["confidential"]),
                         (preview["title"], ["mmiotrace", "needs info"], False))
        self.assertTrue(issue["description"].startswith(preview["body"]), issue["description"])
        self.assert_linked(issue["description"], self.path)

    def test_private_token(self):
        self.gitlab_target(Auth="header:PRIVATE-TOKEN")
        self.send()
        self.assert_linked(self.only_issue()["description"], self.path)

    def test_confidential(self):
        self.gitlab_target(Confidential=True)
        self.send()
        self.assertTrue(self.only_issue()["confidential"])

    def test_in_parts(self):
        self.gitlab_target(MaxSize=MEGABYTE, OnTooBig="split")
        path = self.archive(3 * MEGABYTE, seed=2)
        self.send(path=path)
        files = self.gitlab.linked(self.only_issue()["description"])
        self.assertNotIn(None, files)
        parts = sorted((file for file in files if file.name[-3:].isdigit()), key=lambda file: file.name)
        self.assertGreaterEqual(len(parts), 3)
        self.assertEqual(b"".join(part.path.read_bytes() for part in parts), path.read_bytes())

    def test_twice(self):
        """Somebody has filed it already: nothing is sent."""
        report_id = self.send().last("sent")["report_id"]
        other = GitLab().start_for(self)
        found = other.add_issue("bob", f"trace [{report_id[:8]}]", f"Report-ID: {report_id}\n")
        self.gitlab_target(URL=other.url)
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertEqual(result.last("inquiry")["duplicate"], found["web_url"], result)
        self.assertEqual(other.posts(".*"), 0)

    def test_not_twice(self):
        """The digits alone are not enough, and spam does not count."""
        report_id = self.send().last("sent")["report_id"]
        for name, text, labels in (("digits", "Report-ID: 00000000-0000-0000-0000-000000000000", []),
                                   ("spam", f"Report-ID: {report_id}", ["Spam"])):
            with self.subTest(name=name):
                other = GitLab().start_for(self)
                other.add_issue("bob", f"trace [{report_id[:8]}]", text, labels=labels)
                self.target(name, Kind="gitlab", URL=other.url, Project="drm/nouveau", Auth="bearer", Version=None)
                result = self.upload(self.path, name, token=TOKEN)
                self.assertIsNone(result.last("inquiry")["duplicate"])
                self.assertEqual(result.url, other.issues[1]["web_url"])


class Note(GitLabCase):
    def test_with_file(self):
        result = self.into_old()
        self.assertEqual(len(self.gitlab.issues), 1)
        (note,) = self.gitlab.notes[1]
        self.assertEqual(result.url, f"{self.old['web_url']}#note_{note['id']}")
        self.assertIn(result.last("sent")["report_id"], note["body"])
        self.assert_linked(note["body"], self.path)

    def test_lost_reply(self):
        self.gitlab.fault("POST", ".*/notes", "lose-reply")
        result = self.into_old()
        (note,) = self.gitlab.notes[1]
        self.assertEqual(result.url, f"{self.old['web_url']}#note_{note['id']}")
        self.assertEqual(self.uploads(), 1)

    def test_unknown(self):
        """Found out before the file is sent."""
        result = self.send("--issue", f"{self.gitlab.url}/drm/nouveau/-/issues/77", expect=REJECTED)
        self.assertIn("issue 77 does not exist, or your account may not see it", result.stderr)
        self.assertEqual(self.uploads(), 0)


class LostReply(GitLabCase):
    def test_issue(self):
        self.gitlab.fault("POST", ISSUES, "lose-reply")
        result = self.send()
        self.assertEqual(result.url, self.only_issue()["web_url"])
        self.assertEqual(self.uploads(), 1)

    def test_stale_index(self):
        """The search does not know it yet: it is among the account's newest."""
        self.gitlab.stale_index = True
        self.gitlab.fault("POST", ISSUES, "lose-reply")
        self.send()
        self.only_issue()

    def test_upload(self):
        """What was uploaded cannot be looked for: it is sent again, and one of both is linked."""
        self.gitlab.fault("POST", UPLOADS, "lose-reply")
        self.send()
        self.assert_linked(self.only_issue()["description"], self.path)
        self.assertEqual(self.uploads(), 2)

    def test_no_number(self):
        """A yes without the number of the issue: it is looked for."""
        self.gitlab.issue_answer = {"iid": None, "web_url": None}
        result = self.send()
        self.assertEqual(result.url, self.only_issue()["web_url"])

    def test_later(self):
        """Too many requests, with the header that GitLab really sends."""
        self.gitlab.fault("POST", ISSUES, json_reply("429 Too Many Requests", {"message": "slow"}, {
            "RateLimit-Reset": 1, "Retry-After": 1}))
        result = self.send()
        self.assertEqual(len(result.all("retry")), 1)
        self.only_issue()
        self.assertEqual(self.uploads(), 1)


class Refused(GitLabCase):
    def test_wrong_token(self):
        self.send(token="wrong-token", expect=AUTH)
        self.assertEqual((self.uploads(), len(self.gitlab.issues)), (0, 1))

    def test_token_later(self):
        """Revoked between file and issue. With a new one it goes on, and the file is not sent again."""
        self.gitlab.fault("POST", ISSUES, json_reply("401 Unauthorized", {"message": "401 Unauthorized"}))
        self.send(expect=AUTH)
        self.gitlab.tokens = {"new-token": "alice"}
        self.send_queue("--all", token="new-token")
        self.assert_linked(self.only_issue()["description"], self.path)
        self.assertEqual(self.uploads(), 1)

    def test_scope(self):
        result = self.send(token="read-token", expect=AUTH)
        self.assertIn('the token lacks the scope "api"', result.stderr)

    def test_hidden_project(self):
        """404 is all that GitLab says of a project that one may not see."""
        self.gitlab.members_only, self.gitlab.members = True, {"boss"}
        result = self.send(expect=REJECTED)
        self.assertIn("project drm/nouveau does not exist, or your account may not see it", result.stderr)

    def test_too_big(self):
        self.gitlab.max_bytes = MEGABYTE
        self.gitlab_target(OnTooBig="save")
        result = self.send(path=self.archive(2 * MEGABYTE, seed=2), expect=REJECTED)
        self.assertEqual((self.uploads(), len(result.all("retry"))), (1, 0), result)
        self.assertEqual(len(self.gitlab.issues), 1)

    def test_too_big_in_words(self):
        """Some versions say it with 400."""
        self.gitlab.fault("POST", UPLOADS, json_reply("400 Bad Request", {"message": "file is too big"}))
        self.gitlab_target(OnTooBig="save")
        result = self.send(expect=REJECTED)
        self.assertIn(f"the archive is saved: {self.path}", result.stderr)

    def test_no_project(self):
        """A target file that lacks what the kind needs."""
        self.gitlab_target(Project=None)
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertNotEqual(result.status, 0)
        self.assertIn("Project", result.stderr)
        self.assertEqual(len(self.gitlab.requests), 0)


class Spam(GitLabCase):
    """The server wants to see a person: everything is prepared for one."""

    def page(self, result):
        """The address that the person is told, and what it fills in."""
        told = [message["detail"] for message in result.all("message") if message["id"] == "finish"]
        self.assertEqual(len(told), 1, result)
        self.assertLess(len(told[0]), 8000, "no web server takes such an address")
        address = urllib.parse.urlsplit(told[0])
        self.assertEqual(address.path, "/drm/nouveau/-/issues/new")
        return dict(urllib.parse.parse_qsl(address.query))

    def assert_prepared(self, answer):
        self.gitlab.fault("POST", ISSUES, answer)
        result = self.send(expect=NOT_FILED)
        filled = self.page(result)
        self.assertEqual(filled["issue[title]"], result.last("preview")["title"])
        self.assertIn(f"Report-ID: {result.last('preview')['report_id']}", filled["issue[description]"])
        self.assert_linked(filled["issue[description]"], self.path)
        self.assertEqual(len(self.gitlab.issues), 1)
        self.assertEqual([item["state"] for item in self.queue_items()], ["uploaded"])

    def test_spam(self):
        self.assert_prepared(SPAM)

    def test_captcha(self):
        self.assert_prepared(CAPTCHA)

    def test_goes_on(self):
        """The person has solved it there; `queue send` files it with the file that was sent before."""
        self.assert_prepared(CAPTCHA)
        (item,) = self.queue_items()
        self.send_queue(item["id"], token=TOKEN)
        self.assert_linked(self.only_issue()["description"], self.path)
        self.assertEqual(self.uploads(), 1)

    def test_note(self):
        """Of a note there is no such page: the issue itself is opened."""
        self.gitlab.fault("POST", ".*/notes", CAPTCHA)
        result = self.into_old(expect=NOT_FILED)
        told = [message["detail"] for message in result.all("message") if message["id"] == "finish"]
        self.assertEqual(told, [self.old["web_url"]])


class Hostile(GitLabCase):
    def test_address_of_the_file(self):
        """What would become text of the issue."""
        for address in ("//evil.example/x", "https://evil.example/x", "/uploads/../../x", "/uploads/a b",
                        "/elsewhere/x", "/uploads/x)\n\n[click](https://evil.example/", "/uploads/\x1b[31m",
                        "/uploads/" + "a" * 600,
                        "/uploads//evil", None, 5, ["/uploads/x"]):
            with self.subTest(address=address):
                self.gitlab.upload_answer = {"url": address}
                result = self.send(expect=REJECTED)
                self.assertIn("lacks a usable address of the file", result.stderr)
        self.assertEqual(len(self.gitlab.issues), 1)

    def test_markdown(self):
        """It is not taken over."""
        self.gitlab.upload_answer = {"markdown": "@all [click](https://evil.example/)", "full_path": "//evil.example",
                                     "alt": "](https://evil.example/)["}
        self.send()
        self.assertNotIn("evil", self.only_issue()["description"])
        self.assert_linked(self.only_issue()["description"], self.path)

    def test_address_of_the_issue(self):
        """It is shown and opened: only that of the same server is taken."""
        own = f"{self.gitlab.url}/drm/nouveau/-/issues/"
        for number, address in enumerate(("https://evil.example/1", "javascript:alert(1)",
                                          f"{self.gitlab.url}/\x1b[31m",
                                          f"http://user:pass@127.0.0.1:{self.gitlab.port}/x", 7), 2):
            with self.subTest(address=address):
                self.gitlab.issue_answer = {"web_url": address}
                result = self.send(path=self.archive(seed=100 + number))
                self.assertEqual(result.url, f"{own}{number}")

    def test_types(self):
        """Numbers as texts, texts as numbers, lists of rubbish."""
        self.gitlab.fault("GET", "/api/v4/user", json_reply("200 OK", {"username": ["alice"]}))
        rubbish = [7, None, {"description": 5}, {"description": {}}]
        self.gitlab.fault("GET", ISSUES, json_reply("200 OK", rubbish), times=2)
        self.send()
        self.only_issue()

    def test_name(self):
        """What an account is called goes to the terminal."""
        self.gitlab.tokens[TOKEN] = "ali\x1b]0;owned\x07ce"
        result = self.send()
        for bad in ("\x1b", "\x07"):
            self.assertNotIn(bad, result.stderr)
            self.assertNotIn(json.dumps(bad)[1:-1], result.out)

    def test_rubbish(self):
        """An answer that makes no sense is no yes: it is looked for."""
        self.gitlab.fault("POST", ISSUES, Reply("201 Created", b"[[[[", {"Content-Type": "application/json"}))
        result = self.send()
        self.assertEqual(result.url, self.only_issue()["web_url"])

    def test_page(self):
        """A page for logging in is no yes."""
        self.gitlab.fault("POST", UPLOADS, Reply("200 OK", b"<html>Sign in", {"Content-Type": "text/html"}))
        result = self.send(expect=REJECTED)
        self.assertIn("it answered with a web page", result.stderr)
        self.assertEqual(len(self.gitlab.issues), 1)


class LongText(GitLabCase):
    def test_page_fits(self):
        """A long text in the page for the browser is cut; link and number stay."""
        (self.config / "targets.d/long.md").write_text("x" * 20000 + "\n@DESCRIPTION@\n")
        self.gitlab_target(BodyFile="long.md")
        self.gitlab.fault("POST", ISSUES, SPAM)
        result = self.send(expect=NOT_FILED)
        filled = Spam.page(self, result)
        self.assertIn(f"Report-ID: {result.last('preview')['report_id']}", filled["issue[description]"])
        self.assert_linked(filled["issue[description]"], self.path)


if __name__ == "__main__":
    unittest.main()
