# SPDX-License-Identifier: GPL-2.0-or-later
# title: exercise commands: output and status into the report, words split without a shell
# qemu: -device edu,addr=0x5

snapshot before
run_wizard 2 --batch --device 0000:00:05.0 --nick alice --output "$OUTPUT" --exercise "/no/such/program"
grep -q /no/such/program "$ERR" || fail "the program that does not exist is not named"
assert_restored
capture 0 0000:00:05.0 --exercise "echo 'one  word' \$HOME; echo two" --exercise "sh -c 'echo complaint >&2; exit 3'"
assert_restored
