# SPDX-License-Identifier: GPL-2.0-or-later
# title: nobody touches the device: status 6, the archive is kept all the same
# qemu: -device e1000,addr=0x4

snapshot before
capture 6 0000:00:04.0 --no-load-driver --duration 2
assert_restored
[ -e "$OUTPUT"/8086-100e-alice-mmiotrace.tar.gz ] || fail "no archive"
