# SPDX-License-Identifier: GPL-2.0-or-later
"""Where nothing may arrive: keeps every byte it gets, and says yes to everything."""

from servers.server import ThreadServer, read_head


class Sink(ThreadServer):
    def prepare(self):
        self.received = b""
        self.visits = 0

    def serve(self, connection):
        with self.lock:
            self.visits += 1
        head, rest = read_head(connection)
        if head is None:
            return
        with self.lock:
            self.received += head.encode("latin-1") + b"\r\n\r\n" + rest
        if "100-continue" in head.lower():
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        connection.settimeout(2)
        try:
            while data := connection.recv(65536):
                with self.lock:
                    self.received += data
        except OSError:
            pass
        connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")

    def assert_untouched(self, test):
        """Not even a connection: with TLS the name alone would tell something."""
        with self.lock:
            test.assertEqual((self.visits, self.received[:2000]), (0, b""), "something was sent to a stranger")
