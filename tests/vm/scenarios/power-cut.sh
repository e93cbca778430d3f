# SPDX-License-Identifier: GPL-2.0-or-later
# title: power cut in the middle; after the boot the trace is salvaged
# qemu: -device edu,addr=0x5
# disk: 128M
# boots: 2

mount_disk "${SESSIONS%/*}"
snapshot before
if [ "$BOOT" = 1 ]; then
	cut_later() {
		wait_for 120 traced 100
		sleep 3
		power_cut
	}
	echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
	later cut_later
	capture '*' 0000:00:05.0 --duration 0
	fail "the power was not cut"
fi
run_wizard 0 sessions
run_wizard 0 recover --nick alice --output "$OUTPUT"
assert_restored
