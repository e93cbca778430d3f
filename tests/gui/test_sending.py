# SPDX-License-Identifier: GPL-2.0-or-later
"""What the page of sending says: of the account and of a refusal, how fast it is, when it is tried again; and what it keeps to itself."""

import re
import unittest

# This one knows where the servers are.
import test_upload
from desktop import ROLE, WindowTest, children, everything, find, wait_for
from servers.fault import Fault
from servers.gitlab_stub import GitLab
from servers.stub import Reply

WRONG, RIGHT = "wrong-secret-4711", test_upload.TOKEN


class Busy(Fault):
    """Has no time at first, and says when it will."""

    def do_busy(self, request):
        if not self.failing(request):
            return self.take(request)
        self.read_refused(request)
        return Reply("503 Service Unavailable", headers={"Retry-After": 6})


class Sending(WindowTest):
    target = staticmethod(test_upload.Upload.target)
    give_token = staticmethod(test_upload.Upload.give_token)
    agree = staticmethod(test_upload.Upload.agree)

    to_target = test_upload.Upload.to_target

    @staticmethod
    def said(window):
        rows = find(window.window, "What the server says")
        return [row.get_name() for row in children(rows)] if rows else []

    def all_names(self, window):
        return "\n".join(f"{node.get_name()} {node.get_description()}" for node in everything(window.application))

    def test_account(self):
        """A refused token is said, and asked for once more; then whose account it is. The token stands nowhere."""
        gitlab = GitLab().start_for(self)
        self.target(Kind="gitlab", URL=gitlab.url, Project=gitlab.project, Auth="bearer")
        window = self.to_target()
        window.wait_text("Does it belong to a report that is there already?")
        window.press("Continue")
        self.give_token(window, WRONG)
        wait_for("the refusal", lambda: self.said(window) == ["The server did not accept that."])
        self.assertEqual(window.nameless(), [])
        self.picture("refused")
        self.give_token(window, RIGHT)
        wait_for("the account", lambda: any(name.startswith("Signed in as ") for name in self.said(window)))
        self.assertNotIn("The server did not accept that.", self.said(window))
        window.wait_text("Exactly this is sent")
        self.assertEqual(window.nameless(), [])
        self.picture("account")
        names = self.all_names(window)
        for secret in (WRONG, RIGHT):
            self.assertNotIn(secret, names)
        window.press("Save Instead")
        window.wait_step("Done")
        self.assertEqual(gitlab.issues, [])

    def left(self, window):
        found = re.search(r"Once more in (\d+):(\d\d); this was try 1 of \d", window.text())
        return int(found[1]) * 60 + int(found[2]) if found else None

    def test_retry(self):
        """The time until the next try runs down; then it goes on by itself."""
        server = Busy(fail_times=1).start_for(self)
        self.target(Kind="put", URL=f"{server.url}/busy", Auth="none")
        window = self.to_target()
        self.agree(window)
        first = wait_for("the countdown", lambda: self.left(window))
        self.picture("retry")
        wait_for("less", lambda: self.left(window) is not None and self.left(window) < first)
        window.wait_step("Done")
        self.assertEqual(len([path for path in server.stored_below("busy") if ".tar." in path]), 1)

    def test_stop(self):
        """A server that takes all and never answers: that is said, and Stop ends it; the report waits."""
        server = Fault().start_for(self)
        self.target(Kind="put", URL=f"{server.url}/hang", Auth="none")
        window = self.to_target()
        self.agree(window)
        window.wait_text("are on their way; the server has not answered yet.")
        bar = find(window.window, role=ROLE.PROGRESS_BAR)
        self.assertIn("are on their way", bar.get_name())
        self.assertEqual(window.nameless(), [])
        self.picture("waits")
        window.press("Stop")
        window.wait_step("Not Finished")
        window.wait_text("You have stopped the sending.")
        self.assertNotIn("Interrupted", window.text())
        self.picture("stopped")
        window.wait_text("The report is not sent yet")


if __name__ == "__main__":
    unittest.main()
