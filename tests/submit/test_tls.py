# SPDX-License-Identifier: GPL-2.0-or-later
"""Who the server is: what cannot be proved is not sent to, and never in the clear instead."""

import unittest

from harness import NETWORK, OK, TLS, Case
from servers import tls
from servers.nginx import TOKEN, Nginx
from servers.sink import Sink


def setUpModule():
    global nginx
    nginx = Nginx(https=True).start_for(unittest)


class Trust(Case):
    def setUp(self):
        super().setUp()
        self.path = self.archive()

    def send(self, server, expect, url=None, trusted=True, **network):
        network = {**({"CAFile": tls.authority().ca_file} if trusted else {}), **network}
        self.target("there", Kind="put", URL=(url or server.url) + "/bearer", Auth="bearer", network=network)
        result = self.upload(self.path, "there", token=TOKEN, expect=expect)
        if expect == TLS:
            self.assertFalse(result.all("retry"), "another try cannot help")
            self.assertEqual(result.result["error"], "tls", result)
        return result

    def assert_nothing_at(self, server):
        self.assertFalse(list(server.stored("/bearer").iterdir()))
        self.assertFalse(server.access_log)

    def test_good(self):
        self.send(nginx, OK)
        self.assert_same_file(self.path, nginx.stored("/bearer/" + self.path.name))

    def test_unknown_authority(self):
        with Nginx(https=True) as server:
            self.send(server, TLS, trusted=False)
            self.assert_nothing_at(server)
        with Nginx(https=True, from_stranger=True) as server:
            self.send(server, TLS)
            self.assert_nothing_at(server)

    def test_bad_certificates(self):
        for certificate in ({"expired": True}, {"names": ("DNS:other.example", "IP:127.0.0.9")}):
            with self.subTest(**certificate), Nginx(https=True, certificate=certificate) as server:
                self.send(server, TLS)
                self.assert_nothing_at(server)

    def test_name_not_address(self):
        """A certificate for the name only is none for the address."""
        with Nginx(https=True, certificate={"names": ("DNS:localhost",)}) as server:
            self.send(server, TLS)
            self.send(server, OK, url=f"https://localhost:{server.port}")

    def test_old_protocol(self):
        with Nginx(https=True, protocols="TLSv1") as server:
            self.send(server, TLS)
            self.assert_nothing_at(server)

    def test_at_least(self):
        """TLSMin=1.3 against a server that knows 1.2 at most."""
        with Nginx(https=True, protocols="TLSv1.2") as server:
            self.send(server, TLS, TLSMin="1.3")
            self.assert_nothing_at(server)
            self.send(server, OK, TLSMin="1.2")

    def test_pin(self):
        self.send(nginx, OK, PinnedPubkey=tls.authority().pin())
        self.send(nginx, TLS, PinnedPubkey=tls.stranger().pin())

    def test_missing_authority_file(self):
        result = self.run_without_authority()
        self.assertNotEqual(result.status, OK, result)
        self.assertIn("nowhere.pem", result.stderr + result.out)

    def run_without_authority(self):
        self.target("there", Kind="put", URL=nginx.url + "/bearer", Auth="bearer",
                    network={"CAFile": self.folder / "nowhere.pem"})
        return self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=TOKEN)


class PlainSink(Sink):
    """Answers whatever comes as a web server without TLS does."""

    def serve(self, connection):
        while data := connection.recv(65536):
            with self.lock:
                self.received += data
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


class NeverInTheClear(Case):
    def test_https_to_a_plain_server(self):
        """The port speaks HTTP: it gets a TLS greeting, and nothing else."""
        sink = PlainSink().start_for(self)
        self.target("there", Kind="put", URL=f"https://127.0.0.1:{sink.port}", Auth="bearer")
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertIn(result.status, (TLS, NETWORK), result)
        self.assertTrue(sink.received)
        self.assertNotIn(TOKEN.encode(), sink.received)
        self.assertNotIn(b"PUT ", sink.received)
        self.assertNotIn(b"HTTP/1", sink.received)

    def test_plain_to_a_tls_server(self):
        """nginx answers 400 to that; nothing is there."""
        self.target("there", Kind="put", URL=f"http://127.0.0.1:{nginx.port}/bearer", Auth="none")
        path = self.archive(seed=5, name="1b36-0011-eve-mmiotrace.tar.gz")
        result = self.run_program("upload", path, "--target", "there", "--consent-upload", "--json")
        self.assertNotEqual(result.status, OK, result)
        self.assertFalse(nginx.stored("/bearer/" + path.name).exists())


if __name__ == "__main__":
    unittest.main()
