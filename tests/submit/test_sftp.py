# SPDX-License-Identifier: GPL-2.0-or-later
"""SFTP: who the server is, who we are, what it stores. Killed programs: test_kill."""

import os
import pwd
import subprocess
import unittest

from harness import AUTH, NETWORK, REJECTED, TLS, Case
from servers.fault import MEGABYTE
from servers.server import find_tool, missing
from servers.sshd import INSIDE, Sshd

NAME = "1b36-0011-alice-mmiotrace.tar.gz"
LETTER = "1b36-0011-alice-mmiotrace.txt"


def setUpModule():
    global sshd
    sshd = Sshd().start_for(unittest)


class SftpCase(Case):
    def setUp(self):
        super().setUp()
        self.place = self.id().replace(".", "-")
        self.folder_there = sshd.incoming / self.place

    def there(self, server=None, network=None, url=None, **keys):
        """By default the server is known and our key is there."""
        server = server or sshd
        self.target("there", Kind="sftp", URL=url or f"{server.url}{server.incoming}",
                    **{"Project": self.place, "Auth": "ssh", "User": server.user, **keys},
                    network={"KnownHosts": server.known_hosts()} if network is None else network)


class Stored(SftpCase):
    def setUp(self):
        super().setUp()
        sshd.install_key(self.home)

    def test_archive_and_letter(self):
        """Folders are made; nothing but the two files is left."""
        self.there(Project=f"{self.place}/a/b")
        path = self.archive(MEGABYTE)
        result = self.upload(path, "there")
        folder = self.folder_there / "a/b"
        self.assert_same_file(path, folder / NAME)
        self.assertEqual(sorted(os.listdir(folder)), [NAME, LETTER])
        self.assertIn(f"Report-ID: {result.last('sent')['report_id']}", (folder / LETTER).read_text())
        self.assertEqual(result.url, f"{sshd.url}{folder}/{NAME}")

    def test_below_home(self):
        """"/~/" is the folder where a session begins."""
        self.there(url=f"{sshd.url}/~")
        path = self.archive()
        self.upload(path, "there")
        self.assert_same_file(path, self.folder_there / NAME)

    def test_taken(self):
        """Somebody else's file stays."""
        self.there()
        self.folder_there.mkdir()
        (self.folder_there / NAME).write_text("somebody else's")
        path = self.archive()
        result = self.upload(path, "there")
        tagged = NAME.replace(".tar.gz", f"-{result.last('sent')['report_id'][:8]}.tar.gz")
        self.assertEqual((self.folder_there / NAME).read_text(), "somebody else's")
        self.assert_same_file(path, self.folder_there / tagged)

    def test_sent_before(self):
        """The same report under our name is replaced: also the one that somebody has written to."""
        self.there()
        self.folder_there.mkdir()
        (self.folder_there / NAME).write_text("somebody else's")
        path = self.archive()
        tagged = NAME.replace(".tar.gz", f"-{self.sha256(path)[:8]}.tar.gz")
        (self.folder_there / tagged).write_text("an old one")
        self.upload(path, "there")
        self.assert_same_file(path, self.folder_there / tagged)

    def test_strange_part(self):
        """A part that this report did not begin is not gone on with."""
        self.there()
        self.folder_there.mkdir()
        path = self.archive()
        part = self.folder_there / NAME.replace(".tar.gz", f"-{self.sha256(path)[:8]}.tar.gz.part")
        part.write_bytes(b"x" * 1000)
        self.upload(path, "there")
        self.assert_same_file(path, self.folder_there / NAME)

    def test_no_permission(self):
        """The server is there, and the folder is not ours."""
        if os.geteuid() != 0:
            missing("another account needs root")
        strangers = Strangers().start_for(self)
        strangers.install_key(self.home)
        strangers.incoming.chmod(0o555)
        self.there(strangers)
        self.upload(self.archive(), "there", expect=REJECTED)

    def test_no_shell(self):
        """An account that can do nothing but SFTP."""
        if os.geteuid() != 0:
            missing("another account needs root")
        strangers = Strangers().start_for(self)
        strangers.install_key(self.home)
        self.there(strangers)
        path = self.archive()
        self.upload(path, "there")
        self.assert_same_file(path, strangers.incoming / self.place / NAME)
        self.assertEqual(pwd.getpwuid((strangers.incoming / self.place / NAME).stat().st_uid).pw_name, "nobody")

    def test_server_full(self):
        """Kept for later; goes on when there is room."""
        if os.geteuid() != 0:
            missing("a disk of its own needs root")
        self.folder_there.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", self.folder_there], check=True)
        self.addCleanup(subprocess.run, ["umount", self.folder_there], check=True)
        filler = self.folder_there / "filler"
        filler.write_bytes(bytes(1_500_000))
        self.there(network={"KnownHosts": sshd.known_hosts(), "Retries": 0})
        path = self.archive(MEGABYTE)
        result = self.upload(path, "there", expect=NETWORK)
        self.assertIn("no room left", result.result["message"])
        filler.unlink()
        self.send_queue("--all")
        self.assert_same_file(path, self.folder_there / NAME)


class Strangers(Sshd):
    """Logs in as "nobody", who has no shell."""

    def __init__(self, **options):
        super().__init__(user="nobody", subsystem=INSIDE, more="ForceCommand internal-sftp", **options)


class Host(SftpCase):
    def setUp(self):
        super().setUp()
        sshd.install_key(self.home)

    def refuse(self, words):
        result = self.upload(self.archive(), "there", expect=TLS)
        self.assertIn(words, result.result["message"])
        self.assertFalse(self.folder_there.exists())

    def test_no_known_hosts(self):
        self.there(network={})
        self.refuse("there is no file")

    def test_unknown(self):
        (self.home / ".ssh/known_hosts").write_text("")
        self.there(network={})
        self.refuse("its host key is not known")

    def test_known_of_the_person(self):
        (self.home / ".ssh/known_hosts").write_bytes(sshd.known_hosts().read_bytes())
        self.there(network={})
        self.upload(self.archive(), "there")

    def test_changed(self):
        other = Sshd().start_for(self)
        hosts = other.known_hosts()
        other.stop()
        other.change_host_key()
        other.start()
        self.there(other, network={"KnownHosts": hosts})
        self.refuse("host key")
        self.assertEqual(os.listdir(other.incoming), [])

    def test_pinned(self):
        self.there(network={"HostKeySHA256": sshd.host_key_sha256})
        self.upload(self.archive(), "there")

    def test_pinned_other(self):
        key = sshd.host_key_sha256
        self.there(network={"HostKeySHA256": ("B" if key[0] == "A" else "A") + key[1:],
                            "KnownHosts": sshd.known_hosts()})
        self.refuse("host key")


class Login(SftpCase):
    def test_no_key(self):
        self.there()
        result = self.upload(self.archive(), "there", expect=AUTH)
        self.assertIn("no key file", result.result["message"])

    def test_rsa(self):
        """libssh2 1.10 cannot use it with a new server; later ones can."""
        sshd.install_key(self.home, "rsa")
        self.there()
        path = self.archive()
        result = self.run_program("upload", path, "--target", "there", "--consent-upload", "--json")
        if result.status == 0:
            self.assert_same_file(path, self.folder_there / NAME)
            return
        self.assertEqual(result.status, AUTH, result)
        self.assertIn("ssh-keygen -t ed25519", result.result["message"])

    def test_next_key(self):
        """The first key is not one that the server knows, the second is."""
        sshd.install_key(self.home)
        (self.home / ".ssh/id_ed25519").rename(self.home / ".ssh/id_ecdsa")
        subprocess.run([find_tool("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", self.home / ".ssh/id_ed25519"],
                       check=True)
        self.there()
        path = self.archive()
        self.upload(path, "there")
        self.assert_same_file(path, self.folder_there / NAME)

    def test_passphrase(self):
        """A key in a file that is encrypted: what was given as secret opens it."""
        key = sshd.install_key(self.home)
        subprocess.run([find_tool("ssh-keygen"), "-q", "-p", "-N", "long-phrase", "-f", key], check=True)
        self.there()
        path = self.archive()
        result = self.upload(path, "there", expect=AUTH)
        self.assertIn("ssh-add", result.result["message"])
        self.upload(path, "there", token="long-phrase")
        self.assert_same_file(path, self.folder_there / NAME)

    def test_agent(self):
        """Keys that only the agent has."""
        agent = subprocess.Popen([find_tool("ssh-agent"), "-D", "-a", self.runtime / "agent"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, agent)
        self.wait_for((self.runtime / "agent").exists, "the agent starts")
        env = {"SSH_AUTH_SOCK": str(self.runtime / "agent")}
        subprocess.run([find_tool("ssh-add"), "-q", sshd.private_key], env={**os.environ, **env}, check=True)
        self.there()
        path = self.archive()
        self.upload(path, "there", env=env)
        self.assert_same_file(path, self.folder_there / NAME)

    def test_auth_test(self):
        """`targets test-auth` logs in and stores nothing."""
        sshd.install_key(self.home)
        self.there()
        result = self.run_program("targets", "test-auth", "there", "--json")
        self.assertEqual(result.status, 0, result)
        self.assertIn(sshd.user, result.out)
        self.assertFalse(self.folder_there.exists())


if __name__ == "__main__":
    unittest.main()
