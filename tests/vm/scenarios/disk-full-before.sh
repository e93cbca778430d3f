# SPDX-License-Identifier: GPL-2.0-or-later
# title: no room for a trace: status 9 before anything is changed
# qemu: -device edu,addr=0x5

mkdir -p "${SESSIONS%/*}"
mount -t tmpfs -o size=64k sessions "${SESSIONS%/*}"
snapshot before
capture 9 0000:00:05.0 --duration 1
assert_restored
