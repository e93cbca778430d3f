# SPDX-License-Identifier: GPL-2.0-or-later
# title: a scenario from a file and answers from a file, unattended: its steps' commands and markers
# qemu: -device e1000,addr=0x4

cat >/tmp/steps.conf <<'EOF'
[Step up]
MarkerBegin=link goes up
Marker=link is up
Say=Set the link up.
Command=ip link set eth0 up
[Step by-hand]
Marker=seen by a person
Say=Look at the lamp of the socket.
Wait=user
[Step pause]
Marker=one second later
Say=Wait a second.
Wait=1
[Step down]
Marker=link is down
Say=Set the link down.
Command=ip link set eth0 down
EOF
cat >/tmp/answers.conf <<'EOF'
[Answers]
story=Made by a file of answers.
agree=yes
EOF
snapshot before
capture 0 0000:00:04.0 --scenario /tmp/steps.conf --answers /tmp/answers.conf
assert_restored
echo "prepare=no" >>/tmp/answers.conf
run_wizard 4 --batch --device 0000:00:04.0 --nick alice --output "$OUTPUT" --answers /tmp/answers.conf
assert_restored
