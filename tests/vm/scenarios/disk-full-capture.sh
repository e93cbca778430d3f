# SPDX-License-Identifier: GPL-2.0-or-later
# title: the disk fills up during the capture: status 9, restored
# qemu: -device edu,addr=0x5

mkdir -p "${SESSIONS%/*}"
mount -t tmpfs -o size=32m sessions "${SESSIONS%/*}"
fill_disk() {
	wait_for 120 traced 20
	dd if=/dev/zero of="${SESSIONS%/*}"/other-file bs=64k 2>/dev/null || true
}
echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
later fill_disk
capture 9 0000:00:05.0 --duration 0
assert_restored
