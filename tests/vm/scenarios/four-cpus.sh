# SPDX-License-Identifier: GPL-2.0-or-later
# title: four CPUs: one while tracing, all of them afterwards
# qemu: -device edu,addr=0x5
# smp: 4

snapshot before
capture 0 0000:00:05.0 --exercise "cat /sys/devices/system/cpu/online" --exercise "cp /sys/devices/system/cpu/online /share/online"
assert_restored
[ "$(cat /share/online)" = 0 ] || fail "while tracing these CPUs were on-line: $(cat /share/online)"
