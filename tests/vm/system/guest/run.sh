#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs one boot of the scenario and leaves its result on the share: "pass", or "fail: why".

. /share/env.sh
. /share/lib.sh
. /share/system.sh
cd /tmp || exit 1
export LC_ALL=C.UTF-8 SYSTEMD_PAGER='' SYSTEMD_COLORS=0

(
	set -eu
	trap 'boot_ended $?' EXIT
	. /share/scenario.sh
	if declare -F "boot_$BOOT" >/dev/null; then
		"boot_$BOOT"
	fi
)
keep_logs
