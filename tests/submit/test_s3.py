# SPDX-License-Identifier: GPL-2.0-or-later
"""A presigned address: it is the secret, and puts one file to one place until it expires."""

import os
import unittest

from harness import AUTH, REJECTED, Case
from servers.s3 import S3

NAME = "1b36-0011-alice-mmiotrace.tar.gz"


def setUpModule():
    global s3
    s3 = S3().start_for(unittest)


class Presigned(Case):
    def setUp(self):
        super().setUp()
        self.target("there", Kind="s3-presigned", URL=s3.url)
        self.name = f"{self.id()}.tar.gz"

    def assert_secret(self, result, address):
        """The signature is nowhere to be seen: not in the output, not in what is kept."""
        signature = address.rpartition("=")[2]
        everything = [result.out_bytes, result.err_bytes, *self.state_bytes().values()]
        self.assertFalse([text for text in everything if signature.encode() in text])

    def refuse(self, address, expect, words):
        result = self.upload(self.archive(), "there", token=address, expect=expect)
        self.assertIn(words, result.result["message"])
        self.assert_secret(result, address)
        self.assertFalse(s3.stored(self.name).exists())

    def test_upload(self):
        address = s3.presigned(self.name)
        path = self.archive(300_000)
        result = self.upload(path, "there", token=address)
        self.assert_same_file(path, s3.stored(self.name))
        self.assertEqual(result.url, address.partition("?")[0])
        self.assert_secret(result, address)
        self.assertEqual(os.listdir(s3.stored(self.name).parent).count(f"{self.name}._S3rver_object"), 1)

    def test_expired(self):
        self.refuse(s3.presigned(self.name, seconds=10, ago=3600), AUTH, "has expired: ask for a new address")

    def test_other_server(self):
        """Consent was given for one server."""
        address = s3.presigned(self.name).replace("127.0.0.1", "127.0.0.2")
        self.refuse(address, AUTH, "of another server")

    def test_no_address(self):
        self.refuse("something else", AUTH, "no presigned address")

    def test_missing(self):
        self.upload(self.archive(), "there", expect=AUTH)

    def test_new_address(self):
        """After the first has expired the kept report goes with another one."""
        path = self.archive()
        self.upload(path, "there", token=s3.presigned(self.name, seconds=10, ago=3600), expect=AUTH)
        self.upload(path, "there", token=s3.presigned(self.name))
        self.assert_same_file(path, s3.stored(self.name))

    def test_parts(self):
        """Several files do not fit one address."""
        self.target("there", Kind="s3-presigned", URL=s3.url, MaxSize=100_000, OnTooBig="split")
        result = self.upload(self.archive(250_000), "there", token=s3.presigned(self.name), expect=REJECTED)
        self.assertIn("takes one file", result.result["message"])


if __name__ == "__main__":
    unittest.main()
