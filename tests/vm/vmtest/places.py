# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are, and the one error that ends a run with a sentence instead of a trace back."""

import hashlib
import os
import pathlib
import shutil
import subprocess

VM = pathlib.Path(__file__).resolve().parent.parent
TOP = VM.parent.parent
GUEST = VM / "guest"
SCENARIOS = VM / "scenarios"
SELFTEST = TOP / "kernel" / "selftest"

# A user who is not root does not have these on Debian, and depmod and mke2fs are there.
os.environ["PATH"] += ":/usr/sbin:/sbin"


class Trouble(Exception):
    """Something outside the tested program is missing or broken."""


def cache_dir():
    """Kernels and images: kept from run to run."""
    return pathlib.Path(os.environ.get("MTW_CACHE_DIR") or TOP / "build" / "cache").resolve()


def command(*argv, **options):
    """Runs a command and returns what it printed; Trouble when it fails."""
    argv = [str(arg) for arg in argv]
    if not shutil.which(argv[0]):
        raise Trouble(f"{argv[0]}: not installed (./dev test installs all that is needed)")
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    if done.returncode:
        raise Trouble(f"{' '.join(argv)}: {done.stderr.strip() or done.stdout.strip()[-2000:]}")
    return done.stdout


def fingerprint(parts):
    """A short name for some content (an iterable of bytes), for folders of the cache."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]
