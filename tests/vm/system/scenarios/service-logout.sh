#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the connection breaks, the login is ended: the capture goes on in the service; attach comes back to it and stops it
# ssh: 0x10
# qemu: -device edu,addr=0x5
# timeout: 900

lines() {
	cat "$SESSIONS"/*/trace-*.txt | wc -l
}

grows() {
	[ "$(lines)" -gt "$1" ]
}

# goes_on WHAT: nobody watches any more, and the trace still grows.
goes_on() {
	wait_for 60 sh -c '! pidof mmiotrace-wizard' || fail "$1: the program did not end"
	before=$(lines)
	wait_for 60 grows $((before + 50)) || fail "$1: the capture did not go on"
	[ "$(cat "$TRACING"/current_tracer)" = mmiotrace ] || fail "$1: the tracer is off"
}

captured() {
	session_has state.json '"state" *: *"captured"'
}

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
allow alice capture
start_service alice
snapshot before
tell_host ready
hear_host broken
goes_on "broken connection"
tell_host still-1
wait_for 300 captured || fail "attach did not end the capture"
assert_restored
rm -rf "$SESSIONS"
tell_host ready-2
hear_host ended
goes_on "ended login"
tell_host still-2
wait_for 300 captured || fail "the second attach did not end the capture"
assert_restored
wizard_as alice 0 pack --nick alice --output "$OUTPUT" "$(basename "$(session)")"
