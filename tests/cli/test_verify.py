# SPDX-License-Identifier: GPL-2.0-or-later
"""`verify`: the exit status says what a file is worth."""

import io
import json
import os
import pathlib
import tarfile
import unittest

from program import TRACES, ProgramTest, trace_bytes

# grade: exit status, name of the error
STATUS = {"good": (0, None), "doubtful": (0, None), "lost": (5, "lost-events"), "untouched": (6, "nothing-traced"),
          "empty": (6, "nothing-traced"), "broken": (1, "invalid")}


class Verify(ProgramTest):
    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def archive(self, name, members, mode="w:gz"):
        path = self.folder / name
        with tarfile.open(path, mode) as tar:
            for member, data in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return path

    def assert_grade(self, path, grade):
        """Returns: the verdict, the events in front of it"""
        status, error = STATUS[grade]
        events, result = self.run_json(status, "verify", path)
        self.assertEqual(events[-1]["event"], "verdict")
        self.assertEqual(events[-1]["grade"], grade)
        self.assertEqual(events[-1]["verdict"]["grade"], grade)
        self.assertEqual(result.get("error"), error)
        plain = self.run_program("verify", path)
        self.assertEqual(plain.status, status, plain)
        self.assertIn(events[-1]["verdict"]["sentence"], plain.out)
        self.assertEqual(plain.err == "", status == 0, plain)
        self.assert_clean(plain)
        return events[-1]["verdict"], events[:-1]

    def assert_error(self, status, error, path, text):
        _, result = self.run_json(status, "verify", path)
        self.assertEqual(result["error"], error)
        self.assertIn(text, result["message"])
        plain = self.assert_fails(status, text, "verify", path)
        self.assertEqual(plain.out, "", plain)

    def test_good(self):
        verdict, _ = self.assert_grade(TRACES / "01-e1000-markers-6.1.txt.xz", "good")
        self.assertEqual((verdict["reads"], verdict["writes"], verdict["markers"]), (7409, 6842, 7))

    def test_plain_text(self):
        self.assert_grade(self.file("t.txt", trace_bytes("20-dev-e1000e")), "good")

    def test_lost(self):
        verdict, _ = self.assert_grade(TRACES / "03-e1000-lost-overwrite1-4k-6.1.txt", "lost")
        self.assertEqual(verdict["lost"]["events"], 13524)

    def test_untouched(self):
        """The name tells the device; the trace is of another one."""
        trace = trace_bytes("29-dev-pvpanic")
        self.assert_grade(self.archive("8086-100e-alice-mmiotrace.tar.gz", {"mydump.txt": trace}), "untouched")
        self.assert_grade(self.archive("a-mmiotrace.tar.gz", {"mydump.txt": trace}), "good")

    def test_empty(self):
        self.assert_grade(self.file("header.txt", b"VERSION 20070824\n"), "empty")
        self.assert_grade(self.file("nothing.txt", b""), "empty")

    def test_broken(self):
        self.assert_grade(self.file("notes.txt", b"Dear developer,\nhere is my trace.\n" * 20), "broken")
        self.assert_grade(self.file("noise.bin", bytes(range(256)) * 500), "broken")
        self.assert_grade(pathlib.Path("/bin/true"), "broken")
        self.assert_grade(self.file("old.txt", b"VERSION 20050101\n" + trace_bytes("29-dev-pvpanic")), "broken")

    def test_truncated(self):
        data = trace_bytes("20-dev-e1000e")
        verdict, _ = self.assert_grade(self.file("cut.txt", data[:len(data) // 2 - 5]), "doubtful")
        self.assertIn("truncated", [finding["id"] for finding in verdict["findings"]])
        packed = (TRACES / "20-dev-e1000e-6.1.txt.xz").read_bytes()
        self.assert_error(1, "invalid", self.file("cut.txt.xz", packed[:3000]), "cut.txt.xz")

    def test_archive(self):
        trace = trace_bytes("20-dev-e1000e")
        path = self.archive("8086-10d3-alice-mmiotrace.tar.gz", {"mydump.txt": trace, "lspci.txt": b"x\n"})
        verdict, messages = self.assert_grade(path, "good")
        self.assertTrue(any(bar["reads"] > 0 for bar in verdict["bars"]))
        self.assertEqual([message["id"] for message in messages], ["no-manifest"] + 3 * ["incomplete"])

    def test_archive_kinds(self):
        trace = {"mydump.txt": trace_bytes("29-dev-pvpanic")}
        for suffix, mode in (("tar", "w"), ("tar.xz", "w:xz"), ("tar.bz2", "w:bz2")):
            with self.subTest(suffix=suffix):
                self.assert_grade(self.archive(f"a.{suffix}", trace, mode), "good")

    def test_archive_damaged(self):
        path = self.archive("a.tar.gz", {"mydump.txt": os.urandom(1000) + trace_bytes("20-dev-e1000e")})
        data = path.read_bytes()
        self.assert_error(1, "invalid", self.file("cut.tar.gz", data[:len(data) // 2]), "cut.tar.gz")
        self.assert_error(1, "invalid", self.archive("none.tar.gz", {"other.png": b"x"}), "none.tar.gz")

    def test_manifest_disagrees(self):
        manifest = {"format": 1, "files": [{"name": "mydump.txt", "bytes": 1, "sha256": "0" * 64}]}
        path = self.archive("a.tar.gz", {"manifest.json": json.dumps(manifest).encode(),
                                         "mydump.txt": trace_bytes("29-dev-pvpanic")})
        result = self.run_program("verify", path)
        self.assertEqual(result.status, 1, result)
        self.check_json(self.run_program("verify", path, "--json"), 1)

    def test_hostile_manifest(self):
        """What a stranger sends does not crash us."""
        trace = trace_bytes("29-dev-pvpanic")
        for manifest in (b"", b"[]", b"{", b'{"a":' + b"[" * 4000000, b"\xff" * 100, b'{"files":7,"capture":[]}',
                         b'{"format":1,"files":[1,null,[],{}],"capture":{"bars":[1,{}]},"verdict":[]}',
                         b'{"format":99999999999999999999}'):
            with self.subTest(manifest=manifest[:40]):
                path = self.archive("a.tar.gz", {"manifest.json": manifest, "mydump.txt": trace})
                result = self.run_program("verify", path, "--json")
                self.assertIn(result.status, (0, 1, 6), result)
                self.check_json(result, result.status)

    def test_hostile_member_names(self):
        trace = trace_bytes("29-dev-pvpanic")
        path = self.archive("a.tar.gz", {"\x1b[31mred\n.txt": b"x", "../../mydump.txt": b"x", "mydump.txt": trace})
        result = self.run_program("verify", path)
        self.assert_clean(result)
        self.check_json(self.run_program("verify", path, "--json"), result.status)

    def test_no_file(self):
        self.assert_error(2, "not-found", self.folder / "missing.txt", "missing.txt")
        self.assert_error(1, "invalid", self.folder, str(self.folder))

    def test_clean_name(self):
        path = self.folder / "a\x1b[31m\nb\u202ec"
        self.assert_clean(self.assert_fails(2, "a [31m b c", "verify", path))
        path.write_bytes(b"VERSION 20070824\n")
        self.assert_clean(self.run_program("verify", path))

    def test_name_that_looks_like_an_option(self):
        (self.folder / "-x").write_bytes(trace_bytes("29-dev-pvpanic"))
        self.assert_ok("verify", "--", "-x")

    def test_bytes_in_a_name(self):
        name = os.path.join(os.fsencode(self.folder), b"\xff.txt")
        with open(name, "wb") as file:
            file.write(trace_bytes("29-dev-pvpanic"))
        self.assert_ok("verify", os.fsdecode(name))


if __name__ == "__main__":
    unittest.main()
