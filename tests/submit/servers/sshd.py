# SPDX-License-Identifier: GPL-2.0-or-later
"""sshd for SFTP only: the user of the tests logs in with a key made for it."""

import base64
import hashlib
import os
import pathlib
import pwd
import subprocess

from servers.server import Server, fill, find_tool

CONFIG = """
Port @PORT@
ListenAddress @HOST@
HostKey @DIR@/host-@HOST_KEY@
PidFile @DIR@/sshd.pid
AuthorizedKeysFile @DIR@/authorized_keys
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitRootLogin prohibit-password
AllowTcpForwarding no
X11Forwarding no
LogLevel VERBOSE
Subsystem sftp @SUBSYSTEM@
@MORE@
"""

INSIDE = "internal-sftp"
PROGRAM = "/usr/lib/openssh/sftp-server"


class Sshd(Server):
    """
    Files arrive in `incoming` (also the folder a session starts in). `user`: who logs in; another than the one of the
    tests needs root. @subsystem: PROGRAM is started by the user's shell, INSIDE needs none. `private_key`: ed25519,
    `rsa_key`: the same rights. `known_hosts`: a file that knows this server.
    """

    scheme = "sftp"

    def __init__(self, host="127.0.0.1", port=0, user=None, subsystem=None, more=""):
        super().__init__(host, port)
        self.user = user or pwd.getpwuid(os.geteuid()).pw_name
        self.incoming = self.folder / "incoming"
        self.subsystem = subsystem or f"{INSIDE} -d {self.incoming}"
        self.more = more
        self.host_key = "ed25519"
        self.private_key = self.folder / "user-ed25519"
        self.rsa_key = self.folder / "user-rsa"

    def prepare(self):
        self.incoming.mkdir()
        account = pwd.getpwnam(self.user)
        if account.pw_uid != os.geteuid():
            os.chown(self.incoming, account.pw_uid, account.pw_gid)
        self.new_key("host-ed25519", "ed25519")
        self.new_key("user-ed25519", "ed25519")
        self.new_key("user-rsa", "rsa")
        keys = [(self.folder / f"user-{kind}.pub").read_text() for kind in ("ed25519", "rsa")]
        (self.folder / "authorized_keys").write_text("".join(keys))
        pathlib.Path("/run/sshd").mkdir(exist_ok=True) if os.geteuid() == 0 else None

    def new_key(self, name, kind):
        more = ["-b", "2048"] if kind == "rsa" else []
        subprocess.run([find_tool("ssh-keygen"), "-q", "-t", kind, *more, "-N", "", "-C", "test", "-m", "PEM",
                        "-f", self.folder / name], check=True)

    def change_host_key(self):
        """As if somebody else answered from now on. The server must be stopped."""
        for suffix in ("", ".pub"):
            (self.folder / f"host-ed25519{suffix}").unlink()
        self.new_key("host-ed25519", "ed25519")

    def command(self):
        (self.folder / "sshd_config").write_text(fill(CONFIG, {
            "DIR": self.folder, "HOST": self.host, "PORT": self.port, "HOST_KEY": self.host_key,
            "SUBSYSTEM": self.subsystem, "MORE": self.more}))
        return [find_tool("sshd"), "-D", "-e", "-f", self.folder / "sshd_config"]

    @property
    def public_key(self):
        """Of the host: type and base64."""
        return " ".join((self.folder / "host-ed25519.pub").read_text().split()[:2])

    @property
    def host_key_sha256(self):
        """As ssh-keygen -l prints it, without "SHA256:"."""
        digest = hashlib.sha256(base64.b64decode(self.public_key.split()[1])).digest()
        return base64.b64encode(digest).decode().rstrip("=")

    def known_hosts(self, name="known_hosts"):
        """Writes a file that knows the host as it is now. Returns: its path"""
        path = self.folder / name
        path.write_text(f"[{self.host}]:{self.port} {self.public_key}\n")
        return path

    def install_key(self, home, kind="ed25519"):
        """Puts the user's key where the program looks for it: HOME/.ssh/id_KIND (and .pub)."""
        folder = pathlib.Path(home) / ".ssh"
        folder.mkdir(mode=0o700, exist_ok=True)
        for suffix, mode in (("", 0o600), (".pub", 0o644)):
            path = folder / f"id_{kind}{suffix}"
            path.write_bytes((self.folder / f"user-{kind}{suffix}").read_bytes())
            path.chmod(mode)
        return folder / f"id_{kind}"

    def drop_sessions(self):
        """Ends the connections, not the server: what a broken network looks like."""
        for pid in self.children(self.process.pid):
            for process in (*self.children(pid), pid):
                try:
                    os.kill(process, 9)
                except ProcessLookupError:
                    pass

    def children(self, pid):
        found = []
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, task.read_text().split())
        return found

    def stop(self, how=15):
        if self.process is not None:
            self.drop_sessions()
        super().stop(how)
