# SPDX-License-Identifier: GPL-2.0-or-later
# Two logins of alice, each ended in the middle of a walk: by a connection that breaks, and by the end of her session.
import re


def seen(name, pattern):
    vm.wait(f"{name}: {pattern}", lambda: re.search(pattern, vm.output(name)))


def answer(login, text):
    login.stdin.write(text.encode() + b"\n")
    login.stdin.flush()


def walk(name):
    """Up to the marker that she sets."""
    login = vm.session(name, "mmiotrace-wizard", "--device", "0000:00:05.0", user="alice", terminal=True)
    seen(name, "Save your work now")
    answer(login, "yes")
    seen(name, "start the capture\\?")
    answer(login, "yes")
    seen(name, "Use the device now")
    answer(login, f"before {name}")
    seen(name, f"marker: before {name}")
    return login


def come_back(name):
    """In a new login; ends the capture."""
    login = vm.session(f"after-{name}", "mmiotrace-wizard", "attach", user="alice", terminal=True)
    seen(f"after-{name}", f"marker: before {name}")
    answer(login, f"after {name}")
    seen(f"after-{name}", f"marker: after {name}")
    answer(login, "")
    # What comes now is the report; it can wait.
    seen(f"after-{name}", "Your nickname")
    login.kill()


vm.hear("ready")
vm.reachable()
login = walk("broken")
login.kill()
vm.tell("broken")
vm.hear("still-1")
come_back("broken")

vm.hear("ready-2")
login = walk("ended")
vm.run("loginctl terminate-user alice")
vm.wait("the login's end", lambda: login.poll() is not None)
vm.tell("ended")
vm.hear("still-2")
come_back("ended")
