# SPDX-License-Identifier: GPL-2.0-or-later
# title: kill -9 in the middle, then recover: all restored, the trace salvaged
# kernels: 6.1 6.12
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
later signal_at_capture KILL 50
capture 137 0000:00:05.0 --duration 0
[ "$(cat "$TRACING"/current_tracer)" = mmiotrace ] || fail "nothing to recover: the tracer is off"
session_has state.json capturing || fail "the session does not say what it was doing"
run_wizard 0 recover --nick alice --output "$OUTPUT" --json
assert_restored
session_has state.json '"restored" *: *true' || fail "the session does not say that it was restored"
run_wizard 0 recover
