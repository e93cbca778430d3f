# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures of every page, to be looked at: light, dark, high contrast, right to left, German, Korean, narrow, with large text. And what of it can be
judged by a program."""

import os
import subprocess
import threading
import time
import unittest

import desktop
from desktop import PICTURES, WindowTest, translate, wait_for

from gi.repository import Gio, GLib


class Looks(WindowTest):
    def all_pages(self):
        window = self.open()
        window.resize(*self.size)
        for title in self.walk(window):
            self.picture(title.lower())
        # No page wants more room.
        self.assertEqual(window.size(), self.size)


class Light(Looks):
    def test_pages(self):
        self.all_pages()


class Dark(Looks):
    theme = "Default:dark"

    def test_pages(self):
        self.all_pages()


class HighContrast(Looks):
    theme = "Default-hc"

    def test_pages(self):
        self.all_pages()


class RightToLeft(Looks):
    """GTK's own catalogue says the direction."""

    language = "he_IL.UTF-8"

    def test_pages(self):
        self.all_pages()
        # Of the list of steps the current one is bluish; it stands on the right side now.
        self.assertGreater(self.blueness("180x30+800+65"), self.blueness("180x30+20+65") + 0.03)

    @staticmethod
    def blueness(place):
        return float(subprocess.run(["convert", PICTURES / "righttoleft-welcome.png", "-crop", place, "-format", "%[fx:mean.b-mean.r]", "info:"],
                                    stdout=subprocess.PIPE, text=True, check=True).stdout)


class German(Looks):
    """With our own catalogue, as far as it goes."""

    language = "de_DE.UTF-8"

    def test_pages(self):
        self.all_pages()
        window = self.windows[0]
        for english in ("Finish", "This computer is as it was before."):
            self.assertNotEqual(translate(english), english)
            self.assertIn(translate(english), window.text())
            self.assertNotIn(english, window.text())


class Korean(German):
    language = "ko_KR.UTF-8"


class Narrow(Looks):
    """As on a telephone: the list of the steps makes room."""

    size = (400, 700)

    def test_pages(self):
        self.all_pages()


class LargeText(Looks):
    size = (800, 600)
    font = "DejaVu Sans 15"

    def test_pages(self):
        self.all_pages()


class Portal(WindowTest):
    """The desktop says dark, and later light."""

    INTERFACE = """<node><interface name='org.freedesktop.portal.Settings'>
      <method name='Read'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='v' direction='out'/></method>
      <signal name='SettingChanged'><arg type='s'/><arg type='s'/><arg type='v'/></signal></interface></node>"""

    def serve(self):
        """In a thread: the test waits for the window meanwhile."""
        context = GLib.MainContext.new()
        context.push_thread_default()
        bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        node = Gio.DBusNodeInfo.new_for_xml(self.INTERFACE)

        def call(_bus, _sender, _path, _interface, _method, _arguments, invocation):
            invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", GLib.Variant("u", 1)),)))
        bus.register_object("/org/freedesktop/portal/desktop", node.interfaces[0], call, None, None)
        Gio.bus_own_name_on_connection(bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)
        self.bus = bus
        while not self.over:
            context.iteration(False)
            time.sleep(desktop.POLL_SEC)

    def brightness(self):
        self.picture("portal")
        text = subprocess.run(["convert", PICTURES / "portal-portal.png", "-crop", "600x400+250+100", "-colorspace", "Gray", "-format",
                               "%[fx:mean]", "info:"], stdout=subprocess.PIPE, text=True, check=True).stdout
        return float(text)

    def test_follows(self):
        self.over, self.bus = False, None
        thread = threading.Thread(target=self.serve)
        thread.start()
        try:
            wait_for("the portal", lambda: self.bus)
            window = self.open()
            window.wait_step("Welcome")
            wait_for("a dark window", lambda: self.brightness() < 0.4)
            self.bus.emit_signal(None, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "SettingChanged",
                                 GLib.Variant("(ssv)", ("org.freedesktop.appearance", "color-scheme", GLib.Variant("u", 2))))
            wait_for("a light window", lambda: self.brightness() > 0.6)
        finally:
            self.over = True
            thread.join()


if __name__ == "__main__":
    unittest.main()
