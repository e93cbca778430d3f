# SPDX-License-Identifier: GPL-2.0-or-later
# title: mmiotrace.nommiotrace=1 on the command line: status 3, and why
# qemu: -device edu,addr=0x5
# append: mmiotrace.nommiotrace=1

snapshot before
capture 3 0000:00:05.0 --duration 1
assert_restored
grep -hq nommiotrace "$OUT" "$ERR" || fail "the reason is not named"
