# SPDX-License-Identifier: GPL-2.0-or-later
"""What the built program says of itself: its verbs and their options."""

import os
import re
import subprocess
import sys

# A state folder that is not there: a rule must not depend on what this machine has captured.
ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "MTW_STATE_DIR": "/nonexistent/mtw"}


def path():
    if len(sys.argv) < 3:
        print(f"usage: {sys.argv[0]} SOURCE_ROOT PROGRAM")
        sys.exit(2)
    return sys.argv[2]


def run(*argv):
    return subprocess.run([path(), *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=ENVIRONMENT, text=True, errors="replace", timeout=60, check=False)


def help_text(*verb):
    return run(*verb, "--help").stdout


def verbs():
    """Their names, from the list in --help."""
    listed = re.search(r"^Verbs:\n((?:  \S.*\n)+)", help_text(), re.M)
    return re.findall(r"^  ([a-z-]+) ", listed[1], re.M) if listed else []


def options(*verb):
    """The long options in the help of a verb, or without one in that of the walk."""
    found = set(re.findall(r"^ +(?:-[A-Za-z], )?--([a-z][a-z-]*)", help_text(*verb), re.M))
    return found | {"help"}
