# SPDX-License-Identifier: GPL-2.0-or-later
# title: two devices on one driver, both in use: the other one is not touched
# qemu: -device e1000,addr=0x4 -device e1000,addr=0x6

modprobe e1000
ip link set eth0 name other
ip link set other up
snapshot before
grep -H . /sys/class/net/other/ifindex /sys/class/net/other/flags >/tmp/other-before
capture 0 0000:00:06.0 --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
grep -H . /sys/class/net/other/ifindex /sys/class/net/other/flags >/tmp/other-after
diff /tmp/other-before /tmp/other-after || fail "the other card was touched"
readlink /sys/class/net/other/device | grep -q 00:04.0 || fail "this test's own mistake: wrong card"
