# SPDX-License-Identifier: GPL-2.0-or-later
"""A small HTTP server for what cannot be installed, and for faults: it keeps every request it got."""

import dataclasses
import email.parser
import email.policy
import json
import socket
import struct
import urllib.parse

from servers.server import ThreadServer, read_head

# Of larger bodies only the size is kept.
KEEP_BYTES = 4 << 20
BLOCK_BYTES = 1 << 16


class Gone(OSError):
    """The client ended the connection before its request was whole."""


@dataclasses.dataclass
class Request:
    method: str
    target: str  # as it was sent, with the query
    headers: dict  # names in lower case
    connection: object = None
    rest: bytes = b""  # what came with the head
    body: bytes = b""  # at most KEEP_BYTES of it
    body_bytes: int = 0  # that arrived
    complete: bool = False
    late_bytes: int = 0  # that came after the answer
    continued: bool = False  # "100 Continue" was sent
    number: int = 0  # how many requests with this method and path came before

    @property
    def path(self):
        return urllib.parse.unquote(self.target.split("?")[0])

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def length(self):
        """What Content-Length says; 0 without one."""
        return int(self.headers.get("content-length", 0))

    def json(self):
        return json.loads(self.body)

    def form(self):
        """Of multipart/form-data: {name: (bytes, file name or None, type)}"""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + self.body)
        parts = {}
        for part in message.iter_parts():
            name = part.get_param("name", header="content-disposition")
            parts[name] = (part.get_payload(decode=True), part.get_filename(), part.get_content_type())
        return parts


@dataclasses.dataclass
class Reply:
    status: str = "200 OK"
    body: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)

    def __bytes__(self):
        headers = {"Content-Length": len(self.body), "Connection": "close", **self.headers}
        lines = [f"HTTP/1.1 {self.status}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + self.body


def json_reply(status, value, headers=None):
    return Reply(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def reset(connection):
    """Ends it with RST instead of FIN."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class Stub(ThreadServer):
    """
    One request a connection. A subclass says in `answer(request)` what comes back: a Reply, or None when it has dealt
    with the connection itself. It can read the body in its own way by overriding `receive`.
    """

    def prepare(self):
        self.requests = []

    def answer(self, request):
        raise NotImplementedError

    def count(self, method=None, path=None):
        """How many requests came."""
        with self.lock:
            return sum(1 for request in self.requests
                       if method in (None, request.method) and path in (None, request.path))

    def serve(self, connection):
        head, rest = read_head(connection)
        if head is None:
            return
        request = self.parse(head, rest)
        request.connection = connection
        with self.lock:
            request.number = sum(1 for other in self.requests
                                 if (other.method, other.path) == (request.method, request.path))
            self.requests.append(request)
        self.receive(request)
        reply = self.answer(request)
        if reply is not None:
            connection.sendall(bytes(reply))
            request.late_bytes = self.say_goodbye(connection)

    def parse(self, head, rest):
        line, *lines = head.split("\r\n")
        method, target, _ = line.split(" ", 2)
        headers = {}
        for header in lines:
            name, _, value = header.partition(":")
            headers[name.strip().lower()] = value.strip()
        return Request(method, target, headers, rest=rest)

    def receive(self, request):
        """The whole body."""
        self.go_on(request)
        self.read_body(request, request.length)

    def go_on(self, request):
        if "100-continue" in request.headers.get("expect", "").lower() and not request.continued:
            request.connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.continued = True

    def read_body(self, request, wanted, block=BLOCK_BYTES, pause_sec=0):
        """Until @wanted bytes of the body have come. Raises Gone when the client ends before."""
        while request.body_bytes < wanted:
            data = request.rest or request.connection.recv(min(block, wanted - request.body_bytes))
            request.rest = b""
            if not data:
                raise Gone("the request ended early")
            request.body_bytes += len(data)
            if len(request.body) < KEEP_BYTES:
                request.body += data
            self.pause(pause_sec)
        request.complete = request.body_bytes >= request.length

    def say_goodbye(self, connection):
        """
        FIN, then the rest of what the client still sends: an unread byte would turn our FIN into a RST. Returns: how
        many bytes that were
        """
        connection.settimeout(5)
        late = 0
        try:
            connection.shutdown(socket.SHUT_WR)
            while data := connection.recv(BLOCK_BYTES):
                late += len(data)
        except OSError:
            pass
        return late
