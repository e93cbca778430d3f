# SPDX-License-Identifier: GPL-2.0-or-later
"""The guest's file system: cpio archives that the kernel unpacks into memory.

Two archives follow each other: the base (busybox, kernel modules, lspci), which stays in the cache, and the program with
its libraries, made anew in each run.
"""

import os
import pathlib
import re
import stat
import tempfile

from . import kernels
from .places import GUEST, SELFTEST, Trouble, cache_dir, command, fingerprint

# As on a Debian with merged /usr.
MERGED = {name: f"usr/{name}" for name in ("bin", "sbin", "lib", "lib64")}
FOLDERS = ("dev", "etc/modprobe.d", "mnt", "proc", "root", "run", "share", "sys", "tmp", "var/lib", "var/log", "boot")
BUSYBOX = pathlib.Path("/bin/busybox")
TOOLS = ("/usr/bin/lspci", "/usr/bin/kmod")
KMOD_NAMES = ("modprobe", "modinfo", "depmod")
ETC = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/tmp:/bin/sh\n",
    "group": "root:x:0:\nalice:x:1000:\n",
    "os-release": 'PRETTY_NAME="mmiotrace-wizard test guest"\nID=mtw-guest\n',
}


class Cpio:
    """Writes the `newc` format; owner and times are fixed, so equal content gives equal archives."""

    def __init__(self, path, after=None):
        self.file = open(path, "wb")
        if after:
            self.file.write(after.read_bytes())
        self.seen = set()
        self.inode = 1

    def _entry(self, name, mode, data):
        fields = (self.inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        self.file.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))
        self.inode += 1

    def _place(self, name):
        """The name under the merged /usr, its parent folders made."""
        name = name.lstrip("/")
        first, _, rest = name.partition("/")
        if first in MERGED and rest:
            name = f"{MERGED[first]}/{rest}"
        parent = os.path.dirname(name)
        if parent:
            self.folder(parent)
        return name

    def _new(self, name):
        if name in self.seen:
            return False
        self.seen.add(name)
        return True

    def folder(self, name):
        name = self._place(name)
        if self._new(name):
            self._entry(name, stat.S_IFDIR | 0o755, b"")

    def data(self, name, data, mode=0o644):
        name = self._place(name)
        if self._new(name):
            self._entry(name, stat.S_IFREG | mode, data)

    def copy(self, name, source):
        source = pathlib.Path(source)
        self.data(name, source.read_bytes(), 0o755 if os.access(source, os.X_OK) else 0o644)

    def link(self, name, target):
        name = self._place(name)
        if self._new(name):
            self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def tree(self, root, keep=lambda name: True, under=""):
        """All files of a folder, or those wanted by @keep, in the archive's folder @under."""
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            if not keep(name) or path.is_dir() and not path.is_symlink():
                continue
            if path.is_symlink():
                self.link(f"{under}{name}", os.readlink(path))
            else:
                self.copy(f"{under}{name}", path)

    def program(self, name, source):
        """An executable with all the libraries it loads."""
        self.copy(name, source)
        for library in libraries(source):
            self.copy(library, library)

    def close(self):
        self._entry("TRAILER!!!", 0, b"")
        self.file.close()


def libraries(binary):
    """The libraries of an executable, the loader with them; none for a static one."""
    listed = command("sh", "-c", 'ldd "$1" 2>&1 || true', "ldd", binary)
    if "not found" in listed:
        raise Trouble(f"{binary}: a library is missing:\n{listed}")
    return re.findall(r"(/\S+) \(0x", listed)


def words(path):
    """The lines of a list, without comments."""
    return [line for line in path.read_text().split("\n") if line and not line.startswith("#")]


def wanted_modules(kernel, names):
    """Files of modules, with all they depend on, in the kernel's tree, in the order in which they load."""
    argv = ("modprobe", "-d", kernel.tree, "-S", kernel.release, "--show-depends", "-a")
    listed = command(*argv, *names)
    return list(dict.fromkeys(re.findall(r"^insmod (\S+)", listed, re.M)))


def stage_modules(kernel, stage, names):
    """A small lib/modules for the guest: the named modules and our own test modules, indexed by depmod."""
    folder = stage / "lib" / "modules" / kernel.release
    source = kernel.tree / "lib" / "modules" / kernel.release
    files = [pathlib.Path(path) for path in wanted_modules(kernel, names)]
    files += list(source.glob("modules.builtin*")) + [source / "modules.order"]
    for path in files:
        copy = folder / path.resolve().relative_to(source.resolve())
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (folder / "extra").mkdir()
    for path in kernels.build_modules(kernel, SELFTEST).iterdir():
        (folder / "extra" / path.name).write_bytes(path.read_bytes())
    command("depmod", "-b", stage, kernel.release)


def base(kernel, progress):
    """The archive with all but the program; from the cache where nothing changed."""
    parts = [GUEST / "init", GUEST / "modules", *sorted(SELFTEST.iterdir())]
    parts += [pathlib.Path(__file__), BUSYBOX, *map(pathlib.Path, TOOLS)]
    target = cache_dir() / "images" / f"{kernel.release}-{fingerprint(path.read_bytes() for path in parts)}.cpio"
    if target.exists():
        return target
    progress(f"making the guest image for {kernel.release}")
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob(f"{kernel.release}-*.cpio"):
        old.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as work:
        stage = pathlib.Path(work) / "stage"
        stage_modules(kernel, stage, words(GUEST / "modules"))
        archive = Cpio(pathlib.Path(work) / "cpio")
        for name in FOLDERS + tuple(MERGED.values()):
            archive.folder(name)
        for name, place in MERGED.items():
            archive.link(name, place)
        for tool in TOOLS:
            archive.program(tool, tool)
        for name in KMOD_NAMES:
            archive.link(f"usr/sbin/{name}", "../bin/kmod")
        archive.copy("usr/share/misc/pci.ids", "/usr/share/misc/pci.ids")
        archive.program("usr/bin/busybox", BUSYBOX)
        for name in command(BUSYBOX, "--list-full").split():
            archive.link(name, "/bin/busybox")
        for name, text in ETC.items():
            archive.data(f"etc/{name}", text.encode())
        archive.copy(f"boot/{kernel.config.name}", kernel.config)
        archive.data("init", (GUEST / "init").read_bytes(), 0o755)
        archive.tree(stage)
        archive.close()
        (pathlib.Path(work) / "cpio").rename(target)
    return target


def stage_program(program, work):
    """A folder with the installed program: `program` itself, or what `meson install` makes of a build folder."""
    if not (program / "meson-info").is_dir():
        return program
    stage = work / "program"
    command("meson", "install", "-C", program, "--quiet", "--destdir", stage)
    return stage


def with_program(base_image, stage, target):
    """Writes the base archive and, after it, the program of `stage`."""
    skip = re.compile(r"share/(man|doc|locale|bash-completion|zsh|fish|icons|applications|metainfo)/|include/|-gtk$")
    archive = Cpio(target, after=base_image)
    found = False
    for path in sorted(stage.rglob("*")):
        name = str(path.relative_to(stage))
        if re.search(r"(^|/)(bin|sbin|libexec)/", name) and path.is_file() and not skip.search(name):
            found = True
            if path.read_bytes()[:4] == b"\x7fELF":
                archive.program(name, path)
    archive.tree(stage, lambda name: not skip.search(name))
    archive.close()
    if not found:
        raise Trouble(f"{stage}: no program there (a meson build folder, or a folder that it was installed into)")
