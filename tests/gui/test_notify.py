# SPDX-License-Identifier: GPL-2.0-or-later
"""Notifications of the desktop, for a person who looks elsewhere: with a desktop of the test's own, also one that never answers."""

import ctypes
import http.server
import os
import threading
import time
import unittest

from desktop import HOME, LIMIT_SEC, NIC, POLL_SEC, STATE, WindowTest, control, has, patient, press, wait_for

from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
INTERFACE = f"""<node><interface name='{NAME}'>
  <method name='GetCapabilities'><arg type='as' direction='out'/></method>
  <method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/><arg type='s' direction='out'/>
    <arg type='s' direction='out'/></method>
  <method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>
    <arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='as' direction='in'/><arg type='a{{sv}}' direction='in'/>
    <arg type='i' direction='in'/><arg type='u' direction='out'/></method>
  <method name='CloseNotification'><arg type='u' direction='in'/></method>
  <signal name='ActionInvoked'><arg type='u'/><arg type='s'/></signal>
  <signal name='NotificationClosed'><arg type='u'/><arg type='u'/></signal>
</interface></node>"""
TARGETS = HOME / ".config/mmiotrace-wizard/targets.d"
SETTINGS = HOME / ".config/mmiotrace-wizard/settings.conf"


class Note:
    """As the desktop got it."""

    def __init__(self, number, arguments):
        _program, self.replaces, _icon, self.title, self.text, self.actions, self.hints, _msec = arguments
        self.number = number


class Daemon:
    """Shows notifications to nobody."""

    def __init__(self, abilities, answers):
        self.abilities, self.answers = abilities, answers
        self.notes, self.closed, self.calls = [], [], []
        self.bus, self.over = None, False
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        wait_for("the desktop's notifications", lambda: self.bus)

    def serve(self):
        context = GLib.MainContext.new()
        context.push_thread_default()
        bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
        bus.register_object(PATH, node.interfaces[0], self.call, None, None)
        bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                      GLib.Variant("(su)", (NAME, 4)), None, Gio.DBusCallFlags.NONE, -1, None)
        self.bus = bus
        while not self.over:
            context.iteration(False)
            time.sleep(POLL_SEC)
        bus.close_sync(None)

    def call(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        self.calls.append(method)
        if not self.answers:
            return
        invocation.return_value(getattr(self, method)(*arguments.unpack()))

    # ---- the methods

    def GetCapabilities(self):
        return GLib.Variant("(as)", (self.abilities,))

    @staticmethod
    def GetServerInformation():
        return GLib.Variant("(ssss)", ("test", "test", "1", "1.2"))

    def Notify(self, *arguments):
        note = Note(arguments[1] or len(self.notes) + 1, arguments)
        self.notes.append(note)
        return GLib.Variant("(u)", (note.number,))

    def CloseNotification(self, number):
        self.closed.append(number)
        self.bus.emit_signal(None, PATH, NAME, "NotificationClosed", GLib.Variant("(uu)", (number, 3)))

    # ---- for the tests

    def wait_note(self, title):
        return wait_for(f"the notification {title!r}", lambda: next((note for note in self.notes if note.title == title), None))

    def press(self, note, action):
        self.bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (note.number, action)))

    def titles(self):
        return [note.title for note in self.notes]

    def end(self):
        self.over = True
        self.thread.join()


def look_elsewhere():
    """No window has the keyboard any more."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XSetInputFocus(display, 0, 0, 0)
    x11.XSync(display, 0)
    x11.XCloseDisplay(display)


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes every file."""

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments):
        pass


class Notify(WindowTest):
    STOPPED, LOST = "The capture has ended", "Events are being lost"

    def desktop(self, abilities=("body", "actions"), answers=True):
        daemon = Daemon(list(abilities), answers)
        self.addCleanup(daemon.end)
        return daemon

    @staticmethod
    @patient
    def is_active(window):
        return has(window.window, STATE.ACTIVE)

    def go_away(self, window):
        look_elsewhere()
        wait_for("the window to be left", lambda: not self.is_active(window))

    def stop(self, window):
        window.press("Stop the Capture")
        wait_for("the end", lambda: window.title() != "Capture")

    def close_window(self, window):
        """Without a capture: one question at most. All that was to be shown before has been handed to the desktop then."""
        press(window.window, "Close")
        dialog = wait_for("the question", window.dialog)
        press(dialog, "Close")
        self.assertEqual(window.process.wait(LIMIT_SEC), 0)

    # ---- the capture

    def test_stopped(self):
        """Tells the verdict; “Show” brings the window to the front; the end of the program takes it back."""
        daemon = self.desktop()
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        self.stop(window)
        note = daemon.wait_note(self.STOPPED)
        self.assertIn("The trace is complete.", note.text)
        self.assertEqual(note.actions, ["default", "Show", "show", "Show"])
        self.assertEqual(note.hints["desktop-entry"], "org.mmiotrace.Wizard")
        self.assertFalse(self.is_active(window))
        daemon.press(note, "show")
        wait_for("the window to be in front", lambda: self.is_active(window))
        self.close_window(window)
        self.assertEqual(daemon.closed, [note.number])

    def test_lost(self):
        """Once for a loss, not every second; what comes next takes its place."""
        daemon = self.desktop()
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        control("service STOP")
        control("access 60000")
        control("service CONT")
        lost = daemon.wait_note(self.LOST)
        window.wait_text("events are lost")
        self.assertEqual(lost.actions, ["default", "Show", "show", "Show"])
        self.stop(window)
        stopped = daemon.wait_note(self.STOPPED)
        self.assertEqual(stopped.replaces, lost.number)
        self.assertEqual(daemon.titles(), [self.LOST, self.STOPPED])

    def test_active(self):
        """Who looks at the window needs none."""
        daemon = self.desktop()
        window = self.open("--device", NIC)
        self.to_capture(window)
        wait_for("the window to be active", lambda: self.is_active(window))
        self.stop(window)
        window.wait_step("Verdict")
        self.close_window(window)
        self.assertEqual(daemon.calls, [])

    def test_switched_off(self):
        daemon = self.desktop()
        SETTINGS.parent.mkdir(parents=True)
        SETTINGS.write_text("[Window]\nNotifications=false\n")
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        self.stop(window)
        window.wait_step("Verdict")
        self.close_window(window)
        self.assertEqual(daemon.notes, [])

    def test_no_actions(self):
        """A desktop that has no buttons gets none."""
        daemon = self.desktop(abilities=["body"])
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        self.stop(window)
        self.assertEqual(daemon.wait_note(self.STOPPED).actions, [])

    def test_never_answers(self):
        """The window goes on and closes while the desktop hangs: before libnotify gives up its first call."""
        daemon = self.desktop(answers=False)
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        self.stop(window)
        wait_for("the first call", lambda: daemon.calls)
        window.wait_step("Verdict")
        window.press("Continue")
        window.wait_step("Description")
        self.close_window(window)
        self.assertEqual(len(daemon.calls), 1)

    def test_none_there(self):
        """Without any of it the walk is the same."""
        window = self.open("--device", NIC)
        self.to_capture(window)
        self.go_away(window)
        self.stop(window)
        window.wait_step("Verdict")
        self.close_window(window)

    # ---- the report

    def send(self, url):
        """Up to the consent; nobody looks. Returns: the window"""
        TARGETS.mkdir(parents=True)
        (TARGETS / "lab.conf").write_text(f"[Target]\nVersion=1\nName=Lab\nKind=put\nURL={url}\nAuth=none\n[Network]\nRetries=0\n"
                                          "ConnectTimeout=2\n")
        SETTINGS.write_text("[Send]\nTarget=lab\n")
        window = self.open("--device", NIC)
        self.to_review(window)
        self.pack(window)
        window.press("Continue")
        wait_for("the preview", lambda: window.button("Send Now"))
        window.key("alt+a")
        wait_for("the consent", lambda: window.can("Send Now"))
        self.go_away(window)
        window.press("Send Now")
        return window

    @staticmethod
    def put_browser():
        """Notes what it is to open."""
        opened, program = HOME / "opened", HOME / "browser"
        opened.unlink(missing_ok=True)
        program.write_text(f'#!/bin/sh\nprintf %s "$1" >"{opened}.new"\nmv "{opened}.new" "{opened}"\n')
        program.chmod(0o755)
        folder = HOME / ".local/share/applications"
        folder.mkdir(parents=True)
        (folder / "browser.desktop").write_text(f"[Desktop Entry]\nType=Application\nName=Browser\nExec={program} %u\n"
                                                "MimeType=x-scheme-handler/http;\n")
        (folder / "mimeapps.list").write_text("[Default Applications]\nx-scheme-handler/http=browser.desktop\n")
        return opened

    def test_sent(self):
        """“Open the Report” opens its address; the markup of a desktop that has some does not get into it."""
        daemon = self.desktop(abilities=["body", "body-markup", "actions"])
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        opened = self.put_browser()
        url = f"http://127.0.0.1:{server.server_port}/a&b"
        self.send(url)
        note = daemon.wait_note("The report was sent")
        self.assertTrue(note.text.startswith(url.replace("&", "&amp;")), note.text)
        self.assertEqual(note.actions, ["default", "Show", "show", "Show", "open", "Open the Report"])
        daemon.press(note, "open")
        wait_for("the browser", opened.exists)
        self.assertTrue(opened.read_text().startswith(url), opened.read_text())

    def test_not_sent(self):
        """Nobody listens: it waits, and there is nothing to open."""
        daemon = self.desktop()
        self.send("http://127.0.0.1:1/in")
        note = daemon.wait_note("The report is not sent yet")
        self.assertIn("127.0.0.1", note.text)
        self.assertEqual(note.actions, ["default", "Show", "show", "Show"])


if __name__ == "__main__":
    unittest.main()
