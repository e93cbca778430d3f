# SPDX-License-Identifier: GPL-2.0-or-later
# title: SIGINT and SIGTERM end a capture in order; SIGHUP does not end it
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
for signal in INT TERM; do
	rm -rf "$SESSIONS"
	later signal_at_capture $signal 20
	capture 130 0000:00:05.0 --duration 0
	assert_restored
	[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz ] || fail "no archive after SIG$signal"
	mv "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz "$OUTPUT"/after-$signal.tar.gz
done
rm -rf "$SESSIONS"
later signal_at_capture HUP 20
capture 0 0000:00:05.0 --duration 5
assert_restored
