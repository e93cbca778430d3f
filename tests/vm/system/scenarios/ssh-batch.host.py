# SPDX-License-Identifier: GPL-2.0-or-later
# A person who types the command into an SSH login, and whose connection breaks: root on a terminal, root without one,
# and a user with sudo, which gives the program a terminal of its own (use_pty).
ARCHIVE = "/tmp/archives/8086-100e-{}-mmiotrace.tar.gz"
COMMAND = ("mmiotrace-wizard", "--batch", "--device", "0000:00:10.0", "--output", "/tmp/archives", "--duration", "10", "--nick")
WAYS = {
    "terminal": {"user": "root", "terminal": True, "before": ()},
    "pipe": {"user": "root", "terminal": False, "before": ()},
    "sudo": {"user": "alice", "terminal": True, "before": ("sudo",)},
}
for way, how in WAYS.items():
    vm.hear(f"ready-{way}")
    vm.reachable()
    login = vm.session(way, *how["before"], *COMMAND, way, user=how["user"], terminal=how["terminal"])
    vm.hear(f"capturing-{way}")
    expect(login.poll() is None, f"{way}: the login ended by itself: {vm.output(way)}")
    login.kill()
    vm.reachable()
    vm.wait(f"{way}: the archive", lambda: "yes" in vm.run(f"test -e {ARCHIVE.format(way)} && echo yes || true"))
    same(vm.run(f"stat -c %U {ARCHIVE.format(way)}").strip(), how["user"], f"{way}: the archive's owner")
    vm.run(f"mmiotrace-wizard verify {ARCHIVE.format(way)}", user=how["user"])
    expect("0000:00:10.0" in vm.run("mmiotrace-wizard sessions"), f"{way}: `sessions` does not list it")
    vm.tell(f"seen-{way}")
