# SPDX-License-Identifier: GPL-2.0-or-later
# title: a driver that cannot be unloaded: only the device is unbound and bound again
# qemu: -device edu,addr=0x5

modprobe mtwtest busy=1
assert_bound 0000:00:05.0 mtwtest
snapshot before
capture 0 0000:00:05.0 --duration 1
assert_restored
grep -q '^mtwtest [0-9]* 1 ' /proc/modules || fail "the module is not in use any more"
