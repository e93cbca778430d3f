#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What scenarios on the whole system have besides ../guest/lib.sh.

# ---- result ----------------------------------------------------------------------------------------------------------

# A boot that is not the last one has to end by power_cut or reboot_machine.
boot_ended() {
	if [ "$1" = 0 ] && [ "$BOOT" -lt "$BOOTS" ]; then
		[ -e "/share/reboot-$BOOT" ] || echo "fail: boot $BOOT ended by itself" >/share/result
		return
	fi
	scenario_ended "$1"
}

keep_logs() {
	dmesg >"/share/dmesg-$BOOT.txt"
	journalctl --no-pager --output=short-monotonic >"/share/journal-$BOOT.txt"
	keep_sessions
}

# ---- the host's side (NAME.host.py) ----------------------------------------------------------------------------------

tell_host() {
	: >"/share/$1"
}

# hear_host NAME [SECONDS]: waits until the host's side tells it.
hear_host() {
	wait_for "${2:-300}" heard "$1" || fail "nothing heard from the host: $1"
}

heard() {
	[ ! -e /share/host-failed ] || fail "the host's side failed"
	[ -e "/share/$1" ]
}

# ---- the state of the machine ----------------------------------------------------------------------------------------

# Of a person's session come and go: their mounts, their units. What ended well or waits is not a state.
system_state() {
	machine_state | grep -v ' /run/user/'
	systemctl list-units --type=service,socket,mount,timer --state=active,failed --plain --no-legend |
		awk '$1 !~ /^(user@|user-runtime-dir@|run-user-|local-session@|mtw-as-)/ && $4 != "exited" { print $1, $3, $4 }'
}

snapshot() {
	udevadm settle
	system_state >"/tmp/state-$1"
}

assert_active() {
	systemctl --quiet is-active "$1" || fail "$1 is not active: $(systemctl is-active "$1")"
}

# ---- people ------------------------------------------------------------------------------------------------------------

# log_in USER: a local session on the console, as of a person who sits there; it stays until log_out.
log_in() {
	mkfifo -m 600 "/run/mtw-session-$1"
	chown "$1" "/run/mtw-session-$1"
	systemctl start "local-session@$1"
}

log_out() {
	systemctl stop "local-session@$1"
	rm -f "/run/mtw-session-$1"
}

# in_session USER COMMAND...: the command in the user's local session; its output and status are the command's.
in_session() {
	local user=$1 job
	shift
	start_in_session "$user" "$@"
	finish_in_session "$JOB"
}

# start_in_session USER COMMAND...: does not wait; $JOB is its folder (out, err, and status when it has ended).
start_in_session() {
	local user=$1
	shift
	JOB=$(mktemp -d /tmp/job-XXXXXX)
	printf '%q ' exec "$@" >"$JOB/run"
	chown -R "$user" "$JOB"
	echo "$JOB" >"/run/mtw-session-$user"
}

# finish_in_session JOB [SECONDS]: waits for the end, shows the output.
finish_in_session() {
	local job=$1
	wait_for "${2:-300}" [ -e "$job/status" ] || fail "not ended in the session: $(cat "$job/run")"
	cat "$job/out"
	cat "$job/err" >&2
	return "$(cat "$job/status")"
}

# desktop_of USER: the display manager's X server runs in a session of that user, as those of GDM do: logind opens the card.
desktop_of() {
	mkdir -p /run/systemd/system/display-manager.service.d
	cat >/run/systemd/system/display-manager.service.d/session.conf <<-EOT
		[Service]
		User=$1
		PAMName=login
		TTYPath=/dev/tty1
		TTYReset=yes
		StandardInput=tty
		StandardOutput=journal
		StandardError=journal
		Environment=XDG_SEAT=seat0 XDG_VTNR=1 XDG_SESSION_TYPE=x11 XDG_SESSION_CLASS=user
		ExecStart=
		ExecStart=/usr/bin/Xorg :0 vt1 -keeptty -nolisten tcp -noreset
	EOT
	systemctl daemon-reload
}

# as USER COMMAND...: without any session, as a cron job would.
as() {
	local user=$1
	shift
	setpriv --reuid="$user" --regid="$user" --init-groups env -i HOME="/home/$user" USER="$user" PATH=/usr/bin:/bin "$@"
}

# allow USER ACTION...: an administrator's rule lets that user do it without a password.
allow() {
	local user=$1 action
	shift
	for action; do
		echo "polkit.addRule(function(a, s) { if (a.id == 'org.mmiotrace.wizard.$action' && s.user == '$user') return 'yes'; });"
	done >>/etc/polkit-1/rules.d/10-test.rules
	chmod 644 /etc/polkit-1/rules.d/10-test.rules
}

# wizard_as USER STATUS ARGUMENTS...: run_wizard as that user, and so through the service. Archives are to go to $OUTPUT.
wizard_as() {
	local user=$1
	shift
	install -d -o "$user" "$OUTPUT"
	mmiotrace-wizard() {
		as "$user" /usr/bin/mmiotrace-wizard "$@"
	}
	run_wizard "$@"
	unset -f mmiotrace-wizard
}

# The service is there, and all that the bus starts with it: a state to come back to.
start_service() {
	wizard_as "$1" 0 check
	assert_active mmiotrace-wizardd
}

# ---- the machine -------------------------------------------------------------------------------------------------------

# The host ends the virtual machine here, as a power cut does, and starts it again ($BOOT counts).
power_cut() {
	keep_logs
	tell_host "power-cut-$BOOT"
	sleep 600
}

# An orderly end, and the next boot.
reboot_machine() {
	keep_logs
	tell_host "reboot-$BOOT"
	systemctl --no-block reboot
	exit 0
}
