# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# title: the picture of the walk in the README
# qemu: -device e1000,addr=0x4
#
# Made anew with:
#   tests/vm/run-vm --kernel 6.1 --keep --results build/pictures data/pictures/walk.sh
#   data/pictures/render build/pictures/walk-6.1/share/screen.txt --columns 104 --from Preparation --to Session \
#       | rsvg-convert | pngquant - >data/pictures/walk.png

modprobe e1000
snapshot before
export TERM=xterm
walk
see "save your work"
answer yes
see "Which device"
answer 1
see "Make these changes"
answer yes
see "driver is up"
sleep 1
ip link set eth0 up
answer "eth0 goes up"
see "marker: eth0"
sleep 2
ip link set eth0 down
answer ""
see "nickname"
answer alice
see "did you see"
answer "No cable was plugged in. I switched eth0 on and off again."
answer ""
see "ok to go on"
answer ok
see "Do you agree"
answer yes
see "Session:"
walked 0
assert_restored
