# SPDX-License-Identifier: GPL-2.0-or-later
"""GitLab's API v4, as far as its documentation describes what the program uses."""

import re
import secrets

from servers.stub import json_reply
from servers.tracker import Refusal, Tracker, route

PROJECT = r"/api/v4/projects/([^/]+)"
DESCRIPTION_MAX = 1048576
SPAM = json_reply("400 Bad Request", {"message": {
    "error": "Your issue has been recognized as spam and has been discarded."}})
CAPTCHA = json_reply("409 Conflict", {"needs_captcha_response": True, "spam_log_id": 7, "captcha_site_key": "abc"})


class GitLab(Tracker):
    """
    Project `project`; `members_only` hides it from all tokens but those of `members`. `read_only`: tokens without the
    scope "api". `stale_index`: a search does not find what is new. `upload_answer`: changes to the answer of an upload.
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.project = "drm/nouveau"
        self.members_only = False
        self.members = {"alice"}
        self.read_only = {"read-token": "bob"}
        self.max_bytes = 100 << 20
        self.uploads = {}  # address: File
        self.issues = []
        self.notes = {}  # iid: list
        self.stale_index = False
        self.upload_answer = {}
        self.issue_answer = {}

    # ---- who may what ----

    def account(self, request, write=False):
        token = request.headers.get("private-token")
        if token is None:
            token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token in self.read_only:
            if write:
                raise Refusal("403 Forbidden", {"error": "insufficient_scope", "error_description":
                                                "The request requires higher privileges than provided.",
                                                "scope": "api"})
            return self.read_only[token]
        if token not in self.tokens:
            raise Refusal("401 Unauthorized", {"message": "401 Unauthorized"})
        return self.tokens[token]

    def check_project(self, project, account):
        if project != self.project.replace("/", "%2F") or (self.members_only and account not in self.members):
            raise Refusal("404 Not Found", {"message": "404 Project Not Found"})

    def find_issue(self, iid):
        for issue in self.issues:
            if issue["iid"] == int(iid):
                return issue
        raise Refusal("404 Not Found", {"message": "404 Not found"})

    def add_issue(self, author, title, description, **more):
        iid = len(self.issues) + 1
        issue = {"id": 1000 + iid, "iid": iid, "title": title, "description": description, "state": "opened",
                 "labels": [], "confidential": False, "author": {"username": author},
                 "web_url": f"{self.url}/{self.project}/-/issues/{iid}", **more}
        self.issues.append(issue)
        self.notes[iid] = []
        return issue

    # ---- the API ----

    @route("GET", r"/api/v4/user")
    def user(self, request):
        return {"id": 1, "username": self.account(request)}

    @route("POST", PROJECT + r"/uploads")
    def upload(self, request, project):
        self.check_project(project, self.account(request, write=True))
        if request.length > self.max_bytes:
            raise Refusal("413 Payload Too Large", {"message": "413 Request Entity Too Large"})
        file = self.form_file(request, "file")
        address = f"/uploads/{secrets.token_hex(16)}/{file.name}"
        self.uploads[address] = file
        return json_reply("201 Created", {"id": len(self.uploads), "alt": file.name, "url": address,
                                          "full_path": f"/-/project/1{address}",
                                          "markdown": f"[{file.name}]({address})", **self.upload_answer})

    @route("GET", PROJECT + r"/issues")
    def list_issues(self, request, project):
        account = self.account(request)
        self.check_project(project, account)
        query = request.query
        known = {"state", "per_page", "scope", "in", "search", "order_by", "sort"}
        if not set(query) <= known or query.get("in", "title,description") != "title,description":
            self.broken.append(f"list of issues: {request.target}")
        found = [issue for issue in reversed(self.issues)
                 if query.get("scope") != "created_by_me" or issue["author"]["username"] == account]
        if "search" in query:
            found = [] if self.stale_index else [issue for issue in found if query["search"] in
                                                 issue["title"] + issue["description"]]
        return found[:int(query.get("per_page", 20))]

    @route("POST", PROJECT + r"/issues")
    def create_issue(self, request, project):
        account = self.account(request, write=True)
        self.check_project(project, account)
        body = self.json_body(request, {"title": str, "description": str, "labels": str, "confidential": bool},
                              ("title",))
        if len(body["title"]) > 255 or len(body.get("description", "")) > DESCRIPTION_MAX:
            raise Refusal("400 Bad Request", {"message": {"title": ["is too long"]}})
        issue = self.add_issue(account, body["title"], body.get("description", ""),
                               labels=[label for label in body.get("labels", "").split(",") if label],
                               confidential=body.get("confidential", False))
        return json_reply("201 Created", {**issue, **self.issue_answer})

    @route("GET", PROJECT + r"/issues/(\d+)")
    def get_issue(self, request, project, iid):
        self.check_project(project, self.account(request))
        return self.find_issue(iid)

    @route("GET", PROJECT + r"/issues/(\d+)/notes")
    def list_notes(self, request, project, iid):
        self.check_project(project, self.account(request))
        self.find_issue(iid)
        return list(reversed(self.notes[int(iid)]))

    @route("POST", PROJECT + r"/issues/(\d+)/notes")
    def create_note(self, request, project, iid):
        account = self.account(request, write=True)
        self.check_project(project, account)
        self.find_issue(iid)
        body = self.json_body(request, {"body": str}, ("body",))
        note = {"id": 500 + len(self.notes[int(iid)]), "body": body["body"], "author": {"username": account}}
        self.notes[int(iid)].append(note)
        return json_reply("201 Created", note)

    # ---- for tests ----

    def linked(self, text):
        """The files that a text links to, in order; a link that leads nowhere is None."""
        return [self.uploads.get(address) for address in re.findall(r"\[[^\]]*\]\(([^)]*)\)", text)]
