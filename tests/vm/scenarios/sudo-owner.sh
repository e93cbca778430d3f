# SPDX-License-Identifier: GPL-2.0-or-later
# title: under sudo the result belongs to the person
# qemu: -device edu,addr=0x5

mkdir -p "$OUTPUT"
chown alice "$OUTPUT"
export SUDO_UID=1000 SUDO_GID=1000 SUDO_USER=alice
capture 0 0000:00:05.0 --duration 1
owner=$(stat -c %u "$OUTPUT"/*.tar.gz)
[ "$owner" = 1000 ] || fail "the archive belongs to user $owner"
[ "$(stat -c %u "$SESSIONS")" = 0 ] || fail "the sessions are not root's"
