# SPDX-License-Identifier: GPL-2.0-or-later
"""Gitea's API v1, as its routers decide."""

import pathlib

from servers.stub import json_reply
from servers.tracker import Refusal, Tracker, route

REPO = r"/api/v1/repos/([^/]+)/([^/]+)"


class Gitea(Tracker):
    """
    Repository "gfx/traces", with an issue of "boss". `stale_index`: a search does not find what is new. `settings`: as
    /settings/attachment tells them, None: an old version.
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.settings = {"enabled": True, "allowed_types": ".gz,.zip,.log,.txt", "max_files": 5, "max_size": 4}
        self.archived = False
        self.stale_index = False
        self.labels = [{"id": 11, "name": "mmiotrace"}, {"id": 12, "name": "bug"}]
        self.issues = []
        self.comments = {}  # id: comment
        self.assets = {}  # ("issue", number) or ("comment", id): list
        self.add_issue("boss", "The display stays black", "On this card.")

    def account(self, request):
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind not in ("Bearer", "token") or token not in self.tokens:
            raise Refusal("401 Unauthorized", {"message": "invalid username, password or token"})
        return self.tokens[token]

    def check_repository(self, owner, name, write=False):
        if (owner, name) != ("gfx", "traces"):
            raise Refusal("404 Not Found", {"message": "The target couldn't be found."})
        if write and self.archived:
            raise Refusal("423 Locked", {"message": "Repo is archived."})

    def add_issue(self, poster, title, body, labels=()):
        number = len(self.issues) + 1
        self.issues.append({"id": 700 + number, "number": number, "title": title, "body": body, "state": "open",
                            "user": {"login": poster}, "labels": list(labels),
                            "html_url": f"{self.url}/gfx/traces/issues/{number}"})
        self.assets["issue", number] = []
        return self.issues[-1]

    def issue(self, number):
        if not 1 <= int(number) <= len(self.issues):
            raise Refusal("404 Not Found", {"message": "The target couldn't be found."})
        return self.issues[int(number) - 1]

    def listed(self, assets):
        return [{name: value for name, value in asset.items() if name != "file"} for asset in assets]

    # ---- the API ----

    @route("GET", r"/api/v1/user")
    def user(self, request):
        return {"id": 1, "login": self.account(request)}

    @route("GET", r"/api/v1/settings/attachment")
    def ask_settings(self, request):
        return self.no_route(request) if self.settings is None else self.settings

    @route("GET", REPO + r"/labels")
    def list_labels(self, request, owner, name):
        self.check_repository(owner, name)
        return self.labels

    @route("GET", REPO + r"/issues")
    def list_issues(self, request, owner, name):
        self.account(request)
        self.check_repository(owner, name)
        found = list(reversed(self.issues))
        if "q" in request.query:
            found = [] if self.stale_index else [issue for issue in found if request.query["q"] in
                                                 issue["title"] + issue["body"]]
        return found[:int(request.query.get("limit", 30))]

    @route("POST", REPO + r"/issues")
    def create_issue(self, request, owner, name):
        poster = self.account(request)
        self.check_repository(owner, name, write=True)
        body = self.json_body(request, {"title": str, "body": str, "labels": list}, ("title",))
        if not all(label in (11, 12) for label in body.get("labels", [])):
            raise Refusal("422 Unprocessable Entity", {"message": "unknown label"})
        return json_reply("201 Created", self.add_issue(poster, body["title"], body.get("body", ""),
                                                        body.get("labels", [])))

    @route("GET", REPO + r"/issues/(\d+)/comments")
    def list_comments(self, request, owner, name, number):
        self.account(request)
        self.check_repository(owner, name)
        return [comment for comment in self.comments.values() if comment["issue"] == self.issue(number)["number"]]

    @route("POST", REPO + r"/issues/(\d+)/comments")
    def create_comment(self, request, owner, name, number):
        poster = self.account(request)
        self.check_repository(owner, name, write=True)
        issue = self.issue(number)
        body = self.json_body(request, {"body": str}, ("body",))
        comment = {"id": 900 + len(self.comments), "body": body["body"], "user": {"login": poster},
                   "issue": issue["number"], "html_url": f"{issue['html_url']}#issuecomment-{900 + len(self.comments)}"}
        self.comments[comment["id"]] = comment
        self.assets["comment", comment["id"]] = []
        return json_reply("201 Created", comment)

    @route("GET", REPO + r"/issues/(\d+)/assets")
    def list_issue_assets(self, request, owner, name, number):
        self.account(request)
        self.check_repository(owner, name)
        return self.listed(self.assets["issue", self.issue(number)["number"]])

    @route("GET", REPO + r"/issues/comments/(\d+)/assets")
    def list_comment_assets(self, request, owner, name, number):
        self.account(request)
        self.check_repository(owner, name)
        return self.listed(self.assets["comment", int(number)])

    @route("POST", REPO + r"/issues/(\d+)/assets")
    def add_issue_asset(self, request, owner, name, number):
        account = self.account(request)
        self.check_repository(owner, name, write=True)
        return self.attach(request, account, self.issue(number), ("issue", int(number)))

    @route("POST", REPO + r"/issues/comments/(\d+)/assets")
    def add_comment_asset(self, request, owner, name, number):
        account = self.account(request)
        self.check_repository(owner, name, write=True)
        if int(number) not in self.comments:
            raise Refusal("404 Not Found", {"message": "The target couldn't be found."})
        return self.attach(request, account, self.comments[int(number)], ("comment", int(number)))

    def attach(self, request, account, owner, place):
        settings = self.settings or {"enabled": True, "allowed_types": "", "max_size": 4}
        if not settings["enabled"]:
            raise Refusal("404 Not Found", {"message": "Attachments are disabled."})
        if owner["user"]["login"] != account:
            raise Refusal("403 Forbidden", {"message": "user should have permission to write issue"})
        file = self.form_file(request, "attachment")
        file.name = request.query.get("name", file.name)
        allowed = [entry.strip() for entry in settings["allowed_types"].split(",") if entry.strip()]
        if allowed and pathlib.Path(file.name).suffix not in allowed:
            raise Refusal("422 Unprocessable Entity", {
                "message": "This file cannot be uploaded or modified due to a forbidden file extension or type."})
        if file.bytes > settings["max_size"] << 20:
            raise Refusal("413 Payload Too Large", {"message": "attachment exceeds limit"})
        asset = {"id": len(self.files), "name": file.name, "size": file.bytes, "file": file, "uuid": "0-0",
                 "browser_download_url": f"{self.url}/attachments/0-0"}
        self.assets[place].append(asset)
        return json_reply("201 Created", self.listed([asset])[0])

    def no_route(self, request):
        return json_reply("404 Not Found", {"message": "Not Found", "url": f"{self.url}/api/swagger"})
