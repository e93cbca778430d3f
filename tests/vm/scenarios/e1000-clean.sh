# SPDX-License-Identifier: GPL-2.0-or-later
# title: stock e1000 from nothing to the archive; the machine as before
# kernels: 6.1 6.12
# qemu: -device e1000,addr=0x4

snapshot before
capture 0 0000:00:04.0 --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
