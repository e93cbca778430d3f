# SPDX-License-Identifier: GPL-2.0-or-later
# title: a CPU that refuses to go off-line: given up at once, restored
# kernels: 6.1 6.12
# qemu: -device edu,addr=0x5

modprobe nohotplug
snapshot before
capture 3 0000:00:05.0 --duration 1
assert_restored
assert_bound 0000:00:05.0 none
