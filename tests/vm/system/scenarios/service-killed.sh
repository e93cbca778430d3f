#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the service is killed while it traces: systemd starts it again, machine and trace are saved, the client packs and says so
# qemu: -device edu,addr=0x5

service_pid() {
	systemctl show --property=MainPID --value mmiotrace-wizardd
}

is_another() {
	[ "$(service_pid)" != "$1" ] && [ "$(service_pid)" != 0 ]
}

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
allow alice capture
start_service alice
snapshot before
killed=$(service_pid)
# 130 is "interrupted": the trace was cut off; nothing else is wrong.
wizard_as alice 130 --batch --json --device 0000:00:05.0 --nick alice --output "$OUTPUT" --duration 0 &
client=$!
wait_for 120 traced 200 || fail "no capture began"
kill -9 "$killed"
wait_for 60 is_another "$killed" || fail "the service was not started again"
wait "$client" || fail "the client did not end as it should"
RUNS=$((RUNS + 1))
session_has log 'state: recovered' || fail "nothing was recovered"
session_has state.json '"restored" *: *true' || fail "the session does not say that it was restored"
assert_restored
wizard_as alice 0 sessions
assert_output "$OUT" "$(basename "$(session)") .*packed"
