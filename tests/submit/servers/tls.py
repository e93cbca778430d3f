# SPDX-License-Identifier: GPL-2.0-or-later
"""Certificates, made when they are needed."""

import atexit
import base64
import functools
import hashlib
import pathlib
import shutil
import ssl
import subprocess
import tempfile

from servers.server import find_tool

# For `openssl ca`: only it makes a certificate that has expired already.
CA_CONFIG = """[ca]
default_ca=here
[here]
database={folder}/index
serial={folder}/serial
new_certs_dir={folder}
default_md=sha256
policy=any
unique_subject=no
[any]
commonName=supplied
"""


class Authority:
    """A certificate authority in a folder of its own. `ca_file` is for [Network] CAFile."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mtw-tls-"))
        self.folder.chmod(0o755)
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.ca_file = self.folder / "ca.pem"
        self.ca_key = self.folder / "ca-key.pem"
        (self.folder / "ca.cnf").write_text(CA_CONFIG.format(folder=self.folder))
        (self.folder / "index").touch()
        (self.folder / "serial").write_text("01\n")
        self.openssl("req", "-x509", *self.new_key(self.ca_key), "-days", "30", "-out", self.ca_file,
                     "-subj", "/CN=mmiotrace-wizard test authority",
                     "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        self.made = {}

    def openssl(self, *arguments):
        return subprocess.run([find_tool("openssl"), *map(str, arguments)], check=True, stdin=subprocess.DEVNULL,
                              capture_output=True, cwd=self.folder).stdout

    def new_key(self, path):
        return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path)

    def certificate(self, names=("DNS:localhost", "IP:127.0.0.1"), expired=False):
        """A certificate for @names. Returns: (certificate, key)"""
        wanted = (tuple(names), expired)
        if wanted not in self.made:
            self.made[wanted] = self.make_certificate(len(self.made), names, expired)
        return self.made[wanted]

    def make_certificate(self, number, names, expired):
        cert, key, request, more = (self.folder / f"{number}{suffix}"
                                    for suffix in (".pem", "-key.pem", ".csr", ".ext"))
        more.write_text(f"subjectAltName={','.join(names)}\n")
        dates = ("20200101000000Z", "20200201000000Z") if expired else ("20200101000000Z", "20991231000000Z")
        self.openssl("req", "-new", *self.new_key(key), "-out", request, "-subj", "/CN=" + names[0].split(":", 1)[1])
        self.openssl("ca", "-batch", "-config", "ca.cnf", "-cert", self.ca_file, "-keyfile", self.ca_key,
                     "-in", request, "-out", cert, "-notext", "-extfile", more,
                     "-startdate", dates[0], "-enddate", dates[1])
        return cert, key

    def context(self, **options):
        """For a ThreadServer."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate(**options))
        return context

    def pin(self, **options):
        """The public key's hash as PinnedPubkey wants it."""
        cert, _ = self.certificate(**options)
        key = self.folder / "public.pem"
        key.write_bytes(self.openssl("x509", "-in", cert, "-noout", "-pubkey"))
        digest = hashlib.sha256(self.openssl("pkey", "-pubin", "-in", key, "-outform", "DER")).digest()
        return "sha256//" + base64.b64encode(digest).decode()


@functools.cache
def authority():
    """The one of this process."""
    return Authority()


@functools.cache
def stranger():
    """One that nobody trusts."""
    return Authority()
