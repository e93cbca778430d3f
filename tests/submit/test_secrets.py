# SPDX-License-Identifier: GPL-2.0-or-later
"""The token is in no argument, environment of a child, file, output; and it is not taken from where others can read."""

import base64
import os
import pathlib
import subprocess
import tarfile
import unittest

from harness import AUTH, FAILED, NETWORK, OK, REJECTED, USAGE, Case
from servers import tls
from servers.fault import MEGABYTE, Between, Fault
from servers.nginx import PASSWORD, TOKEN, USER, Nginx
from servers.sink import Sink
from servers.stub import json_reply


NOBODY = 65534


def setUpModule():
    global nginx
    nginx = Nginx().start_for(unittest)


def children(pid):
    """All below that process."""
    found = []
    for tasks in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, tasks.read_text().split()):
            found += [child, *children(child)]
    return found


class SecretCase(Case):
    def put_target(self, url=None, **keys):
        return self.target("there", Kind="put", URL=url or nginx.url + "/bearer", **{"Auth": "bearer", **keys})

    def assert_nowhere(self, secret, *results, but=()):
        """Not in what was printed, and not in a file below the home. @but: files that may have it"""
        forms = {secret.encode(), secret[::-1].encode()}
        for result in results:
            for text in (result.out_bytes, result.err_bytes):
                for form in forms:
                    self.assertNotIn(form, text, "printed")
        for path, content in self.state_bytes().items():
            if path in map(str, but):
                continue
            for form in forms:
                self.assertNotIn(form, content, path)


class Leaks(SecretCase):
    def test_processes(self):
        """While it sends: no argument, no environment but its own start's, no child that knows it."""
        between = Between((nginx.host, nginx.port)).start_for(self)
        self.put_target(between.url + "/bearer")
        for name, options in (("file", {"token": TOKEN}), ("env", {"env": {"MMIOTRACE_WIZARD_TOKEN_THERE": TOKEN}})):
            with self.subTest(given=name):
                between.hold_again("PUT", ".*", after_bytes=MEGABYTE)
                process = self.start_upload(self.archive(3 * MEGABYTE, seed=len(name)), "there", **options)
                self.wait_for(between.reached.is_set, "the upload begins", process)
                family = [process.pid, *children(process.pid)]
                for pid in family:
                    folder = pathlib.Path(f"/proc/{pid}")
                    self.assertNotIn(TOKEN.encode(), (folder / "cmdline").read_bytes())
                    # What it was started with stands in its own; nobody else's has it.
                    if name == "file" or pid != process.pid:
                        self.assertNotIn(TOKEN.encode(), (folder / "environ").read_bytes(), pid)
                between.clear()
                result = self.finish(process)
                self.assertEqual(result.status, OK, result)
                self.assert_nowhere(TOKEN, result)

    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    def test_other_programs_of_the_person(self):
        """None of them can read its memory, and no core dump has it: the kernel shows that by who owns its files."""
        between = Between((nginx.host, nginx.port)).start_for(self)
        between.rule("PUT", ".*", "stall", after_bytes=MEGABYTE)
        self.put_target(between.url + "/bearer")
        path, token = self.archive(3 * MEGABYTE), self.token_file(TOKEN)
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", self.folder], check=True)
        as_nobody = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        process = self.start_program("upload", path, "--target", "there", "--consent-upload", "--json", "--token-file",
                                     token, before=as_nobody)
        self.wait_for(between.reached.is_set, "the upload begins", process)
        folder = pathlib.Path(f"/proc/{process.pid}")
        self.assertEqual((folder.stat().st_uid, (folder / "mem").stat().st_uid), (NOBODY, 0))
        between.clear()
        self.assertEqual(self.finish(process).status, OK)

    def test_files_and_output(self):
        """After success, refusal and in the queue."""
        fault = Fault().start_for(self)
        path = self.archive()
        results = []
        for number, (url, expect) in enumerate( ((nginx.url + "/bearer", OK), (fault.url + "/status/401", AUTH),
                            (fault.url + "/status/422", REJECTED), (fault.url + "/reset", NETWORK),
                            (fault.url + "/escapes", REJECTED))):
            place = self.target(f"place-{number}", Kind="put", URL=url, Auth="bearer")
            results.append(self.upload(path, place, token=TOKEN, expect=expect))
            results.append(self.run_program("upload", path, "--target", place, "--consent-upload", token=TOKEN))
        results += [self.run_program("queue", "list"), self.run_program("queue", "list", "--json"),
                    self.run_program("targets", "show", "place-0"), self.run_program("targets", "list", "--json")]
        self.assert_nowhere(TOKEN, *results)
        with tarfile.open(path) as tar:
            for member in tar:
                self.assertNotIn(TOKEN.encode(), tar.extractfile(member).read())

    def test_server_repeats_it(self):
        """A server that shows the token in its refusal, as some do."""
        echo = Echo().start_for(self)
        self.put_target(echo.url + "/echo")
        result = self.upload(self.archive(), "there", token=TOKEN, expect=REJECTED)
        self.assert_nowhere(TOKEN, result)

    def test_password(self):
        """Of basic authentication, also in its base64 form."""
        self.put_target(nginx.url + "/dav", Auth="basic", User=USER)
        result = self.upload(self.archive(), "there", token=PASSWORD)
        self.assert_nowhere(PASSWORD, result)
        self.assert_nowhere(base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode(), result)

    def test_key_log(self):
        """SSLKEYLOGFILE would have the keys of the connection written down."""
        secure = Nginx(https=True).start_for(self)
        self.target("there", Kind="put", URL=secure.url + "/bearer", Auth="bearer",
                    network={"CAFile": tls.authority().ca_file})
        log = self.folder / "keys.log"
        self.upload(self.archive(), "there", token=TOKEN, env={"SSLKEYLOGFILE": str(log)})
        self.assertFalse(log.exists() and log.read_text(), "the keys were written down")


class Echo(Fault):
    def do_echo(self, request):
        self.read_refused(request)
        token = request.headers["authorization"].split()[1]
        return json_reply("422 Unprocessable", {"message": f"the token {token} is not good"})


class Sources(SecretCase):
    """Where a token may come from."""

    def setUp(self):
        super().setUp()
        self.put_target()
        self.path = self.archive()

    def token_folder(self):
        folder = self.config / "tokens"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def test_environment(self):
        self.upload(self.path, "there", env={"MMIOTRACE_WIZARD_TOKEN_THERE": TOKEN})

    def test_own_file(self):
        token = self.token_folder() / "there"
        token.touch(mode=0o600)
        token.write_text(TOKEN + "\n")
        self.upload(self.path, "there")

    def test_standard_input(self):
        self.upload(self.path, "there", "--token-file", "-", input=f"{TOKEN}\n".encode())

    def test_descriptor(self):
        reader, writer = os.pipe()
        os.write(writer, TOKEN.encode())
        os.close(writer)
        done = subprocess.run(self.words(["upload", self.path, "--target", "there", "--consent-upload", "--json",
                                          "--token-fd", str(reader)]),
                              env=self.environment(None), pass_fds=(reader,), capture_output=True, check=False)
        os.close(reader)
        self.assertEqual(done.returncode, OK, done)

    def test_none(self):
        """No token at all: the server's no, not a crash, and nothing on the server."""
        other = self.archive(seed=99, name="1b36-0011-zoe-mmiotrace.tar.gz")
        self.upload(other, "there", expect=AUTH)
        self.assertFalse(nginx.stored("/bearer/" + other.name).exists())

    def refused(self, *arguments, **options):
        """Nothing is sent, and the person learns why."""
        before = len(nginx.access_log)
        result = self.run_program("upload", self.path, "--target", "there", "--consent-upload", "--json", *arguments,
                                  **options)
        self.assertNotEqual(result.status, OK, result)
        self.assertEqual(len(nginx.access_log), before, "the server was asked")
        return result

    def test_readable_by_others(self):
        for mode in (0o644, 0o640, 0o604):
            for path, arguments in ((self.token_file(TOKEN), True), (self.token_folder() / "there", False)):
                with self.subTest(mode=oct(mode), named=arguments):
                    path.write_text(TOKEN)
                    path.chmod(mode)
                    result = self.refused(*(["--token-file", path] if arguments else []))
                    self.assertIn("chmod", result.stderr + result.out)
                    path.unlink()

    def test_symbolic_link(self):
        path = self.token_folder() / "there"
        path.symlink_to(self.token_file(TOKEN))
        self.refused()

    def test_control_characters(self):
        """They could forge a header."""
        for bad in ("a\r\nX-Evil: 1", "a\nb", "a\x00b", "a\x1bb"):
            with self.subTest(token=bad):
                result = self.refused("--token-file", "-", input=bad.encode())
                self.assertNotIn("X-Evil", result.out + result.stderr)


class Configuration(SecretCase):
    """Secrets do not belong into target files."""

    def assert_unusable(self, **keys):
        sink = Sink().start_for(self)
        keys = {name: value.replace("@SINK@", f"{sink.host}:{sink.port}") for name, value in keys.items()}
        self.target("there", **{"Kind": "put", "URL": sink.url, "Auth": "bearer", **keys})
        result = self.run_program("upload", self.archive(), "--target", "there", "--consent-upload", "--json",
                                  token=TOKEN)
        self.assertIn(result.status, (FAILED, USAGE), result)
        sink.assert_untouched(self)
        return result

    def test_secret_keys(self):
        for key in ("Password", "Token", "ApiKey", "PrivateToken", "Secret"):
            with self.subTest(key=key):
                result = self.assert_unusable(**{key: "hunter2hunter2"})
                self.assertNotIn("hunter2", result.out + result.stderr)

    def test_password_in_the_address(self):
        result = self.assert_unusable(URL="http://bob:hunter2hunter2@@SINK@/x")
        self.assertNotIn("hunter2", result.out + result.stderr)

    def test_other_schemes(self):
        for url in ("file:///etc/passwd", "telnet://@SINK@", "dict://@SINK@", "gopher://@SINK@", "ftp://@SINK@"):
            with self.subTest(url=url):
                self.assert_unusable(URL=url)

    def test_plain_http_to_another_machine(self):
        """With credentials never, without them only when the file says so. (192.0.2.0/24 is nobody's.)"""
        for keys in ({"Auth": "bearer"}, {"Auth": "none"}):
            with self.subTest(**keys):
                self.assert_unusable(URL="http://192.0.2.1/x", **keys)

    def test_header_injection(self):
        self.assert_unusable(Auth="header:X-A: b\\r\\nX-Evil")
        self.assert_unusable(Auth="header:X A")


if __name__ == "__main__":
    unittest.main()
