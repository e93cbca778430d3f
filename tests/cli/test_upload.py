# SPDX-License-Identifier: GPL-2.0-or-later
"""`upload`: what is shown, what silence means, what is sent, and that nothing goes out without consent. Trackers and
faults are in tests/submit; here one small server takes whatever comes."""

import hashlib
import http.server
import os
import pwd
import threading
import time
import unittest

from program import AS_NOBODY, LIMIT_SEC, NOBODY, SOUND, ProgramTest, need_root, trace_bytes
from terminal import OnTerminal

FACTS = {"device": SOUND, "vendor_id": 0x10de, "device_id": 0x10f0, "driver": "snd_hda_intel", "kernel": "6.1.0-57-amd64"}
VERDICT = {"grade": "good", "sentence": "The trace is complete.", "events": 3, "reads": 1, "writes": 1,
           "lost": {"events": 0, "exact": True}}
NOWHERE = "http://127.0.0.1:1/in"


class Server:
    """Keeps what is put there: self.files; self.seen: method and path of each request, self.tokens."""

    def __init__(self):
        self.files, self.seen, self.tokens = {}, [], []
        keeper = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()

            def do_PUT(self):
                keeper.note(self)
                keeper.files[self.path] = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.answer(201)

            def do_HEAD(self):
                keeper.note(self)
                data = keeper.files.get(self.path)
                self.answer(404) if data is None else self.answer(200, data)

            do_GET = do_HEAD

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/in"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def note(self, request):
        self.seen.append(f"{request.command} {request.path}")
        self.tokens.append(request.headers.get("Authorization"))

    def archives(self):
        return [data for path, data in self.files.items() if path.endswith(".tar.gz")]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class UploadTest(ProgramTest):
    """A test with an archive (self.archive), a server and targets of the machine's administrator."""

    small = True

    def setUp(self):
        super().setUp()
        session = self.make_session(trace=trace_bytes("20-dev-e1000e"), verdict=VERDICT, **FACTS)
        story = self.folder / "story.txt"
        story.write_text("The sound was there.\n")
        self.assert_ok("pack", session, "--nick", "alice", "--describe-file", story, "--output", self.out)
        self.archive = self.out / "10de-10f0-alice-mmiotrace.tar.gz"
        self.env["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        self.queue_folder = self.folder / ".local/state/mmiotrace-wizard/queue"

    def start_server(self):
        server = Server()
        self.addCleanup(server.close)
        return server

    def target(self, id, url=NOWHERE, kind="put", more="", network="Retries=0\nConnectTimeout=5\n"):
        self.put(f"etc/mmiotrace-wizard/targets.d/{id}.conf",
                 f"[Target]\nVersion=1\nName=Test {id}\nKind={kind}\nURL={url}\nAuth=none\n{more}\n[Network]\n{network}")
        return id

    def upload(self, *arguments):
        return ["upload", self.archive, *arguments]

    def items(self):
        events, _ = self.run_json(0, "queue")
        return [event for event in events if event["event"] == "item"]

    def event(self, events, name):
        found = [event for event in events if event["event"] == name]
        self.assertEqual(len(found), 1, events)
        return found[0]


class Preview(UploadTest):
    def test_shows_exactly_what_arrives(self):
        """T70"""
        server = self.start_server()
        self.target("here", server.url, more="Visibility=public\nPrivacyURI=https://example.org/privacy")
        events, _ = self.run_json(0, *self.upload("--target", "here", "--consent-upload"))
        preview = self.event(events, "preview")
        data = self.archive.read_bytes()
        self.assertEqual(server.archives(), [data])
        self.assertEqual(preview["sha256"], hashlib.sha256(data).hexdigest())
        self.assertEqual(preview["files"], [{"name": self.archive.name, "bytes": len(data)}])
        self.assertIn("mydump.txt", [member["name"] for member in preview["members"]])
        self.assertEqual((preview["host"], preview["visibility"], preview["privacy_uri"]),
                         ("127.0.0.1", "public", "https://example.org/privacy"))
        letters = [text.decode() for path, text in server.files.items() if path.endswith(".txt")]
        self.assertEqual(len(letters), 1)
        self.assertIn(preview["body"], letters[0])
        self.assertIn(preview["title"], letters[0])
        self.assertIn("The sound was there.", preview["body"])
        self.assertIn(preview["report_id"], preview["body"])
        sent = self.event(events, "sent")
        self.assertEqual(sent["sha256"], preview["sha256"])
        self.assertTrue(sent["url"].startswith(server.url))
        self.assertLess([event["event"] for event in events].index("preview"),
                        [event["event"] for event in events].index("sending"))

    def test_for_people(self):
        server = self.start_server()
        self.target("here", server.url, more="Visibility=public")
        result = self.assert_ok(*self.upload("--target", "here", "--consent-upload"))
        for text in ("127.0.0.1", "anyone", self.archive.name, hashlib.sha256(self.archive.read_bytes()).hexdigest(),
                     "description.txt", "The sound was there.", "cannot be masked", server.url):
            self.assertIn(text, result.err, result)
        self.assertEqual(result.out, "")
        self.assert_clean(result)

    def test_letter(self):
        self.target("here")
        events, _ = self.run_json(4, *self.upload("--target", "here"))
        body = self.event(events, "preview")["body"]
        for text in ("10de:10f0", "6.1.0-57-amd64", "alice", "good"):
            self.assertIn(text, body)

    def test_foreign_archive(self):
        """Made by hand: fewer facts, and said so."""
        import io
        import tarfile
        self.archive = self.folder / "10de-1b80-bob-mmiotrace.tar.gz"
        with tarfile.open(self.archive, "w:gz") as tar:
            for name, text in (("mydump.txt", b"VERSION 20070824\n"), ("README", b"My card\x1b[31m is old.\n")):
                info = tarfile.TarInfo(name)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text))
        server = self.start_server()
        self.target("here", server.url)
        events, _ = self.run_json(0, *self.upload("--target", "here", "--consent-upload"))
        body = self.event(events, "preview")["body"]
        self.assertIn("10de:1b80", body)
        self.assertIn("is old.", body)
        self.assertNotIn("\x1b", body)
        self.assertIn("foreign-archive", [event.get("id") for event in events])
        self.assert_clean(self.run_program(*self.upload("--target", "here")))

    def test_private_values_are_told(self):
        """Of an archive that nobody reviewed: found before consent."""
        import io
        import tarfile
        self.archive = self.folder / "x.tar.gz"
        with tarfile.open(self.archive, "w:gz") as tar:
            text = b"[    1.0] eth0: address 52:54:00:12:34:56\n"
            info = tarfile.TarInfo("dmesg.txt")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
        self.target("here")
        events, _ = self.run_json(10, *self.upload("--target", "here", "--consent-upload", "--no-network"))
        leak = [event for event in events if event.get("id") == "leak"]
        self.assertEqual(len(leak), 1, events)
        self.assertIn("dmesg.txt, mac: 1", leak[0]["detail"])

    def test_not_an_archive(self):
        self.archive = self.folder / "mydump.txt.gz"
        self.archive.write_bytes(b"\x1f\x8b\x08 not really")
        self.target("any")
        self.target("tars", more="FileTypes=.tar.gz;.tar.xz")
        events, _ = self.run_json(10, *self.upload("--target", "any", "--consent-upload", "--no-network"))
        self.assertIn("no-look", [event.get("id") for event in events])
        self.assert_fails(2, ".tar.gz", *self.upload("--target", "tars", "--consent-upload"))


class Consent(OnTerminal, UploadTest):
    def test_json_without_consent(self):
        """T72: nothing is sent, not even a question."""
        server = self.start_server()
        self.target("here", server.url)
        for arguments in ((), ("--yes",)):
            events, result = self.run_json(4, *self.upload("--target", "here", *arguments))
            self.assertEqual(result["error"], "declined")
            self.assertIn("--consent-upload", result["message"])
            self.assertIn(str(self.archive), result["message"])
            self.event(events, "preview")
        self.assertEqual(server.seen, [])
        self.assertEqual(self.items(), [])

    def test_without_a_terminal(self):
        server = self.start_server()
        self.target("here", server.url)
        self.assert_fails(4, "--consent-upload", *self.upload("--target", "here"))
        self.assert_fails(4, "--consent-upload", *self.upload("--target", "here", "--yes"))
        self.assertEqual(server.seen, [])

    def test_decline(self):
        """T71: the archive stays, and it is said where."""
        server = self.start_server()
        self.target("here", server.url)
        before = self.archive.read_bytes()
        for answer in ("no\n", "\n", "\x04"):
            with self.subTest(answer=answer):
                status, text = self.on_terminal([(b"[no] >", answer)], *self.upload("--target", "here"))
                self.assertEqual(status, 4, text)
                self.assertIn(str(self.archive), text.replace("\r\n", ""))
        self.assertEqual(self.archive.read_bytes(), before)
        self.assertEqual([line for line in server.seen if "PUT" in line], [])
        self.assertEqual(self.items(), [])

    def test_agree(self):
        server = self.start_server()
        self.target("here", server.url)
        status, text = self.on_terminal([(b"[no] >", "yes\n")], *self.upload("--target", "here"))
        self.assertEqual(status, 0, text)
        self.assertEqual(server.archives(), [self.archive.read_bytes()])

    def test_yes_still_asks_for_consent(self):
        self.target("here")
        status, text = self.on_terminal([(b"[no] >", "no\n")], *self.upload("--target", "here", "--yes"))
        self.assertEqual(status, 4, text)

    def test_target_is_asked_for(self):
        server = self.start_server()
        self.target("aaa", server.url, more="Match=pci:10de:10f0:*")
        status, text = self.on_terminal([(b"[none] >", "1\n"), (b"[no] >", "yes\n")], *self.upload())
        self.assertEqual(status, 0, text)
        self.assertEqual(server.archives(), [self.archive.read_bytes()])

    def test_nowhere(self):
        self.target("aaa", more="Match=pci:10de:10f0:*")
        status, text = self.on_terminal([(b"[none] >", "\n")], *self.upload())
        self.assertEqual(status, 4, text)

    def test_local(self):
        """What stays on this computer needs no consent and no network."""
        events, _ = self.run_json(0, *self.upload("--target", "file"))
        self.assertTrue(self.event(events, "preview")["local"])
        self.assertEqual(self.items(), [])
        self.assertTrue(self.archive.exists())


class Secret(OnTerminal, UploadTest):
    """A token typed on the terminal."""

    def test_typed(self):
        server = self.start_server()
        self.target("here", server.url, more="")
        config = self.root / "etc/mmiotrace-wizard/targets.d/here.conf"
        config.write_text(config.read_text().replace("Auth=none", "Auth=bearer"))
        secret = "s3cr3t-t0k3n"
        status, text = self.on_terminal([(b"127.0.0.1)\r\n>", secret + "\n"), (b"[no] >", "yes\n"), (b"[no] >", "\n")],
                                        *self.upload("--target", "here"))
        self.assertEqual(status, 0, text)
        self.assertNotIn(secret, text)
        self.assertEqual(self.echoes, [False, True, True])
        self.assertIn(f"Bearer {secret}", server.tokens)
        for path in self.queue_folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(secret.encode(), path.read_bytes(), path)


class Finish(OnTerminal, UploadTest):
    """A page that the person has to finish."""

    def setUp(self):
        super().setUp()
        self.target("page", "https://tracker.invalid/new", kind="browser")
        self.opened = self.folder / "opened"
        self.put("usr/bin/xdg-open", f'#!/bin/sh\nenv >{self.opened}.new\necho "$# $1" >>{self.opened}.new\n'
                                     f"mv {self.opened}.new {self.opened}\n").chmod(0o755)

    def test_opened(self):
        self.env.update({"DISPLAY": ":0", "MMIOTRACE_WIZARD_TOKEN_PAGE": "s3cr3t"})
        status, text = self.on_terminal([(b"[no] >", "yes\n"), (b"[yes] >", "\n")], *self.upload("--target", "page"))
        self.assertEqual(status, 0, text)
        deadline = time.monotonic() + LIMIT_SEC
        while not self.opened.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        lines = self.opened.read_text().splitlines()
        self.assertTrue(lines[-1].startswith("1 https://tracker.invalid/new"), lines)
        self.assertNotIn("s3cr3t", "".join(lines))

    def test_without_a_desktop(self):
        status, text = self.on_terminal([(b"[no] >", "yes\n")], *self.upload("--target", "page"))
        self.assertEqual(status, 0, text)
        self.assertIn("there: (https://tracker.invalid/new", text)
        self.assertFalse(self.opened.exists())

    def test_nobody_there(self):
        self.env["DISPLAY"] = ":0"
        self.assert_ok(*self.upload("--target", "page", "--consent-upload"))
        self.assertFalse(self.opened.exists())


class Options(UploadTest):
    def test_usage(self):
        self.target("here")
        self.target("off", more="Enabled=false")
        closed = "999"
        for words, named in (
                (["upload"], "which file"),
                (["upload", self.archive, "x"], "which file"),
                (self.upload(), "--target"),
                (self.upload("--target", "nobody"), "nobody"),
                (self.upload("--target", "off"), "switched off"),
                (self.upload("--issue", "https://example.org/"), "https://example.org/"),
                (self.upload("--issue", "not an address"), "not an address"),
                (self.upload("--target", "here", "--token-fd", "x"), "--token-fd"),
                (self.upload("--target", "here", "--token-fd", "0"), "--token-fd"),
                (self.upload("--target", "here", "--token-fd", closed), "--token-fd"),
                (self.upload("--target", "here", "--token-fd", "3", "--token-file", "x"), "which one"),
                (["upload", "nothing.tar.gz", "--target", "here"], "nothing.tar.gz")):
            with self.subTest(words=words):
                self.assert_clean(self.assert_fails(2, named, *words))

    def test_issue_of_another_target(self):
        self.target("tracker", "https://git.invalid", kind="gitlab", more="Project=drm/x")
        self.target("here")
        issue = "https://git.invalid/drm/x/-/issues/7"
        events, _ = self.run_json(4, *self.upload("--issue", issue))
        self.assertEqual(self.event(events, "preview")["issue"], issue)
        self.assert_fails(2, "here", *self.upload("--issue", issue, "--target", "here"))
        self.assert_fails(2, "elsewhere.invalid", *self.upload("--issue", "https://elsewhere.invalid/a/b/-/issues/1"))

    def test_token_sources(self):
        server = self.start_server()
        self.target("here", server.url)
        config = self.root / "etc/mmiotrace-wizard/targets.d/here.conf"
        config.write_text(config.read_text().replace("Auth=none", "Auth=bearer"))
        words = self.upload("--target", "here", "--consent-upload", "--json")
        token = self.folder / "token"
        token.touch(mode=0o600)
        token.write_text("from-file\n")
        self.assertEqual(self.run_program(*words, "--token-file", token).status, 0)
        self.assertIn("Bearer from-file", server.tokens)
        self.forget(server)
        read, write = os.pipe()
        os.write(write, b"from-fd\n")
        os.close(write)
        self.assertEqual(self.run_program(*words, "--token-fd", str(read), pass_fds=[read]).status, 0)
        os.close(read)
        self.assertIn("Bearer from-fd", server.tokens)
        self.forget(server)
        self.assertEqual(self.run_program(*words, env={"MMIOTRACE_WIZARD_TOKEN_HERE": "from-env"}).status, 0)
        self.assertIn("Bearer from-env", server.tokens)
        self.forget(server)
        with token.open() as stdin:
            self.assertEqual(self.run_program(*words, "--token-file", "-", stdin=stdin).status, 0)
        self.assertIn("Bearer from-file", server.tokens)

    def forget(self, server):
        """As if nothing had been sent."""
        self.assertEqual(len(server.archives()), 1)
        for item in self.items():
            self.assert_ok("queue", "drop", item["id"], "--yes")
        server.files.clear()
        server.tokens.clear()

    def test_readable_token_file(self):
        self.target("here")
        config = self.root / "etc/mmiotrace-wizard/targets.d/here.conf"
        config.write_text(config.read_text().replace("Auth=none", "Auth=bearer"))
        token = self.folder / "token"
        token.write_text("secret\n")
        token.chmod(0o644)
        result = self.assert_fails(4, "chmod", *self.upload("--target", "here", "--consent-upload", "--token-file", token))
        self.assertNotIn("secret", result.err)

    def test_symbolic_link(self):
        """A name that the person uses is a name; what it leads to is sent."""
        server = self.start_server()
        self.target("here", server.url)
        link = self.folder / "link.tar.gz"
        link.symlink_to(self.archive)
        events, _ = self.run_json(0, "upload", link, "--target", "here", "--consent-upload")
        self.assertEqual(self.event(events, "preview")["archive"], str(self.archive.resolve()))
        self.assertEqual(server.archives(), [self.archive.read_bytes()])

    def test_sent_before(self):
        server = self.start_server()
        self.target("here", server.url, more="Duplicate=none")
        events, _ = self.run_json(0, *self.upload("--target", "here", "--consent-upload"))
        url = self.event(events, "sent")["url"]
        puts = [line for line in server.seen if "PUT" in line]
        events, _ = self.run_json(0, *self.upload("--target", "here", "--consent-upload"))
        self.assertEqual(self.event(events, "duplicate")["url"], url)
        self.assertEqual([line for line in server.seen if "PUT" in line], puts)

    def test_server_is_away(self):
        self.target("here")
        events, result = self.run_json(10, *self.upload("--target", "here", "--consent-upload"))
        queued = self.event(events, "queued")
        self.assertIn("queue send", result["hint"])
        self.assertEqual([item["id"] for item in self.items()], [queued["id"]])
        result = self.assert_fails(10, "queue send", *self.upload("--target", "here", "--consent-upload"))
        self.assertIn(queued["id"], result.err)
        self.assertTrue(self.archive.exists())


@need_root
class Sudo(UploadTest):
    """Root's part is over before anything is opened."""

    def setUp(self):
        super().setUp()
        for folder in (self.folder, self.out):
            folder.chmod(0o755)
        self.home = self.folder / "home"
        self.home.mkdir()
        os.chown(self.home, NOBODY, NOBODY)
        self.nobody = pwd.getpwuid(NOBODY)

    def test_reads_as_the_person(self):
        """A file that only root may read is not sent by somebody else's sudo."""
        self.archive.chmod(0o600)
        self.target("here")
        for variable in ("SUDO_UID", "PKEXEC_UID"):
            events, result = self.run_json(4, *self.upload("--target", "here", "--consent-upload"),
                                           env={variable: str(NOBODY)})
            self.assertIn("Permission denied", result["message"])
            self.assertEqual(events, [])

    def test_same_for_pkexec_and_queue(self):
        result = self.run_program("queue", env={"PKEXEC_UID": str(NOBODY), "XDG_STATE_HOME": str(self.folder / "root")})
        # The home of "nobody" is not there: its queue cannot be made, and root's is not used.
        self.assertFalse((self.folder / "root").exists(), result)

    def test_root_stays_root(self):
        server = self.start_server()
        self.target("here", server.url)
        self.assert_ok(*self.upload("--target", "here", "--consent-upload"))
        self.assertEqual(self.queue_folder.stat().st_uid, 0)

    def test_not_root_at_all(self):
        server = self.start_server()
        self.target("here", server.url)
        self.assert_ok(*self.upload("--target", "here", "--consent-upload"), before=AS_NOBODY,
                       env={"HOME": str(self.home)})
        self.assertEqual((self.home / ".local/state/mmiotrace-wizard/queue").stat().st_uid, NOBODY)


class Walk(ProgramTest):
    """--batch says no before anything is changed."""

    small = True

    def test_consent_is_needed(self):
        before = self.snapshot()
        for option in (["--target", "file"], ["--issue", "https://example.org/1"]):
            self.assert_fails(2, "--consent-upload", "--batch", "--device", SOUND, "--nick", "alice", *option)
        self.assert_fails(2, "--token-fd", "--batch", "--device", SOUND, "--nick", "alice", "--token-fd", "x")
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    unittest.main()
