# SPDX-License-Identifier: GPL-2.0-or-later
# Of each file what it is there for; that it is whole, the manifest tells.
import re

archive = share.archive()
collected = {entry["id"]: entry for entry in archive.manifest["collected"]}
wanted = ("module.txt", "sections.txt", "interrupts.txt", "lspci.txt", "dmesg.txt", "system.txt", "config-space.txt",
          "iomem.txt", "modinfo.txt", "firmware.txt", "kernel-config.txt")
for name in wanted:
    expect(name in archive.files, f"no {name}; collected: {collected.get(name)}")
    expect(name in collected, f"the manifest does not tell of {name}")
    same(collected[name]["level"], "ok", f"{name}: {collected[name]}")
same(collected["edid.txt"]["level"], "ok", "edid.txt of a network card")
same(collected["edid.txt"]["detail"], "no connector", "edid.txt of a network card")
expect("edid.txt" not in archive.files, "edid.txt of a network card")
expect("vbios.rom" not in archive.files, "the ROM, which nobody asked for")

# Only while the driver is loaded.
module = archive.text("module.txt")
expect("== Module e1000 ==\ninitstate: live\n" in module, "module.txt: e1000 is not loaded in it")
expect(re.search(r"^parameter copybreak: \d+$", module, re.M), "module.txt has no parameters")
sections = archive.text("sections.txt")
text = re.search(r"^0x([0-9a-f]{16}) e1000 \.text$", sections, re.M)
expect(text and int(text[1], 16) > 0xffffffffc0000000 - 1, "sections.txt has no address of .text")
expect("0xffffffff81000000 kernel _text\n" in sections, "sections.txt: the kernel is not where nokaslr puts it")
expect("eth0" in archive.text("interrupts.txt") or "CPU0" in archive.text("interrupts.txt"), "interrupts.txt")
# The program counters of the trace are in what sections.txt tells.
pcs = {int(line.split()[6], 16) for line in archive.text("mydump.txt").splitlines() if line[:2] in ("R ", "W ")}
end = max(int(found[1], 16) for found in re.finditer(r"^0x([0-9a-f]{16}) e1000 \.", sections, re.M)) + (1 << 20)
known = [pc for pc in pcs if int(text[1], 16) <= pc < end or 0xffffffff81000000 <= pc < 0xffffffffa0000000]
expect(pcs and len(known) == len(pcs), f"{len(pcs) - len(known)} of {len(pcs)} program counters are nowhere")

# The capture within the log.
lines = archive.text("dmesg.txt").splitlines()
starts = [number for number, line in enumerate(lines) if line.startswith("---- capture starts")]
ends = [number for number, line in enumerate(lines) if line.startswith("---- capture ends")]
same((len(starts), len(ends)), (1, 1), "markers in dmesg.txt")
expect("not the kernel's" in "\n".join(lines[:4]), "dmesg.txt does not tell of its added lines")


def position(text):
    found = [number for number, line in enumerate(lines) if text in line]
    expect(found, f"dmesg.txt has no {text!r}")
    return found[0]


expect(position("before the capture") < starts[0] < position("Copyright (c) 1999-2006 Intel") < ends[0],
       "the driver's lines are not between the markers")

# Byte for byte the rows of lspci.
rows = re.compile(r"^[0-9a-f]{2,3}:( [0-9a-f]{2}){16}$", re.M)
ours, theirs = ([found[0] for found in rows.finditer(text)] for text in (archive.text("config-space.txt"), share.text("lspci-xxxx.txt")))
same(len(ours), 16, "rows of config-space.txt")
same(ours, theirs, "config-space.txt")
expect("BAR 0: 0x00000000fe" in archive.text("config-space.txt"), "config-space.txt has no resources")

expect("0000:00:04.0" in archive.text("iomem.txt"), "iomem.txt does not have the device")
expect(re.search(r"^\s*000a0000-", archive.text("iomem.txt"), re.M), "iomem.txt has no addresses")
expect("license: GPL v2" in archive.text("modinfo.txt"), "modinfo.txt")
expect("parameter " not in archive.text("modinfo.txt"), "modinfo.txt has parameters of afterwards")
