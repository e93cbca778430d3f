# SPDX-License-Identifier: GPL-2.0-or-later
# title: lost events with --on-lost fail: status 5 after one try
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=flood n=20000" >/etc/modprobe.d/mtwtest.conf
snapshot before
capture 5 0000:00:05.0 --buffer-kb 64 --on-lost fail --duration 1
assert_restored
