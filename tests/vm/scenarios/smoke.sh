# SPDX-License-Identifier: GPL-2.0-or-later
# title: the virtual machine itself: tracer, device, test module, program
# kernels: 6.1 6.12
# qemu: -device e1000,addr=0x4 -device edu,addr=0x5

grep -qw mmiotrace "$TRACING"/available_tracers || fail "no mmiotrace in this kernel"
grep -q 0x100e /sys/bus/pci/devices/0000:00:04.0/device || fail "no e1000"
snapshot before
modprobe mtwtest mode=basic
assert_bound 0000:00:05.0 mtwtest
modprobe -r mtwtest
assert_restored
run_wizard 0 --version
