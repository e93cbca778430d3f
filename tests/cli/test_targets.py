# SPDX-License-Identifier: GPL-2.0-or-later
"""`targets`: list, show, check and test-auth."""

import http.server
import json
import os
import threading
import unittest

from program import AS_NOBODY, SOURCE, ProgramTest, need_root

SHIPPED = SOURCE / "data/targets.d"
READY = {"file", "kernel-bugzilla", "nouveau-browser", "nouveau-gitlab", "nouveau-mail"}
FOLDER = "etc/mmiotrace-wizard/targets.d/"
TOKEN = "glpat-sesame"

GOOD = """[Target]
Name=A \\s test
Kind=gitlab
URL=https://gitlab.example.org
Project=group/project
"""


class GitLab(http.server.BaseHTTPRequestHandler):
    """GitLab's answer to who one is: a stub, as GitLab itself cannot be had."""

    def do_GET(self):
        self.server.seen.append(self.path)
        good = self.path == "/api/v4/user" and self.headers["Authorization"] == f"Bearer {TOKEN}"
        body = json.dumps({"username": "alice\x1b[31m"} if good else {"message": "401 Unauthorized"}).encode()
        self.send_response(200 if good else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Targets(ProgramTest):
    def ids(self, *arguments):
        events, _ = self.run_json(0, "targets", *arguments)
        return {event["id"] for event in events if event["event"] == "target"}

    def test_list(self):
        result = self.assert_ok("targets")
        self.assert_clean(result)
        self.assertEqual(result.err, "")
        self.assertEqual(result.out, self.assert_ok("targets", "list").out)
        self.assertEqual(self.ids("list"), READY)
        self.assertEqual(self.ids("list", "--all"), {path.stem for path in SHIPPED.glob("*.conf")})
        self.assertEqual([line.split()[0] for line in result.out.splitlines()], sorted(READY))
        self.assertIn("(off)", self.assert_ok("targets", "list", "-a").out)

    def test_show(self):
        for path in SHIPPED.glob("*.conf"):
            with self.subTest(target=path.stem):
                result = self.assert_ok("targets", "show", path.stem)
                self.assert_clean(result)
                self.assertIn("Report-ID: @REPORTID@", result.out)
                self.assertNotIn("Cannot be used", result.out)
                events, _ = self.run_json(0, "targets", "show", path.stem)
                self.assertEqual([event["event"] for event in events], ["target"])
                self.assertEqual(events[0]["enabled"], path.stem in READY)
                self.assertIsNone(events[0]["disabled_why"])

    def test_shipped_facts(self):
        """What the receivers' own pages say, see the comments in the files."""
        by_id = {event["id"]: event for event in self.run_json(0, "targets", "list")[0]}
        self.assertEqual(by_id["nouveau-gitlab"]["url"], "https://gitlab.freedesktop.org")
        self.assertEqual(by_id["nouveau-gitlab"]["project"], "drm/nouveau")
        self.assertEqual(by_id["nouveau-mail"]["to"], "mmio.dumps@gmail.com")
        self.assertEqual(by_id["nouveau-mail"]["host"], "your mail program")
        self.assertEqual(by_id["file"]["host"], "this computer")
        self.assertEqual(by_id["kernel-bugzilla"]["auth"], "json:Bugzilla_api_key")
        for name in ("nouveau-gitlab", "nouveau-browser", "kernel-bugzilla"):
            self.assertEqual(by_id[name]["visibility"], "public")

    def test_unknown(self):
        for name in ("no-such-target", "", "../../../etc/passwd", "\x1b[31m"):
            with self.subTest(name=name):
                result = self.run_program("targets", "show", name)
                self.assertEqual(result.status, 2, result)
                self.assertIn("nouveau-gitlab", result.err)
                self.assert_clean(result)

    def test_own(self):
        """A few lines of this machine go on top of what is shipped."""
        self.put(FOLDER + "kernel-bugzilla.conf", "[Target]\nComponent=Network\n")
        self.put(FOLDER + "nouveau-mail.conf", "[Target]\nEnabled=false\n")
        self.put(FOLDER + "redmine.conf", "[Target]\nEnabled=true\n")
        self.put(FOLDER + "new.conf", GOOD)
        events, _ = self.run_json(0, "targets", "show", "kernel-bugzilla")
        self.assertEqual((events[0]["product"], events[0]["component"]), ("Drivers", "Network"))
        self.assertEqual(len(events[0]["files"]), 2)
        self.assertEqual(self.ids(), READY - {"nouveau-mail"} | {"redmine", "new"})
        self.assertIn("A   test", self.assert_ok("targets").out)

    def test_bad_one_hides_nothing(self):
        self.put(FOLDER + "file.conf", "[Target\n")
        self.put(FOLDER + "hostile.conf", b"\x1b[31m\xff\n")
        self.put(FOLDER + "new.conf", GOOD + "Colour=\x07red\n")
        self.put(FOLDER + "odd.conf", GOOD + "Colour=red\n")
        self.put(FOLDER + "off.conf", GOOD.replace("https:", "http:"))
        result = self.assert_ok("targets")
        self.assert_clean(result)
        self.assertNotIn("\nfile ", result.out)
        self.assertNotIn("\noff ", result.out)
        self.assertIn("odd", result.out)
        for name in ("file.conf:1:", "hostile.conf:1:", "odd.conf:6:", "off.conf:4:"):
            self.assertIn(name, result.err)
        self.assertIn("Cannot be used: ", self.assert_ok("targets", "show", "off").out)
        self.assert_fails(1, "file.conf:1:", "targets", "show", "file")

    def test_check_all(self):
        self.assertIn("no errors", self.assert_ok("targets", "check").out)
        self.put(FOLDER + "odd.conf", GOOD + "Colour=red\n")
        result = self.assert_ok("targets", "check")
        self.assertIn("odd.conf:6: there is no key Colour", result.err)
        self.put(FOLDER + "off.conf", GOOD + "MaxSize=big\n")
        result = self.run_program("targets", "check")
        self.assertEqual(result.status, 1, result)
        self.assertIn("off.conf:6: MaxSize is a number", result.err)
        self.assertEqual(result.err.count("off.conf"), 1)
        events, last = self.run_json(1, "targets", "check")
        self.assertEqual({event["id"] for event in events}, {"target", "target-key"})
        self.assertEqual(last["error"], "invalid")

    def test_check_file(self):
        path = self.folder / "x.conf"
        for text, line in ((GOOD + "MaxSize=big\n", 6), (GOOD.replace("gitlab\n", "pigeon\n"), 3), ("", 1), ("[Target]\n", 1),
                           (GOOD + "Password=sesame\n", 6), ("\xff\n", 1)):
            with self.subTest(text=text):
                path.write_text(text, encoding="latin-1")
                result = self.run_program("targets", "check", path)
                self.assertEqual(result.status, 1, result)
                self.assertIn(f"x.conf:{line}: ", result.err)
                self.assertNotIn("sesame", result.err)
                self.assert_clean(result)
                _, last = self.run_json(1, "targets", "check", path)
                self.assertEqual(last["error"], "invalid")
        path.write_text(GOOD)
        self.assertIn("good", self.assert_ok("targets", "check", path).out)
        self.assert_fails(2, "missing.conf", "targets", "check", self.folder / "missing.conf")

    def test_check_several(self):
        """All are looked at, in spite of one that is wrong."""
        names = ("good", "bad", "worse")
        paths = [self.folder / f"{name}.conf" for name in names]
        for path, text in zip(paths, (GOOD, GOOD + "Enabled=2\n", "Kind=file\n")):
            path.write_text(text)
        result = self.run_program("targets", "check", paths[1], paths[0], self.folder / "gone.conf", paths[2])
        self.assertEqual(result.status, 1, result)
        self.assertIn("good.conf: a good target", result.out)
        for text in ("bad.conf:6: ", "gone.conf", "worse.conf:1: "):
            self.assertIn(text, result.err)

    def test_check_with_those_below(self):
        path = self.folder / "kernel-bugzilla.conf"
        path.write_text("[Target]\nComponent=Network\n")
        self.assert_ok("targets", "check", path)
        path.write_text("[Target]\nComponent=\n")
        self.assertIn("Component", self.run_program("targets", "check", path).err)
        bad = self.folder / "Bad_Name.conf"
        bad.write_text(GOOD)
        self.assertEqual(self.run_program("targets", "check", bad).status, 1)

    def test_usage(self):
        for words in (["frobnicate"], ["show"], ["test-auth"], ["list", "x"], ["show", "a", "b"], ["test-auth", "a", "b"]):
            with self.subTest(words=words):
                self.assert_fails(2, words[-1] if len(words) != 1 or words[0] == "frobnicate" else "which",
                                  "targets", *words)
                self.run_json(2, "targets", *words)

    def own_folder(self, name):
        """As that of a user whose home is the test's folder, below the fake root."""
        return str(self.folder).lstrip("/") + "/.config/mmiotrace-wizard/targets.d/" + name

    def test_user_folder(self):
        self.put(self.own_folder("new.conf"), GOOD)
        (self.root / self.own_folder("")).chmod(0o755)
        self.assertIn("new", self.ids())

    @need_root
    def test_nobody(self):
        """Any user can look, and reads what is theirs."""
        self.put(self.own_folder("new.conf"), GOOD)
        os.chmod(self.folder, 0o755)
        self.assertIn("new", self.run_program("targets", before=AS_NOBODY).out)

    @need_root
    def test_sudo(self):
        """Under sudo it is the person's folder that counts, read with their rights, not root's."""
        os.chmod(self.folder, 0o755)
        self.put(self.own_folder("new.conf"), GOOD)
        self.assertNotIn("new", self.run_program("targets", env={"SUDO_UID": "65534", "SUDO_GID": "65534"}).out)


class TestAuth(ProgramTest):
    small = True

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitLab)
        self.server.seen = []
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.put(FOLDER + "lab.conf", GOOD.replace("https://gitlab.example.org", url))

    def token_file(self, text, mode=0o600):
        path = self.folder / "token"
        path.write_text(text)
        path.chmod(mode)
        return path

    def test_good(self):
        result = self.assert_ok("targets", "test-auth", "lab", "--token-file", self.token_file(TOKEN + "\n"))
        self.assert_clean(result)
        self.assertIn("alice", result.out)
        self.assertNotIn(TOKEN, result.out + result.err)
        self.assertEqual(self.server.seen, ["/api/v4/user"])
        events, _ = self.run_json(0, "targets", "test-auth", "lab", "--token-file", self.token_file(TOKEN))
        self.assertEqual([event["event"] for event in events], ["account"])
        self.assertTrue(events[0]["who"].startswith("alice"))
        self.assertEqual((events[0]["target"], events[0]["host"]), ("lab", "127.0.0.1"))

    def test_ways_to_give_it(self):
        with self.token_file(TOKEN).open() as stream:
            self.assert_ok("targets", "test-auth", "--token-file=-", "lab", stdin=stream)
        with self.token_file(TOKEN).open() as stream:
            self.assert_ok("targets", "test-auth", "lab", "--token-fd", str(stream.fileno()), pass_fds=[stream.fileno()])
        self.assert_ok("targets", "test-auth", "lab", env={"MMIOTRACE_WIZARD_TOKEN_LAB": TOKEN})

    def test_wrong(self):
        result = self.assert_fails(12, "127.0.0.1", "targets", "test-auth", "lab", "--token-file", self.token_file("other-sesame"))
        self.assertNotIn("sesame", result.err)
        _, last = self.run_json(12, "targets", "test-auth", "lab", "--token-file", self.token_file("other"))
        self.assertEqual(last["error"], "authentication")

    def test_none(self):
        self.assert_fails(12, "lab", "targets", "test-auth", "lab")
        self.assertEqual(self.server.seen, [])

    def test_refused(self):
        self.assert_fails(4, "chmod", "targets", "test-auth", "lab", "--token-file", self.token_file(TOKEN, 0o644))
        self.assert_fails(2, "no-such", "targets", "test-auth", "no-such")
        self.assert_fails(2, "file", "targets", "test-auth", "file")
        self.assert_fails(2, "999", "targets", "test-auth", "lab", "--token-fd", "999")
        self.assert_fails(2, "which one", "targets", "test-auth", "lab", "--token-fd", "3", "--token-file", "x")
        self.assertEqual(self.server.seen, [])

    def test_nobody_there(self):
        self.put(FOLDER + "lab.conf", GOOD.replace("https://gitlab.example.org", "http://127.0.0.1:1") + "[Network]\nRetries=0\n")
        self.assert_fails(10, "127.0.0.1", "targets", "test-auth", "lab", "--token-file", self.token_file(TOKEN))


if __name__ == "__main__":
    unittest.main()
