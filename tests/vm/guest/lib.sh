# SPDX-License-Identifier: GPL-2.0-or-later
# What scenarios are written with. Starting a process is slow here (emulated CPU): prefer one grep over a loop.

TRACING=/sys/kernel/tracing
SESSIONS=/var/lib/mmiotrace-wizard/sessions
OUTPUT=/tmp/archives # where run_wizard lets the program put archives; copied to the host
RUNS=0               # how often the program was run

# The kmod one: busybox's makes the kernel complain about compressed modules.
modprobe() {
	/usr/sbin/modprobe "$@"
}

# ---- result ----------------------------------------------------------------------------------------------------------

fail() {
	echo "fail: $*" >/share/result
	echo "FAIL: $*"
	exit 1
}

# Called when the scenario's shell ends; a command that failed without a word ends it too (set -e).
scenario_ended() {
	copy_out
	[ -e /share/result ] && return
	if [ "$1" = 0 ]; then
		echo pass >/share/result
	else
		echo "fail: a command of the scenario returned $1 (the console has the rest)" >/share/result
	fi
}

copy_out() {
	[ -d "$OUTPUT" ] && cp -r "$OUTPUT" /share/ && OUTPUT=/nowhere
	return 0
}

keep_sessions() {
	[ -d "$SESSIONS" ] && mkdir -p "/share/sessions-$BOOT" && cp -r "$SESSIONS/." "/share/sessions-$BOOT/"
	return 0
}

# ---- the state of the machine ----------------------------------------------------------------------------------------

# All that a capture changes, as text. A buffer that was never used has 7 KB on each CPU, and the file of all CPUs says
# "7 (expanded: 1408)": what the first use makes of it, which cannot be taken back. 1408 is rounded up to 1410.
machine_state() {
	unused=$(sed -n 's/^\(.*\) (expanded: .*)/\1/p' $TRACING/buffer_size_kb 2>/dev/null) || unused=none
	grep -H . $TRACING/current_tracer $TRACING/tracing_on $TRACING/trace_clock $TRACING/options/overwrite \
		$TRACING/per_cpu/cpu*/buffer_size_kb 2>/dev/null |
		sed "s/buffer_size_kb:${unused:-none}\$/buffer_size_kb:1410/; s/buffer_size_kb:1408/buffer_size_kb:1410/"
	grep -H . /sys/devices/system/cpu/online
	cut -d' ' -f1-4 /proc/mounts
	ls -ld /sys/bus/pci/devices/*/driver | sed 's,.* /sys,/sys,'
	grep -H . /sys/bus/pci/devices/*/driver_override /sys/class/vtconsole/*/bind 2>/dev/null
	cut -d' ' -f1 /proc/modules | sort
}

snapshot() {
	machine_state >"/tmp/state-$1"
}

# assert_restored [NAME]: the machine is as it was at `snapshot NAME` (before).
assert_restored() {
	snapshot now
	diff "/tmp/state-${1:-before}" /tmp/state-now >/share/state-diff.txt ||
		fail "the machine is not as before: $(grep '^[<>]' /share/state-diff.txt | head -3 | tr '\n' ' ')"
}

# bound_to BDF: the name of the device's driver, or "none".
bound_to() {
	if [ -e "/sys/bus/pci/devices/$1/driver" ]; then
		basename "$(readlink "/sys/bus/pci/devices/$1/driver")"
	else
		echo none
	fi
}

assert_bound() {
	[ "$(bound_to "$1")" = "$2" ] || fail "$1 is bound to $(bound_to "$1"), not $2"
}

# ---- the program -----------------------------------------------------------------------------------------------------

# run_wizard STATUS ARGUMENTS...: runs the program, which must end with STATUS (a pattern, as of `case`). Its output: $OUT, $ERR (also on the host).
run_wizard() {
	expected=$1
	shift
	RUNS=$((RUNS + 1))
	OUT=/share/run-$BOOT-$RUNS.out ERR=/share/run-$BOOT-$RUNS.err
	echo "+ mmiotrace-wizard $*"
	status=0
	mmiotrace-wizard "$@" >"$OUT" 2>"$ERR" </dev/null || status=$?
	echo "+ status $status"
	echo "$status" >/share/run-"$BOOT"-$RUNS.status
	# shellcheck disable=SC2254 # a pattern is wanted
	case $status in $expected) return ;; esac
	tail -n 15 "$OUT" "$ERR"
	fail "mmiotrace-wizard $1 ended with $status, not $expected: $(grep -v '^ *$' "$ERR" | tail -n 1)"
}

# capture STATUS BDF ARGUMENTS...: an unattended capture.
capture() {
	capture_status=$1 capture_device=$2
	shift 2
	run_wizard "$capture_status" --batch --device "$capture_device" --nick alice --output $OUTPUT --json "$@"
}

# The newest session's folder.
session() {
	ls -d $SESSIONS/*/ 2>/dev/null | tail -n 1
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
	wait_limit=$1
	shift
	wait_started=$(date +%s)
	until "$@"; do
		[ $(($(date +%s) - wait_started)) -lt "$wait_limit" ] || return 1
		sleep 0.2
	done
}

# session_has FILE TEXT: a session has TEXT in FILE.
session_has() {
	grep -qs "$2" $SESSIONS/*/"$1"
}

# traced LINES: that many lines of trace are in a session.
traced() {
	cat $SESSIONS/*/trace* 2>/dev/null | head -c $(($1 * 40)) | wc -c | grep -q "^$(($1 * 40))$"
}

# later COMMAND...: runs it beside what follows; its failure is the scenario's, and ends the program.
later() {
	("$@" || {
		echo "fail: $* (beside the program)" >/share/result
		killall -9 mmiotrace-wizard
	}) &
}

# signal_at_capture SIGNAL LINES: when that many lines are traced, sends the signal to the program.
signal_at_capture() {
	wait_for 120 traced "$2" || return 1
	echo "+ kill -$1"
	kill "-$1" "$(pidof mmiotrace-wizard)"
}

# ---- the program on a terminal -----------------------------------------------------------------------------------------

# walk ARGUMENTS...: starts the program on a terminal of its own (telnetd makes one); then `see` and `answer` in turn.
walk() {
	SCREEN=/share/screen.txt SEEN=0
	rm -f /tmp/walk-status
	ip link set lo up
	printf '#!/bin/sh\nmmiotrace-wizard %s\necho $? >/tmp/walk-status\n' "$*" >/tmp/walk.sh
	chmod +x /tmp/walk.sh
	mkfifo /tmp/keys
	telnetd -b 127.0.0.1 -p 2323 -l /tmp/walk.sh
	nc 127.0.0.1 2323 </tmp/keys >"$SCREEN" &
	exec 3>/tmp/keys
}

on_screen() {
	tail -c +$((SEEN + 1)) "$SCREEN" | grep -qi -e "$1"
}

# see PATTERN: waits until it is on the screen, after all that was there at the last answer.
see() {
	wait_for 90 on_screen "$1" || {
		tail -n 15 "$SCREEN"
		fail "not on the screen: $1"
	}
}

answer() {
	SEEN=$(wc -c <"$SCREEN")
	echo "$1" >&3
}

# walked STATUS: the program ended, with that status.
walked() {
	wait_for 90 [ -e /tmp/walk-status ] || fail "the program did not end"
	[ "$(cat /tmp/walk-status)" = "$1" ] || fail "status $(cat /tmp/walk-status), not $1"
	exec 3>&-
}

# ---- the program's traces ------------------------------------------------------------------------------------------------

assert_output() {
	grep -q -e "$2" "$1" || {
		tail -n 15 "$1"
		fail "$(basename "$1") does not have: $2"
	}
}

# ---- the machine -----------------------------------------------------------------------------------------------------

# mount_disk FOLDER: the scenario's disk (`# disk:`), which survives a power cut.
mount_disk() {
	modprobe -a virtio_blk ext4
	mkdir -p "$1"
	mount -t ext4 /dev/vda "$1"
}

# The host ends the virtual machine here, as a power cut does, and starts it again ($BOOT counts).
power_cut() {
	keep_sessions
	echo "VM-POWER-CUT" >/dev/console
	sleep 600
}
