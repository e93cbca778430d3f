# SPDX-License-Identifier: GPL-2.0-or-later
# title: under sudo the report is sent by the person: every connection, as the server sees it
# qemu: -device edu,addr=0x5

# As much of Redmine as is needed, which writes down whose socket each request came from.
ifconfig lo 127.0.0.1 up
mkdir -p /tmp/www/cgi-bin
cat >/tmp/www/cgi-bin/redmine <<'CGI'
#!/bin/busybox sh
port=$(printf ':%04X' "$REMOTE_PORT")
uid=$(awk -v port="$port" 'index($2, port) == length($2) - 4 { print $8 }' /proc/net/tcp)
echo "$REQUEST_METHOD $PATH_INFO uid $uid key ${HTTP_X_REDMINE_API_KEY:-none}" >>/tmp/requests
status="200 OK" answer='{"issues":[],"total_count":0}'
case "$REQUEST_METHOD $PATH_INFO" in
"GET /users/current.json") answer='{"user":{"id":1,"login":"alice"}}' ;;
"POST /uploads.json")
	head -c "$CONTENT_LENGTH" >/tmp/upload
	status="201 Created" answer='{"upload":{"id":1,"token":"1.0123456789abcdef"}}'
	;;
"POST /issues.json")
	head -c "$CONTENT_LENGTH" >/tmp/issue
	status="201 Created" answer='{"issue":{"id":7}}'
	;;
esac
printf 'HTTP/1.0 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' "$status" "${#answer}" "$answer"
CGI
chmod 755 /tmp/www/cgi-bin/redmine
httpd -p 127.0.0.1:8080 -h /tmp/www

# A target of the person, in the person's home.
mkdir -p /tmp/.config/mmiotrace-wizard/targets.d
cat >/tmp/.config/mmiotrace-wizard/targets.d/here.conf <<'CONF'
[Target]
Version=1
Name=A tracker in this machine
Kind=redmine
URL=http://127.0.0.1:8080/cgi-bin/redmine
Project=drm
Visibility=public
CONF
chown -R alice /tmp/.config
mkdir -p "$OUTPUT"
chown alice "$OUTPUT"

export SUDO_UID=1000 SUDO_GID=1000 SUDO_USER=alice
# Nobody agreed: found before anything is changed.
run_wizard 2 --batch --device 0000:00:05.0 --nick alice --target here --json
# No such target of the person.
capture 2 0000:00:05.0 --duration 1 --target there --consent-upload
[ ! -e "$SESSIONS" ] || [ -z "$(ls "$SESSIONS")" ] || fail "a capture was made for a target that is not there"

export MMIOTRACE_WIZARD_TOKEN_HERE=secret-key
capture 0 0000:00:05.0 --duration 1 --target here --consent-upload
grep -q '"event":"sent","url":"http://127.0.0.1:8080/cgi-bin/redmine/issues/7"' "$OUT" || fail "no receipt"
cat /tmp/requests
grep -q ' uid 1000 ' /tmp/requests || fail "no request came"
! grep -v ' uid 1000 ' /tmp/requests || fail "a request came from another user than the person"
grep -q 'POST /uploads.json .* key secret-key$' /tmp/requests || fail "the token of the environment was not used"
cmp /tmp/upload "$OUTPUT"/*.tar.gz || fail "the archive did not arrive"
session_has state.json '"sent"' || fail "the session has no receipt"
queue=/tmp/.local/state/mmiotrace-wizard/queue
[ "$(stat -c '%u %a' $queue)" = "1000 700" ] || fail "the queue: $(stat -c '%u %a' $queue)"
! grep -rq secret-key $queue "$SESSIONS" /share/run-* || fail "the token was written down"

# The verbs: root is given up before anything is opened, and what was sent is known.
run_wizard 0 queue --json
grep -q '"state":"done"' "$OUT" || fail "the person's queue"
before=$(wc -l </tmp/requests)
run_wizard 0 upload "$(ls "$OUTPUT"/*.tar.gz)" --target here --consent-upload --json
grep -q '"event":"duplicate"' "$OUT" || fail "it was sent twice"
! grep -v ' uid 1000 ' /tmp/requests || fail "upload asked as another user"
[ "$(tail -n +$((before + 1)) /tmp/requests | grep -c POST)" = 0 ] || fail "upload sent something"
cp "$OUTPUT"/*.tar.gz /tmp/root-only.tar.gz
chmod 600 /tmp/root-only.tar.gz
run_wizard 4 upload /tmp/root-only.tar.gz --target here --consent-upload --json
