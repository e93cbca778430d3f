# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-S in the middle of the capture; Ctrl-Q when the machine is as before, to see the end.
vm.hear("ready")
vm.reachable()
login = vm.session("login", "mmiotrace-wizard", "--batch", "--device", "0000:00:05.0", "--nick", "alice",
                   "--output", "/tmp/archives", "--duration", "10", terminal=True)
vm.hear("capturing")
login.stdin.write(b"\x13")
login.stdin.flush()
vm.hear("restored")
login.stdin.write(b"\x11")
login.stdin.flush()
same(login.wait(120), 0, "status")
vm.tell("ended")
