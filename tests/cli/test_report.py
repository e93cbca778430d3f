# SPDX-License-Identifier: GPL-2.0-or-later
"""The report without a capture: pack --trace, review, open, verify of what came out."""

import hashlib
import json
import pathlib
import re
import tarfile
import unittest

from program import TRACES, ProgramTest

TRACE = TRACES / "07-edu-widths-unknown-6.1.txt"
HEADER = "VERSION 20070824\nPCIDEV 0018 123411e8 b fea00000 0 0 0 0 0 0 100000 0 0 0 0 0 0 \n"
RECORDS = "MAP 1.000001 1 0xfea00000 0xffffd22ac0075000 0x1000 0x0 0\nR 4 1.000002 1 0xfea00000 0x10000ed 0x0 0\n"


class Report(ProgramTest):
    def setUp(self):
        super().setUp()
        # A report needs no machine: the real root, but folders of its own.
        del self.env["MTW_ROOT"]
        self.out.mkdir()

    def pack(self, status, *arguments, trace=TRACE, nick="zoe"):
        result = self.run_program("pack", "--trace", trace, "--nick", nick, "--output", self.out, *arguments)
        self.assertEqual(result.status, status, result)
        return result

    def members(self, name="1234-11e8-zoe-mmiotrace.tar.gz"):
        with tarfile.open(self.out / name) as archive:
            return {member.name: archive.extractfile(member).read() for member in archive}

    def write_trace(self, *markers):
        trace = self.folder / "trace.txt"
        trace.write_text(HEADER + RECORDS + "".join(f"MARK 1.500000 {text}\n" for text in markers))
        return trace


class Pack(Report):
    def test_trace_from_elsewhere(self):
        self.pack(0, "--device", "1234:11e8")
        members = self.members()
        self.assertEqual(members["mydump.txt"], TRACE.read_bytes())
        self.assertEqual(list(members)[0], "manifest.json")
        manifest = json.loads(members["manifest.json"])
        for entry in manifest["files"]:
            self.assertEqual(hashlib.sha256(members[entry["name"]]).hexdigest(), entry["sha256"])
        self.assertIn("zoe", members["description.txt"].decode())

    def test_compressed(self):
        self.pack(0, "--device", "8086:100e", trace=next(TRACES.glob("01-*.xz")))
        self.assertTrue(self.members("8086-100e-zoe-mmiotrace.tar.gz")["mydump.txt"].startswith(b"VERSION 20070824\n"))

    def test_an_older_one_stays(self):
        for _ in range(3):
            self.pack(0, "--device", "1234:11e8")
        self.assertEqual(sorted(path.name for path in self.out.iterdir()),
                         [f"1234-11e8-zoe-mmiotrace{more}.tar.gz" for more in ("-2", "-3", "")])

    def test_usage(self):
        self.assertIn("--device", self.pack(2).err)
        self.assertIn("10de:1b80", self.pack(2, "--device", "0000:01:00.0").err)
        self.assertIn("yes or no", self.pack(2, "--device", "1234:11e8", "--redact", "perhaps").err)
        self.assertIn("missing.txt", self.pack(2, "--device", "1234:11e8", trace="missing.txt").err)
        result = self.run_program("pack", "--trace", TRACE, "--device", "1234:11e8")
        self.assertEqual(result.status, 2, result)
        self.assertIn("--nick", result.err)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_no_such_session(self):
        result = self.run_program("pack", "20200101-000000-1234-11e8", "--nick", "zoe")
        self.assertEqual(result.status, 2, result)
        self.assertIn("20200101-000000-1234-11e8", result.err)


class Masking(Report):
    MARKERS = ("mail zoe.miller@private-place.example now", "my dog is Fluffington")

    def test_markers_and_story(self):
        story = self.folder / "story.txt"
        story.write_text("Ask zoe.miller@private-place.example.\nThe card is 52:54:00:12:34:56.\n")
        self.pack(0, "--device", "1234:11e8", "--describe-file", story, "--redact-word", "Fluffington",
                  trace=self.write_trace(*self.MARKERS))
        members = {name: content.decode() for name, content in self.members().items()}
        for name, text in members.items():
            for private in ("zoe.miller", "Fluffington", "52:54:00:12:34:56"):
                self.assertNotIn(private, text, name)
        self.assertTrue(members["mydump.txt"].startswith(HEADER + RECORDS))
        masks = {re.search(r"user\d+@example\.org", members[name])[0] for name in ("description.txt", "mydump.txt")}
        self.assertEqual(len(masks), 1, "the same value has two masks")

    def test_map_is_private_and_outside(self):
        self.pack(0, "--device", "1234:11e8", trace=self.write_trace(*self.MARKERS))
        maps = list(pathlib.Path(self.env["HOME"]).rglob("redact-map.json"))
        self.assertEqual(len(maps), 1)
        self.assertEqual(maps[0].stat().st_mode & 0o777, 0o600)
        self.assertIn("zoe.miller", maps[0].read_text())
        self.assertNotIn("redact-map.json", self.members())

    def test_not_masked_when_told_so(self):
        self.pack(0, "--device", "1234:11e8", "--redact", "no", trace=self.write_trace(*self.MARKERS))
        self.assertIn(b"zoe.miller@private-place.example", self.members()["mydump.txt"])
        events, _ = self.run_json(0, "verify", self.out / "1234-11e8-zoe-mmiotrace.tar.gz")
        self.assertIn("leak", [event.get("id") for event in events])

    def test_masked_has_no_leak(self):
        self.pack(0, "--device", "1234:11e8", trace=self.write_trace(*self.MARKERS))
        events, _ = self.run_json(0, "verify", self.out / "1234-11e8-zoe-mmiotrace.tar.gz")
        self.assertNotIn("leak", [event.get("id") for event in events])


class Open(Report):
    def setUp(self):
        super().setUp()
        self.pack(0, "--device", "1234:11e8")
        self.archive = self.out / "1234-11e8-zoe-mmiotrace.tar.gz"

    def test_list(self):
        result = self.run_program("open", self.archive)
        self.assertEqual(result.status, 0, result)
        self.assertEqual([line.split()[-1] for line in result.out.splitlines()], list(self.members()))
        events, _ = self.run_json(0, "open", self.archive)
        self.assertEqual([event["name"] for event in events], list(self.members()))

    def test_member(self):
        result = self.run_program("open", self.archive, "mydump.txt")
        self.assertEqual((result.status, result.out_bytes), (0, TRACE.read_bytes()))

    def test_errors(self):
        for arguments in (["open"], ["open", self.archive, "nothing.txt"], ["open", "missing.tar.gz"],
                          ["open", self.archive, "mydump.txt", "--json"], ["open", self.archive, "a", "b"]):
            result = self.run_program(*arguments)
            self.assertEqual(result.status, 2, result)

    def test_not_an_archive(self):
        result = self.run_program("open", TRACE)
        self.assertEqual(result.status, 1, result)


if __name__ == "__main__":
    unittest.main()
