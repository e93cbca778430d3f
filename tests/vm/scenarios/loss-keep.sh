# SPDX-License-Identifier: GPL-2.0-or-later
# title: lost events with --on-lost keep: status 5, and the right number
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=flood n=20000" >/etc/modprobe.d/mtwtest.conf
snapshot before
capture 5 0000:00:05.0 --buffer-kb 64 --on-lost keep --duration 1
assert_restored
