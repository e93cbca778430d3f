# SPDX-License-Identifier: GPL-2.0-or-later
"""Gitea's API (a stub that decides as its routers do): issues, comments in others' issues, limits that can be asked."""

import unittest

from harness import AUTH, REJECTED, Case
from servers.gitea_stub import Gitea
from servers.stub import json_reply

MEGABYTE = 1 << 20
TOKEN = "good-token"
ISSUES, ASSETS = r"/api/v1/repos/gfx/traces/issues", r".*/assets"


class GiteaCase(Case):
    def setUp(self):
        super().setUp()
        self.gitea = Gitea().start_for(self)
        self.old = self.gitea.issues[0]
        self.path = self.archive()

    def gitea_target(self, **keys):
        return self.target("there", **{"Kind": "gitea", "URL": self.gitea.url, "Project": "gfx/traces",
                                       "Auth": "bearer", "Version": None, **keys})

    def send(self, *arguments, path=None, token=TOKEN, **options):
        if not (self.config / "targets.d/there.conf").exists():
            self.gitea_target()
        result = self.upload(path or self.path, "there", *arguments, token=token, **options)
        self.assertEqual(self.gitea.broken, [])
        self.assertTrue(self.gitea.no_token_in_addresses())
        return result

    def only_issue(self):
        made = self.gitea.issues[1:]
        self.assertEqual(len(made), 1, "so many issues were made")
        return made[0]

    def assert_attached(self, place, *paths):
        assets = self.gitea.assets[place]
        self.assertEqual([asset["name"] for asset in assets], [path.name for path in paths])
        for asset, path in zip(assets, paths):
            self.assert_same_file(path, asset["file"].path)


class NewIssue(GiteaCase):
    def test_with_file(self):
        self.gitea_target(Labels=["mmiotrace", "nonsuch"])
        result = self.send()
        issue = self.only_issue()
        preview = result.last("preview")
        self.assertEqual(result.url, issue["html_url"])
        self.assertEqual((result.last("inquiry")["who"], result.last("inquiry")["limit"]), ("alice", 4 * MEGABYTE))
        self.assertEqual((issue["title"], issue["body"], issue["labels"]), (preview["title"], preview["body"], [11]))
        self.assert_attached(("issue", issue["number"]), self.path)

    def test_in_parts(self):
        self.gitea.settings |= {"max_size": 1, "allowed_types": ""}
        self.gitea_target(OnTooBig="split")
        path = self.archive(3 * MEGABYTE, seed=2)
        self.send(path=path)
        assets = self.gitea.assets["issue", self.only_issue()["number"]]
        parts = sorted((asset for asset in assets if asset["name"][-3:].isdigit()), key=lambda asset: asset["name"])
        self.assertEqual(b"".join(part["file"].path.read_bytes() for part in parts), path.read_bytes())

    def test_old_version(self):
        """It cannot be asked what it takes."""
        self.gitea.settings = None
        result = self.send()
        self.assertEqual(result.last("inquiry")["limit"], 0)
        self.assert_attached(("issue", 2), self.path)

    def test_twice(self):
        first = self.send()
        for item in self.queue_items():
            self.run_program("queue", "drop", item["id"], "--yes")
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertEqual(result.last("inquiry")["duplicate"], first.url, result)
        self.only_issue()


class Comment(GiteaCase):
    """Another's issue takes no files from us, but a comment of ours does."""

    def into_old(self, **options):
        return self.send("--issue", self.old["html_url"], **options)

    def test_with_file(self):
        result = self.into_old()
        (comment,) = self.gitea.comments.values()
        self.assertEqual(result.url, comment["html_url"])
        self.assertEqual(comment["body"], result.last("preview")["body"])
        self.assert_attached(("comment", comment["id"]), self.path)
        self.assert_attached(("issue", 1))

    def test_lost_replies(self):
        self.gitea.fault("POST", ".*/comments", "lose-reply")
        self.gitea.fault("POST", ASSETS, "lose-reply")
        self.into_old()
        (comment,) = self.gitea.comments.values()
        self.assert_attached(("comment", comment["id"]), self.path)

    def test_unknown(self):
        result = self.send("--issue", f"{self.gitea.url}/gfx/traces/issues/77", expect=REJECTED)
        self.assertIn("does not exist, or your account may not see it", result.stderr)


class LostReply(GiteaCase):
    def test_issue(self):
        """Also when the search does not know it yet."""
        for stale in (False, True):
            with self.subTest(stale=stale):
                self.gitea.stale_index = stale
                self.gitea.fault("POST", ISSUES, "lose-reply")
                before = len(self.gitea.issues)
                self.send(path=self.archive(seed=10 + stale))
                self.assertEqual(len(self.gitea.issues), before + 1)

    def test_file(self):
        self.gitea.fault("POST", ASSETS, "lose-reply")
        self.send()
        self.assert_attached(("issue", self.only_issue()["number"]), self.path)


class Refused(GiteaCase):
    def test_wrong_token(self):
        self.send(token="wrong", expect=AUTH)
        self.assertEqual(len(self.gitea.issues), 1)

    def test_token_later(self):
        """Revoked between issue and file: the issue is not opened again."""
        self.gitea.fault("POST", ASSETS, json_reply("401 Unauthorized", {"message": "no"}))
        self.send(expect=AUTH)
        self.gitea.tokens = {"new-token": "alice"}
        self.send_queue("--all", token="new-token")
        self.assert_attached(("issue", self.only_issue()["number"]), self.path)

    def test_not_opened_in_vain(self):
        """What would stay without its file is not opened."""
        for settings, words in (({"enabled": False}, "it takes no files"),
                                ({"allowed_types": ".zip,.txt, image/*"}, "it does not take files of this type")):
            with self.subTest(settings=settings):
                before = dict(self.gitea.settings)
                self.gitea.settings |= settings
                self.assertIn(words, self.send(expect=REJECTED).stderr)
                self.gitea.settings = before
        self.assertEqual((len(self.gitea.issues), self.gitea.posts(".*")), (1, 0))

    def test_allowed(self):
        """By extension, by what is seen in the file, or all."""
        for number, allowed in enumerate((".GZ", "application/x-gzip", "*/*", "", "application/*", ".zip|.gz")):
            with self.subTest(allowed=allowed):
                self.gitea.settings["allowed_types"] = allowed
                self.gitea.fault("POST", ASSETS, json_reply("201 Created", {"size": 0}))
                self.send(path=self.archive(seed=20 + number), expect=REJECTED)
                self.assertEqual(self.gitea.posts(ASSETS), number + 1, "it did not get so far")

    def test_too_big(self):
        self.gitea_target(OnTooBig="save")
        self.send(path=self.archive(5 * MEGABYTE, seed=2), expect=REJECTED)
        self.assertEqual(self.gitea.posts(".*"), 0)

    def test_archived(self):
        self.gitea.archived = True
        self.assertIn("project gfx/traces is archived", self.send(expect=REJECTED).stderr)

    def test_project(self):
        self.gitea_target(Project="gfx/nonsuch")
        result = self.send(expect=REJECTED)
        self.assertIn("project gfx/nonsuch does not exist, or your account may not see it", result.stderr)

    def test_no_repository(self):
        """Owner and name are needed."""
        self.gitea_target(Project="traces")
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)
        self.assertNotEqual(result.status, 0)
        self.assertIn('is not "owner/repository"', result.stderr)


if __name__ == "__main__":
    unittest.main()
