# SPDX-License-Identifier: GPL-2.0-or-later
# title: a driver that is part of the kernel: the device is unbound and bound again
# kernels: 6.1 6.12
# qemu: -device pcie-root-port,id=rp0,chassis=1,addr=0x4

assert_bound 0000:00:04.0 pcieport
snapshot before
capture 0 0000:00:04.0 --duration 1
assert_restored
