# SPDX-License-Identifier: GPL-2.0-or-later
"""A real tracker did what it was asked, but nobody heard of it: the report is found, and not filed a second time."""

import signal
import unittest

from harness import NETWORK, Case
from servers.fault import Between
from servers.redmine import Redmine


ISSUES = r".*/issues\.json"
UPLOADS = r".*/uploads\.json"


def setUpModule():
    global redmine
    redmine = Redmine().start_for(unittest)


class LostReply(Case):
    def setUp(self):
        super().setUp()
        self.between = Between((redmine.host, redmine.port)).start_for(self)
        self.target("there", Kind="redmine", URL=self.between.url, Project="nouveau", Auth="header:X-Redmine-API-Key")
        self.before = {issue["id"] for issue in redmine.issues()}
        # Another content for each test: otherwise the report of an earlier one would be found.
        self.path = self.archive(seed=sum(map(ord, self.id())))

    def send(self, **options):
        return self.upload(self.path, "there", token=redmine.keys["reporter"], **options)

    def assert_one_issue(self):
        """One issue, with the archive once."""
        made = [issue["id"] for issue in redmine.issues() if issue["id"] not in self.before]
        self.assertEqual(len(made), 1, "so many issues")
        attachments = redmine.get_issue(made[0])["attachments"]
        self.assertEqual([attachment["filename"] for attachment in attachments], [self.path.name])
        received = redmine.download(attachments[0], self.folder / "received")
        self.assert_same_file(self.path, received)
        return made[0]

    def test_issue(self):
        self.between.rule("POST", ISSUES, "lose-reply")
        result = self.send()
        number = self.assert_one_issue()
        self.assertTrue(result.url.endswith(f"/issues/{number}"), result)
        self.assertEqual(self.between.count("POST", ISSUES), 1)

    def test_upload(self):
        """Of the file: it is sent again, and only one of both is attached."""
        self.between.rule("POST", UPLOADS, "lose-reply")
        self.send()
        self.assert_one_issue()

    def test_always(self):
        """Even when every answer to the report itself is lost, and the program is started again and again."""
        self.between.rule("POST", ISSUES, "lose-reply", times=100)
        self.between.rule("GET", ISSUES, "refuse", times=100)
        self.send(expect=NETWORK)
        self.send(expect=NETWORK)
        self.between.clear()
        self.send()
        self.assert_one_issue()

    def test_killed(self):
        """Between the file and the report: the file is not sent again."""
        self.between.rule("POST", ISSUES, "stall")
        process = self.start_upload(self.path, "there", token=redmine.keys["reporter"])
        self.wait_for(self.between.reached.is_set, "the report is sent", process)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.between.clear()
        self.assertEqual(self.between.count("POST", UPLOADS), 1)
        self.send_queue(token=redmine.keys["reporter"])
        self.assert_one_issue()
        self.assertEqual(self.between.count("POST", UPLOADS), 1)

    def test_killed_after_filing(self):
        """Redmine has it, the program did not live to hear so."""
        self.between.rule("POST", ISSUES, "hold-reply")
        process = self.start_upload(self.path, "there", token=redmine.keys["reporter"])
        self.wait_for(self.between.reached.is_set, "Redmine has answered", process)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.between.clear()
        self.send_queue(token=redmine.keys["reporter"])
        self.assert_one_issue()
        self.assertEqual(self.between.count("POST", ISSUES), 1)


if __name__ == "__main__":
    unittest.main()
