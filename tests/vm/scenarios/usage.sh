# SPDX-License-Identifier: GPL-2.0-or-later
# title: what cannot be is said at once: status 2, nothing changed
# qemu: -device edu,addr=0x5

snapshot before
run_wizard 2 --batch
run_wizard 2 --batch --device nonsense --nick alice
run_wizard 2 --no-such-option
run_wizard '[1-3]' --batch --device 0000:00:1f.7 --nick alice
run_wizard '[1-3]' verify /no/such/file
assert_restored
