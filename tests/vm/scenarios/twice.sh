# SPDX-License-Identifier: GPL-2.0-or-later
# title: an older archive is never overwritten; verify, sessions, show
# qemu: -device edu,addr=0x5

capture 0 0000:00:05.0 --duration 1
capture 0 0000:00:05.0 --duration 1
[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz ] || fail "no first archive"
[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace-2.tar.gz ] || fail "no second archive: $(ls "$OUTPUT")"
run_wizard 0 verify "$OUTPUT"/1234-11e8-alice-mmiotrace-2.tar.gz
run_wizard 0 verify --json "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz
tar xzf "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz -C /tmp
run_wizard 0 verify /tmp/mydump.txt
run_wizard 0 sessions
[ "$(ls "$SESSIONS" | wc -l)" = 2 ] || fail "not two sessions"
for folder in "$SESSIONS"/*; do
	assert_output "$OUT" "${folder##*/}"
done
run_wizard 0 show "$(ls "$SESSIONS" | head -n 1)"
run_wizard 0 sessions --json
