# SPDX-License-Identifier: GPL-2.0-or-later
"""The proxy variables of the environment."""

import unittest

from harness import NETWORK, OK, Case
from servers import tls
from servers.nginx import TOKEN, Nginx
from servers.proxy import Proxy
from servers.server import free_port
from servers.sink import Sink

CERTIFICATE = {"names": ("DNS:tracker.example", "IP:127.0.0.1")}


def setUpModule():
    global nginx, plain
    nginx = Nginx(https=True, certificate=CERTIFICATE).start_for(unittest)
    plain = Nginx().start_for(unittest)


class ThroughProxy(Case):
    def setUp(self):
        super().setUp()
        self.proxy = Proxy().start_for(self)
        self.path = self.archive()
        self.url = f"https://tracker.example:{nginx.port}/bearer"
        nginx.stored("/bearer/" + self.path.name).unlink(missing_ok=True)

    def send(self, expect, env, url=None, **keys):
        self.target("there", Kind="put", URL=url or self.url, **{"Auth": "bearer", **keys},
                    network={"CAFile": tls.authority().ca_file})
        return self.upload(self.path, "there", token=TOKEN, expect=expect, env=env)

    def test_https(self):
        """The name is looked up by the proxy, which sees neither token nor report."""
        for seed, name in enumerate(("https_proxy", "HTTPS_PROXY", "all_proxy")):
            with self.subTest(variable=name):
                before = len(self.proxy.asked)
                self.path = self.archive(seed=seed, name=f"1b36-0011-{seed}-mmiotrace.tar.gz")
                self.send(OK, {name: self.proxy.url})
                self.assert_same_file(self.path, nginx.stored("/bearer/" + self.path.name))
                asked = self.proxy.asked[before:]
                self.assertTrue(asked)
                self.assertEqual({(method, host) for method, host, _ in asked}, {("CONNECT", "tracker.example")})
                for head in self.proxy.heads:
                    self.assertNotIn(TOKEN, head)

    def test_no_proxy(self):
        """Then the name is looked up here, where nobody knows it; not even tried through the proxy."""
        self.send(NETWORK, {"https_proxy": self.proxy.url, "no_proxy": "tracker.example"})
        self.assertFalse(self.proxy.asked)

    def test_proxy_is_down(self):
        self.send(NETWORK, {"https_proxy": f"http://127.0.0.1:{free_port()}"})
        self.assertFalse(nginx.stored("/bearer/" + self.path.name).exists())

    def test_this_computer(self):
        """What is for this computer is not shown to a proxy: http to it is let pass with a token for that reason."""
        sink = Sink("127.0.0.2").start_for(self)
        self.send(OK, {"http_proxy": sink.url, "all_proxy": sink.url}, url=plain.url + "/bearer")
        sink.assert_untouched(self)
        self.assert_same_file(self.path, plain.stored("/bearer/" + self.path.name))

    def test_password_of_the_proxy(self):
        """It is nobody's business either."""
        result = self.send(NETWORK, {"https_proxy": f"http://bob:hunter2hunter2@127.0.0.1:{free_port()}"})
        self.assertNotIn("hunter2", result.out + result.stderr)
        self.assertNotIn(b"hunter2", b"".join(self.state_bytes().values()))


if __name__ == "__main__":
    unittest.main()
