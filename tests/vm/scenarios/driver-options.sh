# SPDX-License-Identifier: GPL-2.0-or-later
# title: a profile's driver options and hint: for the traced load only, told in the report, never left behind
# qemu: -device e1000,addr=0x4

mkdir -p /etc/mmiotrace-wizard/profiles
cat >/etc/mmiotrace-wizard/profiles/options.conf <<'EOF'
[Profile]
Title=A project that wants options
DriverOptions=copybreak=128
Collectors=default;vbios
[Match]
Vendor=8086
Device=100e
Class=0200
[Hint debug]
Vendor=8086
Say=Without its debug messages this driver shows little.
Options=debug=16
TellWith=Made with debug messages on.
TellWithout=Made with debug messages off.
EOF
cat >/tmp/answers.conf <<'EOF'
[Answers]
driver-options=yes
hint-debug=yes
consent-vbios=yes
EOF
modprobe e1000
[ "$(cat /sys/module/e1000/parameters/copybreak)" = 256 ] || fail "another default than expected"
snapshot before
capture 0 0000:00:04.0 --duration 1 --answers /tmp/answers.conf
assert_restored
[ "$(cat /sys/module/e1000/parameters/copybreak)" = 256 ] || fail "the option was left behind"
grep -q "Without its debug messages" "$OUT" || fail "the hint was not shown"
# Silence is the harmless answer.
capture 0 0000:00:04.0 --duration 1
assert_restored
