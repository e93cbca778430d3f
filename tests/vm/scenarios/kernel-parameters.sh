# SPDX-License-Identifier: GPL-2.0-or-later
# title: mmiotrace.trace_pc=1 on the command line: told, and the trace is good
# qemu: -device edu,addr=0x5
# append: mmiotrace.trace_pc=1

run_wizard 0 check --device 0000:00:05.0
assert_output "$OUT" trace_pc
snapshot before
capture 0 0000:00:05.0 --duration 1
assert_restored
