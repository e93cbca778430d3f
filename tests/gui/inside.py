# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of `run` that runs as root on the fake machine: a person logs in, and the tests run in their session.

    inside.py USER RESULTS COMMAND...
"""

import contextlib
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
END_SEC = 30
WORK = pathlib.Path(os.environ["MTW_FAKE_MACHINE"])
HERE = pathlib.Path(__file__).resolve().parent
CATALOGUES = HERE.parent.parent / "po"
LANGUAGES = ("de", "he", "ko")
SHOWN = {"written": "machine/written", "tracer": "machine/sys/kernel/tracing/current_tracer"}
# Modules of the made-up machine are told of here.
FITS = pathlib.Path("/etc/modprobe.d/fits.conf")
WITHOUT_DRIVER = "pci:v00001B36d00000005*"
lock = threading.Lock()
user = sys.argv[1]


def service_pids():
    """Of what the bus has started; ended processes have no command line any more."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().split(b"\0")[0].endswith(b"/mmiotrace-wizardd"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def signal_service(name):
    for pid in service_pids():
        os.kill(pid, getattr(signal, f"SIG{name}"))


def end_service():
    """In order, so that a capture ends, too."""
    signal_service("CONT")
    signal_service("TERM")
    end = time.monotonic() + END_SEC
    while service_pids() and time.monotonic() < end:
        time.sleep(POLL_SEC)
    signal_service("KILL")


def begin_anew(number):
    """Without service and captures, with a new kernel; then the tests read @number."""
    end_service()
    small_disk(0)
    small_documents(0)
    hang_disk("umount")
    FITS.unlink(missing_ok=True)
    shutil.rmtree(WORK / "state", ignore_errors=True)
    (WORK / "machine/control").write_text("reset\n", encoding="utf-8")
    show()
    tell("new", number)


def boot_unit():
    """As if systemd would start the unit of a capture at the next start of the computer."""
    units = pathlib.Path("/run/systemd/system")
    wants = units / "sysinit.target.wants"
    wants.mkdir(parents=True, exist_ok=True)
    for folder in (units, wants):
        (folder / "mmiotrace-wizard-boot.service").touch()


def small_disk(megabytes):
    """For the captures; 0: the usual one again."""
    if os.path.ismount(WORK / "state"):
        subprocess.run(["umount", WORK / "state"], check=True)
    if int(megabytes):
        (WORK / "state").mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", WORK / "state"], check=True)


def fill_disk():
    """The small one of the captures: not a byte more."""
    block = bytes(4096)
    if not os.path.ismount(WORK / "state"):
        return
    with contextlib.suppress(OSError), open(WORK / "state/filler", "wb", buffering=0) as filler:
        while True:
            filler.write(block)


def small_documents(megabytes):
    """A disk of its own for the person's documents, where archives go; 0: none."""
    home = pathlib.Path("/home") / user
    folder = home / "Documents"
    if os.path.ismount(folder):
        subprocess.run(["umount", folder], check=True)
    if int(megabytes):
        folder.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700,uid={home.stat().st_uid}", "tmpfs", folder], check=True)


def hang_disk(word):
    """Where the person's settings and reports are: "mount", "umount", or what hangs (slow_disk.py)."""
    for name in (".config/mmiotrace-wizard", ".local/state/mmiotrace-wizard"):
        folder = pathlib.Path("/home") / user / name
        if word == "mount":
            subprocess.Popen(["/usr/bin/python3", HERE / "slow_disk.py", folder, WORK / "gui-hang", WORK / "gui-asked"])
        elif word == "umount" and os.path.ismount(folder):
            subprocess.run(["umount", "--lazy", folder], check=True)
    tell("hang", "" if word in ("mount", "umount") else word)


def fit(names):
    """Drivers that say of themselves that they fit the device without one."""
    FITS.write_text("".join(f"alias {WITHOUT_DRIVER} {name}\n" for name in names.split()))


def obey(line):
    word, _, rest = line.strip().partition(" ")
    if word == "service":
        signal_service(rest)
    elif word == "new":
        begin_anew(rest)
    elif word == "disk":
        small_disk(rest)
    elif word == "fill-disk":
        fill_disk()
    elif word == "documents":
        small_documents(rest)
    elif word == "hang":
        hang_disk(rest)
    elif word == "fits":
        fit(rest)
    elif word == "boot-unit":
        boot_unit()
    else:
        (WORK / "machine/control").write_text(line, encoding="utf-8")


def forward():
    """What the tests tell the kernel: only root may write there."""
    while True:
        with open(WORK / "gui-control", encoding="utf-8") as pipe:
            for line in pipe:
                obey(line)


def tell(name, text):
    new = WORK / f"gui-{name}.new"
    new.write_text(text)
    new.rename(WORK / f"gui-{name}")


def show():
    """What the tests want to know of the kernel, which only root may read."""
    with lock:
        for name, path in SHOWN.items():
            tell(name, (WORK / path).read_text(errors="replace"))
        tell("service", " ".join(map(str, service_pids())))


def keep_showing():
    while True:
        show()
        time.sleep(POLL_SEC)


def translate(language):
    """Our catalogue as if it were installed; an empty one for a language that we do not have: without any GLib lets GTK not translate
    either, and GTK's says the direction."""
    folder = pathlib.Path("/usr/share/locale") / language / "LC_MESSAGES"
    copy = WORK / f"catalogues-{language}"
    shutil.copytree(folder, copy, symlinks=True)
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    source = CATALOGUES / f"{language}.po"
    text = source.read_text(encoding="utf-8") if source.exists() else header
    subprocess.run(["msgfmt", "-o", copy / "mmiotrace-wizard.mo", "-"], input=text, text=True, encoding="utf-8", check=True)
    subprocess.run(["mount", "--bind", copy, folder], check=True)


def make_home(entry):
    """Where people expect it: the pictures show paths. Returns: its path"""
    homes = WORK / "home"
    (homes / user).mkdir(0o700, exist_ok=True)
    if entry.pw_uid:
        subprocess.run(["mount", "--bind", homes, "/home"], check=True)
        return f"/home/{user}"
    subprocess.run(["mount", "--bind", homes / user, entry.pw_dir], check=True)
    return entry.pw_dir


def main():
    command = sys.argv[2:]
    entry = pwd.getpwnam(user)
    os.mkfifo(WORK / "gui-control", 0o622)
    os.chmod(WORK / "gui-control", 0o622)
    threading.Thread(target=forward, daemon=True).start()
    threading.Thread(target=keep_showing, daemon=True).start()
    for language in LANGUAGES:
        translate(language)
    home = make_home(entry)
    runtime = f"/run/user/{entry.pw_uid}"
    os.makedirs(runtime, 0o700)
    os.chown(runtime, entry.pw_uid, entry.pw_gid)
    os.makedirs("/tmp/.X11-unix", 0o1777, exist_ok=True)
    environment = {name: os.environ[name] for name in os.environ if name.startswith(("MTW_", "PYTHON")) or name.endswith("_OPTIONS")}
    environment.update(HOME=home, USER=user, LOGNAME=user, PATH="/usr/bin:/bin", LANG="C.UTF-8", XDG_RUNTIME_DIR=runtime,
                       XDG_CONFIG_HOME=f"{home}/.config", NO_AT_BRIDGE="0")
    status = subprocess.run(["dbus-run-session", "--", *command], env=environment, user=entry.pw_uid, group=entry.pw_gid, extra_groups=[],
                            cwd=home, check=False).returncode
    sys.exit(status)


main()
