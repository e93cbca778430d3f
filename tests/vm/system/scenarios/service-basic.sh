#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the installed service: who may, traces; who may not, does not; the archive is the person's, the machine as before
# ssh: 0x10

unit=mmiotrace-wizardd.service
owner_of() {
	stat -c %U "$1"
}

systemctl --quiet is-active $unit && fail "the service runs before anybody called it"
systemd-analyze security --no-pager --threshold=35 $unit >/share/security.txt ||
	fail "confined less than it was: $(tail -n 1 /share/security.txt)"
allow alice capture
start_service alice
snapshot before
wizard_as alice 0 --batch --json --device 0000:00:10.0 --nick alice --output "$OUTPUT" --duration 3
assert_restored
assert_bound 0000:00:10.0 e1000
[ "$(owner_of "$OUTPUT"/8086-100e-alice-mmiotrace.tar.gz)" = alice ] || fail "the archive is not alice's"
id=$(basename "$(session)")
[ "$(stat -c '%U %a' "$SESSIONS/$id")" = "root 700" ] || fail "the session is not root's alone"
wizard_as alice 0 sessions
assert_output "$OUT" "$id .*packed"

# Somebody whom no rule allows it, and who is not asked for a password: nothing is changed, and alice's session is not there.
wizard_as bob 4 --batch --json --device 0000:00:10.0 --nick bob --output "$OUTPUT" --duration 3
wizard_as bob 0 sessions
[ ! -s "$OUT" ] || fail "bob sees a session of alice"
wizard_as bob 2 pack --nick bob "$id"
wizard_as bob 2 sessions --delete "$id"
[ -d "$SESSIONS/$id" ] || fail "bob deleted a session of alice"
wizard_as alice 0 sessions --delete "$id"
[ ! -e "$SESSIONS/$id" ] || fail "alice's session is still there"
assert_restored
journalctl --unit=$unit --no-pager --quiet --priority=warning --output=cat >/share/complaints.txt
[ ! -s /share/complaints.txt ] || fail "the service complains: $(head -n 1 /share/complaints.txt)"
