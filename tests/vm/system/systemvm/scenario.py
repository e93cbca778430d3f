# SPDX-License-Identifier: GPL-2.0-or-later
"""A scenario on the whole system: as those of the small guest, with a network card for SSH and a host's side."""

from vmtest import scenario

from .debian import SYSTEM


class SystemScenario(scenario.Scenario):
    """`ssh: SLOT`: an e1000 there, through which the host can log in. `files: PATH...`: these, too, are on the share."""

    KEYS = tuple(key for key in scenario.Scenario.KEYS if key != "disk") + ("ssh", "files")
    DEFAULTS = {**scenario.Scenario.DEFAULTS, "memory": "1024", "timeout": "600", "ssh": "", "files": ""}

    def __init__(self, path):
        super().__init__(path)
        self.driver = path.with_suffix(".host.py")
        self.ssh = self.keys["ssh"]
        self.files = [path.parent / name for name in self.keys["files"].split()]


def load(names):
    return scenario.load(names, SYSTEM / "scenarios", SystemScenario)
