# SPDX-License-Identifier: GPL-2.0-or-later
"""Mail through a server: what arrives, encryption, refusals, and the answer that never came."""

import os
import socket
import threading
import unittest

from harness import AUTH, NETWORK, REJECTED, TLS, Case
from servers import tls
from servers.server import ThreadServer
from servers.smtp import PASSWORD, USER, Smtp

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
TO = "mmio.dumps@example.org"


class SmtpCase(Case):
    def server(self, **options):
        return Smtp(**options).start_for(self)

    def there(self, server, network=None, **keys):
        keys = {"From": "alice@example.net", "To": TO, "User": USER, **keys}
        self.target("there", Kind="smtp", URL=server.url, **keys,
                    network={"CAFile": tls.authority().ca_file, **(network or {})})

    def send(self, path=None, **options):
        return self.upload(path or self.archive(), "there", token=PASSWORD, **options)


class Arrived(SmtpCase):
    def check(self, server, path, result):
        self.assertEqual(len(server.mails), 1)
        message = server.message()
        attachments = list(message.iter_attachments())
        self.assertEqual([part.get_filename() for part in attachments], [os.path.basename(path)])
        self.assertEqual(attachments[0].get_content(), path.read_bytes())
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", message.get_body().get_content())
        self.assertEqual(message["From"], "alice@example.net")
        self.assertEqual(message["To"], server.mails[0].rcpt_tos[0])
        self.assertIn(result.last("sent")["report_id"], message["Message-ID"])
        self.assertTrue(message["Date"].datetime)
        return message

    def test_starttls(self):
        server = self.server()
        self.there(server)
        path = self.archive(2 << 20)
        result = self.send(path)
        self.check(server, path, result)
        self.assertEqual(server.logins[-1], (USER, PASSWORD))
        self.assertEqual(server.mails[0].rcpt_tos, [TO])

    def test_smtps(self):
        server = self.server(wrapped=True)
        self.there(server)
        path = self.archive()
        self.check(server, path, self.send(path))

    def test_own_computer(self):
        """The mail server of this computer, without a login: no encryption needed."""
        server = self.server(starttls=False, auth=False)
        self.there(server, User=None)
        path = self.archive()
        self.check(server, path, self.upload(path, "there"))

    def test_seven_bits(self):
        """A title and a text with other letters arrive as they are, and every byte on the way is ASCII."""
        server = self.server()
        self.there(server, Title="mmiotrace: Grafikkarte für Übertakter \u4e2d\u6587 " + "\u00e4" * 60)
        path = self.archive()
        message = self.check(server, path, self.send(path))
        self.assertIn("Grafikkarte für Übertakter \u4e2d\u6587 ää", message["Subject"])
        raw = server.mails[0].content
        self.assertTrue(raw.isascii())
        self.assertLessEqual(max(map(len, raw.split(b"\r\n"))), 998)
        self.assertNotIn(b"\n", raw.replace(b"\r\n", b""))

    def test_computer_is_not_named(self):
        """The greeting would stand in the mail's Received lines."""
        server = Silent().start_for(self)
        self.there(server, User=None, network={"Retries": 0})
        self.upload(self.archive(), "there", expect=NETWORK)
        self.assertEqual(set(server.greetings), {"EHLO [127.0.0.1]", "HELO [127.0.0.1]"})


class Silent(ThreadServer):
    """Knows no greeting."""

    scheme = "smtp"

    def prepare(self):
        self.greetings = []

    def serve(self, connection):
        connection.sendall(b"220 here\r\n")
        for line in connection.makefile("rb"):
            self.greetings.append(line.decode().strip())
            connection.sendall(b"451 later\r\n")


class Refused(SmtpCase):
    def refuse(self, server, expect, **keys):
        self.there(server, network={"Retries": 0}, **keys)
        result = self.send(expect=expect)
        self.assertEqual(server.mails, [])
        return result

    def test_starttls_taken_away(self):
        """With a password nothing goes unencrypted, not even to this computer."""
        server = self.server(starttls=False)
        self.refuse(server, TLS)
        self.assertEqual(server.logins, [])

    def test_stranger(self):
        self.there(self.server(), network={"CAFile": None})
        self.send(expect=TLS)

    def test_wrong_password(self):
        server = self.server()
        self.there(server)
        self.upload(self.archive(), "there", token="wrong", expect=AUTH)
        self.assertEqual(server.mails, [])

    def test_no_such_user(self):
        result = self.refuse(self.server(), REJECTED, To="nobody@example.org")
        self.assertIn("no such user", result.result["message"])

    def test_mailbox_full(self):
        """452: later; it arrives when there is room, once."""
        server = self.server(full_times=1)
        self.there(server, To="full@example.org")
        result = self.send()
        self.assertEqual(len(result.all("retry")), 1)
        self.assertEqual(len(server.mails), 1)

    def test_too_large(self):
        """SIZE is compared before: nothing is sent."""
        server = self.server(max_bytes=100_000)
        self.there(server, OnTooBig="save")
        result = self.send(expect=REJECTED)
        limit = result.last("inquiry")["limit"]
        self.assertGreater(limit, 1000)
        self.assertLess(limit, 100_000 * 3 / 4)
        self.assertEqual(result.all("sending"), [])
        self.assertEqual((server.mails, server.senders), ([], []))

    def test_too_large_after_all(self):
        """552 after the data is a clear no: nothing is unknown."""
        result = self.refuse(self.server(), REJECTED, To="huge@example.org", OnTooBig="save")
        self.assertNotIn("may have arrived", result.result["message"])


class LosesReply(ThreadServer):
    """
    In front of a mail server without TLS: `lose` ends the connection when the mail is whole, before its answer, or keeps
    the answer back (`hold`); `cut` ends it in the middle.
    """

    scheme = "smtp"

    def __init__(self, behind):
        super().__init__()
        self.behind = behind
        self.lose = self.cut = self.hold = False
        self.held = threading.Event()

    def serve(self, connection):
        whole = threading.Event()
        with socket.create_connection(self.behind) as upstream:
            threading.Thread(target=self.bring_back, args=(upstream, connection, whole), daemon=True).start()
            count, end = 0, b""
            while data := connection.recv(65536):
                count, end = count + len(data), (end + data)[-5:]
                if self.cut and count > 100_000:
                    return
                if (self.lose or self.hold) and end == b"\r\n.\r\n":
                    whole.set()
                upstream.sendall(data)

    def bring_back(self, upstream, connection, whole):
        try:
            while data := upstream.recv(65536):
                if whole.is_set():
                    self.held.set()
                    self.pause(600 if self.hold else 0)
                    connection.shutdown(socket.SHUT_RDWR)
                    return
                connection.sendall(data)
        except OSError:
            pass


class Unknown(SmtpCase):
    def setUp(self):
        super().setUp()
        self.smtp = self.server(starttls=False, auth=False)
        self.between = LosesReply((self.smtp.host, self.smtp.port)).start_for(self)
        self.there(self.between, User=None)
        self.path = self.archive(400_000)

    def test_lost_reply(self):
        """The mail may be there: it is not sent again by itself, only when the person wants it; then as the same mail."""
        self.between.lose = True
        result = self.upload(self.path, "there", expect=REJECTED)
        self.assertIn("may have arrived", result.result["message"])
        self.assertEqual(len(self.smtp.mails), 1)
        self.between.lose = False
        self.send_queue("--all")
        self.assertEqual(len(self.smtp.mails), 1, "the timer must not send it")
        self.upload(self.path, "there")
        self.assertEqual(len(self.smtp.mails), 2)
        self.assertEqual(self.smtp.message(0)["Message-ID"], self.smtp.message(1)["Message-ID"])

    def test_killed(self):
        """Killed while it waits for the answer: the next process does not know either, and does not send it again."""
        self.between.hold = True
        process = self.start_upload(self.path, "there")
        self.wait_for(self.between.held.is_set, "the mail is whole", process)
        process.kill()
        self.finish(process)
        self.between.hold = False
        result = self.send_queue("--all", expect=REJECTED)
        self.assertIn("may have arrived", result.stderr)
        self.assertEqual(len(self.smtp.mails), 1)
        self.upload(self.path, "there")
        self.assertEqual(len(self.smtp.mails), 2)

    def test_cut(self):
        """Not all of it was sent: it did not arrive, and is sent again."""
        self.between.cut = True
        self.there(self.between, User=None, network={"Retries": 0})
        # More than any socket holds.
        self.path = self.archive(40 << 20, seed=2)
        self.upload(self.path, "there", expect=NETWORK)
        self.assertEqual(self.smtp.mails, [])
        self.between.cut = False
        self.send_queue("--all")
        self.assertEqual(len(self.smtp.mails), 1)


class Headers(SmtpCase):
    def test_addresses(self):
        """What could forge a header or a command is no address."""
        server = self.server()
        for address in ("a b@example.org", "a@b@c", "<a@example.org>", "a@example.org\\nBcc: x@example.org", "alice",
                        "a@example.org,b@example.org"):
            with self.subTest(address=address):
                self.there(server, To=address)
                result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                          token=PASSWORD)
                self.assertNotEqual(result.status, 0, result)
        self.assertEqual(server.mails, [])


if __name__ == "__main__":
    unittest.main()
