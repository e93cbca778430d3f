# SPDX-License-Identifier: GPL-2.0-or-later
# title: an HDA sound card: accesses of 1, 2 and 4 bytes, a chain of modules loaded and unloaded
# qemu: -audiodev none,id=a -device intel-hda,addr=0x4 -device hda-duplex,audiodev=a

snapshot before
capture 0 0000:00:04.0 --duration 3
assert_restored
