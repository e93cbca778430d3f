# SPDX-License-Identifier: GPL-2.0-or-later
# title: the walk with the profile of network cards: its steps, one done, one left out, one before its turn
# qemu: -device e1000,addr=0x4

snapshot before
mkdir -p "$OUTPUT"
walk --output "$OUTPUT"
see "save your work"
answer ""
see "Which device"
answer 1
see "can hold the address of this card"
see "There are warnings"
answer yes
see "Make these changes"
answer yes
see "may be done in another order"
see "Step 3 of 5"
answer "loading a page"
see "marker: loading a page"
answer 4
see "Step 4 of 5"
answer s
see "Step 3 of 5"
answer n
see "Step 5 of 5"
see "All steps are done"
answer ""
see "nickname"
answer alice
see "Which driver"
answer ""
see "other end"
answer "a virtual hub"
see "What did you do"
answer "What the program asked for."
answer ""
see "ok to go on"
answer ok
see "Do you agree"
answer no
see "Packed: "
see "Where shall it go"
answer never
see "Nothing was sent; the archive is saved"
walked 0
grep -q '^Ask=never' /root/.config/mmiotrace-wizard/settings.conf || fail "never is not remembered"
assert_restored
