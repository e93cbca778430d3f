# SPDX-License-Identifier: GPL-2.0-or-later
"""One virtual machine with a whole Debian: several boots of one disk, watched from the host."""

import shutil
import time

from vmtest import machine
from vmtest.places import command

from .debian import GUEST
from .host import Host

# Without the kernel's tests of its own cryptography: one boot of twenty hung in them (QEMU 7.2 on a busy machine).
CONSOLE = "console=ttyS0 quiet panic=-1 no_timer_check cryptomgr.notests systemd.show_status=0"
# How long the first boot may take until the scenario begins: longer, and it hangs.
BEGIN_SEC = 240
# How long the guest has to leave its logs when the host's side has failed.
LOGS_SEC = 30


class SystemMachine(machine.Machine):
    """`boots` has the image and the initrd with the program."""

    def __init__(self, scenario, kernel, boots, folder):
        super().__init__(scenario, kernel, boots.initrd, folder)
        self.image = boots
        self.disk = folder / "disk.qcow2"
        self.host = Host(scenario, boots.key, folder)

    def run(self):
        try:
            why = super().run()
        finally:
            trouble = self.host.finish()
        return trouble if why is None or trouble and "the machine ended" not in trouble else why

    def _prepare(self):
        super()._prepare()
        shutil.copy(GUEST / "run.sh", self.share)
        shutil.copy(GUEST / "lib.sh", self.share / "system.sh")
        for path in self.scenario.files:
            shutil.copy(path, self.share)
        command("qemu-img", "create", "-q", "-f", "qcow2", "-b", self.image.disk, "-F", "raw", self.disk)

    def _argv(self, boot):
        scenario = self.scenario
        argv = ["qemu-system-x86_64", "-machine", "pc", "-accel", "tcg,thread=multi,tb-size=512", "-cpu", "qemu64"]
        argv += ["-m", str(scenario.memory), "-smp", str(scenario.smp), "-display", "none", "-vga", "none", "-no-reboot"]
        argv += ["-kernel", str(self.kernel.image), "-initrd", str(self.initrd), "-append", f"{CONSOLE} {scenario.append}"]
        argv += ["-serial", f"file:{self.console(boot)}", "-monitor", "none", "-device", "virtio-rng-pci,addr=0x1c"]
        argv += ["-fsdev", f"local,id=share,path={self.share},security_model=none"]
        argv += ["-device", "virtio-9p-pci,fsdev=share,mount_tag=share,addr=0x1e"]
        argv += ["-drive", f"if=none,id=disk,format=qcow2,cache=unsafe,file={self.disk}"]
        argv += ["-device", "virtio-blk-pci,drive=disk,addr=0x1d"]
        if scenario.ssh:
            argv += ["-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{self.host.port}-:22"]
            argv += ["-device", f"e1000,netdev=net,addr={scenario.ssh}"]
        else:
            argv += ["-net", "none"]
        return argv + scenario.qemu

    def _boot(self, boot):
        self.host.boot = boot
        self.host.cut.clear()
        if boot == 1:
            self.host.start()
        return super()._boot(boot)

    def _environment(self, boot):
        return super()._environment(boot) + f"BOOTS={self.scenario.boots}\n"

    def _watch(self, qemu, boot, deadline):
        more_boots = boot < self.scenario.boots
        begin = time.monotonic() + BEGIN_SEC
        while time.monotonic() < deadline:
            if boot == 1 and time.monotonic() > begin and not (self.share / f"scenario-{boot}.log").exists():
                self.hung = True
                return f"the scenario had not begun after {BEGIN_SEC} s"
            if qemu.poll() is not None:
                return self._ended(qemu, boot, more_boots)
            if self.host.why:
                deadline = min(deadline, time.monotonic() + LOGS_SEC)
                (self.share / "host-failed").touch()
            if self.host.cut.is_set() or (self.share / f"power-cut-{boot}").exists():
                return None if more_boots else "the power was cut in the last boot"
            time.sleep(machine.POLL_SEC)
        return self.host.why or f"still running after {self.scenario.timeout} s"

    def _ended(self, qemu, boot, more_boots):
        if qemu.returncode:
            return f"QEMU: {(self.folder / 'qemu.log').read_text().strip()[-300:]}"
        if more_boots and (self.share / f"reboot-{boot}").exists():
            return None
        return self._result() or ("the machine was not started again" if more_boots else None)
