# SPDX-License-Identifier: GPL-2.0-or-later
# title: the terminal (an SSH connection) dies in the middle: the capture goes on, the result is in the session
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
# Whoever reads the output ends after the first line: from then on every write fails.
mmiotrace-wizard --batch --device 0000:00:05.0 --nick alice --output "$OUTPUT" --json --duration 5 2>&1 </dev/null | head -n 1
wait_for 60 session_has state.json packed || fail "the session was not finished"
assert_restored
[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz ] || fail "no archive"
run_wizard 0 sessions
assert_output "$OUT" '1234\|0000:00:05.0'
