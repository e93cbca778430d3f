# SPDX-License-Identifier: GPL-2.0-or-later
# title: the guided walk on a terminal: questions, markers by hand, Enter stops, review, the archive
# kernels: 6.1 6.12
# qemu: -device e1000,addr=0x4

hostname tellme
snapshot before
mkdir -p "$OUTPUT"
walk --output "$OUTPUT" --profile generic
see "save your work"
answer ""
see "Which device"
answer 0000:00:04.0
see "There are warnings"
answer yes
see "Make these changes"
grep -q "Switch it back to nop" "$SCREEN" || fail "how the changes are undone is not said"
answer yes
see "driver is up"
answer "first thing done"
see "marker: first thing done"
ip link set eth0 up
ip link set eth0 down
answer "second thing done"
see "marker: second thing done"
answer ""
see "nickname"
answer "bob the builder"
see "Which driver was traced"
answer ""
see "What was connected"
answer "One card in Potsdam."
answer "Nothing else."
answer ""
see "ok to go on"
answer "diff system.txt"
see "changed (as collected"
answer "exclude interrupts.txt"
see "left out"
answer "word Potsdam"
see "ok to go on"
answer "nonsense"
see "none of the commands"
answer "ok"
see "Do you agree"
answer yes
see "Packed: "
see "Where shall it go"
answer file
see "This is saved"
see "manifest.json"
walked 0
assert_restored
