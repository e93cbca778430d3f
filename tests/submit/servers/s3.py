# SPDX-License-Identifier: GPL-2.0-or-later
"""
s3rver, from npm, installed once into the cache folder, and presigned addresses for it. It does not look at signatures,
only at whether the time is over: what an S3 store says then comes from it.
"""

import datetime
import hashlib
import hmac
import urllib.parse

from servers.server import HERE, Server, find_tool
from servers.tus import installed

NODE_FILES = HERE / "s3-node"
BUCKET = "traces"
KEY_ID = KEY = "S3RVER"
REGION = "us-east-1"


def quote(text, safe=""):
    return urllib.parse.quote(text, safe=safe)


class S3(Server):
    def __init__(self, host="127.0.0.1", port=0):
        super().__init__(host, port)
        self.data = self.folder / "data"

    def prepare(self):
        self.packages = installed(NODE_FILES)
        self.data.mkdir()

    def command(self):
        return [find_tool("node"), self.packages / "node_modules/s3rver/bin/s3rver.js", "-d", self.data,
                "-a", self.host, "-p", self.port, "--configure-bucket", BUCKET]

    def presigned(self, name, seconds=300, ago=0):
        """An address to PUT @name to, made @ago seconds ago, good for @seconds (AWS Signature Version 4)."""
        path = f"/{BUCKET}/{quote(name)}"
        made = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=ago)
        time = made.strftime("%Y%m%dT%H%M%SZ")
        scope = f"{time[:8]}/{REGION}/s3/aws4_request"
        query = {"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"{KEY_ID}/{scope}", "X-Amz-Date": time,
                 "X-Amz-Expires": str(seconds), "X-Amz-SignedHeaders": "host"}
        text = "&".join(f"{quote(key)}={quote(value)}" for key, value in sorted(query.items()))
        request = "\n".join(["PUT", path, text, f"host:{self.host}:{self.port}\n", "host", "UNSIGNED-PAYLOAD"])
        to_sign = "\n".join(["AWS4-HMAC-SHA256", time, scope, hashlib.sha256(request.encode()).hexdigest()])
        key = f"AWS4{KEY}".encode()
        for part in (time[:8], REGION, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        signature = hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()
        return f"{self.url}{path}?{text}&X-Amz-Signature={signature}"

    def stored(self, name):
        """The file with the object's content."""
        return self.data / BUCKET / f"{name}._S3rver_object"
