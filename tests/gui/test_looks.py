# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures of every page, to be looked at: light, dark, high contrast, right to left, German, Korean, narrow, with large text. And what of it can be
judged by a program."""

import os
import pathlib
import re
import subprocess
import threading
import time
import unittest

import desktop
from desktop import PICTURES, PROGRAM, WindowTest, translate, wait_for

from gi.repository import Gio, GLib

# Of the window, in pixels.
NARROW = 720


class Looks(WindowTest):
    def all_pages(self):
        window = self.open()
        window.resize(*self.size)
        for title in self.walk(window):
            self.picture(title.lower())
        # Without the list of the steps something else tells the place.
        self.assertEqual(translate("Step %u of %u") % (11, 11) in window.text(), self.size[0] < NARROW)
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


class Telephone(Looks):
    """The least width that AppStream tells, in a language of long words."""

    size = (360, 640)
    language = "de_DE.UTF-8"

    def test_pages(self):
        self.all_pages()


class LargeText(Looks):
    size = (800, 600)
    font = "DejaVu Sans 15"

    def test_pages(self):
        self.all_pages()


class HighResolution(Looks):
    """Two pixels for one."""

    size = (1800, 1360)

    def setUp(self):
        super().setUp()
        os.environ["GDK_SCALE"] = "2"
        self.addCleanup(os.environ.pop, "GDK_SCALE")

    def test_pages(self):
        self.all_pages()


def rgb(text):
    named = {"white": "ffffff", "black": "000000"}
    digits = named.get(text, text.lstrip("#"))
    return [int(digits[at:at + 2], 16) for at in (0, 2, 4)]


def mixed(one, other, share):
    return [a + (b - a) * share for a, b in zip(one, other)]


def luminance(colour):
    """As WCAG 2 has it, as is the contrast."""
    parts = [part / 255 / 12.92 if part / 255 <= 0.03928 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


class Contrast(unittest.TestCase):
    """Our style on the colours of GTK's own theme, in its four looks."""

    STYLE = (pathlib.Path(__file__).resolve().parents[2] / "src/gui/style.css").read_text(encoding="utf-8")
    TEXT, ICON = 4.5, 3
    LOOKS = ("light", "dark", "hc", "hc-dark")

    @staticmethod
    def colours(look):
        library = re.search(r"libgtk-4\S* => (\S+)", subprocess.run(["ldd", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout)[1]
        theme = subprocess.run(["gresource", "extract", library, f"/org/gtk/libgtk/theme/Default/Default-{look}.css"],
                               stdout=subprocess.PIPE, text=True, check=True).stdout
        return {name: rgb(value) for name, value in re.findall(r"@define-color (\w+) (#\w{6}|white|black);", theme)}

    def opacity(self, selector):
        return float(re.search(rf"^{re.escape(selector)} {{ opacity: ([\d.]+); }}", self.STYLE, re.M)[1])

    def enough(self, look, what, colour, ground, least):
        with self.subTest(look=look, what=what):
            self.assertGreaterEqual(contrast(colour, ground), least)

    def test_text(self):
        """Of less weight: on the page, in a list, on the row that is chosen."""
        for look in self.LOOKS:
            colours = self.colours(look)
            page, base = colours["theme_bg_color"], colours["theme_base_color"]
            self.enough(look, "page", mixed(page, colours["theme_fg_color"], self.opacity(".dim-label")), page, self.TEXT)
            for selector in ("list.boxed > row .dim-label", "list.boxed > row.dim-label", "entry > text > placeholder"):
                self.enough(look, selector, mixed(base, colours["theme_text_color"], self.opacity(selector)), base, self.TEXT)
            share = float(re.search(r"row:selected {.*mix\(@theme_selected_bg_color, black, ([\d.]+)\)", self.STYLE)[1])
            self.enough(look, "chosen", colours["theme_selected_fg_color"], mixed(colours["theme_selected_bg_color"], rgb("black"), share),
                        self.TEXT)

    def test_icons(self):
        found = re.findall(r"@define-color (mtw_\w+) mix\(@(\w+), @(\w+), ([\d.]+)\);", self.STYLE)
        self.assertEqual(len(found), 3)
        for look in self.LOOKS:
            colours = self.colours(look)
            for name, one, other, share in found:
                for ground in ("theme_bg_color", "theme_base_color"):
                    self.enough(look, f"{name} on {ground}", mixed(colours[one], colours[other], float(share)), colours[ground], self.ICON)


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
