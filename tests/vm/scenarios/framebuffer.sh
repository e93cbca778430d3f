# SPDX-License-Identifier: GPL-2.0-or-later
# title: a framebuffer console floods the trace in one burst: the default buffer holds it
# qemu: -device bochs-display,addr=0x4
# memory: 1536
# timeout: 600

snapshot before
capture 0 0000:00:04.0 --duration 1
assert_restored
