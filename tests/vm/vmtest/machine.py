# SPDX-License-Identifier: GPL-2.0-or-later
"""One virtual machine: starts QEMU, waits for the end of the scenario, cuts the power where the scenario wants it."""

import re
import shutil
import subprocess
import time

from .places import GUEST, command

CONSOLE = "console=ttyS0 quiet panic=-1 no_timer_check"
POWER_CUT = b"VM-POWER-CUT"
POLL_SEC = 0.1
BAD_KERNEL = re.compile(
    r"Oops: |BUG: |kernel BUG at|WARNING: CPU|general protection fault|Kernel panic|soft lockup|rcu.*detected stalls"
    r"|hung_task|blocked for more than|page already armed"
)


class Machine:
    """The virtual machine of one scenario on one kernel; `folder` has all that belongs to this run."""

    def __init__(self, scenario, kernel, initrd, folder):
        self.scenario = scenario
        self.kernel = kernel
        self.initrd = initrd
        self.folder = folder
        self.share = folder / "share"
        self.disk = folder / "disk.img"

    # The guest did not come as far as the scenario: that says nothing about the program.
    hung = False

    def run(self):
        """Boots as often as the scenario says; returns why it failed, or None."""
        self._prepare()
        reasons = []
        for boot in range(1, self.scenario.boots + 1):
            why = self._boot(boot)
            if why:
                reasons.append(why)
                break
        trouble = self._kernel_trouble()
        if trouble:
            reasons.append(trouble)
        return "; ".join(reasons) or None

    def _prepare(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.share.mkdir(parents=True)
        for name in ("run.sh", "lib.sh"):
            shutil.copy(GUEST / name, self.share)
        shutil.copy(self.scenario.script, self.share / "scenario.sh")
        if self.scenario.disk:
            with open(self.disk, "wb") as disk:
                disk.truncate(self.scenario.disk)
            command("mke2fs", "-q", "-t", "ext4", "-F", "-E", "root_owner=0:0", self.disk)

    def console(self, boot):
        return self.folder / f"console-{boot}.log"

    def _argv(self, boot):
        scenario = self.scenario
        argv = ["qemu-system-x86_64", "-machine", "pc", "-accel", "tcg,thread=multi", "-cpu", "qemu64"]
        argv += ["-m", str(scenario.memory), "-smp", str(scenario.smp), "-display", "none", "-vga", "none"]
        argv += ["-net", "none", "-no-reboot", "-kernel", self.kernel.image, "-initrd", self.initrd]
        argv += ["-append", f"{CONSOLE} {scenario.append}", "-serial", f"file:{self.console(boot)}", "-monitor", "none"]
        argv += ["-fsdev", f"local,id=share,path={self.share},security_model=none"]
        argv += ["-device", "virtio-9p-pci,fsdev=share,mount_tag=share,addr=0x1e"]
        if scenario.disk:
            argv += ["-drive", f"if=none,id=disk,format=raw,cache=unsafe,file={self.disk}"]
            argv += ["-device", "virtio-blk-pci,drive=disk,addr=0x1d"]
        return argv + scenario.qemu

    def _environment(self, boot):
        """What the guest's scripts know of this boot."""
        return f"SCENARIO={self.scenario.name}\nBOOT={boot}\n"

    def _boot(self, boot):
        (self.share / "env.sh").write_text(self._environment(boot))
        errors = self.folder / "qemu.log"
        with open(errors, "ab") as log:
            qemu = subprocess.Popen(self._argv(boot), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            return self._watch(qemu, boot, time.monotonic() + self.scenario.timeout)
        finally:
            if qemu.poll() is None:
                qemu.kill()
            qemu.wait()

    def _watch(self, qemu, boot, deadline):
        """Waits for the end; None when it was one that the scenario may have."""
        more_boots = boot < self.scenario.boots
        while time.monotonic() < deadline:
            if qemu.poll() is not None:
                if qemu.returncode:
                    return f"QEMU: {(self.folder / 'qemu.log').read_text().strip()[-300:]}"
                return "the power was not cut" if more_boots else self._result()
            if more_boots and POWER_CUT in self._console_bytes(boot):
                qemu.kill()
                return None
            time.sleep(POLL_SEC)
        return f"still running after {self.scenario.timeout} s"

    def _console_bytes(self, boot):
        path = self.console(boot)
        return path.read_bytes() if path.exists() else b""

    def _result(self):
        result = self.share / "result"
        if not result.exists():
            return "the machine ended without a result"
        text = result.read_text(errors="replace").strip()
        return None if text == "pass" else text.removeprefix("fail: ")

    def _kernel_trouble(self):
        """An oops or a warning of the kernel fails a scenario that does not expect it."""
        expected = self.scenario.expect_kernel
        for path in sorted([*self.folder.glob("console-*.log"), *self.share.glob("dmesg-*.txt")]):
            for line in path.read_text(errors="replace").splitlines():
                if BAD_KERNEL.search(line) and not (expected and re.search(expected, line)):
                    return f"kernel: {line.strip()}"
        return None
