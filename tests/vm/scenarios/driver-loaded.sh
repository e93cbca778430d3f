# SPDX-License-Identifier: GPL-2.0-or-later
# title: a driver that is loaded already: unloaded, loaded under the tracer, left loaded
# qemu: -device e1000,addr=0x4

modprobe e1000
assert_bound 0000:00:04.0 e1000
snapshot before
capture 0 0000:00:04.0 --exercise "sh -c 'ip link set eth0 up; ip link set eth0 down'"
assert_restored
