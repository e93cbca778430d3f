# SPDX-License-Identifier: GPL-2.0-or-later
"""Launchpad's +storeblob, and how it takes the message apart: line by line, strictly, as its parser does."""

import base64
import dataclasses
import email

from servers.stub import Reply
from servers.tracker import Tracker, route

TOKEN = "7b3a9f52-0e4c-11ef-9d3e-00163e5e6c00"


@dataclasses.dataclass
class Attachment:
    name: str
    content: bytes


@dataclasses.dataclass
class Blob:
    description: str = None
    attachments: list = dataclasses.field(default_factory=list)


class Message:
    """Reads lines that end with LF, as old Launchpads know no others."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def up_to(self, mark):
        end = self.data.index(mark, self.at) + len(mark)
        found, self.at = self.data[self.at:end], end
        return found

    def headers(self):
        return email.message_from_bytes(self.up_to(b"\n\n"))

    def part(self, boundary):
        """Returns: (headers, content, the line that ended it)"""
        headers, content = self.headers(), b""
        encoding = headers["Content-Transfer-Encoding"]
        if encoding not in (None, "base64"):
            raise ValueError(f"unknown encoding {encoding}")
        while not (line := self.up_to(b"\n")).startswith(boundary):
            content += base64.b64decode(line, validate=False) if encoding else line
        return headers, content, line


def take_apart(data):
    message, blob = Message(data), Blob()
    boundary = b"--" + message.headers().get_param("boundary").encode()
    line = message.up_to(b"\n")
    if line.rstrip() != boundary:
        raise ValueError("something before the first part")
    while not line.startswith(boundary + b"--"):
        headers, content, line = message.part(boundary)
        disposition = headers["Content-Disposition"].split(";")[0].strip()
        if disposition == "attachment":
            blob.attachments.append(Attachment(headers.get_filename(), content))
        elif headers.get_content_type() != "text/plain" or not headers.get_content_charset():
            raise ValueError("a part that is neither text nor attachment")
        elif blob.description is None:
            blob.description = content.rstrip().decode(headers.get_content_charset())
    return blob


class Launchpad(Tracker):
    """`blobs`: what came; `token`: what the answer names (None: no header)"""

    def __init__(self, **options):
        super().__init__(**options)
        self.token = TOKEN
        self.blobs = []

    @route("POST", r"/\+storeblob")
    def store(self, request):
        request.body = request.spool.read_bytes()
        form = request.form()
        if form["FORM_SUBMIT"][0] != b"1" or form["field.blob"][1] is None:
            return Reply("200 OK", b"<html>The form</html>")
        self.blobs.append(take_apart(form["field.blob"][0]))
        return Reply("200 OK", b"<html>Stored</html>",
                     {"X-Launchpad-Blob-Token": self.token} if self.token is not None else {})
