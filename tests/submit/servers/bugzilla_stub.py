# SPDX-License-Identifier: GPL-2.0-or-later
"""
Bugzilla 5's REST and JSON-RPC, with the error codes of its source. `header`: as its forks do it, the key comes in
X-BUGZILLA-API-KEY and there is a /rest/whoami.
"""

import base64
import json
import re

from servers.stub import json_reply
from servers.tracker import Refusal, Tracker, route

# What REST makes of a code; all others are 400.
STATUS = {51: 404, 101: 404, 102: 401, 106: 401, 109: 401, 300: 401, 304: 401, 410: 401, 32614: 404}
NAMES = {400: "400 Bad Request", 401: "401 Unauthorized", 404: "404 Not Found"}


class Problem(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class Bugzilla(Tracker):
    """Product "Drivers", component "Video"; `max_kib`, `max_local_mib`: parameters; `rpc`: there is a jsonrpc.cgi."""

    def __init__(self, header=False, **options):
        super().__init__(**options)
        self.header = header
        self.rpc = not header
        self.max_kib, self.max_local_mib = 1000, 0
        self.bugs = {}  # id: bug
        self.hidden = set()  # ids that only "alice" sees
        self.attachments = {}  # id of bug: list
        self.next_attachment = 100

    def add_bug(self, summary, description, creator="boss", **more):
        number = len(self.bugs) + 1
        self.bugs[number] = {"id": number, "summary": summary, "product": "Drivers", "component": "Video",
                             "version": "unspecified", "status": "NEW", "resolution": "", "creator": creator,
                             "comments": [description], **more}
        self.attachments[number] = []
        return number

    # ---- who ----

    def login(self, key, required=True):
        if key is None:
            if required:
                raise Problem(410, "You must log in before using this part of Bugzilla.")
            return None
        if key not in self.tokens:
            raise Problem(306, "The API key you specified is invalid. Please check that you typed it correctly.")
        return self.tokens[key]

    def key_of(self, request, body=None):
        if any("api_key" in name.lower() for name in request.query):
            self.broken.append(f"the key is in the address: {request.target}")
        if self.header:
            return request.headers.get("x-bugzilla-api-key")
        if "x-bugzilla-api-key" in request.headers or "authorization" in request.headers:
            self.broken.append("a key in a header that stock Bugzilla does not know")
        return (body or {}).get("api_key")

    def bug(self, number, user):
        bug = self.bugs.get(int(number))
        if bug is None:
            raise Problem(101, f"Bug #{number} does not exist.")
        if bug["id"] in self.hidden and user != "alice":
            raise Problem(102, f"You are not authorized to access bug #{number}.")
        return bug

    # ---- methods ----

    def search(self, params, user):
        mark = params.get("summary", "")
        if not mark:
            raise Problem(1000, "You must specify one or more fields in which to search.")
        fields = params["include_fields"]
        return {"bugs": [{name: bug[name] for name in fields} for bug in self.bugs.values()
                         if mark in bug["summary"] and (bug["id"] not in self.hidden or user == "alice")]}

    def get(self, params, user):
        bugs = [self.bug(number, user) for number in params["ids"]]
        return {"bugs": [{name: bug[name] for name in params["include_fields"]} for bug in bugs]}

    def comments(self, params, user):
        return {"bugs": {str(number): {"comments": [{"count": count, "text": text} for count, text in
                                                    enumerate(self.bug(number, user)["comments"])]}
                         for number in params["ids"]}, "comments": {}}

    def list_attachments(self, params, user):
        if "include_fields" not in params or "data" in params["include_fields"]:
            self.broken.append("the list of attachments was asked for with their contents")
        for number in params["ids"]:
            self.bug(number, user)
        return {"bugs": {str(number): [{name: entry[name] for name in params["include_fields"]}
                                       for entry in self.attachments[int(number)]] for number in params["ids"]},
                "attachments": {}}

    def parameters(self, params, user):
        known = {"maintainer": "boss@example.invalid", "requirelogin": "0"}
        if user:
            known |= {"maxattachmentsize": str(self.max_kib), "maxlocalattachment": str(self.max_local_mib)}
        wanted = params.get("include_fields", list(known))
        return {"parameters": {name: value for name, value in known.items() if name in wanted}}

    # ---- JSON-RPC: reading with the key in the body ----

    @route("POST", r"/jsonrpc\.cgi")
    def json_rpc(self, request):
        if not self.rpc:
            return json_reply("404 Not Found", {})
        call = self.json_body(request, {"version": str, "id": int, "method": str, "params": list},
                              ("method", "params", "id"))
        method = {"Bug.search": self.search, "Bug.get": self.get, "Bug.comments": self.comments,
                  "Bug.attachments": self.list_attachments, "Bugzilla.parameters": self.parameters}.get(call["method"])
        params = dict(call["params"][0])
        try:
            if method is None:
                raise Problem(-32601, "There is no method named so.")
            key = self.key_of(request, params)
            params.pop("api_key", None)
            return {"version": "1.1", "id": call["id"], "result": method(params, self.login(key, required=False))}
        except Problem as problem:
            return json_reply("500 Internal Server Error", {
                "version": "1.1", "id": call["id"],
                "error": {"name": "JSONRPCError", "code": problem.code, "message": problem.message}})

    # ---- REST ----

    def rest(self, request, work):
        try:
            return work()
        except Problem as problem:
            status = STATUS.get(problem.code, 400)
            raise Refusal(NAMES[status], {"error": True, "code": problem.code, "message": problem.message,
                                          "documentation": "https://bugzilla.readthedocs.org/en/5.0/api/"}) from problem

    def read(self, request, method, **params):
        """A GET: the key only in a header, if at all."""
        query = {**request.query, **params}
        if "include_fields" in query:
            query["include_fields"] = query["include_fields"].split(",")
        return self.rest(request, lambda: method(query, self.login(self.key_of(request), required=False)))

    @route("GET", r"/rest/bug")
    def rest_search(self, request):
        return self.read(request, self.search)

    @route("GET", r"/rest/bug/(\d+)")
    def rest_get(self, request, number):
        return self.read(request, self.get, ids=[number])

    @route("GET", r"/rest/bug/(\d+)/comment")
    def rest_comments(self, request, number):
        return self.read(request, self.comments, ids=[number])

    @route("GET", r"/rest/bug/(\d+)/attachment")
    def rest_attachments(self, request, number):
        return self.read(request, self.list_attachments, ids=[number])

    @route("GET", r"/rest/parameters")
    def rest_parameters(self, request):
        return self.read(request, self.parameters)

    @route("GET", r"/rest/whoami")
    def rest_whoami(self, request):
        if not self.header:
            return self.no_route(request)
        return self.rest(request, lambda: {"id": 1, "name": self.login(self.key_of(request))})

    @route("POST", r"/rest/bug")
    def create(self, request):
        members = {name: str for name in ("product", "component", "version", "summary", "description")}
        body = self.json_body(request, members if self.header else {**members, "api_key": str})

        def work():
            user = self.login(self.key_of(request, body))
            if body.get("product") != "Drivers":
                raise Problem(106, "Either the product does not exist or you don't have access to it.")
            if body.get("component") != "Video":
                raise Problem(105, "There is no component named so in the product.")
            if not body.get("summary"):
                raise Problem(107, "You must enter a summary for this bug.")
            if len(body.get("description", "")) > 65535:
                raise Problem(114, "Comments cannot be longer than 65535 characters.")
            return {"id": self.add_bug(body["summary"], body.get("description", ""), user, version=body["version"])}
        return self.rest(request, work)

    @route("POST", r"/rest/bug/(\d+)/attachment")
    def attach(self, request, number):
        members = {"ids": list, "data": str, "file_name": str, "summary": str, "content_type": str, "comment": str,
                   "is_patch": bool, "is_private": bool}
        body = self.json_body(request, members if self.header else {**members, "api_key": str})

        def work():
            user = self.login(self.key_of(request, body))
            bug = self.bug(number, user)
            if body["ids"] != [bug["id"]]:
                raise Problem(50, "The ids are not those of the address.")
            if not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", body["data"]):
                self.broken.append("the data is not base64")
            data = base64.b64decode(body["data"], validate=True)
            return json_reply("201 Created", {"ids": [self.store(bug, user, body, data)]})
        return self.rest(request, work)

    def store(self, bug, user, body, data):
        if not data:
            raise Problem(606, "The file you are trying to attach is empty, does not exist, or you don't have access.")
        if len(data) > max(self.max_local_mib << 20, self.max_kib << 10):
            raise Problem(600, f"The file you are trying to attach is {len(data) // 1024} kilobytes (KB) in size.")
        if "/" not in body["content_type"]:
            raise Problem(601, "The content type is not valid.")
        file = self.keep(data, body["file_name"], body["content_type"])
        self.next_attachment += 1
        self.attachments[bug["id"]].append({"id": self.next_attachment, "file_name": file.name, "size": len(data),
                                            "summary": body["summary"], "file": file})
        bug["comments"].append(body["comment"])
        return self.next_attachment

    def no_route(self, request):
        return json_reply("404 Not Found", {"error": True, "code": 32614,
                                            "message": "A REST API resource was not found"})

    # ---- for tests ----

    def bodies(self):
        """All that was received, as text."""
        return [json.loads(request.spool.read_bytes()) for request in self.requests if request.body_bytes]
