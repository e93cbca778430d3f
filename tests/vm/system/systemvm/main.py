# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line: scenarios one after the other, one line for each."""

import argparse
import concurrent.futures
import pathlib
import tempfile

from vmtest import image, kernels
from vmtest.main import Run, command_line, progress
from vmtest.places import TOP, Trouble

from . import debian, scenario
from .machine import SystemMachine


class Boots(debian.Image):
    """An image whose initrd has the program, too."""

    def __init__(self, base, stage, target):
        super().__init__(base.disk.parent)
        self.initrd = debian.with_program(base, stage, target)


def arguments():
    parser = argparse.ArgumentParser(prog="run-system", description="Runs scenarios on a whole Debian in virtual machines.")
    parser.add_argument("--program", type=pathlib.Path, default=TOP / "build", metavar="DIR",
                        help="meson build folder, or a folder the program was installed into (default: build)")
    parser.add_argument("--results", type=pathlib.Path, default=TOP / "build" / "vm-system", metavar="DIR",
                        help="where logs and files of the runs go (default: build/vm-system)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="machines at the same time (default: 1)")
    parser.add_argument("--kernel", choices=list(kernels.LINES), help="only this kernel line")
    parser.add_argument("--keep", action="store_true", help="keep the files of scenarios that passed, too")
    parser.add_argument("--list", action="store_true", help="only list the scenarios")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="default: all")
    return parser.parse_args()


def prepare(options, work):
    """All that is to be run, with the images it needs."""
    plans = scenario.load(options.scenarios)
    program = options.program.resolve()
    if not program.is_dir():
        raise Trouble(f"{program}: not there; build first: ./dev build")
    stage = image.stage_program(program, work)
    for line in kernels.LINES:
        chosen = [plan for plan in plans if line in plan.kernels and options.kernel in (None, line)]
        if chosen:
            kernel = kernels.get(line, progress)
            boots = Boots(debian.get(kernel, progress), stage, work / f"{line}.cpio")
            yield from (Run(plan, kernel, boots, options.results.resolve(), SystemMachine) for plan in chosen)


def run_all(options):
    failed = 0
    with tempfile.TemporaryDirectory(prefix="mtw-system-") as work:
        runs = list(prepare(options, pathlib.Path(work)))
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            for run, (seconds, why) in zip(runs, pool.map(Run.go, runs)):
                run.report(seconds, why, options.keep)
                failed += why is not None
    print(f"vm-system: {len(runs) - failed} passed, {failed} failed")
    return 1 if failed or not runs else 0


def main():
    return command_line("run-system", arguments(), scenario.load, run_all)
