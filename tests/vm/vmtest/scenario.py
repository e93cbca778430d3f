# SPDX-License-Identifier: GPL-2.0-or-later
"""A scenario: one shell script, with what it needs of the machine in its first comments."""

import pathlib
import re
import shlex

from .kernels import LINES
from .places import SCENARIOS, Trouble

KEYS = ("title", "kernels", "qemu", "smp", "memory", "append", "timeout", "disk", "boots", "expect-kernel")
UNITS = {"M": 1 << 20, "G": 1 << 30}


class Scenario:
    """What a scenario's header says; see README.md for the keys."""

    def __init__(self, path):
        self.name = path.stem
        self.script = path
        self.check = path.with_suffix(".check.py")
        keys = self._header(path)
        try:
            self.title = keys["title"]
            self.kernels = keys.get("kernels", "6.1").split()
            self.qemu = shlex.split(keys.get("qemu", ""))
            self.smp = int(keys.get("smp", 2))
            self.memory = int(keys.get("memory", 768))
            self.append = keys.get("append", "")
            self.timeout = int(keys.get("timeout", 240))
            self.disk = size(keys.get("disk", "0M"))
            self.boots = int(keys.get("boots", 1))
            self.expect_kernel = keys.get("expect-kernel")
        except (KeyError, ValueError) as error:
            raise Trouble(f"{path.name}: header: {error}") from error
        for line in self.kernels:
            if line not in LINES:
                raise Trouble(f"{path.name}: no kernel line {line} (there are: {' '.join(LINES)})")

    @staticmethod
    def _header(path):
        """The `# key: value` lines before the first line of script; a key given twice is joined."""
        keys = {}
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                break
            match = re.fullmatch(r"# ([a-z-]+): (.*)", line)
            if match and match.group(1) in KEYS:
                keys[match.group(1)] = f"{keys.get(match.group(1), '')} {match.group(2)}".strip()
            elif match:
                raise Trouble(f"{path.name}: unknown key {match.group(1)}")
        return keys


def size(text):
    if not re.fullmatch(r"[0-9]+[MG]", text):
        raise ValueError(f"not a size: {text}")
    return int(text[:-1]) * UNITS[text[-1]]


def load(names):
    """The named scenarios (a name with a slash is a file elsewhere), or all."""
    paths = [pathlib.Path(name) if "/" in name else SCENARIOS / f"{name}.sh" for name in names] or sorted(SCENARIOS.glob("*.sh"))
    for path in paths:
        if not path.exists():
            raise Trouble(f"{path}: no such scenario")
    return [Scenario(path) for path in paths]
