# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernels: the distribution's own packages, unpacked into the cache, never installed."""

import pathlib
import re
import shutil
import tempfile

from .places import Trouble, cache_dir, command, fingerprint

# The kernel lines that scenarios can ask for, and the packages they come from (the newest one is taken).
LINES = {
    "6.1": r"^linux-image-(6\.1\.0-[0-9]+-amd64)$",
    "6.12": r"^linux-image-(6\.12\.[0-9]+\+deb12-amd64)$",
}
APT = ("-o", "APT::Sandbox::User=root")


class Kernel:
    """One unpacked kernel: `image` is what QEMU boots, `tree` has lib/modules, `headers` is what modules build against."""

    def __init__(self, line, release, root):
        self.line = line
        self.release = release
        self.tree = root
        self.config = root / "boot" / f"config-{release}"
        self.image = root / "boot" / f"vmlinuz-{release}"
        self.headers = root / "usr" / "src" / f"linux-headers-{release}"


def numbers(text):
    return [int(number) for number in re.findall(r"[0-9]+", text)]


def newest_release(line):
    """The newest release that apt knows of; where apt knows none, the newest in the cache."""
    pattern = re.compile(LINES[line])
    found = command("apt-cache", "search", "--names-only", LINES[line].replace("(", "").replace(")", ""))
    names = [text.split()[0] for text in found.splitlines()]
    kept = [f"linux-image-{path.name}" for path in (cache_dir() / "kernels").glob("*")]
    for candidates in (names, kept):
        releases = [match.group(1) for match in map(pattern.match, candidates) if match]
        if releases:
            return max(releases, key=numbers)
    raise Trouble(f"apt knows no kernel {line} (linux-image packages of Debian 12); try: apt-get update")


def packages_for(release):
    """The packages that hold the kernel and what modules need to be built for it."""
    names = [f"linux-image-{release}", f"linux-headers-{release}"]
    for text in command("apt-cache", "depends", names[1]).splitlines():
        match = re.fullmatch(r"[ |]*Depends: (linux-headers-\S+-common|linux-kbuild-\S+)", text)
        if match:
            names.append(match.group(1))
    return names


def repair_headers(root, release):
    """The header packages expect to be installed; this makes them work from wherever they lie."""
    headers = root / "usr" / "src" / f"linux-headers-{release}"
    makefile = headers / "Makefile"
    makefile.write_text(makefile.read_text().replace("include /usr/src/", "include ../"))
    # Type information for modules: needs pahole, and the tests do not need it.
    (headers / "vmlinux").unlink(missing_ok=True)


def unpack(release, target):
    """Downloads and unpacks beside the target and renames, so that a broken download never looks like a kernel."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as work:
        work = pathlib.Path(work)
        root = work / "root"
        root.mkdir()
        command("apt-get", *APT, "-qq", "download", *packages_for(release), cwd=work)
        for package in sorted(work.glob("*.deb")):
            command("dpkg-deb", "-x", package, root)
        command("depmod", "-b", root, release)
        repair_headers(root, release)
        root.rename(target)


def get(line, progress):
    """The kernel of a line, from the cache where it is there."""
    release = newest_release(line)
    target = cache_dir() / "kernels" / release
    if not target.is_dir():
        progress(f"getting kernel {release}")
        unpack(release, target)
    return Kernel(line, release, target)


def build_modules(kernel, sources):
    """Builds the out-of-tree modules in `sources` for the kernel; returns the folder with the .ko files."""
    texts = sorted(path for path in sources.iterdir() if path.suffix in (".c", ".h") or path.name == "Kbuild")
    digest = fingerprint(path.read_bytes() for path in texts)
    target = cache_dir() / "modules" / f"{kernel.release}-{digest}"
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as work:
        work = pathlib.Path(work)
        for path in texts:
            shutil.copy(path, work)
        command("make", "-s", "-C", kernel.headers, f"M={work}", "modules")
        built = work / "built"
        built.mkdir()
        for module in work.glob("*.ko"):
            shutil.move(module, built)
        built.rename(target)
    return target
