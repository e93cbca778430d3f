# SPDX-License-Identifier: GPL-2.0-or-later
# title: what goes with the trace: modules and sections while loaded, dmesg marked, config space
# kernels: 6.1 6.12
# qemu: -device e1000,addr=0x4
# append: mmiotrace.trace_pc=1 nokaslr

echo "before the capture" >/dev/kmsg
snapshot before
capture 0 0000:00:04.0 --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
lspci -xxxx -s 00:04.0 >/share/lspci-xxxx.txt
