# SPDX-License-Identifier: GPL-2.0-or-later
# title: unusual settings of the tracer come back: clock, sizes, overwrite, recording off, a CPU off-line
# qemu: -device edu,addr=0x5
# smp: 4

echo boot >"$TRACING"/trace_clock
echo 0 >"$TRACING"/options/overwrite
echo 0 >"$TRACING"/tracing_on
echo 300 >"$TRACING"/per_cpu/cpu0/buffer_size_kb
echo 500 >"$TRACING"/per_cpu/cpu1/buffer_size_kb
echo 0 >/sys/devices/system/cpu/cpu3/online
snapshot before
grep -q '^/sys/devices/system/cpu/online:0-2$' /tmp/state-before || fail "CPU 3 is still on-line"
capture 0 0000:00:05.0 --duration 1
assert_restored
