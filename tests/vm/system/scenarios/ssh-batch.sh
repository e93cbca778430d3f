#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the card that carries the SSH login is traced, the connection dies: capture, archive and network are in order
# ssh: 0x10

mkdir -m 1777 "$OUTPUT"
snapshot before
for way in terminal pipe sudo; do
	rm -rf "$SESSIONS"
	tell_host "ready-$way"
	wait_for 300 traced 500 || fail "$way: no capture began"
	tell_host "capturing-$way"
	wait_for 300 session_has state.json packed || fail "$way: the session was not finished"
	wait_for 60 sh -c '! pidof mmiotrace-wizard' || fail "$way: the program did not end"
	hear_host "seen-$way"
	assert_bound 0000:00:10.0 e1000
	assert_restored
done
