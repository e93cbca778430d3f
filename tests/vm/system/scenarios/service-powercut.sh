#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: power cut while the service traces the display and the desktop is back: the next start recovers, the desktop is there
# qemu: -device virtio-gpu-pci,addr=0x6
# boots: 2
# timeout: 900

x_answers() {
	as alice env DISPLAY=:0 xrandr >/share/xrandr.txt 2>&1 && grep -q "Virtual-1 connected primary" /share/xrandr.txt
}

driver_up() {
	grep -qs '"event":"driver-up"' /share/run-1-2.out
}

boot_1() {
	# A display manager waits for the card; this one tries again.
	mkdir -p /etc/systemd/system/multi-user.target.wants /etc/systemd/system/display-manager.service.d
	printf '[Service]\nRestart=on-failure\nRestartSec=1\n' >/etc/systemd/system/display-manager.service.d/restart.conf
	ln -s ../display-manager.service /etc/systemd/system/multi-user.target.wants/
	allow alice capture
	start_service alice
	systemctl start display-manager
	wizard_as alice '*' --batch --json --device 0000:00:06.0 --nick alice --output "$OUTPUT" --duration 0 &
	wait_for 240 driver_up || fail "the driver did not come up"
	wait_for 60 traced 20 || fail "nothing was recorded"
	sleep 5
	power_cut
}

boot_2() {
	grep -q "EXT4-fs (vda): recovery complete" <(dmesg) || fail "the file system was not cut off"
	wait_for 60 x_answers || fail "no desktop"
	[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "the tracer is on"
	broken=$(systemctl --failed --plain --no-legend)
	[ -z "$broken" ] || fail "not all units came up: $broken"
	session_has state.json '"state" *: *"recovered"' || fail "not recovered at the start of the computer"
	session_has state.json '"restored" *: *true' || fail "the session does not say that it was restored"
	start_service alice
	snapshot before
	wizard_as alice 0 sessions
	assert_output "$OUT" 'recovered *0000:00:06.0'
	wizard_as alice 0 recover
	wizard_as alice 0 pack --nick alice --output "$OUTPUT" "$(basename "$(session)")"
	assert_restored
}
