#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: under the sandbox of the service's unit a capture finds, records and collects what it does outside of it
# ssh: 0x10
# qemu: -device virtio-gpu-pci,addr=0x6
# timeout: 900

UNIT=mmiotrace-wizardd.service
OUTPUT=/var/lib/mmiotrace-wizard/archives
BIN=$(command -v mmiotrace-wizard)
# What tells how to start and end it is of no use here, only what confines it.
mapfile -t confined < <(systemctl cat "$UNIT" | sed -n '/^\[Service\]/,/^\[[^S]/ s/^\([A-Z][A-Za-z]*=.*\)/--property=\1/p' |
	grep -vE '=(Type|BusName|Exec[A-Za-z]*|Restart[A-Za-z]*|Timeout[A-Za-z]*|User|Group|Environment[A-Za-z]*|WatchdogSec|NotifyAccess)=')

inside() {
	mmiotrace-wizard() {
		systemd-run --quiet --wait --pipe "${confined[@]}" --setenv=HOME=/var/lib/mmiotrace-wizard \
			--setenv=XDG_STATE_HOME=/var/lib/mmiotrace-wizard/state "$BIN" "$@"
	}
	"$@"
	unset -f mmiotrace-wizard
}

# One of the checks is about it, and it is away for a while after each run with the card.
network_is_up() {
	[ -n "$(ip route show default)" ]
}

# trace DEVICE NAME: the same each time, but for the name.
trace() {
	wait_for 120 network_is_up || fail "the network did not come up"
	run_wizard 0 --batch --json --device "$1" --nick "$2" --output "$OUTPUT" --duration 2
	assert_restored
}

[ ${#confined[@]} -gt 10 ] || fail "$UNIT confines nothing: ${confined[*]}"
systemd-analyze security --threshold=40 "$UNIT" >/share/security.txt || fail "$UNIT is confined less than it was: $(tail -n 1 /share/security.txt)"
mkdir -p "$OUTPUT"
systemctl start display-manager
snapshot before
trace 0000:00:10.0 outside
inside trace 0000:00:10.0 inside
trace 0000:00:06.0 outside
inside trace 0000:00:06.0 inside
umount "$TRACING"
inside run_wizard 0 --batch --json --device 0000:00:10.0 --nick unmounted --output "$OUTPUT" --duration 2
! mountpoint -q "$TRACING" || fail "the tracing file system stayed mounted"
