# SPDX-License-Identifier: GPL-2.0-or-later
# title: somebody else reads trace_pipe: status 8, the reader is named
# qemu: -device edu,addr=0x5

snapshot before
cat "$TRACING"/trace_pipe >/dev/null &
reader=$!
capture 8 0000:00:05.0 --duration 1
kill -0 $reader || fail "the foreign reader was ended"
cat "$OUT" "$ERR" | grep -q "$reader" || fail "the reader $reader is not named"
assert_restored
kill $reader
