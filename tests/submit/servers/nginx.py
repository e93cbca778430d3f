# SPDX-License-Identifier: GPL-2.0-or-later
"""nginx with WebDAV: /dav/ asks for bob and his password, /bearer/ for a token, /open/ for nothing."""

import os
import pathlib
import subprocess

from servers import tls
from servers.server import Server, fill, find_tool, missing

MODULE = pathlib.Path("/usr/lib/nginx/modules/ngx_http_dav_ext_module.so")
USER, PASSWORD, TOKEN = "bob", "sekrit", "bearer-sekrit"

CONFIG = """
@USER_LINE@
daemon off;
worker_processes 1;
pid @DIR@/nginx.pid;
error_log @DIR@/error.log warn;
load_module @MODULE@;
events { worker_connections 64; }
http {
  access_log @DIR@/access.log;
  client_body_temp_path @DIR@/tmp/body;
  proxy_temp_path @DIR@/tmp/proxy;
  fastcgi_temp_path @DIR@/tmp/fastcgi;
  uwsgi_temp_path @DIR@/tmp/uwsgi;
  scgi_temp_path @DIR@/tmp/scgi;
  server {
    listen @HOST@:@PORT@ @SSL@;
    @SSL_LINES@
    root @DIR@/root;
    client_max_body_size @MAX_BODY@;
    dav_methods PUT DELETE MKCOL COPY MOVE;
    dav_ext_methods PROPFIND OPTIONS;
    dav_access user:rw group:rw all:r;
    location /dav/ { create_full_put_path on; auth_basic dav; auth_basic_user_file @DIR@/htpasswd; }
    location /bearer/ {
      create_full_put_path on;
      if ($http_authorization != "Bearer @TOKEN@") { return 401; }
    }
    location /open/ { create_full_put_path on; }
    @MORE@
  }
}
"""


class Nginx(Server):
    """
    @https: with a certificate of servers.tls.authority(); @certificate: other options for it (expired=True, names=...),
    or @from_stranger: of one that nobody trusts. @protocols: of ssl_protocols. @redirects: {path: (status, address)}.
    @more: further lines of the server block.
    """

    def __init__(self, https=False, host="127.0.0.1", port=0, max_body="0", certificate=None, from_stranger=False,
                 protocols="TLSv1.2 TLSv1.3", redirects=None, more=""):
        super().__init__(host, port)
        self.scheme = "https" if https else "http"
        self.max_body = max_body
        self.certificate = certificate or {}
        self.from_stranger = from_stranger
        self.protocols = protocols
        self.redirects = redirects or {}
        self.more = more
        self.root = self.folder / "root"

    def prepare(self):
        if not MODULE.exists():
            missing("libnginx-mod-http-dav-ext is not installed")
        for folder in ("dav", "open", "bearer"):
            (self.root / folder).mkdir(parents=True)
        (self.folder / "tmp").mkdir()
        digest = subprocess.run([find_tool("openssl"), "passwd", "-apr1", PASSWORD], check=True, capture_output=True,
                                text=True).stdout
        (self.folder / "htpasswd").write_text(f"{USER}:{digest}")
        more = self.more + "".join(f"location = {path} {{ return {status} {address}; }}\n"
                                   for path, (status, address) in self.redirects.items())
        (self.folder / "nginx.conf").write_text(fill(CONFIG, {
            "DIR": self.folder, "MODULE": MODULE, "HOST": self.host, "PORT": self.port, "TOKEN": TOKEN, "MORE": more,
            "USER_LINE": "user root;" if os.geteuid() == 0 else "", "SSL": "ssl" if self.scheme == "https" else "",
            "SSL_LINES": self.ssl_lines(), "MAX_BODY": self.max_body}))

    def ssl_lines(self):
        if self.scheme != "https":
            return ""
        maker = tls.stranger() if self.from_stranger else tls.authority()
        cert, key = maker.certificate(**self.certificate)
        lines = [f"ssl_certificate {cert};", f"ssl_certificate_key {key};", f"ssl_protocols {self.protocols};"]
        if "TLSv1.2" not in self.protocols and "TLSv1.3" not in self.protocols:
            lines.append("ssl_ciphers ALL:@SECLEVEL=0;")
        return " ".join(lines)

    def command(self):
        return [find_tool("nginx"), "-c", self.folder / "nginx.conf", "-p", self.folder,
                "-e", self.folder / "error.log"]

    @property
    def access_log(self):
        """Lines of all requests."""
        return (self.folder / "access.log").read_text().splitlines()

    def stored(self, path):
        """The file of an address like "/dav/x.tar.gz"."""
        return self.root / path.lstrip("/")
