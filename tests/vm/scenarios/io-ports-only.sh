# SPDX-License-Identifier: GPL-2.0-or-later
# title: a device with I/O ports only cannot be traced: status 3, and why
# qemu: -device pci-serial,addr=0x4

snapshot before
capture 3 0000:00:04.0 --duration 1
assert_restored
assert_output "$OUT" '[Mm]emory\|I/O'
run_wizard 0 devices
assert_output "$OUT" '00:04.0'
