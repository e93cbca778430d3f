# SPDX-License-Identifier: GPL-2.0-or-later
"""No token and no byte of the report reaches a host that the target does not name."""

import unittest

from harness import REJECTED, Case
from servers import tls
from servers.nginx import PASSWORD, USER, Nginx
from servers.sink import Sink
from servers.stub import Reply, Stub, json_reply

SECRET = "token-that-must-not-leave"
STATUSES = {301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect",
            308: "Permanent Redirect"}

# What a target of each kind needs beside its address; all talk HTTP and have a secret.
TRACKERS = {
    "gitlab": {"Project": "drm/nouveau", "Auth": "bearer"},
    "bugzilla": {"Product": "Drivers", "Component": "Video", "Version": "1", "Auth": "json:Bugzilla_api_key"},
    "redmine": {"Project": "nouveau", "Auth": "header:X-Redmine-API-Key"},
    "rt": {"Queue": "General", "Auth": "basic", "User": "bob"},
    "gitea": {"Project": "drm/nouveau", "Auth": "bearer"},
}
STORES = {
    "put": {"Auth": "bearer"},
    "webdav": {"Auth": "basic", "User": "bob"},
    "tus": {"Auth": "bearer"},
}
KINDS = {**TRACKERS, **STORES}
AUTHS = {"bearer": {"Auth": "bearer"}, "header": {"Auth": "header:PRIVATE-TOKEN"},
         "basic": {"Auth": "basic", "User": "bob"}}


class Redirector(Stub):
    """Sends the methods in `methods` elsewhere: to `where` + the path. The others find nothing."""

    where = ""
    status = 307
    methods = ()
    early = False  # whether it answers before it has the body

    def receive(self, request):
        if not self.early:
            super().receive(request)

    def answer(self, request):
        if request.method in self.methods:
            return Reply(f"{self.status} {STATUSES[self.status]}", headers={"Location": self.where + request.target})
        return Reply("404 Not Found")


def setUpModule():
    global sink
    sink = Sink("127.0.0.2").start_for(unittest)


class ToAnotherHost(Case):
    def setUp(self):
        super().setUp()
        self.server = Redirector().start_for(self)
        self.server.where = sink.url
        self.path = self.archive(2_000_000)

    def assert_refused(self, kind, keys):
        self.target("there", Kind=kind, URL=self.server.url, **keys)
        before = len(self.server.requests)
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", token=SECRET)
        self.assertNotEqual(result.status, 0, result)
        self.assertFalse(result.all("sent"), result)
        self.assertGreater(len(self.server.requests), before, f"the server was not even asked\n{result}")
        sink.assert_untouched(self)
        self.assertNotIn(SECRET, result.out + result.stderr)
        return result

    def test_every_kind(self):
        """Whatever it asks is sent elsewhere."""
        for kind, keys in KINDS.items():
            for methods in (("GET", "HEAD", "POST", "PUT", "PATCH", "MKCOL", "PROPFIND", "MOVE"),
                            ("POST", "PUT", "PATCH", "MKCOL", "MOVE")):
                with self.subTest(kind=kind, methods=methods):
                    self.server.methods = methods
                    self.assert_refused(kind, keys)

    def test_every_status(self):
        for status in STATUSES:
            for early in (False, True):
                with self.subTest(status=status, early=early):
                    self.server.status, self.server.early, self.server.methods = status, early, ("PUT",)
                    result = self.assert_refused("put", STORES["put"])
                    self.assertEqual(result.status, REJECTED, result)

    def test_every_credential(self):
        self.server.methods = ("HEAD", "PUT")
        for name, keys in AUTHS.items():
            with self.subTest(auth=name):
                self.assert_refused("put", keys)
                heads = [request.headers for request in self.server.requests]
                self.assertTrue(any(SECRET in str(head) or "basic " in str(head).lower() for head in heads),
                                "the server itself got no credentials: the test shows nothing")

    def test_names_that_look_alike(self):
        """Another port is another server; so is a name in front of an @."""
        port = Sink().start_for(self)
        self.server.methods = ("HEAD", "PUT")
        for where in (port.url, f"http://{self.server.host}:{self.server.port}@127.0.0.2:{sink.port}",
                      f"//127.0.0.2:{sink.port}", f"http://127.0.0.2:{sink.port}#@{self.server.host}"):
            with self.subTest(where=where):
                self.server.where = where
                self.assert_refused("put", STORES["put"])
                port.assert_untouched(self)

    def test_other_schemes(self):
        """A server cannot make the program read local files or talk to other services."""
        self.server.methods = ("HEAD", "PUT", "GET", "POST")
        for scheme in ("file://", "ftp://127.0.0.2", "gopher://127.0.0.2", "dict://127.0.0.2"):
            with self.subTest(scheme=scheme):
                self.server.where = f"{scheme}/etc/passwd" if scheme == "file://" else f"{scheme}:{sink.port}"
                result = self.assert_refused("put", STORES["put"])
                self.assertNotIn("root:", result.out + result.stderr)


class FromHttps(Case):
    def test_to_http(self):
        """Of the same name, but readable on the way."""
        server = Redirector(context=tls.authority().context()).start_for(self)
        plain = Sink().start_for(self)
        server.where, server.methods = plain.url, ("HEAD", "PUT")
        for status in (302, 307):
            with self.subTest(status=status):
                server.status = status
                self.target("there", Kind="put", URL=server.url, Auth="bearer",
                            network={"CAFile": tls.authority().ca_file})
                self.upload(self.archive(), "there", token=SECRET, expect=REJECTED)
                plain.assert_untouched(self)

    def test_nginx(self):
        """A real server says it, too: the address asked for has moved."""
        nginx = Nginx(https=True, redirects={"/moved/1b36-0011-alice-mmiotrace.tar.gz": (307, sink.url + "/x")})
        nginx.start_for(self)
        self.target("there", Kind="put", URL=nginx.url + "/moved", Auth="bearer",
                    network={"CAFile": tls.authority().ca_file})
        self.upload(self.archive(), "there", token=SECRET, expect=REJECTED)
        sink.assert_untouched(self)


class Allowed(Case):
    def test_same_server(self):
        """nginx moves what is put to /old to /dav: with 307 the file arrives there, with the credentials."""
        nginx = Nginx(more="location ~ ^/old/(.*)$ { return 307 /dav/$1; }").start_for(self)
        path = self.archive()
        self.target("there", Kind="put", URL=nginx.url + "/old", Auth="basic", User=USER)
        self.upload(path, "there", token=PASSWORD)
        self.assert_same_file(path, nginx.stored("/dav/" + path.name))

    def test_named_host(self):
        """AllowRedirectHosts: that host may have the file, but never the token."""
        storage = Nginx(host="127.0.0.2", more=f'if ($http_authorization != "") {{ return 400; }}\n'
                                               f'if ($http_private_token != "") {{ return 400; }}').start_for(self)
        server = Redirector().start_for(self)
        server.where, server.methods = storage.url + "/open", ("PUT", "HEAD")
        path = self.archive()
        for name, keys in AUTHS.items():
            with self.subTest(auth=name):
                storage.stored(f"/open/{name}/{path.name}").unlink(missing_ok=True)
                place = self.target(f"via-{name}", Kind="put", URL=f"{server.url}/{name}",
                                    network={"AllowRedirectHosts": f"127.0.0.2:{storage.port}"}, **keys)
                self.upload(path, place, token=SECRET)
                self.assert_same_file(path, storage.stored(f"/open/{name}/{path.name}"))


class Loop(Redirector):
    def answer(self, request):
        return Reply("307 Temporary Redirect", headers={"Location": f"{self.url}/{len(self.requests)}"})


class Elsewhere(Case):
    def test_loop(self):
        server = Loop().start_for(self)
        self.target("there", Kind="put", URL=server.url, Auth="bearer")
        self.upload(self.archive(), "there", token=SECRET, expect=REJECTED)
        self.assertLess(len(server.requests), 60)

    def test_post_that_becomes_a_page(self):
        """302 to a login page of the same server, which is there (200): nothing was filed."""
        for kind, keys in TRACKERS.items():
            with self.subTest(kind=kind):
                server = LoginPage().start_for(self)
                self.target("there", Kind=kind, URL=server.url, **keys)
                result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                          token=SECRET)
                self.assertNotEqual(result.status, 0, result)
                self.assertFalse(result.all("sent"), result)
                self.assertTrue(server.count("POST"), result)

    def test_tus_location(self):
        """The upload's own address, of another host."""
        for where in (sink.url + "/files/1", f"//127.0.0.2:{sink.port}/files/1", "file:///etc/passwd"):
            with self.subTest(where=where):
                server = TusElsewhere().start_for(self)
                server.where = where
                self.target("there", Kind="tus", URL=server.url + "/files", Auth="bearer")
                self.upload(self.archive(), "there", token=SECRET, expect=REJECTED)
                sink.assert_untouched(self)


class LoginPage(Stub):
    def answer(self, request):
        if request.path == "/login":
            return Reply("200 OK", b"<html><form>Please log in</form></html>", {"Content-Type": "text/html"})
        if request.method == "POST":
            return Reply("302 Found", headers={"Location": f"{self.url}/login"})
        # Enough for what is asked before.
        return json_reply("200 OK", {"issues": [], "total_count": 0, "id": 1, "project": {"id": 1}})


class TusElsewhere(Stub):
    where = ""

    def answer(self, request):
        if request.method == "OPTIONS":
            return Reply("204 No Content", headers={"Tus-Resumable": "1.0.0", "Tus-Version": "1.0.0",
                                                    "Tus-Extension": "creation,termination"})
        if request.method == "POST":
            return Reply("201 Created", headers={"Tus-Resumable": "1.0.0", "Location": self.where})
        return json_reply("404 Not Found", {})


if __name__ == "__main__":
    unittest.main()
