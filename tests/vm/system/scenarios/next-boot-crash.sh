#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: the computer dies while it traces at its start: the start after that is as usual, the trace is there as far as it came
# ssh: 0x10
# boots: 3
# timeout: 900

CONF=/etc/modprobe.d/mmiotrace-wizard-next-boot.conf

has_network() {
	ip -4 addr show dev ens16 | grep -q 'inet 10\.0\.2\.15/'
}

# Tells the host in the middle of the second start, before the driver is up.
put_cutter() {
	cat >/etc/systemd/system/cutter.service <<-EOT
		[Unit]
		DefaultDependencies=no
		After=local-fs.target
		ConditionPathExists=$CONF
		[Service]
		Type=exec
		ExecStart=/usr/local/sbin/cutter
		[Install]
		WantedBy=sysinit.target
	EOT
	cat >/usr/local/sbin/cutter <<-'EOT'
		#!/bin/bash
		mkdir -p /share
		mount -t 9p -o trans=virtio,version=9p2000.L,cache=none share /share
		until cat /var/lib/mmiotrace-wizard/sessions/*/trace-1.txt 2>/dev/null | head -n 2000 | grep -q '^W 4'; do
			sleep 0.1
		done
		sleep 3
		ls /etc/modprobe.d >/share/modprobe.d-at-cut
		: >/share/power-cut-2
		sleep 600
	EOT
	chmod +x /usr/local/sbin/cutter
	systemctl --quiet enable cutter.service
}

boot_1() {
	put_cutter
	run_wizard 0 --batch --json --next-boot --device 0000:00:10.0 --duration 600
	[ -e "$CONF" ] || fail "no wish was written down"
	reboot_machine
}

boot_2() {
	sleep 600
}

boot_3() {
	grep -q "EXT4-fs (vda): recovery complete" <(dmesg) || fail "the file system was not cut off"
	! grep -q mmiotrace /share/modprobe.d-at-cut || fail "the file was not removed before the capture"
	[ ! -e "$CONF" ] || fail "the file is still there"
	assert_bound 0000:00:10.0 e1000
	wait_for 60 has_network || fail "no network"
	[ "$(cat "$TRACING"/current_tracer)" = nop ] || fail "the tracer is on"
	broken=$(systemctl --failed --plain --no-legend)
	[ -z "$broken" ] || fail "not all units came up: $broken"
	run_wizard 0 sessions
	assert_output "$OUT" 'recovered *0000:00:10.0'
	run_wizard 0 pack --nick alice --output "$OUTPUT" "$(basename "$(session)")"
}
