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
map=$(find /root /tmp /var -name redact-map.json)
[ "$(stat -c '%u %a' "$map")" = "1000 600" ] || fail "the map of masked values: $map $(stat -c '%u %a' "$map")"
[ "$(stat -c %u "$(dirname "$map")")" = 1000 ] || fail "the report does not belong to the person"
# The person cannot look into root's sessions, but root packs them again for the person.
id=$(basename "$SESSIONS"/*)
run_wizard 0 pack "$id" --nick alice --output "$OUTPUT" --json
[ "$(stat -c %u "$OUTPUT"/1234-11e8-alice-mmiotrace-2.tar.gz)" = 1000 ] || fail "the second archive"
