#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a capture at the next start: the driver's start is in it, the network comes up as usual; it happens once
# ssh: 0x10
# boots: 3
# timeout: 900

CONF=/etc/modprobe.d/mmiotrace-wizard-next-boot.conf
CARD=0000:00:10.0

has_network() {
	ip -4 addr show dev ens16 | grep -q 'inet 10\.0\.2\.15/'
}

captured() {
	session_has state.json '"state" *: *"captured"'
}

as_usual() {
	[ ! -e "$CONF" ] || fail "the file is still there"
	assert_bound "$CARD" e1000
	wait_for 60 has_network || fail "no network: $(ip -4 addr show dev ens16 2>&1 | tail -n 2)"
	[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "the tracer is on"
	[ "$(cat /sys/devices/system/cpu/online)" = 0-1 ] || fail "not all processors are on"
	broken=$(systemctl --failed --plain --no-legend)
	[ -z "$broken" ] || fail "not all units came up: $broken"
}

wish() {
	wizard_as "$1" "$2" --batch --json --next-boot --device "$CARD" --duration 12
}

boot_1() {
	allow alice next-boot
	start_service alice
	snapshot before
	wish bob 4
	[ ! -e "$CONF" ] || fail "bob's wish was heard"
	wish alice 0
	grep -qx "blacklist e1000" "$CONF" || fail "the driver is not kept away"
	wizard_as alice 0 sessions
	assert_output "$OUT" 'waiting'
	wish alice 8
	wizard_as bob 2 next-boot --cancel
	run_wizard 0 recover
	[ -e "$CONF" ] || fail "somebody else took it back"
	wizard_as alice 0 next-boot
	assert_output "$OUT" "$CARD"
	wizard_as alice 0 next-boot --cancel
	[ ! -e "$CONF" ] || fail "the file is still there"
	[ -z "$(session)" ] || fail "the session is still there"
	wish alice 0
	# Nothing is different until the restart.
	assert_restored
	reboot_machine
}

boot_2() {
	wait_for 120 captured || fail "no capture was made: $(journalctl --no-pager --output=cat --unit=mmiotrace-wizard-boot | tail -n 3)"
	wait_for 60 sh -c '! systemctl --quiet is-active mmiotrace-wizard-boot' || fail "the service for the start did not end"
	as_usual
	session_has state.json '"restored" *: *true' || fail "the session does not say that it was restored"
	wizard_as alice 0 sessions
	assert_output "$OUT" "captured *$CARD"
	wizard_as alice 0 next-boot
	[ ! -s "$OUT" ] || fail "it still waits"
	journalctl --no-pager --output=short-monotonic --unit=mmiotrace-wizard-boot >/share/boot-unit.txt
	reboot_machine
}

boot_3() {
	sleep 5
	as_usual
	[ "$(ls "$SESSIONS" | wc -l)" = 1 ] || fail "another capture was made"
	wizard_as alice 0 pack --json --nick alice --output "$OUTPUT" "$(basename "$(session)")"
}
