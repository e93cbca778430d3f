# SPDX-License-Identifier: GPL-2.0-or-later
# title: SIGINT and SIGTERM end a capture in order, before its time or as its end; SIGHUP does not end it
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
# stopped_by SIGNAL STATUS DURATION
stopped_by() {
	rm -rf "$SESSIONS"
	later signal_at_capture "$1" 20
	capture "$2" 0000:00:05.0 --duration "$3"
	assert_restored
	[ -e "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz ] || fail "no archive after SIG$1"
	mv "$OUTPUT"/1234-11e8-alice-mmiotrace.tar.gz "$OUTPUT"/after-"$1"-"$3".tar.gz
}
stopped_by INT 130 600
stopped_by TERM 130 600
stopped_by TERM 0 0
rm -rf "$SESSIONS"
later signal_at_capture HUP 20
capture 0 0000:00:05.0 --duration 5
assert_restored
