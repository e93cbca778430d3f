# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports that wait, and archives that were only saved: sent from the window, to a server of this machine."""

import threading
import unittest
from http import server

from desktop import HOME, LIMIT_SEC, NIC, WindowTest, nameless, press, texts, wait_for

TARGET = """[Target]
Version=1
Name=The lab's folder
Enabled=true
Visibility=unknown
Kind=put
URL=http://127.0.0.1:{port}/in
Auth=none
[Network]
RetryCap=1
Retries=1
ConnectTimeout=5
"""
WAITS = "Reports that wait to be sent"


class Store(server.BaseHTTPRequestHandler):
    """Takes PUT, unless it is switched off."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_arguments):
        pass

    def reply(self, status, length=0):
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def do_HEAD(self):
        body = self.server.files.get(self.path)
        if self.server.broken:
            self.reply(503)
        elif body is None:
            self.reply(404)
        else:
            self.reply(200, len(body))

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.broken:
            self.reply(503)
            return
        self.server.files[self.path] = body
        self.reply(201)


class Queue(WindowTest):
    def setUp(self):
        super().setUp()
        self.store = server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
        self.store.files, self.store.broken = {}, False
        threading.Thread(target=self.store.serve_forever, daemon=True).start()
        self.addCleanup(self.store.server_close)
        self.addCleanup(self.store.shutdown)
        folder = HOME / ".config/mmiotrace-wizard/targets.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lab.conf").write_text(TARGET.format(port=self.store.server_address[1]))

    def to_sending(self):
        window = self.open("--device", NIC)
        self.to_review(window)
        self.pack(window)
        return window

    def saved(self):
        """An archive that was only saved. Returns: the window at its end"""
        window = self.to_sending()
        self.finish_unsent(window)
        wait_for("the end", lambda: window.can("Send It…"))
        return window

    def agree(self, window):
        """To the lab's folder, after a look at what is sent."""
        window.wait_step("Sending")
        wait_for("the question", lambda: "Where shall it go?" in window.text())
        self.choose_lab(window)
        window.press("Continue")
        window.wait_text("Exactly this is sent")
        self.tick(window)
        window.press("Send Now")

    @staticmethod
    def choose_lab(window):
        """The first of the choices; the keys begin at the proposed one, the last but some."""
        for _ in range(10):
            if window.name_of_focus() == "The lab's folder":
                break
            window.key("Up")
        window.key("space")

    @staticmethod
    def tick(window):
        for _ in range(20):
            if window.name_of_focus() == "I have looked at it, and agree":
                break
            window.key("Tab")
        window.key("space")

    def test_send_a_saved_one(self):
        """From the last page, by a walk of its own; the archive arrives as it is."""
        window = self.saved()
        archive = next(HOME.glob("*.tar.gz"))
        window.press("Send It…")
        self.agree(window)
        window.wait_step("Done")
        window.wait_text("The report was sent.")
        self.assertEqual(window.nameless(), [])
        self.assertIn(archive.read_bytes(), self.store.files.values())
        self.picture("sent")
        window.press("Copy the Link")
        wait_for("the feedback", lambda: window.can("Copied"))
        wait_for("the button again", lambda: window.can("Copy the Link"))
        # What was captured before is told there still.
        self.assertIn("This computer is as it was before.", window.text())

    def test_wait_and_send(self):
        """The server is down: the report waits, and is sent from the first page of the next window without another question."""
        self.store.broken = True
        window = self.saved()
        window.press("Send It…")
        self.agree(window)
        window.wait_step("Not Finished")
        window.wait_text("The report is not sent yet, and is kept.")
        self.assertNotIn("`mmiotrace-wizard", window.text())
        self.assertEqual(window.nameless(), [])
        self.picture("not-sent")
        window.press("Finish")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)
        self.store.broken = False
        window = self.open()
        window.wait_text(WAITS)
        self.assertEqual(window.nameless(), [])
        self.picture("waits")
        window.press_beginning("Send now")
        window.wait_step("Done")
        window.wait_text("The report was sent.")
        self.assertTrue(self.store.files)
        window.press("New Trace")
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        self.assertIsNone(window.name_beginning("Send now"))

    def test_drop(self):
        """A question, then it is gone; the archive stays."""
        self.store.broken = True
        window = self.saved()
        window.press("Send It…")
        self.agree(window)
        window.wait_step("Not Finished")
        window.wait_text("The report is not sent yet, and is kept.")
        window.press("New Trace")
        window.wait_text(WAITS)
        window.press_beginning("Drop")
        dialog = wait_for("the question", window.dialog)
        self.assertIn("Your own archive stays where it is.", texts(dialog))
        self.assertEqual(nameless(dialog), [])
        press(dialog, "Drop")
        wait_for("it to go", lambda: window.name_beginning("Send now") is None)
        self.assertEqual(len(list(HOME.glob("*.tar.gz"))), 1)


if __name__ == "__main__":
    unittest.main()
