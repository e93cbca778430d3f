#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a person walks through the window: service, polkit and tracer are real; the archive is theirs, the machine as before
# qemu: -netdev user,id=card -device e1000,addr=0x4 -device e1000,netdev=card,addr=0x5
# files: window.guest.py
# timeout: 1200

CARD=0000:00:05.0
OTHER=0000:00:04.0
ROOM=/dev/shm/room # of the X server's picture, and of what is to be looked at afterwards
ARCHIVE=/home/alice/8086-100e-alice-mmiotrace.tar.gz

# A network card that is given back to its driver gets another number.
number_of() {
	cat "/sys/bus/pci/devices/$1/net/"*/ifindex
}

# What it printed and what was on the screen are kept in any case.
walk_ended() {
	local ended=1
	wait_for 1080 [ -e "$JOB/status" ] && ended=$(cat "$JOB/status")
	cat "$JOB/out" "$JOB/err" >/share/walk.txt
	cp "$ROOM/Xvfb_screen0" "$ROOM"/*.xwd /share/ || true
	[ "$ended" = 0 ] || fail "the walk: $(tail -n 1 /share/walk.txt)"
	! grep CRITICAL "$JOB/err" || fail "the window complains: $(grep -m 1 CRITICAL "$JOB/err")"
}

[ -x /usr/bin/mmiotrace-wizard-gtk ] || fail "the program was built without the window (meson: gui)"
allow alice capture
log_in alice
start_service alice
snapshot before
number=$(number_of $OTHER)
install -d -o alice $ROOM
start_in_session alice Xvfb :7 -screen 0 1000x760x24 -nolisten tcp -fbdir $ROOM
wait_for 60 [ -S /tmp/.X11-unix/X7 ] || fail "Xvfb did not start: $(cat "$JOB"/err)"
start_in_session alice env DISPLAY=:7 MTW_ROOM=$ROOM python3 -B /share/window.guest.py $CARD
walk_ended
assert_restored
[ "$(number_of $OTHER)" = "$number" ] || fail "the other card with the same driver was disturbed"
[ "$(stat -c '%U %G' "$ARCHIVE")" = "alice alice" ] || fail "the archive is not alice's: $(ls -l /home/alice)"
run_wizard 0 verify "$ARCHIVE"
install -D -t "$OUTPUT" "$ARCHIVE"
