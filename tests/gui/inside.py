# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of `run` that runs as root on the fake machine: a person logs in, and the tests run in their session.

    inside.py USER RESULTS COMMAND...
"""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import threading
import time

POLL_SEC = 0.1
WORK = pathlib.Path(os.environ["MTW_FAKE_MACHINE"])


def signal_service(name):
    """To whom the bus has started."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        if (folder / "cmdline").read_bytes().split(b"\0")[0].endswith(b"/mmiotrace-wizardd"):
            os.kill(int(folder.name), getattr(signal, f"SIG{name}"))


def forward():
    """What the tests tell the kernel: only root may write there."""
    while True:
        with open(WORK / "gui-control", encoding="utf-8") as pipe:
            for line in pipe:
                if line.startswith("service "):
                    signal_service(line.split()[1])
                    continue
                (WORK / "machine/control").write_text(line, encoding="utf-8")


def show():
    """What the tests want to know of the kernel, which only root may read."""
    while True:
        for name, path in (("written", "machine/written"), ("tracer", "machine/sys/kernel/tracing/current_tracer")):
            new = WORK / f"gui-{name}.new"
            new.write_text((WORK / path).read_text(errors="replace"))
            new.rename(WORK / f"gui-{name}")
        time.sleep(POLL_SEC)


def translate(language):
    """An empty catalogue of ours: without one GLib lets GTK not translate either, and GTK's says the direction."""
    folder = pathlib.Path("/usr/share/locale") / language / "LC_MESSAGES"
    copy = WORK / f"catalogues-{language}"
    shutil.copytree(folder, copy, symlinks=True)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    subprocess.run(["msgfmt", "-o", copy / "mmiotrace-wizard.mo", "-"], input=header, text=True, check=True)
    subprocess.run(["mount", "--bind", copy, folder], check=True)


def main():
    user, *command = sys.argv[1:]
    entry = pwd.getpwnam(user)
    os.mkfifo(WORK / "gui-control", 0o622)
    os.chmod(WORK / "gui-control", 0o622)
    threading.Thread(target=forward, daemon=True).start()
    threading.Thread(target=show, daemon=True).start()
    translate("he")
    runtime = f"/run/user/{entry.pw_uid}"
    os.makedirs(runtime, 0o700)
    os.chown(runtime, entry.pw_uid, entry.pw_gid)
    os.makedirs("/tmp/.X11-unix", 0o1777, exist_ok=True)
    environment = {name: os.environ[name] for name in os.environ if name.startswith(("MTW_", "PYTHON")) or name.endswith("_OPTIONS")}
    environment.update(HOME=entry.pw_dir, USER=user, LOGNAME=user, PATH="/usr/bin:/bin", LANG="C.UTF-8", XDG_RUNTIME_DIR=runtime,
                       XDG_CONFIG_HOME=f"{entry.pw_dir}/.config", NO_AT_BRIDGE="0")
    status = subprocess.run(["dbus-run-session", "--", *command], env=environment, user=entry.pw_uid, group=entry.pw_gid, extra_groups=[],
                            cwd=entry.pw_dir, check=False).returncode
    sys.exit(status)


main()
