#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: power cut in the middle of a capture: the next boot recovers by itself, session and trace are there
# qemu: -device edu,addr=0x5
# boots: 2

boot_1() {
	echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
	later capture '*' 0000:00:05.0 --duration 0
	wait_for 300 traced 100 || fail "no capture began"
	sleep 3
	power_cut
}

boot_2() {
	grep -q "EXT4-fs (vda): recovery complete" <(dmesg) || fail "the file system was not cut off"
	[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "the tracer is on"
	snapshot before
	systemctl --quiet is-failed mmiotrace-wizard-recover && fail "the recovery at boot failed"
	run_wizard 0 sessions
	assert_output "$OUT" 'recovered *0000:00:05.0'
	session_has state.json '"restored" *: *true' || fail "the session does not say that it was restored"
	run_wizard 0 recover
	run_wizard 0 pack --nick alice --output "$OUTPUT" "$(basename "$(session)")"
	run_wizard 0 verify "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz
	assert_restored
}
