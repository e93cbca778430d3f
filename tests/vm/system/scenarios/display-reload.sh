#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a display whose module is unloaded and loaded: the desktop comes back traced; and at once when the module does not load
# qemu: -device bochs-display,addr=0x6,xres=640,yres=480
# append: fbcon=map:9
# memory: 1536
# timeout: 900

x_process() {
	systemctl show --property=MainPID --value display-manager
}

x_answers() {
	as alice env DISPLAY=:0 xrandr >/share/xrandr.txt 2>&1 && grep -q "Virtual-1 connected primary" /share/xrandr.txt
}

# came_back WHAT PROCESS
came_back() {
	assert_restored
	assert_bound 0000:00:06.0 bochs-drm
	[ "$(x_process)" != "$2" ] || fail "$1: the desktop was not started anew"
	x_answers || fail "$1: Xorg does not answer"
	ls -l "/proc/$(x_process)/fd" | grep -q /dev/dri/card || fail "$1: Xorg does not draw on the card"
}

allow alice capture
start_service alice
systemctl start display-manager
wait_for 60 x_answers || fail "no desktop to begin with"
snapshot before
first=$(x_process)
wizard_as alice 1 --batch --json --device 0000:00:06.0 --nick alice --output "$OUTPUT" --duration 5 --driver-options modeset=nonsense
came_back "a module that does not load" "$first"

second=$(x_process)
wizard_as alice 0 --batch --json --device 0000:00:06.0 --nick alice --output "$OUTPUT" --duration 10
came_back "a capture" "$second"
