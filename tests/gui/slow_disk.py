# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that hangs when it is told to: the same files as in the folder that it is mounted over.

    /usr/bin/python3 slow_disk.py FOLDER HOLD LOG

HOLD is a file with the names of what hangs as long as they stand there ("write fsync", "all"); LOG gets a line "THREAD WHAT PATH" for
each thing that a process wants of the disk.
"""

import os
import pathlib
import sys
import time

sys.dont_write_bytecode = True

import fusepy as fuse  # noqa: E402

POLL_SEC = 0.05
STAT = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")


class Disk(fuse.Operations):
    def __init__(self, folder, hold, log):
        # What is under it, when it is mounted.
        self.base = f"/proc/self/fd/{os.open(folder, os.O_RDONLY)}"
        self.hold, self.log = pathlib.Path(hold), log

    def is_held(self, what):
        try:
            words = self.hold.read_text(encoding="utf-8").split()
        except FileNotFoundError:
            return False
        return what in words or "all" in words

    def __call__(self, what, path, *arguments):
        if what in ("init", "destroy"):
            return None
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"{fuse.fuse_get_context()[2]} {what} {path}\n")
        while self.is_held(what):
            time.sleep(POLL_SEC)
        return getattr(self, what)(path, *arguments)

    def own(self, path):
        """What was made is its maker's."""
        os.chown(self.base + path, *fuse.fuse_get_context()[:2], follow_symlinks=False)
        return 0

    def getattr(self, path, _handle=None):
        found = os.lstat(self.base + path)
        return {name: getattr(found, name) for name in STAT}

    def readdir(self, path, _handle):
        return [".", "..", *os.listdir(self.base + path)]

    def readlink(self, path):
        return os.readlink(self.base + path)

    def open(self, path, flags):
        return os.open(self.base + path, flags & ~os.O_NOFOLLOW)

    def create(self, path, mode, _info=None):
        handle = os.open(self.base + path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        self.own(path)
        return handle

    def mkdir(self, path, mode):
        os.mkdir(self.base + path, mode)
        return self.own(path)

    def symlink(self, path, target):
        os.symlink(target, self.base + path)
        return self.own(path)

    def read(self, _path, size, offset, handle):
        return os.pread(handle, size, offset)

    def write(self, _path, data, offset, handle):
        return os.pwrite(handle, data, offset)

    def truncate(self, path, length, _handle=None):
        return os.truncate(self.base + path, length)

    def fsync(self, _path, _only_data, handle):
        return os.fsync(handle)

    def release(self, _path, handle):
        return os.close(handle)

    def rename(self, old, new):
        return os.rename(self.base + old, self.base + new)

    def unlink(self, path):
        return os.unlink(self.base + path)

    def rmdir(self, path):
        return os.rmdir(self.base + path)

    def chmod(self, path, mode):
        return os.chmod(self.base + path, mode)

    def chown(self, path, uid, gid):
        return os.chown(self.base + path, uid, gid, follow_symlinks=False)

    def utimens(self, path, times=None):
        return os.utime(self.base + path, times)

    def statfs(self, _path):
        found = os.statvfs(self.base)
        return {name: getattr(found, name) for name in ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_frsize", "f_namemax")}


def main():
    folder, hold, log = sys.argv[1:]
    fuse.FUSE(Disk(folder, hold, log), folder, foreground=True, allow_other=True, default_permissions=True, attr_timeout=0, entry_timeout=0,
              negative_timeout=0, fsname="slow-disk")


if __name__ == "__main__":
    main()
