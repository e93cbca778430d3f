#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the machine itself: systemd is up, the program runs, people can log in on the console
# ssh: 0x10

snapshot before
broken=$(systemctl --failed --plain --no-legend)
[ -z "$broken" ] || fail "not all units came up: $broken"
run_wizard 0 --version
log_in alice
[ "$(in_session alice loginctl show-session self --property=Seat --value)" = seat0 ] || fail "alice is not at the machine"
[ "$(in_session alice id -un)" = alice ] || fail "not alice"
log_out alice
[ "$(as bob id -un)" = bob ] || fail "not bob"
assert_restored
