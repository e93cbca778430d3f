# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line: chooses scenarios, runs some at the same time, one line for each."""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

from . import check, image, kernels, scenario
from .machine import Machine
from .places import TOP, Trouble


def arguments():
    parser = argparse.ArgumentParser(prog="run-vm", description="Runs scenarios in virtual machines.")
    parser.add_argument("--program", type=pathlib.Path, default=TOP / "build", metavar="DIR",
                        help="meson build folder, or a folder the program was installed into (default: build)")
    parser.add_argument("--results", type=pathlib.Path, default=TOP / "build" / "vm", metavar="DIR",
                        help="where console logs and files of the runs go (default: build/vm)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="machines at the same time")
    parser.add_argument("--kernel", choices=list(kernels.LINES), help="only this kernel line")
    parser.add_argument("--keep", action="store_true", help="keep the files of scenarios that passed, too")
    parser.add_argument("--list", action="store_true", help="only list the scenarios")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="default: all")
    return parser.parse_args()


def progress(text):
    if sys.stderr.isatty() or not os.environ.get("CI"):
        print(f"vm: {text}", file=sys.stderr, flush=True)


class Run:
    """One scenario on one kernel."""

    def __init__(self, plan, kernel, initrd, results, machine=Machine):
        self.plan = plan
        self.machine = machine
        self.kernel = kernel
        self.initrd = initrd
        self.folder = results / f"{plan.name}-{kernel.line}"

    def go(self):
        """Runs it; returns (seconds, why it failed or None)."""
        started = time.monotonic()
        try:
            machine = self.machine(self.plan, self.kernel, self.initrd, self.folder)
            why = machine.run()
            if machine.hung:
                progress(f"{self.plan.name}: {why}; once more")
                machine = self.machine(self.plan, self.kernel, self.initrd, self.folder)
                why = machine.run()
            why = why or check.after(self.plan, machine.share)
        except Trouble as error:
            why = str(error)
        except Exception:  # a bug of the runner or of a check: a failure of the scenario, not of the whole run
            why = traceback.format_exc()
        return time.monotonic() - started, why

    def report(self, seconds, why, keep):
        state = "FAIL" if why else "ok"
        print(f"{state:4} {self.plan.name} [{self.kernel.line}] {seconds:.0f} s: {why or self.plan.title}")
        if why:
            print(f"     kept: {self.folder}/console-*.log, share/")
        elif not keep:
            shutil.rmtree(self.folder)
        sys.stdout.flush()


def run_all(options):
    plans = scenario.load(options.scenarios)
    lines = [line for line in kernels.LINES if options.kernel in (None, line)]
    program = options.program.resolve()
    if not program.is_dir():
        raise Trouble(f"{program}: not there; build first: ./dev build")
    with tempfile.TemporaryDirectory(prefix="mtw-vm-") as work:
        work = pathlib.Path(work)
        stage = image.stage_program(program, work)
        runs = []
        for line in lines:
            chosen = [plan for plan in plans if line in plan.kernels]
            if not chosen:
                continue
            kernel = kernels.get(line, progress)
            initrd = work / f"{line}.cpio"
            image.with_program(image.base(kernel, progress), stage, initrd)
            runs += [Run(plan, kernel, initrd, options.results.resolve()) for plan in chosen]
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            going = {pool.submit(run.go): run for run in runs}
            for done in concurrent.futures.as_completed(going):
                seconds, why = done.result()
                going[done].report(seconds, why, options.keep)
                failed += why is not None
    print(f"vm: {len(runs) - failed} passed, {failed} failed")
    return 1 if failed or not runs else 0


def command_line(name, options, load, run):
    """What both runners do with their options; returns the exit status."""
    try:
        if options.list:
            for plan in load(options.scenarios):
                print(f"{plan.name} [{' '.join(plan.kernels)}] {plan.title}")
            return 0
        return run(options)
    except Trouble as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2


def main():
    return command_line("run-vm", arguments(), scenario.load, run_all)
