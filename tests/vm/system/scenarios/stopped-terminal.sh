#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a terminal that takes no more output (Ctrl-S) does not hold the capture: it ends in time
# ssh: 0x10
# qemu: -device edu,addr=0x5

mkdir -m 1777 "$OUTPUT"
echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
tell_host ready
wait_for 300 traced 100 || fail "no capture began"
tell_host capturing
wait_for 60 session_has state.json '"restored" *: *true' || fail "still not restored a minute after a capture of 10 seconds"
assert_restored
tell_host restored
hear_host ended
[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz ] || fail "no archive"
