# SPDX-License-Identifier: GPL-2.0-or-later
# title: neither tracefs nor debugfs mounted: mounted for the capture only
# qemu: -device edu,addr=0x5

umount "$TRACING"
umount /sys/kernel/debug
snapshot before
capture 0 0000:00:05.0 --duration 1
assert_restored
mount -t tracefs tracefs "$TRACING"
[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "the tracer is still on"
