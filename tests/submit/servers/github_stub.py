# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of GitHub's REST API that issues need, as a GitHub of one's own has it: below /api/v3."""

from servers.stub import json_reply
from servers.tracker import Refusal, Tracker, route

REPO = r"/api/v3/repos/([^/]+)/([^/]+)/issues"


class GitHub(Tracker):
    """
    Repository "gfx/traces", with an issue of "boss". `has_issues`: False: they are switched off. `hostile_url`: what
    html_url says instead.
    """

    def __init__(self, **options):
        super().__init__(**options)
        self.has_issues = True
        self.hostile_url = None
        self.issues = []
        self.comments = []
        self.add_issue("boss", "The display stays black", "On this card.")

    def add_issue(self, login, title, body, labels=()):
        number = len(self.issues) + 1
        self.issues.append({"id": 5000 + number, "number": number, "title": title, "body": body, "state": "open",
                            "user": {"login": login}, "labels": [{"name": name} for name in labels],
                            "html_url": self.hostile_url or f"{self.url}/gfx/traces/issues/{number}"})
        return self.issues[-1]

    def account(self, request):
        # Without it GitHub answers 403 to everything.
        if not request.headers.get("user-agent"):
            raise Refusal("403 Forbidden", {"message": "Request forbidden by administrative rules."})
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind not in ("Bearer", "token") or token not in self.tokens:
            raise Refusal("401 Unauthorized", {"message": "Bad credentials"})
        return self.tokens[token]

    def check(self, request, owner, name):
        login = self.account(request)
        if (owner, name) != ("gfx", "traces"):
            raise Refusal("404 Not Found", {"message": "Not Found"})
        if not self.has_issues:
            raise Refusal("410 Gone", {"message": "Issues are disabled for this repo"})
        return login

    def page(self, request, entries):
        size, number = int(request.query.get("per_page", 30)), int(request.query.get("page", 1))
        return entries[size * (number - 1):size * number]

    def issue(self, number):
        if not 1 <= int(number) <= len(self.issues):
            raise Refusal("404 Not Found", {"message": "Not Found"})
        return self.issues[int(number) - 1]

    @route("GET", r"/api/v3/user")
    def user(self, request):
        return {"login": self.account(request), "id": 1}

    @route("GET", REPO)
    def list_issues(self, request, owner, name):
        self.check(request, owner, name)
        newest_first = request.query.get("direction", "desc") == "desc"
        return self.page(request, self.issues[::-1] if newest_first else self.issues)

    @route("POST", REPO)
    def create_issue(self, request, owner, name):
        login = self.check(request, owner, name)
        body = self.json_body(request, {"title": str, "body": str, "labels": list}, ("title",))
        if len(body.get("body", "")) > 65536:
            raise Refusal("422 Unprocessable Entity", {"message": "Validation Failed"})
        return json_reply("201 Created", self.add_issue(login, body["title"], body.get("body"), body.get("labels", [])))

    @route("GET", REPO + r"/(\d+)/comments")
    def list_comments(self, request, owner, name, number):
        self.check(request, owner, name)
        wanted = self.issue(number)["number"]
        return self.page(request, [comment for comment in self.comments if comment["issue"] == wanted])

    @route("POST", REPO + r"/(\d+)/comments")
    def create_comment(self, request, owner, name, number):
        login = self.check(request, owner, name)
        issue = self.issue(number)
        body = self.json_body(request, {"body": str}, ("body",))
        return json_reply("201 Created", self.add_comment(login, issue["number"], body["body"]))

    def add_comment(self, login, number, body):
        self.comments.append({"id": 9000 + len(self.comments), "issue": number, "body": body, "user": {"login": login},
                              "html_url": f"{self.url}/gfx/traces/issues/{number}#issuecomment-{len(self.comments)}"})
        return self.comments[-1]
