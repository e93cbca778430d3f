# SPDX-License-Identifier: GPL-2.0-or-later
# title: ./dev demo
# qemu: -device e1000,addr=0x4

snapshot before
run_wizard 0 --batch --device 0000:00:04.0 --nick demo --output "$OUTPUT" \
	--exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
