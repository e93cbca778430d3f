# SPDX-License-Identifier: GPL-2.0-or-later
# A person who types the command into an SSH login, and whose connection breaks: once with a terminal, once without.
ARCHIVE = "/tmp/archives/8086-100e-{}-mmiotrace.tar.gz"
for way in ("terminal", "pipe"):
    vm.hear(f"ready-{way}")
    vm.reachable()
    login = vm.session(way, "mmiotrace-wizard", "--batch", "--device", "0000:00:10.0", "--nick", way,
                       "--output", "/tmp/archives", "--duration", "10", terminal=way == "terminal")
    vm.hear(f"capturing-{way}")
    expect(login.poll() is None, f"{way}: the login ended by itself: {vm.output(way)}")
    login.kill()
    vm.reachable()
    vm.wait(f"{way}: the archive", lambda: "yes" in vm.run(f"test -e {ARCHIVE.format(way)} && echo yes || true"))
    vm.run(f"mmiotrace-wizard verify {ARCHIVE.format(way)}")
    expect("0000:00:10.0" in vm.run("mmiotrace-wizard sessions"), f"{way}: `sessions` does not list it")
    vm.tell(f"seen-{way}")
