#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the display that Xorg draws on: refused for a person's own X; a display manager goes and comes back traced
# qemu: -device virtio-gpu-pci,addr=0x6
# timeout: 900

x_process() {
	systemctl show --property=MainPID --value display-manager
}

snapshot none
# A person's own `startx`: there is no unit that would start it again.
log_in alice
start_in_session alice Xorg :1 vt1 -keeptty -nolisten tcp -noreset
wait_for 120 [ -S /tmp/.X11-unix/X1 ] || fail "Xorg did not start: $(cat "$JOB"/err)"
as alice env DISPLAY=:1 xrandr >/dev/null || fail "Xorg does not answer"
capture '[1-9]*' 0000:00:06.0
assert_output "$OUT" '"id":"device-display","level":"failure"'
as alice env DISPLAY=:1 xrandr >/dev/null || fail "Xorg was disturbed"
log_out alice
wait_for 60 sh -c '! pidof Xorg' || fail "Xorg did not end"
assert_restored none

# comes_back USER: the desktop of that user (root: of nobody) goes and comes back.
comes_back() {
	systemctl start display-manager
	snapshot before
	before=$(x_process)
	capture 0 0000:00:06.0 --duration 5
	assert_restored
	[ "$(x_process)" != "$before" ] || fail "$1: the display manager was not started anew"
	as "$1" env DISPLAY=:0 xrandr >/share/xrandr.txt || fail "$1: Xorg does not answer"
	assert_output /share/xrandr.txt 'Virtual-1 connected primary'
	ls -l "/proc/$(x_process)/fd" | grep -q /dev/dri/card || fail "$1: Xorg does not draw on the card"
	systemctl stop display-manager
}

comes_back root
desktop_of alice
comes_back alice
