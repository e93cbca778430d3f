# SPDX-License-Identifier: GPL-2.0-or-later
# title: not root: status 4, and how to become it
# qemu: -device e1000,addr=0x4

snapshot before
mkdir -p "$OUTPUT"
status=0
su alice -c "mmiotrace-wizard --batch --device 0000:00:04.0 --nick alice --output /tmp --duration 1" \
	>/tmp/out 2>&1 </dev/null || status=$?
cat /tmp/out
[ "$status" = 4 ] || fail "status $status, not 4"
grep -qi 'root\|sudo' /tmp/out || fail "it does not say how to become root"
assert_restored
su alice -c "mmiotrace-wizard devices" >/tmp/out 2>&1 </dev/null || fail "devices: $(tail -n 1 /tmp/out)"
grep -q 00:04.0 /tmp/out || fail "a user does not see the devices"
