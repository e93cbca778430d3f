# SPDX-License-Identifier: GPL-2.0-or-later
# title: markers with control characters, newlines, 4 KB, emoji: no forged line, nothing broken
# kernels: 6.1 6.12
# qemu: -device edu,addr=0x5

newline='
'
long=$(printf '%4096s' '' | tr ' ' x)
umlauts=$(printf '%600s' '' | sed 's/ /ä/g')
snapshot before
capture 0 0000:00:05.0 --duration 1 \
	--mark "plain text" --mark "two${newline}W 4 1.000000 1 0xdead 0xbeef 0x0 0" --mark "esc$(printf '\033[31m\007')red" \
	--mark "emoji 🎉 done" --mark "$long" --mark "$umlauts"
assert_restored
