# SPDX-License-Identifier: GPL-2.0-or-later
"""One connection to the system bus, for one user: reads calls as lines of JSON, prints an answer each. See harness.Client."""

import base64
import json
import os
import sys

from gi.repository import Gio, GLib

NAME, PATH, INTERFACE = "org.mmiotrace.Wizard1", "/org/mmiotrace/Wizard1", "org.mmiotrace.Wizard1.Manager"
PROPERTIES = "org.freedesktop.DBus.Properties"


def content_of(fds):
    """Of the files that came along, the first bytes; their descriptors end here."""
    contents = []
    for fd in fds.steal_fds() if fds else []:
        contents.append(base64.b64encode(os.read(fd, 1 << 20)).decode())
        os.close(fd)
    return contents


def plain(value):
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def arguments(request):
    values = [base64.b64decode(value["base64"]) if isinstance(value, dict) else value for value in request["arguments"]]
    return GLib.Variant(request["signature"], tuple(values))


def call(bus, request):
    interface = request.get("interface", INTERFACE)
    flags = Gio.DBusCallFlags.ALLOW_INTERACTIVE_AUTHORIZATION if request.get("interactive") else Gio.DBusCallFlags.NONE
    reply, fds = bus.call_with_unix_fd_list_sync(NAME, PATH, interface, request["method"], arguments(request), None, flags,
                                                 request.get("limit", 60) * 1000, None, None)
    return {"values": plain(reply.unpack()), "files": content_of(fds)}


def post(bus, request):
    """The answer is not waited for."""
    message = Gio.DBusMessage.new_method_call(NAME, PATH, INTERFACE, request["method"])
    message.set_body(arguments(request))
    bus.send_message(message, Gio.DBusSendMessageFlags.NONE)
    bus.flush_sync()
    return {"values": [], "files": []}


def serve(bus, line):
    try:
        request = json.loads(line)
        return post(bus, request) if request.get("post") else call(bus, request)
    except GLib.Error as error:
        name = Gio.DBusError.get_remote_error(error) or f"{error.domain}:{error.code}"
        return {"error": name, "message": error.message.removeprefix(f"GDBus.Error:{name}: ")}


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
    print(json.dumps({"name": bus.get_unique_name()}), flush=True)
    for line in sys.stdin:
        print(json.dumps(serve(bus, line)), flush=True)


main()
