#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: through the service, the display that a desktop is on: it goes, comes back traced, and stays
# qemu: -device virtio-gpu-pci,addr=0x6
# timeout: 900

x_process() {
	systemctl show --property=MainPID --value display-manager
}

x_answers() {
	as alice env DISPLAY=:0 xrandr >/share/xrandr.txt 2>&1 && grep -q "Virtual-1 connected primary" /share/xrandr.txt
}

draws_on_the_card() {
	ls -l "/proc/$(x_process)/fd" 2>/dev/null | grep -q /dev/dri/card
}

# While the tracer is on, another X server than before answers.
back_under_the_tracer() {
	grep -q mmiotrace "$TRACING"/current_tracer && grep -qs '"event":"driver-up"' /share/run-1-2.out &&
		[ "$(x_process)" != "$1" ] && x_answers && grep -q mmiotrace "$TRACING"/current_tracer
}

allow alice capture
start_service alice
systemctl start display-manager
wait_for 60 x_answers || fail "no desktop to begin with"
snapshot before
first=$(x_process)
later wait_for 180 back_under_the_tracer "$first"
wizard_as alice 0 --batch --json --device 0000:00:06.0 --nick alice --output "$OUTPUT" --duration 15
wait || fail "the desktop did not come back while the tracer was on"
assert_restored
[ "$(x_process)" != "$first" ] || fail "the desktop was not started anew"
x_answers || fail "Xorg does not answer any more"
draws_on_the_card || fail "Xorg does not draw on the card"
# The driver is one of virtio, which stays loaded: it would not see them.
wizard_as alice 2 --batch --json --device 0000:00:06.0 --nick alice --output "$OUTPUT" --driver-options modeset=0
