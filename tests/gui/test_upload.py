# SPDX-License-Identifier: GPL-2.0-or-later
"""From the window to real servers: WebDAV of nginx, and GitLab's API (a stub). Tokens, progress, the link; and no server at all."""

import pathlib
import sys
import unittest

from desktop import HOME, NIC, WindowTest, wait_for

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "submit"))
from servers.gitlab_stub import GitLab  # noqa: E402
from servers.nginx import PASSWORD, USER, Nginx  # noqa: E402

TARGETS = HOME / ".config/mmiotrace-wizard/targets.d"
AGREE = "I have looked at it, and agree"
WAITS = "First look at all of it, and tick that you agree."
TOKEN = "good-token"


class Upload(WindowTest):
    @staticmethod
    def target(**keys):
        """Where the person may send to."""
        TARGETS.mkdir(parents=True, exist_ok=True)
        lines = [f"{name}={value}" for name, value in {"Name": "Our place", "Enabled": "true", **keys}.items()]
        (TARGETS / "ours.conf").write_text("\n".join(["[Target]", *lines, "[Network]", "RetryCap=1", "Retries=2", ""]))

    def to_target(self):
        """Until the question where it shall go is answered."""
        window = self.open("--device", NIC)
        self.to_review(window)
        window.press("Continue")
        window.press("I Agree")
        window.wait_text("Where shall it go?")
        window.choose("Our place")
        window.press("Continue")
        return window

    @staticmethod
    def give_token(window, token):
        window.wait_text("The server wants to know who sends this")
        wait_for("the field", lambda: window.name_of_focus().startswith("The server wants"))
        window.type(token)
        window.press("Continue")

    @staticmethod
    def agree(window):
        window.wait_text("Exactly this is sent")
        # The tick is below a long text: beside the button stands what it waits for.
        window.wait_text(WAITS)
        assert not window.can("Send Now")
        window.tick(AGREE)
        wait_for("the button", lambda: WAITS not in window.text())
        window.press("Send Now")

    @staticmethod
    def finish(window, title="Done"):
        window.wait_step(title)
        wait_for("the end", lambda: window.can("Finish"))

    def test_webdav(self):
        nginx = Nginx().start_for(self)
        self.target(Kind="webdav", URL=nginx.url + "/dav/", Auth="basic", User=USER)
        window = self.to_target()
        self.give_token(window, PASSWORD)
        self.agree(window)
        window.press("Do Not Keep It")
        self.finish(window)
        self.picture("webdav")
        archive = self.archive(window)
        sent = list(nginx.stored("/dav/").rglob(archive.name))
        self.assertEqual([path.read_bytes() for path in sent], [archive.read_bytes()])
        self.assertIn(nginx.url, window.text())
        self.assertTrue(window.can("Copy the Link"))

    def test_gitlab(self):
        """A wrong token is told, and the right one is asked for; then the report is there, with the file."""
        gitlab = GitLab().start_for(self)
        self.target(Kind="gitlab", URL=gitlab.url, Project=gitlab.project, Auth="bearer")
        window = self.to_target()
        window.wait_text("Does it belong to a report that is there already?")
        window.press("Continue")
        self.give_token(window, "wrong")
        window.wait_text("The server did not accept that.")
        self.give_token(window, TOKEN)
        window.wait_text("Exactly this is sent")
        self.picture("preview")
        self.assertEqual(window.nameless(), [])
        self.agree(window)
        window.press("Keep It")
        self.finish(window)
        self.picture("gitlab")
        (issue,) = gitlab.issues
        self.assertIn(issue["web_url"], window.text())
        (file,) = gitlab.linked(issue["description"])
        self.assertEqual(file.path.read_bytes(), self.archive(window).read_bytes())
        self.assertEqual(gitlab.broken, [])

    def test_network_gone(self):
        """The report waits, and the window says so; the next one sends it."""
        nginx = Nginx().start_for(self)
        self.target(Kind="webdav", URL=nginx.url + "/open/", Auth="none")
        window = self.to_target()
        window.wait_text("Exactly this is sent")
        nginx.stop()
        self.agree(window)
        self.finish(window, "Not Finished")
        self.picture("queued")
        self.assertIn("The report is not sent yet", window.text())
        self.assertTrue(list((HOME / ".local/state/mmiotrace-wizard").rglob("*.tar.gz")))
        window.press("Finish")
        nginx.start()
        later = self.open()
        later.wait_step("Welcome")
        later.press_beginning("Send")
        wait_for("the report", lambda: list(nginx.stored("/open/").rglob("*.tar.gz")))


if __name__ == "__main__":
    unittest.main()
