# SPDX-License-Identifier: GPL-2.0-or-later
"""A real Redmine: new issues and updates of issues, files and parts of files, and all the ways it says no."""

import json
import pathlib
import unittest

from harness import AUTH, NETWORK, NOT_FILED, REJECTED, Case
from servers.fault import Between
from servers.redmine import MAX_KIB, Redmine

MEGABYTE = 1 << 20
TEXT_OF_TARGET = {"Kind": "redmine", "Project": "nouveau", "Auth": "header:X-Redmine-API-Key", "Version": None}


def setUpModule():
    global redmine
    redmine = Redmine().start_for(unittest)


class RedmineCase(Case):
    def setUp(self):
        super().setUp()
        self.key = redmine.keys["reporter"]
        self.before = {issue["id"] for issue in redmine.issues()}
        # Another content for each test: otherwise the report of an earlier one would be found.
        self.seed = sum(map(ord, self.id()))
        self.path = self.archive(seed=self.seed)

    def redmine_target(self, url=None, **keys):
        return self.target("there", **{**TEXT_OF_TARGET, "URL": url or redmine.url, **keys})

    def made(self):
        """The issues that this test has made, the oldest first."""
        return [redmine.get_issue(issue["id"]) for issue in redmine.issues() if issue["id"] not in self.before]

    def only_issue(self):
        issues = self.made()
        self.assertEqual(len(issues), 1, "so many issues were made")
        return issues[0]

    def received(self, attachment):
        return redmine.download(attachment, self.folder / f"received-{attachment['id']}")

    def assert_attached(self, issue, path):
        found = [entry for entry in issue["attachments"] if entry["filename"] == path.name]
        self.assertEqual(len(found), 1, issue["attachments"])
        self.assert_same_file(path, self.received(found[0]))


class NewIssue(RedmineCase):
    def test_with_file(self):
        self.redmine_target(Tracker="Support")
        result = self.upload(self.path, "there", token=self.key)
        issue = self.only_issue()
        self.assertEqual(result.url, f"{redmine.url}/issues/{issue['id']}")
        self.assertEqual(result.last("inquiry")["who"], "reporter")
        self.assertEqual(issue["author"]["name"], "reporter Tester")
        self.assertEqual(issue["tracker"]["name"], "Support")
        preview = result.last("preview")
        self.assertEqual((issue["subject"], issue["description"].replace("\r\n", "\n").strip()),
                         (preview["title"], preview["body"].strip()))
        self.assertIn(f"Report-ID: {preview['report_id']}", issue["description"])
        self.assert_attached(issue, self.path)

    def test_tracker_by_number(self):
        self.redmine_target(Tracker=str(redmine.trackers["Feature"]))
        self.upload(self.path, "there", token=self.key)
        self.assertEqual(self.only_issue()["tracker"]["name"], "Feature")

    def test_in_parts(self):
        """All parts are attached to one issue, and together they are the archive."""
        path = self.archive(3 * MEGABYTE, seed=self.seed)
        self.redmine_target(MaxSize=MEGABYTE, OnTooBig="split")
        self.upload(path, "there", token=self.key)
        attachments = {entry["filename"]: entry for entry in self.only_issue()["attachments"]}
        parts = sorted(name for name in attachments if name[-3:].isdigit())
        self.assertGreaterEqual(len(parts), 3, attachments)
        self.assertEqual(b"".join(pathlib.Path(self.received(attachments[name])).read_bytes() for name in parts),
                         path.read_bytes())
        self.assertEqual(len(attachments), len(parts) + 1, "the note on how to join them is missing")

    def test_confidential(self):
        """The reporter may not hide issues: it says that it is visible."""
        self.redmine_target(Confidential=True)
        self.upload(self.path, "there", token=self.key)
        self.assertFalse(self.only_issue()["is_private"])
        (item,) = self.queue_items()
        self.assertIn(b"did not hide the report", (pathlib.Path(item["folder"]) / "state.json").read_bytes())

    def test_twice(self):
        """The same archive again, from another home: it is found, and nothing is sent."""
        self.redmine_target()
        first = self.upload(self.path, "there", token=self.key)
        other = type(self)("test_twice")
        other.setUp()
        self.addCleanup(other.doCleanups)
        other.redmine_target()
        result = other.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json",
                                   token=self.key)
        self.assertEqual(result.last("inquiry")["duplicate"], first.url, result)
        self.only_issue()

    def test_account(self):
        self.redmine_target()
        result = self.run_program("targets", "test-auth", "there", "--json", token=self.key)
        self.assertEqual((result.status, result.last("account")["who"]), (0, "reporter"), result)


class Update(RedmineCase):
    """Into the issue that was there."""

    def setUp(self):
        super().setUp()
        self.issue_url = f"{redmine.url}/issues/{redmine.issue}"

    def notes(self, report_id):
        return [entry["notes"] for entry in redmine.get_issue(redmine.issue)["journals"]
                if report_id in (entry["notes"] or "")]

    def test_with_file(self):
        self.redmine_target()
        path = self.archive(seed=self.seed, name="a-mmiotrace.tar.gz")
        result = self.upload(path, "there", "--issue", self.issue_url, token=self.key)
        self.assertEqual(result.url, self.issue_url)
        self.assertFalse(self.made())
        self.assertEqual(len(self.notes(result.last("sent")["report_id"])), 1)
        self.assert_attached(redmine.get_issue(redmine.issue), path)

    def test_lost_reply(self):
        """The update was taken, nobody heard of it: it is not made again."""
        between = Between((redmine.host, redmine.port)).start_for(self)
        between.rule("PUT", ".*", "lose-reply")
        self.redmine_target(between.url)
        path = self.archive(seed=self.seed, name="b-mmiotrace.tar.gz")
        result = self.upload(path, "there", "--issue", f"{between.url}/issues/{redmine.issue}", token=self.key)
        self.assertEqual(len(self.notes(result.last("sent")["report_id"])), 1)
        self.assert_attached(redmine.get_issue(redmine.issue), path)

    def test_unknown(self):
        """Found out before anything is sent."""
        self.redmine_target()
        stored = redmine.stored_uploads()
        result = self.upload(self.path, "there", "--issue", f"{redmine.url}/issues/99999", token=self.key,
                             expect=REJECTED)
        self.assertIn("does not exist, or your account may not see it", result.stderr)
        self.assertEqual(redmine.stored_uploads(), stored)

    def test_not_allowed(self):
        self.redmine_target()
        result = self.upload(self.path, "there", "--issue", self.issue_url, token=redmine.keys["stranger"],
                             expect=AUTH)
        self.assertFalse(self.notes(result.last("preview")["report_id"]))

    def test_ignored(self):
        """Redmine says yes to an account that may not add notes, and leaves them out."""
        self.redmine_target()
        result = self.upload(self.path, "there", "--issue", f"{redmine.url}/issues/{redmine.own}",
                             token=redmine.keys["mute"], expect=NOT_FILED)
        self.assertIn(f"your account may not add to issue {redmine.own}", result.stderr)


class Refused(RedmineCase):
    def test_too_big(self):
        """Told with 422, after all of it: not tried again, and nothing is filed."""
        path = self.archive((MAX_KIB << 10) + MEGABYTE, seed=self.seed)
        between = Between((redmine.host, redmine.port)).start_for(self)
        self.redmine_target(between.url, OnTooBig="save")
        for name in ("reporter", "german"):
            result = self.upload(path, "there", token=redmine.keys[name], expect=REJECTED)
            self.assertIn(f"the archive is saved: {path}", result.stderr)
        self.assertEqual(between.count("POST", "/uploads.json"), 2, result)
        self.assertFalse(result.all("retry"), result)
        self.assertFalse(self.made())

    def test_wrong_key(self):
        self.redmine_target()
        self.upload(self.path, "there", token="0" * 40, expect=AUTH)
        self.assertFalse(self.made())

    def test_key_later(self):
        """The key is revoked between file and issue; with a good one it goes on, and the file is not sent again."""
        between = Between((redmine.host, redmine.port)).start_for(self)
        between.rule("POST", "/issues.json", "refuse", status="401 Unauthorized")
        self.redmine_target(between.url)
        self.upload(self.path, "there", token=self.key, expect=AUTH)
        self.assertFalse(self.made())
        self.send_queue("--all", token=self.key)
        self.assert_attached(self.only_issue(), self.path)
        self.assertEqual(between.count("POST", "/uploads.json"), 1)

    def test_no_permission(self):
        self.redmine_target()
        self.upload(self.path, "there", token=redmine.keys["stranger"], expect=AUTH)
        self.assertFalse(self.made())

    def test_unknown_project(self):
        """As an unknown tracker, found out before the file is sent."""
        stored = redmine.stored_uploads()
        for keys, words in (({"Project": "nonsuch"}, "does not exist, or your account may not see it"),
                            ({"Tracker": "Nonsuch"}, 'has no tracker "Nonsuch"')):
            with self.subTest(keys=keys):
                self.redmine_target(**keys)
                result = self.upload(self.path, "there", token=self.key, expect=REJECTED)
                self.assertIn(words, result.stderr)
        self.assertEqual(redmine.stored_uploads(), stored)

    def test_hidden_project(self):
        self.redmine_target(Project="hidden")
        self.upload(self.path, "there", token=self.key, expect=AUTH)


class Tokens(RedmineCase):
    """The token of a file is good once. Used by another, the file is sent again, and the issue has it."""

    def steal(self, name):
        """Ends with the file uploaded and its token used up. Returns: the item of the queue"""
        self.between = Between((redmine.host, redmine.port)).start_for(self)
        self.between.rule("POST", "/issues.json", "refuse", times=100)
        self.redmine_target(self.between.url)
        self.upload(self.path, "there", token=redmine.keys[name], expect=NETWORK)
        self.between.clear()
        (item,) = self.queue_items()
        self.assertEqual(item["state"], "uploaded")
        (token,) = self.facts(item)["redmine-tokens"].values()
        redmine.api("/issues.json", key=name, method="POST", body={"issue": {
            "project_id": "nouveau", "subject": "thief", "uploads": [{"token": token, "filename": "x"}]}})
        return item

    def state_path(self, item):
        return pathlib.Path(item["folder"]) / "state.json"

    def facts(self, item):
        return json.loads(self.state_path(item).read_text())["facts"]

    def assert_sent_again(self, name):
        self.send_queue("--all", token=redmine.keys[name])
        thief, issue = self.made()
        self.assertEqual((thief["subject"], len(thief["attachments"])), ("thief", 1))
        self.assert_attached(issue, self.path)
        self.assertEqual(self.between.count("POST", "/uploads.json"), 2)

    def test_used_up(self):
        self.steal("reporter")
        self.assert_sent_again("reporter")

    def test_old(self):
        """In a language that is not understood, its age tells."""
        item = self.steal("german")
        self.send_queue("--all", token=redmine.keys["german"], expect=NOT_FILED)
        self.assertEqual(self.between.count("POST", "/uploads.json"), 1)
        state = json.loads(self.state_path(item).read_text())
        state["facts"]["redmine-uploaded"] -= 2 * 24 * 60 * 60
        self.state_path(item).write_text(json.dumps(state))
        self.send_queue(item["id"], token=redmine.keys["german"])
        thief, issue = self.made()
        self.assert_attached(issue, self.path)
        self.assertEqual(self.between.count("POST", "/uploads.json"), 2)


if __name__ == "__main__":
    unittest.main()
