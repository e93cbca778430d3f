#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# title: a step switches the traced network card on: udev's name for it and its address come back all the same
# ssh: 0x10

has_address() {
	ip -4 -brief address show dev ens16 2>/dev/null | grep -q 10.0.2.15
}

cat >/tmp/steps.conf <<-'EOT'
	[Step up]
	Marker=interface up
	Say=The network interface is switched on.
	Command=ip link set {interface} up
	[Step traffic]
	Marker=traffic
	Say=Wait.
	Wait=8
EOT
# A rename that comes late, as on a machine that tracing made slow: an interface that is up already cannot be renamed.
mkdir -p /run/udev/rules.d
echo 'SUBSYSTEM=="net", ACTION=="add", PROGRAM="/bin/sleep 2"' >/run/udev/rules.d/10-late.rules
udevadm control --reload
wait_for 120 has_address || fail "no address at first"
snapshot before
capture 0 0000:00:10.0 --scenario /tmp/steps.conf
assert_restored
wait_for 60 has_address || fail "the network is gone: $(ip -brief address | tr -s ' ' | tr '\n' ';')"
