# SPDX-License-Identifier: GPL-2.0-or-later
"""What the stubs of trackers share: routes, strict parsing, files as they arrived, faults that a test switches on."""

import hashlib
import json
import pathlib
import re

from servers.stub import BLOCK_BYTES, Gone, Reply, Stub, json_reply, reset


class Refusal(Exception):
    """An answer that is none: raised by a handler."""

    def __init__(self, status, value, headers=None):
        super().__init__(status)
        self.reply = json_reply(status, value, headers)


class File:
    """A file that arrived. `path`: its bytes"""

    def __init__(self, path, name, content_type):
        self.path, self.name, self.content_type = pathlib.Path(path), name, content_type

    @property
    def bytes(self):
        return self.path.stat().st_size

    @property
    def sha256(self):
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def route(method, pattern):
    """Of a handler `def x(self, request, *groups)`; it returns a value for 200, or a Reply."""
    def mark(handler):
        handler.route = (method, re.compile(pattern))
        return handler
    return mark


class Tracker(Stub):
    """
    `tokens`: {token: name of the account}. `broken`: what a client did that it must not do; tests look at it at the
    end. Bodies go to files, so that large ones cost no memory.
    """

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.tokens = {"good-token": "alice"}
        self.broken = []
        self.faults = []
        self.files = []
        self.routes = [(*getattr(type(self), name).route, getattr(self, name)) for name in dir(type(self))
                       if hasattr(getattr(type(self), name, None), "route")]

    # ---- faults ----

    def fault(self, method, pattern, action, times=1):
        """
        @action: "lose-reply" (it is done, but nobody hears of it), or a Reply that comes instead of the right one
        without anything being done. @pattern: of the path
        """
        self.faults.append([method, re.compile(pattern), action, times])

    def due(self, request):
        for fault in self.faults:
            if fault[3] > 0 and fault[0] == request.method and fault[1].fullmatch(request.path):
                fault[3] -= 1
                return fault[2]
        return None

    # ---- requests ----

    def receive(self, request):
        """Into a file; `request.body` has it when it is small."""
        self.go_on(request)
        if "transfer-encoding" in request.headers:
            self.broken.append(f"{request.method} {request.path}: chunked")
        number = len(self.requests)
        request.spool = self.folder / f"body-{number}-{id(request)}"
        with open(request.spool, "wb") as out:
            while request.body_bytes < request.length:
                data = request.rest or request.connection.recv(min(BLOCK_BYTES, request.length - request.body_bytes))
                request.rest = b""
                if not data:
                    raise Gone("the request ended early")
                request.body_bytes += len(data)
                out.write(data)
        request.complete = True

    def answer(self, request):
        action = self.due(request)
        if isinstance(action, Reply):
            return action
        reply = self.handle(request)
        if action == "lose-reply":
            reset(request.connection)
            return None
        return reply

    def handle(self, request):
        for method, pattern, handler in self.routes:
            found = pattern.fullmatch(request.target.split("?")[0])
            if found and method == request.method:
                try:
                    value = handler(request, *found.groups())
                except Refusal as refusal:
                    return refusal.reply
                return value if isinstance(value, Reply) else json_reply("200 OK", value)
        return self.no_route(request)

    def no_route(self, request):
        return json_reply("404 Not Found", {"error": "404 Not Found"})

    # ---- strict parsing ----

    def json_body(self, request, members, required=()):
        """@members: {name: type} that may be there. Anything else is a mistake of the client."""
        kind = request.headers.get("content-type", "").split(";")[0].strip()
        if kind != "application/json":
            raise Refusal("415 Unsupported Media Type", {"error": f"not JSON but {kind}"})
        try:
            body = json.loads(request.spool.read_bytes())
        except ValueError as error:
            raise Refusal("400 Bad Request", {"error": str(error)}) from error
        for name, value in body.items():
            if name not in members or not isinstance(value, members[name]):
                self.broken.append(f"{request.method} {request.path}: member {name}: {value!r:.80}")
                raise Refusal("400 Bad Request", {"error": f"{name} is invalid"})
        for name in required:
            if not body.get(name):
                raise Refusal("400 Bad Request", {"error": f"{name} is missing"})
        return body

    def form_file(self, request, wanted):
        """The only part, a file named @wanted. Returns: File"""
        kind = request.headers.get("content-type", "")
        found = re.fullmatch(r"multipart/form-data; boundary=([-\w]+)", kind)
        if not found:
            raise Refusal("400 Bad Request", {"error": f"{wanted} is missing"})
        data = request.spool.read_bytes()
        mark = b"--" + found.group(1).encode()
        if not data.startswith(mark + b"\r\n") or not data.rstrip(b"\r\n").endswith(b"\r\n" + mark + b"--"):
            raise Refusal("400 Bad Request", {"error": "malformed form"})
        pieces = data[len(mark) + 2:].split(b"\r\n" + mark)
        if len(pieces) != 2:
            raise Refusal("400 Bad Request", {"error": "one part is expected"})
        head, _, content = pieces[0].partition(b"\r\n\r\n")
        named = re.search(rb'Content-Disposition: form-data; name="([^"]*)"; filename="([^"]*)"', head)
        typed = re.search(rb"Content-Type: (\S+)", head)
        if not named or named.group(1).decode() != wanted:
            raise Refusal("400 Bad Request", {"error": f"{wanted} is missing"})
        return self.keep(content, named.group(2).decode(), typed.group(1).decode() if typed else "")

    def keep(self, content, name, content_type):
        path = self.folder / f"file-{len(self.files)}"
        path.write_bytes(content)
        self.files.append(File(path, name, content_type))
        return self.files[-1]

    # ---- for tests ----

    def posts(self, pattern):
        """How many POSTs came to a path like that."""
        with self.lock:
            return sum(1 for request in self.requests
                       if request.method == "POST" and re.fullmatch(pattern, request.path))

    def no_token_in_addresses(self):
        """Query strings stand in logs."""
        return not any(token in request.target for request in self.requests for token in self.tokens)
