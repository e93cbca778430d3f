# SPDX-License-Identifier: GPL-2.0-or-later
"""`pack` and `review` of a session, and handing the archive over to the person who asked."""

import hashlib
import json
import os
import pathlib
import pwd
import subprocess
import tarfile
import unittest

from program import AS_NOBODY, NOBODY, SOUND, PROGRAM, ProgramTest, need_root, trace_bytes

ARCHIVE = "10de-10f0-alice-mmiotrace.tar.gz"
FACTS = {"device": SOUND, "vendor_id": 0x10de, "device_id": 0x10f0, "driver": "snd_hda_intel"}
FILES = {"mydump.txt", "lspci.txt", "dmesg.txt", "description.txt", "system.txt", "manifest.json"}
VERDICT = {"grade": "good", "sentence": "The trace is complete.", "events": 3, "reads": 1, "writes": 1,
           "lost": {"events": 0, "exact": True}}


class Pack(ProgramTest):
    small = True

    def setUp(self):
        super().setUp()
        self.trace = trace_bytes("20-dev-e1000e")
        self.session = self.make_session(trace=self.trace, verdict=VERDICT, **FACTS)

    def pack(self, *arguments):
        return ["pack", self.session, "--nick", "alice", "--output", self.out, *arguments]

    def assert_archive(self, path):
        with tarfile.open(path, "r:gz") as tar:
            infos = tar.getmembers()
            files = {info.name: tar.extractfile(info).read() for info in infos}
        self.assertTrue(FILES <= set(files), sorted(files))
        self.assertEqual(infos[0].name, "manifest.json")
        for info in infos:
            self.assertNotIn("/", info.name)
            self.assertEqual((info.uid, info.gid, info.isfile()), (0, 0, True), info.name)
        self.assertEqual(files["mydump.txt"], self.trace)
        sums = {entry["name"]: entry["sha256"] for entry in json.loads(files["manifest.json"])["files"]}
        self.assertEqual(sums, {name: hashlib.sha256(data).hexdigest() for name, data in files.items()
                                if name != "manifest.json"})
        return files

    def test_json(self):
        events, _ = self.run_json(0, *self.pack())
        archive = next(event for event in events if event["event"] == "archive")
        self.assertEqual(archive["path"], str(self.out / ARCHIVE))
        self.assertEqual(archive["bytes"], (self.out / ARCHIVE).stat().st_size)
        self.assert_archive(self.out / ARCHIVE)
        state = self.session_state(self.session)
        self.assertEqual((state["state"], state["archive"]), ("packed", str(self.out / ARCHIVE)))

    def test_plain(self):
        result = self.assert_ok(*self.pack())
        self.assertIn(ARCHIVE, result.err)
        self.assertEqual(result.out, "")
        self.assert_clean(result)
        self.assert_ok("verify", self.out / ARCHIVE)

    def test_what_is_in_it(self):
        story = self.folder / "story.txt"
        story.write_text("The link was up.\nThen it was not.\n")
        self.assert_ok(*self.pack("--describe-file", story))
        files = self.assert_archive(self.out / ARCHIVE)
        self.assertIn("Then it was not.", files["description.txt"].decode())
        self.assertIn(SOUND, files["lspci.txt"].decode())
        self.assertIn("10de:10f0", files["lspci.txt"].decode())
        self.assertIn("Debian GNU/Linux 12", files["system.txt"].decode())

    def test_never_written_over(self):
        self.assert_ok(*self.pack())
        before = (self.out / ARCHIVE).read_bytes()
        self.assert_ok(*self.pack())
        self.assertEqual((self.out / ARCHIVE).read_bytes(), before)
        self.assert_archive(self.out / "10de-10f0-alice-mmiotrace-2.tar.gz")

    def test_nobody_is_asked(self):
        self.assert_fails(2, "--nick", "pack", self.session, "--output", self.out)
        self.assertFalse(self.out.exists())

    def test_names(self):
        self.assert_ok("pack", self.session, "--nick", "../../Bob & Co", "--model", "Card/1", "--output", self.out)
        self.assertEqual([path.name for path in self.out.iterdir()], ["Card-1-Bob-Co-mmiotrace.tar.gz"])
        self.assert_fails(2, "nickname", "pack", self.session, "--nick", "///", "--output", self.out)

    def test_no_trace(self):
        name = self.make_session("20260102-120000-8086-100e", state="failed")
        self.assert_fails(2, "trace.txt", "pack", name, "--nick", "alice", "--output", self.out)

    def test_device_is_gone(self):
        """Taken out since: the trace is packed, what is missing is told."""
        name = self.make_session("20260102-120000-8086-100e", trace=self.trace, **{**FACTS, "device": "0000:7f:00.0"})
        events, _ = self.run_json(0, "pack", name, "--nick", "alice", "--output", self.out)
        self.assertIn("warning", [event.get("level") for event in events if event["event"] == "message"])
        self.assertTrue((self.out / ARCHIVE).exists())

    def test_hostile_state(self):
        name = self.make_session("20260102-120000-8086-100e", trace=self.trace, vendor_id="x", device_id=-1,
                                 driver="\x1b[31m", notes="\x1b[2J\u202e", tries=[1, None, {}], bars={"a": 1},
                                 time_sec=-5, error=[])
        result = self.run_program("pack", name, "--nick", "alice", "--output", self.out)
        self.assertIn(result.status, (0, 1), result)
        self.assert_clean(result)

    def test_output_cannot_be_written(self):
        file = self.folder / "file"
        file.touch()
        self.assert_fails(1, "file", "pack", self.session, "--nick", "alice", "--output", file)
        self.assertEqual(self.session_state(self.session)["state"], "captured")

    def test_review(self):
        self.assert_ok(*self.pack())
        events, _ = self.run_json(0, "review", self.session, "--output", self.out)
        review = next(event for event in events if event["event"] == "review")
        self.assertTrue({"mydump.txt", "dmesg.txt"} <= {file["name"] for file in review["files"]})


@need_root
class HandOver(ProgramTest):
    """Under sudo the archive is the person's, and root opens no path of theirs."""

    small = True

    def setUp(self):
        super().setUp()
        self.trace = trace_bytes("20-dev-e1000e")
        self.session = self.make_session(trace=self.trace, verdict=VERDICT, **FACTS)
        self.folder.chmod(0o755)
        self.state.chmod(0o700)
        self.home = self.folder / "home"
        self.home.mkdir()
        os.chown(self.home, NOBODY, NOBODY)
        (self.own_root() / "proc/self/exe").symlink_to(PROGRAM)

    def pack(self, output, **options):
        env = {"SUDO_UID": str(NOBODY), "SUDO_GID": str(NOBODY), **options.pop("env", {})}
        return self.run_program("pack", self.session, "--nick", "alice", "--output", output, env=env, **options)

    def with_home(self):
        """In front of the program: the user nobody has a home, in a mount namespace of its own."""
        passwd = self.folder / "passwd"
        passwd.write_text(f"root:x:0:0:root:/root:/bin/sh\nnobody:x:{NOBODY}:{NOBODY}:nobody:{self.home}:/bin/sh\n")
        words = ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', str(passwd))
        if subprocess.run([*words, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("no mount namespace can be made here")
        return words

    def test_folder_of_root(self):
        """What the person may not write to is not written to, although root could."""
        self.out.mkdir(mode=0o755)
        result = self.pack(self.out, before=self.with_home())
        self.assertEqual(result.status, 4, result)
        self.assertIn(str(self.out), result.err)
        self.assertEqual(list(self.out.iterdir()), [])

    def test_link_to_a_folder_of_root(self):
        precious = self.folder / "precious"
        precious.mkdir(mode=0o755)
        (self.home / "out").symlink_to(precious)
        result = self.pack(self.home / "out", before=self.with_home())
        self.assertEqual(result.status, 4, result)
        self.assertEqual(list(precious.iterdir()), [])

    def test_belongs_to_the_person(self):
        result = self.pack(self.home / "out", before=self.with_home())
        self.assertEqual(result.status, 0, result)
        for path in (self.home / "out", self.home / "out" / ARCHIVE, self.home / ".local"):
            self.assertEqual((path.stat().st_uid, path.stat().st_gid), (NOBODY, NOBODY), path)
        self.assertEqual(self.session_state(self.session)["state"], "packed")
        with tarfile.open(self.home / "out" / ARCHIVE) as tar:
            self.assertEqual(tar.extractfile("mydump.txt").read(), self.trace)

    def test_json(self):
        """The child's events are the program's."""
        result = self.run_program("pack", self.session, "--nick", "alice", "--output", self.home / "out", "--json",
                                  env={"SUDO_UID": str(NOBODY)}, before=self.with_home())
        events = self.check_json(result, 0)
        self.assertIn(str(self.home / "out" / ARCHIVE), [event.get("path") for event in events])

    def test_person_without_a_home(self):
        """There is no place for the person's part of it; that is said, and root's part is as before."""
        if pathlib.Path(pwd.getpwuid(NOBODY).pw_dir).exists():
            self.skipTest("the user nobody has a home here")
        result = self.pack(self.home / "out")
        self.assertEqual(result.status, 4, result)
        self.assertEqual(self.session_state(self.session)["state"], "captured")

    def test_unknown_person(self):
        self.assert_fails(2, "4123456789", "pack", self.session, "--nick", "alice", "--output", self.out,
                          env={"SUDO_UID": "4123456789"})

    def test_not_root(self):
        """Whoever is not root says in vain that somebody else asked."""
        result = self.run_program("pack", self.session, "--nick", "alice", "--output", self.out,
                                  env={"SUDO_UID": "0", "PKEXEC_UID": "0"}, before=AS_NOBODY)
        self.assertEqual(result.status, 4, result)

    def test_worker_needs_a_request(self):
        """The hidden verb by itself does nothing."""
        before = self.snapshot()
        for text in (b"", b"{}", b"[]", b"\xff", b'{"event":"x"}\n' * 10):
            for verb in ("report-worker", "hand-over-worker"):
                done = subprocess.run([PROGRAM, verb], env=self.env, input=text, capture_output=True, timeout=100,
                                      check=False, cwd=self.folder)
                self.assertGreater(done.returncode, 0, (verb, text, done))
                self.assertNotIn(b"Sanitizer", done.stderr)
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    unittest.main()
