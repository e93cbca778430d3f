# SPDX-License-Identifier: GPL-2.0-or-later
# title: a tiny buffer loses events; it is doubled until nothing is lost
# kernels: 6.1 6.12
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=flood n=5000" >/etc/modprobe.d/mtwtest.conf
snapshot before
capture 0 0000:00:05.0 --buffer-kb 64 --on-lost retry --max-retries 5 --duration 1
assert_restored
