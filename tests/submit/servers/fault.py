# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers that do it wrong: `Fault` by the first segment of the path, `Between` in front of one that does it right."""

import re
import threading
import time

from servers.server import ThreadServer, read_head
from servers.stub import BLOCK_BYTES, KEEP_BYTES, Reply, Stub, json_reply, reset

import socket

MEGABYTE = 1 << 20
GIGABYTE = 1 << 30


def http_date(seconds_from_now):
    return time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + seconds_from_now))


def too_many(**headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return json_reply("429 Too Many Requests", {"message": "slow down"}, headers)


class Fault(Stub):
    """
    PUT (or POST) to URL/NAME/...: NAME is a method below, with "-" for "_". `fail_times`: how often the transient ones
    fail before they take an archive. Anything else is taken with 201, and HEAD tells its size.
    """

    def __init__(self, *arguments, fail_times=2, **options):
        super().__init__(*arguments, **options)
        self.fail_times = fail_times
        self.stored = {}  # path: the request that brought it

    def stored_below(self, name):
        """Paths of the files that /NAME/ has taken."""
        with self.lock:
            return sorted(path for path in self.stored if path.startswith(f"/{name}/"))

    def fault_of(self, request):
        name = request.path.split("/")[1].replace("-", "_")
        return getattr(self, f"do_{name}", None)

    def receive(self, request):
        """The faults read as much as they want to."""

    def answer(self, request):
        if request.method in ("GET", "HEAD"):
            return self.look(request)
        if "content-range" in request.headers:
            return Reply("501 Not Implemented")
        fault = self.fault_of(request)
        return fault(request) if fault is not None else self.take(request)

    def look(self, request):
        stored = self.stored.get(request.path)
        if stored is None:
            return Reply("404 Not Found")
        if request.method == "HEAD":
            return Reply("200 OK", headers={"Content-Length": stored.body_bytes})
        return Reply("200 OK", stored.body)

    def take(self, request):
        """The whole of it: the file is there."""
        self.go_on(request)
        self.read_body(request, request.length)
        with self.lock:
            self.stored[request.path] = request
        return json_reply("201 Created", {"id": len(self.stored), "bytes": request.body_bytes})

    def failing(self, request):
        """The text beside it is always taken: it would only cost time."""
        return ".tar." in request.path and request.number < self.fail_times

    # ---- connections that break ----

    def do_reset(self, request):
        self.go_on(request)
        self.read_body(request, min(request.length, MEGABYTE))
        reset(request.connection)

    def do_fin(self, request):
        self.go_on(request)
        self.read_body(request, min(request.length, MEGABYTE))

    def do_reset_then_take(self, request):
        return self.do_reset(request) if self.failing(request) else self.take(request)

    def do_lost(self, request):
        """It has the file, but nobody hears of it."""
        self.take(request)
        reset(request.connection)

    def do_lost_once(self, request):
        return self.do_lost(request) if request.number == 0 else self.take(request)

    def do_hang(self, request):
        self.take(request)
        self.pause(600)

    def do_stalled(self, request):
        """Takes the beginning, then nothing more."""
        self.go_on(request)
        self.read_body(request, min(request.length, 65536))
        self.pause(600)

    def do_slow(self, request):
        """4 KiB a second, far below any limit."""
        request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.go_on(request)
        self.read_body(request, request.length, block=4096, pause_sec=1)
        return json_reply("201 Created", {})

    def do_steady(self, request):
        """Slow, but above the limit of the tests: 64 KiB in a twentieth of a second."""
        self.go_on(request)
        self.read_body(request, request.length, block=65536, pause_sec=0.05)
        return self.take(request)

    # ---- refusals ----

    def do_early413(self, request):
        """Says no after the head, as nginx does."""
        return json_reply("413 Payload Too Large", {"error": "too big"})

    def do_late413(self, request):
        self.go_on(request)
        self.read_body(request, request.length)
        return json_reply("413 Payload Too Large", {"error": "too big"})

    def do_417(self, request):
        if "expect" in request.headers:
            return Reply("417 Expectation Failed")
        return self.take(request)

    def do_flaky(self, request):
        if not self.failing(request):
            return self.take(request)
        self.read_refused(request)
        return Reply("503 Service Unavailable", headers={"Retry-After": 1})

    def do_status(self, request):
        """/status/CODE/...: always that."""
        self.read_refused(request)
        return json_reply(request.path.split("/")[2] + " As You Wish", {"message": "no"})

    def read_refused(self, request):
        self.go_on(request)
        self.read_body(request, request.length)

    # ---- "later" ----

    def later(self, request, **headers):
        if not self.failing(request):
            return self.take(request)
        self.read_refused(request)
        return too_many(**headers)

    def do_429(self, request):
        return self.later(request, Retry_After=1)

    def do_429_date(self, request):
        return self.later(request, Retry_After=http_date(2))

    def do_429_none(self, request):
        return self.later(request)

    def do_429_reset(self, request):
        return self.later(request, RateLimit_Reset=int(time.time()) + 1)

    def do_429_absurd(self, request):
        return self.later(request, Retry_After=10**9)

    def do_429_long(self, request):
        return self.later(request, Retry_After=7200)

    def do_429_negative(self, request):
        return self.later(request, Retry_After=-5, RateLimit_Reset=-10**18)

    def do_429_rubbish(self, request):
        return self.later(request, Retry_After="soon", RateLimit_Reset="tomorrow")

    # ---- answers that are none ----

    def raw(self, request, data):
        self.read_refused(request)
        request.connection.sendall(data)
        self.say_goodbye(request.connection)

    def do_truncated(self, request):
        self.raw(request, b'HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id":')

    def do_empty(self, request):
        self.raw(request, b"")

    def do_no_http(self, request):
        self.raw(request, b"220 mail.example.org ESMTP\r\n")

    def do_nul(self, request):
        self.read_refused(request)
        return Reply("201 Created", b'{"id":\x001,"a":"\x00"}', {"X-Nul": "a\x00b"})

    def do_header_flood(self, request):
        """Headers without an end."""
        self.read_refused(request)
        request.connection.sendall(b"HTTP/1.1 201 Created\r\n")
        line = b"X-Flood: " + b"a" * 1000 + b"\r\n"
        for _ in range(GIGABYTE // len(line)):
            request.connection.sendall(line)

    def do_huge(self, request):
        """An answer of 1 GiB. `huge_sent` tells how much of it was taken."""
        self.read_refused(request)
        request.connection.sendall(b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
                                   b"Content-Length: %d\r\n\r\n" % GIGABYTE)
        self.huge_sent = 0
        block = b" " * 65536
        while self.huge_sent < GIGABYTE:
            request.connection.sendall(block)
            self.huge_sent += len(block)

    def do_escapes(self, request):
        """A refusal that wants to write on the terminal."""
        self.read_refused(request)
        return Reply("422 \x1b]0;owned\x07Bad", '{"message":"\x1b[31mred\u202e\x07\\u001b[2J"}'.encode(),
                     {"Content-Type": "application/json", "Location": "\x1b[31mhttp://127.0.0.9/"})


class Between(ThreadServer):
    """
    In front of a real server; what it does to a request is told by rules, the first that fits:

        between.rule("POST", "/issues.json", "lose-reply", times=1)

    * "lose-reply": the server gets the request and answers, the client gets a reset instead
    * "hold-reply": the server answers, the client hears nothing until `release()`
    * "cut": after @after_bytes of the body the client gets a reset, the server too
    * "refuse": status @status instead of the server's
    * "stall": after @after_bytes nothing goes on until `release()`
    """

    def __init__(self, behind, host="127.0.0.1", port=0, context=None):
        super().__init__(host, port, context)
        self.behind = behind  # (host, port)
        self.rules = []
        self.seen = []  # [method, path, bytes of the body that were passed on so far]
        self.released = threading.Event()
        self.reached = threading.Event()  # a "stall" or "hold-reply" has begun, or a "cut" was made

    def rule(self, method, path, action, times=1, skip=0, after_bytes=0, status="503 Service Unavailable"):
        """@method, @path: patterns for the whole of each. @skip: so many requests that fit are let through first."""
        with self.lock:
            self.rules.append({"method": method, "path": path, "action": action, "left": times, "skip": skip,
                               "after_bytes": after_bytes, "status": status})

    def stop(self, how=None):
        self.released.set()
        super().stop()

    def hold_again(self, method, path, **rule):
        """Another "stall", after an earlier one was released."""
        self.released.clear()
        self.reached.clear()
        self.rule(method, path, "stall", **rule)

    def clear(self):
        """No more rules; what is held goes on."""
        with self.lock:
            self.rules.clear()
        self.released.set()

    def release(self):
        self.released.set()

    def passed_bytes(self, method):
        """Of bodies that were sent on, of all requests with that method."""
        with self.lock:
            return sum(seen[2] for seen in self.seen if seen[0] == method)

    def count(self, method=".*", path=".*"):
        with self.lock:
            return sum(1 for seen in self.seen if re.fullmatch(method, seen[0]) and re.fullmatch(path, seen[1]))

    def find_rule(self, method, path):
        with self.lock:
            for rule in self.rules:
                if rule["left"] == 0 or not (re.fullmatch(rule["method"], method) and
                                             re.fullmatch(rule["path"], path)):
                    continue
                if rule["skip"] > 0:
                    rule["skip"] -= 1
                    continue
                rule["left"] -= 1
                return rule
        return {"action": "pass", "after_bytes": 0}

    def serve(self, connection):
        head, rest = read_head(connection)
        if head is None:
            return
        method, target, _ = head.split(" ", 2)
        path = target.split("?")[0]
        rule = self.find_rule(method, path)
        if rule["action"] == "refuse":
            self.note(method, path)
            connection.sendall(bytes(Reply(rule["status"])))
            return
        head = re.sub(r"(?im)^(connection|keep-alive):.*\r\n", "", head + "\r\n") + "Connection: close\r\n\r\n"
        length = re.search(r"(?im)^content-length: *(\d+)", head)
        with socket.create_connection(self.behind) as upstream:
            upstream.sendall(head.encode("latin-1"))
            back = threading.Thread(target=self.bring_back, args=(upstream, connection, rule), daemon=True)
            back.start()
            whole = self.send_on(connection, upstream, rest, int(length.group(1)) if length else 0, rule,
                                 self.note(method, path))
            if rule["action"] == "cut":
                self.reached.set()
                reset(upstream)
                reset(connection)
                return
            if not whole:
                return
            back.join()
            if rule["action"] == "lose-reply":
                reset(connection)

    def note(self, method, path):
        seen = [method, path, 0]
        with self.lock:
            self.seen.append(seen)
        return seen

    def send_on(self, connection, upstream, rest, length, rule, seen):
        limit = rule["after_bytes"] if rule["action"] in ("cut", "stall") else length
        while seen[2] < length:
            if seen[2] == limit and rule["action"] == "cut":
                return False
            if seen[2] == limit and rule["action"] == "stall":
                self.reached.set()
                self.released.wait(600)
                limit = length
            want = min(BLOCK_BYTES, limit - seen[2])
            data, rest = (rest[:want], rest[want:]) if rest else (connection.recv(want), b"")
            if not data:
                return False
            upstream.sendall(data)
            seen[2] += len(data)
        return True

    def bring_back(self, upstream, connection, rule):
        first = b""
        try:
            while data := upstream.recv(BLOCK_BYTES):
                if rule["action"] not in ("lose-reply", "hold-reply"):
                    connection.sendall(data)
                    continue
                # An interim answer is let through: without it the client would wait before it sends.
                first = (first + data)[:KEEP_BYTES]
                if first.startswith(b"HTTP/1.1 100 ") and b"\r\n\r\n" in first:
                    interim, first = first.split(b"\r\n\r\n", 1)
                    connection.sendall(interim + b"\r\n\r\n")
            if rule["action"] == "hold-reply":
                self.reached.set()
                self.released.wait(600)
                connection.sendall(first)
        except OSError:
            pass
