# SPDX-License-Identifier: GPL-2.0-or-later
# title: no room for the archive: status 9, restored, the trace stays in the session
# qemu: -device e1000,addr=0x4

mkdir -p "$OUTPUT"
mount -t tmpfs -o size=16k archives "$OUTPUT"
snapshot before
capture 9 0000:00:04.0 --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
[ -z "$(ls "$OUTPUT")" ] || fail "left behind: $(ls "$OUTPUT")"
traced 5000 || fail "the trace is not in the session"
session_has state.json '"restored" *: *true' || fail "not restored, says the session"
