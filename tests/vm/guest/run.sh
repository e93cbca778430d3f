# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the scenario and leaves its result on the share: "pass", or "fail: why".

cd /tmp || exit 1
. /share/env.sh
. /share/lib.sh

(
	set -eu
	trap 'scenario_ended $?' EXIT
	. /share/scenario.sh
) 2>&1

dmesg >"/share/dmesg-$BOOT.txt"
keep_sessions
