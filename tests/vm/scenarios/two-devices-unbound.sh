# SPDX-License-Identifier: GPL-2.0-or-later
# title: two devices for one driver, none bound: only the target gets it, the other stays alone
# qemu: -device e1000,addr=0x4 -device e1000,addr=0x6

snapshot before
capture 0 0000:00:06.0 --exercise "ls /sys/bus/pci/drivers/e1000" --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
