# SPDX-License-Identifier: GPL-2.0-or-later
"""What the house rules share: the files of the source tree, a look at C that knows comments and strings, and reporting.

A rule is a script that is run as `RULE [SOURCE_ROOT [PROGRAM]]`, prints a line for each violation and exits with 1 when
there was one, or with 77 (skipped, for meson) when a tool is not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()

# Data that is what it is: recorded logs, inputs of the fuzzers.
RAW_DATA = ("tests/data/traces/", "tests/data/redact/", "tests/fuzz/corpus/")

_violations = 0


def violation(path, line, text):
    """One line; @line: 0 for the whole file."""
    global _violations
    _violations += 1
    print(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def finish():
    sys.exit(1 if _violations else 0)


def need_tool(name):
    if not shutil.which(name):
        print(f"skipped: {name} is not installed")
        sys.exit(SKIPPED)


def _from_git():
    argv = ["git", "-c", f"safe.directory={ROOT}", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"]
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in done.stdout.decode(errors="surrogateescape").split("\0") if name]


def _from_disk():
    """In an unpacked release there is no git."""
    names = []
    for folder, folders, files in os.walk(ROOT):
        at_top = pathlib.Path(folder) == ROOT
        folders[:] = [name for name in folders if name not in (".git", "__pycache__")
                      and not (at_top and re.match(r"build|demo$", name))]
        names += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files]
    return names


def files(*patterns):
    """Names of the tree's files, sorted; with @patterns only those that one of these regular expressions matches."""
    names = (_from_git() if (ROOT / ".git").exists() else None) or _from_disk()
    return sorted(name for name in set(names) if (ROOT / name).is_file()
                  and (not patterns or any(re.search(pattern, name) for pattern in patterns)))


def is_raw_data(name):
    return name.startswith(RAW_DATA)


def read(name):
    """The text of a file; "" for one that is not text."""
    data = (ROOT / name).read_bytes()
    return "" if b"\0" in data else data.decode(errors="replace")


_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """C with its comments made spaces, so that lines and columns stay."""
    return _TOKEN.sub(lambda found: _blank(found[0]) if found[0][0] == "/" else found[0], text)


def code_only(text):
    """C with comments and what is in strings made spaces."""
    def replace(found):
        token = found[0]
        return _blank(token) if token[0] == "/" else token[0] + _blank(token[1:-1]) + token[0]
    return _TOKEN.sub(replace, text)


def strings(text):
    """(line, content) of each string literal."""
    for found in _TOKEN.finditer(text):
        if found[0][0] == '"':
            yield line_of(text, found.start()), found[0][1:-1]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def matches(pattern, text):
    """(line, match) of each place where a regular expression matches."""
    for found in re.finditer(pattern, text, re.M):
        yield line_of(text, found.start()), found


def functions(text):
    """(line, name, lines of the body) of each function in C whose braces stand in the first column."""
    lines = code_only(text).split("\n")
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start is not None:
            head = " ".join(lines[max(0, start - 8):start - 1])
            names = re.findall(r"([A-Za-z_]\w*)\s*\(", re.split(r"[;}]", head)[-1])
            yield start, names[0] if names else "?", number - start - 1
            start = None


def allowed(rule):
    """What RULE.allow lists: a line "name: why" each. A name that is not used up is a violation (see `unused`)."""
    path = f"tests/lint/{rule}.allow"
    if not (ROOT / path).exists():
        return {}
    lines = [line for line in read(path).splitlines() if line.strip() and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def unused(rule, allow, used):
    for name in sorted(set(allow) - set(used)):
        violation(f"tests/lint/{rule}.allow", 0, f"{name} does not need to be here any more")
