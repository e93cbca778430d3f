# SPDX-License-Identifier: GPL-2.0-or-later
# title: a locked-down kernel: status 3 with a sentence that helps
# kernels: 6.1 6.12
# qemu: -device e1000,addr=0x4
# append: lockdown=confidentiality

snapshot before
capture 3 0000:00:04.0 --duration 1
assert_restored
grep -hqi 'lockdown\|locked down' "$OUT" "$ERR" || fail "lockdown is not named"
run_wizard 3 check --device 0000:00:04.0
grep -hqi 'lockdown\|locked down' "$OUT" "$ERR" || fail "check does not name lockdown"
