# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# title: the pictures of the walk in the README
# qemu: -device e1000,addr=0x4
#
# `./dev screenshots` makes them anew.

modprobe e1000
hostname tellme
snapshot before
export TERM=xterm
walk --profile generic
see "save your work"
answer yes
see "Which device"
answer 1
see "There are warnings"
answer yes
see "Make these changes"
answer yes
see "driver is up"
sleep 1
ip link set eth0 up
answer "eth0 goes up"
see "marker: eth0"
sleep 2
ip link set eth0 down
answer "eth0 goes down"
see "marker: eth0 goes down"
sleep 2
answer ""
see "nickname"
answer alice
see "Which driver was traced"
answer ""
see "What was connected"
answer "No cable was plugged in. I switched eth0 on and off again, in Potsdam."
answer ""
see "ok to go on"
answer "word Potsdam"
see "ok to go on"
answer "diff description.txt"
see "ok to go on"
answer ok
see "Do you agree"
answer yes
see "Where shall it go"
answer ""
see "Session:"
walked 0
assert_restored
