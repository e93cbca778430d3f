# SPDX-License-Identifier: GPL-2.0-or-later
"""The files of the fake machine before anything happens: {path: bytes, or str for the target of a link}.

    0000:00:00.0  host bridge                       cannot be traced
    0000:00:02.0  NVIDIA card, driver nouveau       built in: is unbound and bound again
    0000:00:03.0  Intel network card, driver e1000  the same
    0000:00:04.0  HD audio, driver snd_hda_intel    the same, shares its driver with 00:05.0
    0000:00:05.0  HD audio, driver snd_hda_intel
    0000:00:06.0  no driver fits
    0000:00:1f.1  IDE, only I/O ports               cannot be traced
"""

import gzip
import os
import struct

CPUS = 4
TRACING = "sys/kernel/tracing"
PCI = "sys/bus/pci"
BUS = "sys/devices/pci0000:00"
CPU = "sys/devices/system/cpu"
RELEASE = os.uname().release
CONFIG = "CONFIG_TRACING=y\nCONFIG_MMIOTRACE=y\n"

# Flags of struct resource in the kernel.
PORTS, MEMORY, MEMORY64 = 0x40101, 0x40200, 0x14220c


class Device:
    """@bars: (start, size, flags) or None, seven of them at most."""

    def __init__(self, address, ids, pci_class, driver, bars):
        self.address, self.ids, self.pci_class, self.driver = address, ids, pci_class, driver
        self.bars = bars

    @property
    def vendor(self):
        return int(self.ids[:4], 16)

    @property
    def device(self):
        return int(self.ids[5:], 16)

    def traced_bar(self):
        """The one that the driver maps, and its number."""
        for number, bar in enumerate(self.bars):
            if bar and bar[2] != PORTS:
                return number, bar
        return None


DEVICES = [
    Device("0000:00:00.0", "8086:1237", 0x060000, None, []),
    Device("0000:00:02.0", "10de:1b80", 0x030000, "nouveau", [
        (0xf6000000, 0x1000000, MEMORY), (0xe0000000, 0x10000000, MEMORY64), None, (0xf0000000, 0x2000000, MEMORY64), None,
        (0xe000, 0x80, PORTS)]),
    Device("0000:00:03.0", "8086:100e", 0x020000, "e1000", [(0xfeb40000, 0x20000, MEMORY), (0xc000, 0x40, PORTS)]),
    Device("0000:00:04.0", "8086:2668", 0x040300, "snd_hda_intel", [(0xfeb70000, 0x4000, MEMORY)]),
    Device("0000:00:05.0", "8086:2668", 0x040300, "snd_hda_intel", [(0xfeb74000, 0x4000, MEMORY)]),
    Device("0000:00:06.0", "1b36:0005", 0x00ff00, None, [(0xfeb78000, 0x1000, MEMORY)]),
    Device("0000:00:1f.1", "8086:7111", 0x010180, None, [None, None, None, None, (0xc040, 0x10, PORTS)]),
]
DRIVERS = sorted({device.driver for device in DEVICES if device.driver})
BY_ADDRESS = {device.address: device for device in DEVICES}


def resource(device):
    lines = []
    for number in range(7):
        bar = device.bars[number] if number < len(device.bars) else None
        start, size, flags = bar or (0, 0, 0)
        lines.append(f"0x{start:016x} 0x{start + size - 1 if size else 0:016x} 0x{flags:016x}")
    return "\n".join(lines)


def config(device):
    """The first 64 bytes of the config space, as lspci reads them; the rest is empty."""
    head = struct.pack("<HHHHBBBBBBBB", device.vendor, device.device, 0x0006, 0x0010, 2, device.pci_class & 0xff,
                       device.pci_class >> 8 & 0xff, device.pci_class >> 16, 0, 0, 0, 0)
    bars = b"".join(struct.pack("<I", bar[0] & 0xffffffff if bar else 0) for bar in (device.bars + [None] * 6)[:6])
    return (head + bars).ljust(256, b"\0")


def modalias(device):
    number = device.pci_class
    return (f"pci:v{device.vendor:08X}d{device.device:08X}sv00001043sd000085AAbc{number >> 16:02X}sc{number >> 8 & 0xff:02X}"
            f"i{number & 0xff:02X}")


def put_device(files, device):
    folder = f"{BUS}/{device.address}"
    texts = {
        "vendor": f"0x{device.vendor:04x}", "device": f"0x{device.device:04x}", "class": f"0x{device.pci_class:06x}",
        "subsystem_vendor": "0x1043", "subsystem_device": "0x85aa", "revision": "0x02", "enable": "1", "irq": "11",
        "driver_override": "(null)", "modalias": modalias(device), "resource": resource(device),
    }
    for name, text in texts.items():
        files[f"{folder}/{name}"] = text.encode() + b"\n"
    files[f"{folder}/config"] = config(device)
    files[f"{PCI}/devices/{device.address}"] = f"../../../devices/pci0000:00/{device.address}"
    if device.pci_class >> 16 == 3:
        files[f"{folder}/boot_vga"] = b"1\n"
    if device.driver:
        files.update(binding(device.address, device.driver))


def binding(address, driver):
    """The two links between a device and its driver."""
    return {f"{BUS}/{address}/driver": f"../../../bus/pci/drivers/{driver}",
            f"{PCI}/drivers/{driver}/{address}": f"../../../../devices/pci0000:00/{address}"}


def put_tracing(files):
    texts = {
        "available_tracers": "blk mmiotrace function nop", "current_tracer": "nop", "tracing_on": "1",
        "trace_clock": "[local] global counter mono boot", "tracing_cpumask": "f", "options/overwrite": "1",
        "buffer_size_kb": "7 (expanded: 1408)",
    }
    for name, text in texts.items():
        files[f"{TRACING}/{name}"] = text.encode() + b"\n"
    for name in ("set_event", "trace", "trace_pipe", "trace_marker"):
        files[f"{TRACING}/{name}"] = b""
    for cpu in range(CPUS):
        files[f"{TRACING}/per_cpu/cpu{cpu}/buffer_size_kb"] = b"7 (expanded: 1408)\n"
        files[f"{TRACING}/per_cpu/cpu{cpu}/stats"] = b""


def put_rest(files):
    everything = f"0-{CPUS - 1}"
    texts = {
        f"{CPU}/online": everything, f"{CPU}/present": everything, f"{CPU}/possible": everything,
        "sys/kernel/security/lockdown": "[none] integrity confidentiality",
        "sys/class/dmi/id/product_uuid": "0f9ee1a4-52a5-4b09-b1ba-3d6f8bd4c5aa",
        "sys/class/dmi/id/product_serial": "FAKE-SERIAL-4711",
        "sys/class/dmi/id/product_name": "Fake Machine",
        "proc/cmdline": "BOOT_IMAGE=/vmlinuz root=/dev/vda ro quiet",
        "proc/filesystems": "nodev\tsysfs\nnodev\ttracefs\n\text4",
        "proc/modules": "",
        "proc/swaps": "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority",
        f"boot/config-{RELEASE}": CONFIG,
        "dev/kmsg": "6,0,0,-;Linux version\n6,1,12,-;Command line: quiet",
    }
    for path, text in texts.items():
        files[path] = text.encode() + b"\n" if text else b""
    files["proc/config.gz"] = gzip.compress(CONFIG.encode(), mtime=0)
    for cpu in range(1, CPUS):
        files[f"{CPU}/cpu{cpu}/online"] = b"1\n"


def files():
    """All of them, new."""
    made = {}
    for name in DRIVERS:
        for file in ("bind", "unbind", "new_id"):
            made[f"{PCI}/drivers/{name}/{file}"] = b""
    for device in DEVICES:
        put_device(made, device)
    put_tracing(made)
    put_rest(made)
    made["sys/kernel/debug/.empty"] = b""
    return made


# Only root may look, as in the real sysfs.
PRIVATE = ("sys/class/dmi/id/product_uuid", "sys/class/dmi/id/product_serial")
PRIVATE_FOLDERS = ("sys/kernel/tracing", "sys/kernel/debug")
