# SPDX-License-Identifier: GPL-2.0-or-later
# title: a kernel without debugfs
# qemu: -device edu,addr=0x5
# append: debugfs=off

[ ! -d /sys/kernel/debug/usb ] || fail "debugfs is there"
snapshot before
capture 0 0000:00:05.0 --duration 1
assert_restored
