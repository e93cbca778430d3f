# SPDX-License-Identifier: GPL-2.0-or-later
"""The guest's root: a Debian 12 from its packages, then what makes it the test machine, as one ext4 image.

Two things are kept in the cache: the tar of the unpacked packages (of the package list), and the folder with the image,
the initrd and the SSH key (of all that goes into them). Both need root to be made, and only to be made.
"""

import lzma
import os
import pathlib
import re
import shutil
import tempfile

from vmtest import image, kernels
from vmtest.places import SELFTEST, VM, Trouble, cache_dir, command, fingerprint

SYSTEM = VM / "system"
GUEST = SYSTEM / "guest"
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
# Not unpacked. LLVM is for 3D, and 110 MB; without it Xorg draws by itself.
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*", "/usr/share/lintian/*",
            "/usr/lib/x86_64-linux-gnu/libLLVM*", "/usr/lib/x86_64-linux-gnu/dri/*")
DISK_SIZE = 4 << 30
DISK_MODULES = ("virtio_pci", "virtio_blk", "ext4")
USERS = ("alice", "bob")
# Files that cannot have a comment, or whose content matters to the last byte. A machine with an id is not new to systemd.
PLAIN = {
    "etc/hostname": "mtw-guest\n",
    "etc/hosts": "127.0.0.1 localhost mtw-guest\n",
    "etc/resolv.conf": "",
    "etc/fstab": "",
    "etc/machine-id": "0123456789abcdef0123456789abcdef\n",
}


class Image:
    """What a machine boots from: `disk` (raw, never written to), `initrd` and `key` (SSH, for all users)."""

    def __init__(self, folder):
        self.disk = folder / "root.img"
        self.initrd = folder / "initrd.cpio"
        self.key = folder / "id"


def mirror():
    """Where this machine gets its Debian from."""
    listed = command("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", f"Codename: {SUITE}")
    return (listed.split() or [MIRROR])[0]


def need_root():
    if os.geteuid():
        raise Trouble("the image of the system is not in the cache, and only root can make it")


def unpacked(progress):
    """The tar of all packages, installed."""
    names = image.words(GUEST / "packages")
    target = cache_dir() / "system" / f"debian-{fingerprint(map(str.encode, [SUITE, *names, '/', *LEFT_OUT]))}.tar"
    if target.exists():
        return target
    need_root()
    progress("installing Debian into an image (about a minute)")
    target.parent.mkdir(parents=True, exist_ok=True)
    for old in target.parent.glob("debian-*.tar"):
        old.unlink()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as work:
        new = pathlib.Path(work) / "debian.tar"
        command("mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", f"--include={','.join(names)}",
                *(f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT), SUITE, new, mirror())
        new.rename(target)
    return target


def configure(root, key):
    """The files of guest/root, users, units that are not wanted."""
    for name, text in PLAIN.items():
        (root / name).unlink(missing_ok=True)
        (root / name).write_text(text)
    for path in sorted((GUEST / "root").rglob("*")):
        copy = root / path.relative_to(GUEST / "root")
        if path.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
    units = root / "etc" / "systemd" / "system"
    for name in image.words(GUEST / "masked-units"):
        (units / name).symlink_to("/dev/null")
    command("systemctl", f"--root={root}", "--quiet", "enable", "systemd-networkd.service", "mtw-test.service")
    command("systemctl", f"--root={root}", "--quiet", "set-default", "multi-user.target")
    for user in USERS:
        command("chroot", root, "useradd", "--create-home", "--shell", "/bin/bash", user)
    command("chroot", root, "chpasswd", input="".join(f"{user}:{user}-secret\n" for user in USERS))
    for home in (root / "root", *(root / "home" / user for user in USERS)):
        let_in(home, key)


def let_in(home, key):
    owner = home.stat()
    folder = home / ".ssh"
    folder.mkdir(mode=0o700, exist_ok=True)
    shutil.copy(key.with_suffix(".pub"), folder / "authorized_keys")
    for path in (folder, folder / "authorized_keys"):
        os.chown(path, owner.st_uid, owner.st_gid)


def make_disk(tar, kernel, key, target):
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="root-") as root:
        root = pathlib.Path(root)
        command("tar", "-C", root, "-xf", tar, "--numeric-owner", "--xattrs", "--xattrs-include=*", "--exclude=./dev/*")
        root.chmod(0o755)
        configure(root, key)
        image.stage_modules(kernel, root / "usr", image.words(GUEST / "modules"))
        shutil.copy(kernel.config, root / "boot")
        with open(target, "wb") as disk:
            disk.truncate(DISK_SIZE)
        command("mke2fs", "-q", "-t", "ext4", "-F", "-E", "lazy_itable_init=1,nodiscard,root_owner=0:0", "-d", root, target)


def make_initrd(kernel, target):
    """Finds the disk, installs the program there (appended for each run) and starts systemd."""
    archive = image.Cpio(target)
    for name in ("dev", "proc", "sys", "root", "run", "tmp", *image.MERGED.values()):
        archive.folder(name)
    for name, place in image.MERGED.items():
        archive.link(name, place)
    archive.program("usr/bin/busybox", image.BUSYBOX)
    for number, path in enumerate(image.wanted_modules(kernel, DISK_MODULES)):
        path = pathlib.Path(path)
        data = path.read_bytes()
        data = lzma.decompress(data) if path.suffix == ".xz" else data
        archive.data(f"modules/{number:02}-{path.name.removesuffix('.xz')}", data)
    archive.data("init", (GUEST / "init").read_bytes(), 0o755)
    archive.close()


def parts():
    """All that an image is made of, but for packages and kernel, as bytes."""
    files = [path for folder in (GUEST, SELFTEST) for path in sorted(folder.rglob("*")) if path.is_file()]
    files += [pathlib.Path(__file__), pathlib.Path(image.__file__), image.BUSYBOX]
    not_in_image = re.compile(r"/guest/(run|lib)\.sh$")
    return [path.read_bytes() for path in files if not not_in_image.search(str(path))]


def get(kernel, progress):
    """The image for a kernel, from the cache where nothing changed."""
    folder = cache_dir() / "system" / f"{kernel.release}-{fingerprint(parts())}"
    if not folder.is_dir():
        tar = unpacked(progress)
        need_root()
        progress(f"making the system's image for {kernel.release}")
        for old in folder.parent.glob(f"{kernel.release}-*"):
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as work:
            new = Image(pathlib.Path(work) / "image")
            new.key.parent.mkdir()
            command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", new.key)
            make_disk(tar, kernel, new.key, new.disk)
            make_initrd(kernel, new.initrd)
            new.key.parent.rename(folder)
    return Image(folder)


def with_program(base, stage, target):
    """The initrd and after it the installed program, which `init` copies to where it belongs."""
    archive = image.Cpio(target, after=base.initrd)
    archive.folder("program")
    archive.tree(stage, under="program/")
    archive.close()
    return target
