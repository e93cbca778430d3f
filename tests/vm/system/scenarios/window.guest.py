# SPDX-License-Identifier: GPL-2.0-or-later
"""The person of the scenario `window`, in their session in the guest: walks from Welcome to Done.

    window.guest.py DEVICE      # DISPLAY, and MTW_ROOM: the folder where Xvfb has its picture and pictures are put

tests/gui drives the window through libatspi, which asks for each widget alone. With an emulated processor one look takes
10 s so; here a look is one call for all that the program says of itself.
"""

import collections
import os
import pathlib
import shutil
import subprocess
import sys
import time

from gi.repository import Gio, GLib

ROOM = pathlib.Path(os.environ["MTW_ROOM"])
PROGRAM = "mmiotrace-wizard-gtk"
MARKER = "the interface comes up"
# Those that lead on, from page to page; the capture is stopped in its own time.
MAIN = ("No", "Continue", "Go On All the Same", "Start the Capture", "I Agree", "Save Instead")
LIMIT_SEC = 300
POLL_SEC = 0.5
# Between the press of a button by a program and what it does, GTK shows it pressed for 0.25 s.
PRESS_SEC = 0.5
# As the specification of AT-SPI counts them.
BUTTON, LABEL, FRAME = 43, 29, 23
SELECTED, SENSITIVE, VISIBLE = 23, 24, 30
ROOT = "/org/a11y/atspi/accessible/root"
ATSPI = "org.a11y.atspi."
STARTED = time.monotonic()

Node = collections.namedtuple("Node", "path parent index children interfaces name role states")


def say(text):
    print(f"{time.monotonic() - STARTED:6.1f} {text}", flush=True)


def wait_for(what, found):
    """Polls until @found returns something; a look at what is not there yet, or just goes away, is tried again."""
    end = time.monotonic() + LIMIT_SEC
    while True:
        try:
            result = found()
        except GLib.Error:
            result = None
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(POLL_SEC)


def picture(name):
    """What is on the screen, for `convert xwd:NAME.xwd NAME.png`."""
    shutil.copy(ROOM / "Xvfb_screen0", ROOM / f"{name}.xwd")


def interface_of(device):
    return next(pathlib.Path(f"/sys/bus/pci/devices/{device}/net").iterdir()).name


def accessibility_bus():
    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address, = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None).unpack()
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address, flags, None, None)


class Window:
    """The running program."""

    def __init__(self):
        self.bus = accessibility_bus()
        self.process = subprocess.Popen([PROGRAM])
        self.name = wait_for("the window on the bus", self.find_name)

    def call(self, path, interface, method, arguments=None, name=None):
        answer = self.bus.call_sync(name or self.name, path, interface, method, arguments, None, 0, LIMIT_SEC * 1000, None)
        return answer.unpack()

    def bus_call(self, method, arguments=None):
        return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", method, arguments, "org.freedesktop.DBus")[0]

    def find_name(self):
        for name in self.bus_call("ListNames"):
            if self.bus_call("GetConnectionUnixProcessID", GLib.Variant("(s)", (name,))) == self.process.pid:
                return name
        return None

    # ---- looking

    def items(self):
        items = self.call("/org/a11y/atspi/cache", ATSPI + "Cache", "GetItems")[0]
        return {item[0][1]: Node(item[0][1], item[2][1], *item[3:7], item[7], item[9]) for item in items}

    def look(self):
        """All widgets that there are. The program tells of those only that somebody has once asked for."""
        nodes = self.items()
        known = collections.Counter(node.parent for node in nodes.values())
        # One of the root's is itself.
        fuller = [node.path for node in nodes.values() if node.children > known[node.path] - (node.path == ROOT)]
        new = sum([self.ask_for_children(path, nodes) for path in fuller])
        return list((self.items() if new else nodes).values())

    def ask_for_children(self, path, known):
        """And for theirs. Returns: how many of them are new"""
        try:
            children, = self.call(path, ATSPI + "Accessible", "GetChildren")
        except GLib.Error:  # gone meanwhile
            return 0
        new = [child[1] for child in children if child[1] not in known]
        for child in new:
            self.ask_for_children(child, known)
        return len(new)

    @staticmethod
    def has(node, *states):
        return all(node.states[state // 32] >> state % 32 & 1 for state in states)

    def find(self, name, interface="Accessible"):
        return next((node for node in self.look() if node.name == name and ATSPI + interface in node.interfaces), None)

    @staticmethod
    def title_in(nodes):
        return next((node.name.split(" – ")[0] for node in nodes if node.role == FRAME and " – " in node.name), "")

    def title(self):
        return self.title_in(self.look())

    def texts(self):
        return [node.name for node in self.look() if node.role == LABEL]

    def wait_text(self, text):
        wait_for(f"the text {text!r}", lambda: any(text in said for said in self.texts()))

    # ---- doing

    def pressable(self, nodes):
        """The page's title, and the buttons that can be pressed there."""
        return self.title_in(nodes), {node.name: node.path for node in nodes
                                      if node.role == BUTTON and self.has(node, VISIBLE, SENSITIVE)}

    def try_to_press(self, buttons, names):
        """The first of them that is there. Returns: its name, or None"""
        name = next((name for name in names if name in buttons), None)
        if name:
            self.call(buttons[name], ATSPI + "Action", "DoAction", GLib.Variant("(i)", (0,)))
            say(name)
            time.sleep(PRESS_SEC)
        return name

    def press(self, name):
        wait_for(f"the button {name}", lambda: self.try_to_press(self.pressable(self.look())[1], [name]))

    def has_come(self, title):
        """Presses what leads on, if the page is not there yet. The other page must stand still: with looks as slow as these
        what was seen is often not what would be pressed."""
        seen = self.pressable(self.look())
        if seen[0] != title and self.pressable(self.look()) == seen:
            self.try_to_press(seen[1], MAIN)
        return seen[0] == title

    def go_on(self, title):
        """Presses what leads on, until the page of that title is there."""
        wait_for(f"the page {title}", lambda: self.has_come(title))
        say(f"the page {title}")

    def fill(self, name, text):
        entry = wait_for(f"the field {name}", lambda: self.find(name, "EditableText"))
        self.call(entry.path, ATSPI + "EditableText", "SetTextContents", GLib.Variant("(s)", (text,)))

    def choose(self, name, part):
        """In the list of that name the row that has @part in its text."""
        rows = wait_for(f"the list {name}", lambda: self.find(name, "Selection"))

        def row():
            return next((node for node in self.look() if node.parent == rows.path and part in node.name), None)

        index = wait_for(part, row).index
        self.call(rows.path, ATSPI + "Selection", "SelectChild", GLib.Variant("(i)", (index,)))
        wait_for(f"{part} to be chosen", lambda: self.has(row(), SELECTED))
        say(f"chosen: {part}")


def capture(window, device):
    window.wait_text("The driver is up.")
    say("the driver is up")
    window.fill("What you do now", MARKER)
    window.press("Set Marker")
    window.wait_text(MARKER)
    say("the marker is set")
    interface = interface_of(device)
    for state in "down", "up":
        subprocess.run(["sudo", "ip", "link", "set", interface, state], check=True)
    say("the interface is up")
    picture("capture")
    window.press("Stop the Capture")


def walk(window, device):
    window.go_on("Device")
    window.choose("Devices", device)
    window.go_on("Capture")
    capture(window, device)
    wait_for("the verdict", lambda: window.title() == "Verdict")
    window.wait_text("The trace is complete.")
    window.go_on("Done")
    window.wait_text("This computer is as it was before.")
    picture("done")
    window.press("Finish")
    status = window.process.wait(LIMIT_SEC)
    if status:
        raise AssertionError(f"the window ended with {status}")


def main():
    settings = pathlib.Path.home() / ".config/gtk-4.0/settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[Settings]\ngtk-font-name=DejaVu Sans 10\ngtk-icon-theme-name=Adwaita\ngtk-enable-animations=0\n")
    os.environ.update(GDK_BACKEND="x11", GDK_DEBUG="gl-disable", GSK_RENDERER="cairo", GSETTINGS_BACKEND="memory")
    window = Window()
    try:
        walk(window, sys.argv[1])
    except (AssertionError, GLib.Error, subprocess.SubprocessError) as error:
        picture("failed")
        print("\n".join(window.texts()))
        sys.exit(f"on the page {window.title()}: {error}")
    finally:
        window.process.terminate()


main()
