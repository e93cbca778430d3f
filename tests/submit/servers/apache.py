# SPDX-License-Identifier: GPL-2.0-or-later
"""Apache with mod_dav: planned chunks (Content-Range), If-None-Match, MKCOL, MOVE; bob and his password."""

import os
import pathlib
import subprocess

from servers import tls
from servers.server import Server, fill, find_tool, missing

USER, PASSWORD = "bob", "sekrit"
MODULES = pathlib.Path("/usr/lib/apache2/modules")

CONFIG = """
ServerRoot /usr/lib/apache2
DefaultRuntimeDir @DIR@
PidFile @DIR@/httpd.pid
ErrorLog @DIR@/error.log
ServerName localhost
Listen @HOST@:@PORT@
@USER_LINES@
LoadModule mpm_event_module modules/mod_mpm_event.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule authz_user_module modules/mod_authz_user.so
LoadModule authn_core_module modules/mod_authn_core.so
LoadModule authn_file_module modules/mod_authn_file.so
LoadModule auth_basic_module modules/mod_auth_basic.so
LoadModule dav_module modules/mod_dav.so
LoadModule dav_fs_module modules/mod_dav_fs.so
LoadModule ssl_module modules/mod_ssl.so
LoadModule setenvif_module modules/mod_setenvif.so
LogFormat "%r %>s" short
CustomLog @DIR@/access.log short
DavLockDB @DIR@/lock/DavLock
StartServers 1
MinSpareThreads 5
ThreadsPerChild 10
MaxRequestWorkers 10
@SSL_LINES@
DocumentRoot @DIR@/root
<Directory @DIR@/root>
  Dav On
  AuthType Basic
  AuthName dav
  AuthUserFile @DIR@/htpasswd
  Require valid-user
  LimitRequestBody @MAX_BODY@
</Directory>
"""


class Apache(Server):
    """@https: as Nginx. @max_body: bytes, 0: no limit. @small_disk: the files are on a disk of 2 MiB (needs root)."""

    def __init__(self, https=False, host="127.0.0.1", port=0, max_body=0, small_disk=False):
        super().__init__(host, port)
        self.scheme = "https" if https else "http"
        self.max_body = max_body
        self.small_disk = small_disk
        self.root = self.folder / "root"
        self.mounted = False

    def prepare(self):
        if not (MODULES / "mod_dav.so").exists():
            missing("apache2 is not installed")
        self.root.mkdir()
        (self.folder / "lock").mkdir()
        if self.small_disk:
            self.mount()
        subprocess.run([find_tool("htpasswd"), "-bc", self.folder / "htpasswd", USER, PASSWORD], check=True,
                       capture_output=True)
        if os.geteuid() == 0:
            for folder in (self.root, self.folder / "lock"):
                subprocess.run(["chown", "www-data:www-data", folder], check=True)
        (self.folder / "httpd.conf").write_text(fill(CONFIG, {
            "DIR": self.folder, "HOST": self.host, "PORT": self.port, "MAX_BODY": self.max_body,
            "USER_LINES": "User www-data\nGroup www-data" if os.geteuid() == 0 else "", "SSL_LINES": self.ssl_lines()}))

    def mount(self):
        if os.geteuid() != 0:
            missing("a disk of its own needs root")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", self.root], check=True)
        self.mounted = True

    def ssl_lines(self):
        if self.scheme != "https":
            return ""
        cert, key = tls.authority().certificate()
        return f"SSLEngine on\nSSLCertificateFile {cert}\nSSLCertificateKeyFile {key}"

    def command(self):
        return [find_tool("apache2"), "-f", self.folder / "httpd.conf", "-DFOREGROUND"]

    def close(self):
        self.stop()
        if self.mounted:
            subprocess.run(["umount", self.root], check=True)
            self.mounted = False
        super().close()

    @property
    def access_log(self):
        return (self.folder / "access.log").read_text().splitlines()

    def stored(self, path):
        return self.root / path.lstrip("/")
