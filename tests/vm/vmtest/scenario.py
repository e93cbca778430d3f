# SPDX-License-Identifier: GPL-2.0-or-later
"""A scenario: one shell script, with what it needs of the machine in its first comments."""

import pathlib
import re
import shlex

from .kernels import LINES
from .places import SCENARIOS, Trouble

UNITS = {"M": 1 << 20, "G": 1 << 30}


class Scenario:
    """What a scenario's header says; see README.md for the keys."""

    KEYS = ("title", "kernels", "qemu", "smp", "memory", "append", "timeout", "disk", "boots", "expect-kernel")
    DEFAULTS = {"kernels": "6.1", "smp": "2", "memory": "768", "timeout": "240", "disk": "0M", "boots": "1"}

    def __init__(self, path):
        self.name = path.stem
        self.script = path
        self.check = path.with_suffix(".check.py")
        self.keys = keys = {**self.DEFAULTS, **self._header(path)}
        try:
            self.title = keys["title"]
            self.kernels = keys["kernels"].split()
            self.qemu = shlex.split(keys.get("qemu", ""))
            self.smp = int(keys["smp"])
            self.memory = int(keys["memory"])
            self.append = keys.get("append", "")
            self.timeout = int(keys["timeout"])
            self.disk = size(keys["disk"])
            self.boots = int(keys["boots"])
            self.expect_kernel = keys.get("expect-kernel")
        except (KeyError, ValueError) as error:
            raise Trouble(f"{path.name}: header: {error}") from error
        for line in self.kernels:
            if line not in LINES:
                raise Trouble(f"{path.name}: no kernel line {line} (there are: {' '.join(LINES)})")

    @classmethod
    def _header(cls, path):
        """The `# key: value` lines before the first line of script; a key given twice is joined."""
        keys = {}
        for line in path.read_text().splitlines():
            if line and not line.startswith("#"):
                break
            match = re.fullmatch(r"# ([a-z-]+): (.*)", line)
            if match and match.group(1) in cls.KEYS:
                keys[match.group(1)] = f"{keys.get(match.group(1), '')} {match.group(2)}".strip()
            elif match:
                raise Trouble(f"{path.name}: unknown key {match.group(1)}")
        return keys


def size(text):
    if not re.fullmatch(r"[0-9]+[MG]", text):
        raise ValueError(f"not a size: {text}")
    return int(text[:-1]) * UNITS[text[-1]]


def load(names, folder=SCENARIOS, kind=Scenario):
    """The named scenarios of a folder (a name with a slash is a file elsewhere), or all."""
    paths = [pathlib.Path(name) if "/" in name else folder / f"{name}.sh" for name in names] or sorted(folder.glob("*.sh"))
    for path in paths:
        if not path.exists():
            raise Trouble(f"{path}: no such scenario")
    return [kind(path) for path in paths]
