# SPDX-License-Identifier: GPL-2.0-or-later
"""A web proxy that counts: CONNECT for https, whole addresses for http. All names lead to this machine."""

import socket
import threading
import urllib.parse

from servers.server import ThreadServer, read_head
from servers.stub import BLOCK_BYTES


class Proxy(ThreadServer):
    def prepare(self):
        self.asked = []  # (method, host, port)
        self.heads = []

    def serve(self, connection):
        head, rest = read_head(connection)
        if head is None:
            return
        method, address, version = head.split("\r\n")[0].split(" ")
        if method == "CONNECT":
            host, _, port = address.rpartition(":")
        else:
            parts = urllib.parse.urlsplit(address)
            host, port = parts.hostname, parts.port or 80
        with self.lock:
            self.asked.append((method, host, int(port)))
            self.heads.append(head)
        with socket.create_connection(("127.0.0.1", int(port))) as upstream:
            if method == "CONNECT":
                connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = address.split("/", 3)[3] if address.count("/") >= 3 else ""
                lines = [f"{method} /{path} {version}", *head.split("\r\n")[1:], "Connection: close"]
                upstream.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n")
            upstream.sendall(rest)
            threading.Thread(target=self.pump, args=(connection, upstream), daemon=True).start()
            self.pump(upstream, connection)

    def pump(self, source, sink):
        try:
            while data := source.recv(BLOCK_BYTES):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
