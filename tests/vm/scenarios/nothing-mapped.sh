# SPDX-License-Identifier: GPL-2.0-or-later
# title: a driver that uses only I/O ports of a device with memory too: status 6
# qemu: -device tulip,addr=0x4

snapshot before
capture 6 0000:00:04.0 --duration 1
assert_restored
