# SPDX-License-Identifier: GPL-2.0-or-later
# title: after a kill -9 the next capture says so and does not make it worse
# qemu: -device edu,addr=0x5

echo "options mtwtest mode=keep" >/etc/modprobe.d/mtwtest.conf
snapshot before
later signal_at_capture KILL 50
capture 137 0000:00:05.0 --duration 0
capture '*' 0000:00:05.0 --duration 1
run_wizard 0 recover
assert_restored
