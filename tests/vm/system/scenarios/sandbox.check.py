# SPDX-License-Identifier: GPL-2.0-or-later
# Inside and outside agree: what the checks say, which files are collected. A check that sees nothing would say "ok".
def checks(run):
    return {event["id"]: event["level"] for event in share.events(run, kind="check")}


def archive(device, nick):
    return share.archive(f"{device}-{nick}-mmiotrace.tar.gz")


for device, outside, inside in (("8086-100e", 1, 2), ("1af4-1050", 3, 4)):
    differ = checks(inside).items() ^ checks(outside).items()
    expect(not differ, f"{device}: checks that differ inside: {sorted(differ)}")
    same(sorted(archive(device, "inside").files), sorted(archive(device, "outside").files), f"{device}: files inside")
    for name in ("config-space.txt", "module.txt", "modinfo.txt", "lspci.txt", "kernel-config.txt", "iomem.txt"):
        same(archive(device, "inside").text(name), archive(device, "outside").text(name), f"{device}: {name} inside")
    expect("Linux version" in archive(device, "inside").text("dmesg.txt"), "dmesg.txt does not begin at boot")
expect(archive("8086-100e", "inside").records()["R"] > 5000, "the card's start is not in the trace")
expect(archive("8086-100e", "unmounted").records()["R"] > 5000, "nothing traced where the file system had to be mounted")
