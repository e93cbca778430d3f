# SPDX-License-Identifier: GPL-2.0-or-later
# title: exercise commands: output and status into the report, words split without a shell
# qemu: -device edu,addr=0x5

snapshot before
capture 0 0000:00:05.0 --exercise "echo 'one  word' \$HOME; echo two" --exercise "sh -c 'echo complaint >&2; exit 3'" \
	--exercise "/no/such/program"
assert_restored
