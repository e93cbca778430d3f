# SPDX-License-Identifier: GPL-2.0-or-later
# title: somebody else uses the tracer: status 8, and it stays as it is
# qemu: -device edu,addr=0x5

echo function >"$TRACING"/current_tracer
snapshot before
capture 8 0000:00:05.0 --duration 1
assert_restored
[ "$(cat "$TRACING"/current_tracer)" = function ] || fail "the foreign tracer is gone"
