#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a display's driver traced at two starts: kept away until then, and there already as from an initramfs; the desktop comes up
# qemu: -device bochs-display,addr=0x6,xres=640,yres=480
# append: fbcon=map:9
# memory: 1536
# boots: 3
# timeout: 900

CONF=/etc/modprobe.d/mmiotrace-wizard-next-boot.conf
CARD=0000:00:06.0

x_answers() {
	as alice env DISPLAY=:0 xrandr >/share/xrandr.txt 2>&1 && grep -q "Virtual-1 connected primary" /share/xrandr.txt
}

newest_captured() {
	grep -qs '"state" *: *"captured"' "$(session)"/state.json
}

# came_up START: of a start that traced.
came_up() {
	wait_for 240 newest_captured || fail "$1: no capture was made: $(tail -n 3 "$(session)"/log)"
	wait_for 60 sh -c '! systemctl --quiet is-active mmiotrace-wizard-boot' || fail "$1: the service for the start did not end"
	wait_for 60 x_answers || fail "$1: no desktop"
	[ ! -e "$CONF" ] || fail "$1: the file is still there"
	assert_bound "$CARD" bochs-drm
	[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "$1: the tracer is on"
	broken=$(systemctl --failed --plain --no-legend)
	[ -z "$broken" ] || fail "$1: not all units came up: $broken"
	grep -qs '"owner_uid" *: *1000' "$(session)"/state.json || fail "$1: the session is not alice's"
}

# Alice, who uses sudo.
wish() {
	mmiotrace-wizard() {
		as alice sudo /usr/bin/mmiotrace-wizard "$@"
	}
	run_wizard "$@"
	unset -f mmiotrace-wizard
}

boot_1() {
	mkdir -p /etc/systemd/system/multi-user.target.wants
	ln -s ../display-manager.service /etc/systemd/system/multi-user.target.wants/
	systemctl start display-manager
	wait_for 60 x_answers || fail "no desktop to begin with"
	# That somebody draws on it matters only now. The root disk needs the driver of the random number device.
	wish 3 --batch --json --next-boot --device 0000:00:1c.0
	assert_output "$OUT" '"id":"next-boot-disks"'
	[ ! -e "$CONF" ] || fail "a driver that the root disk needs would be kept away"
	wish 0 --batch --json --next-boot --device "$CARD" --duration 8
	assert_output "$OUT" 'modprobe.blacklist=bochs'
	x_answers || fail "the desktop was disturbed"
	reboot_machine
}

boot_2() {
	came_up "kept away"
	grep -q '"way" *: *"load"' "$(session)"/state.json || fail "the driver was there already"
	# The next start is to find the driver loaded.
	mkdir -p /etc/systemd/system/mmiotrace-wizard-boot.service.d
	printf '[Service]\nExecStartPre=/sbin/modprobe bochs\n' >/etc/systemd/system/mmiotrace-wizard-boot.service.d/early.conf
	wish 0 --batch --json --next-boot --device "$CARD" --duration 8
	reboot_machine
}

boot_3() {
	came_up "there already"
	grep -q '"way" *: *"reload"' "$(session)"/state.json || fail "the driver was not there already"
	for folder in "$SESSIONS"/*/; do
		as alice sudo mmiotrace-wizard pack --nick alice --output "$OUTPUT" "$(basename "$folder")"
	done
}
