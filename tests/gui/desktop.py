# SPDX-License-Identifier: GPL-2.0-or-later
"""A screen, and the window on it, driven through AT-SPI and keys as a person would. See README.md.

What is learnt about GTK 4.8: libatspi's cache is fed by the main loop, so that each look turns it; labels, rows and check
buttons have no action and are reached by keys; all pages of a stack are "visible", so that the title tells the page.
"""

import os
import pathlib
import re
import subprocess
import time
import unittest
import warnings

warnings.simplefilter("ignore", DeprecationWarning)

import gi  # noqa: E402

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

ROLE, STATE = Atspi.Role, Atspi.StateType
LIMIT_SEC = int(os.environ.get("MTW_LIMIT_SEC", "60"))
POLL_SEC = 0.03
SETTLE_SEC = 0.4
WORK = pathlib.Path(os.environ["MTW_FAKE_MACHINE"])
PICTURES = pathlib.Path(os.environ["MTW_PICTURES"])
PROGRAM = pathlib.Path(os.environ["MTW_PROGRAM_DIR"]) / "src/mmiotrace-wizard-gtk"

# What a person presses or types into: each must have a name.
CONTROLS = {ROLE.PUSH_BUTTON, ROLE.TOGGLE_BUTTON, ROLE.CHECK_BOX, ROLE.RADIO_BUTTON, ROLE.ENTRY, ROLE.TEXT, ROLE.LIST, ROLE.LIST_ITEM,
            ROLE.PASSWORD_TEXT, ROLE.PROGRESS_BAR}
COMPLAINT = re.compile(r"WARNING|CRITICAL|AddressSanitizer|runtime error")
MNEMONIC = re.compile(r"(^|\s)_\w")


def turn():
    while GLib.MainContext.default().iteration(False):
        pass


def wait_for(what, found):
    """Polls until @found returns something; a look at what just goes away is tried again."""
    end = time.monotonic() + LIMIT_SEC
    while True:
        turn()
        try:
            result = found()
        except GLib.Error:
            result = None
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(POLL_SEC)


def children(node):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def everything(node):
    yield node
    for child in children(node):
        yield from everything(child)


def has(node, state):
    return node.get_state_set().contains(state)


def find(root, name=None, role=None):
    for node in everything(root):
        if (name is None or node.get_name() == name) and (role is None or node.get_role() == role):
            return node
    return None


def control(command):
    """To the kernel of the fake machine."""
    with open(WORK / "gui-control", "w", encoding="utf-8") as pipe:
        pipe.write(command + "\n")


class Screen:
    """An X server of its own, with the settings that make pictures the same everywhere."""

    def __init__(self, width, height, font):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        os.environ.update(DISPLAY=self.name, GDK_BACKEND="x11", GSK_RENDERER="cairo", GSETTINGS_BACKEND="memory")
        os.environ.pop("GTK_THEME", None)
        config = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "gtk-4.0"
        config.mkdir(parents=True, exist_ok=True)
        (config / "settings.ini").write_text(f"[Settings]\ngtk-font-name={font}\ngtk-icon-theme-name=Adwaita\n"
                                             "gtk-enable-animations=0\n")

    def picture(self, name):
        time.sleep(SETTLE_SEC)
        turn()
        subprocess.run(["import", "-window", "root", PICTURES / f"{name}.png"], check=True)

    def close(self):
        self.server.terminate()
        self.server.wait()


class Window:
    """The running program."""

    def __init__(self, *arguments, theme=None, language=None, environment=None):
        variables = {**os.environ, **(environment or {})}
        if theme:
            variables["GTK_THEME"] = theme
        if language:
            variables.update(self.locale(language))
        self.process = subprocess.Popen([PROGRAM, *arguments], env=variables, stderr=subprocess.PIPE, text=True)
        self.application = wait_for("the application", self.find_application)
        self.window = wait_for("the window", lambda: next((node for node in children(self.application)), None))

    @staticmethod
    def locale(name):
        """One that this machine need not have."""
        folder = pathlib.Path(os.environ["HOME"]) / "locales"
        folder.mkdir(exist_ok=True)
        if not (folder / name).exists():
            subprocess.run(["localedef", "-i", name.partition(".")[0], "-f", "UTF-8", folder / name], check=True)
        return {"LOCPATH": str(folder), "LANG": name, "LC_ALL": name, "LANGUAGE": name.partition("_")[0]}

    def find_application(self):
        for node in children(Atspi.get_desktop(0)):
            if node.get_process_id() == self.process.pid:
                return node
        return None

    # ---- looking

    def title(self):
        return self.window.get_name().split(" – ")[0]

    def page(self):
        title = {"Packing": "Sending"}.get(self.title(), self.title())
        return next(node for node in everything(self.window) if node.get_name() == title and node.get_role() in (ROLE.PANEL, ROLE.FILLER))

    def wait_step(self, title):
        wait_for(f"the page {title}", lambda: self.title() == title)

    def text(self):
        """All that is said on the page and below it."""
        return "\n".join(node.get_name() for node in everything(self.window) if node.get_role() == ROLE.LABEL)

    def wait_text(self, text):
        wait_for(f"the text {text!r}", lambda: text in self.text())

    def button(self, name):
        for node in everything(self.window):
            if node.get_role() == ROLE.PUSH_BUTTON and node.get_name() == name and has(node, STATE.VISIBLE):
                return node
        return None

    def can(self, name):
        node = self.button(name)
        return node is not None and has(node, STATE.SENSITIVE)

    def focused(self):
        for node in everything(self.window):
            if has(node, STATE.FOCUSED):
                return node
        return None

    def dialog(self):
        """The second window of the program."""
        windows = [node for node in children(self.application) if node != self.window]
        return windows[0] if windows else None

    # ---- doing

    def press(self, name):
        """A button, when it can be pressed."""
        wait_for(f"the button {name}", lambda: self.can(name))
        self.button(name).do_action(0)

    def answers(self):
        """The buttons that answer what is open."""
        names = ("No", "Continue", "Go On All the Same", "Start the Capture", "I Agree", "Stop the Capture", "Try Again", "Finish")
        return [name for name in names if self.can(name)]

    def wait_answerable(self):
        return wait_for("a question", self.answers)

    def go_on(self):
        """The answer that changes least, until the question is another one."""
        name = self.wait_answerable()[0]
        before = (self.title(), self.text())
        self.press(name)
        wait_for(f"what comes after {name!r} on {before}", lambda: (self.title(), self.text()) != before)

    def press_until(self, name, title):
        self.wait_step(title)
        wait_for(f"the button {name}", lambda: self.can(name))

    def choose_row(self, name, beginning):
        """A row of a list, by its interface: GTK 4.8 has no action on rows."""
        rows = find(self.window, name)
        index = next(number for number, row in enumerate(children(rows)) if row.get_name().startswith(beginning))
        Atspi.Selection.select_child(rows, index)
        turn()

    @staticmethod
    def key(*names):
        """Keys as xdotool calls them: Return, Tab, ctrl+a."""
        subprocess.run(["xdotool", "key", *names], check=True)
        turn()

    @staticmethod
    def type(text):
        subprocess.run(["xdotool", "type", text], check=True)
        turn()

    def fill(self, name, text):
        entry = wait_for(f"the field {name}", lambda: find(self.window, name))
        Atspi.EditableText.set_text_contents(entry, text)

    def nameless(self):
        """Controls without a real name: GTK falls back on its class, or keeps the underscore of a mnemonic."""
        bad = []
        for node in everything(self.window):
            name = node.get_name()
            if node.get_role() in CONTROLS and (not name or name.startswith("Gtk") or MNEMONIC.search(name)):
                bad.append(f"{node.get_role_name()} {name!r}")
        return bad

    def close(self):
        """What is left of it. Returns: what it complained of"""
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.communicate()[1]


CARD, NIC = "0000:00:02.0", "0000:00:03.0"


class WindowTest(unittest.TestCase):
    """One screen for a class, a fresh kernel for each test; the window is closed and must not have complained."""

    theme = None
    language = None
    size = (1000, 760)
    font = "DejaVu Sans 10"
    # What GTK itself says, and what is not about this program.
    harmless = ("unable to send notifications", "Unable to acquire session bus", "Failed to set fd limit")

    @classmethod
    def setUpClass(cls):
        cls.screen = Screen(*cls.size, cls.font)

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def setUp(self):
        control("reset")
        self.windows = []
        wait_for("the kernel", lambda: self.kernel_written() == "")

    def tearDown(self):
        complaints = [line for window in self.windows for line in window.close().splitlines()
                      if COMPLAINT.search(line) and not any(word in line for word in self.harmless)]
        wait_for("the capture's end", lambda: "mmiotrace" not in self.tracer())
        self.assertEqual(complaints, [])

    def open(self, *arguments, **options):
        window = Window(*arguments, theme=self.theme, language=self.language, **options)
        self.windows.append(window)
        return window

    def picture(self, name):
        self.screen.picture(f"{self.id().split('.')[-2].lower()}-{name}")

    # ---- the machine

    @staticmethod
    def kernel_written():
        return (WORK / "gui-written").read_text()

    @staticmethod
    def tracer():
        return (WORK / "gui-tracer").read_text()

    # ---- ways

    def to_capture(self, window):
        window.wait_step("Welcome")
        while window.title() != "Capture":
            window.go_on()
        self.wait_driver(window)

    def wait_driver(self, window):
        window.wait_text("The driver is up.")

    def to_review(self, window):
        self.to_capture(window)
        window.press("Stop the Capture")
        wait_for("the end", lambda: window.title() != "Capture")
        while window.title() != "Review":
            window.go_on()
        wait_for("the files", lambda: window.can("Show What Was Masked"))

    def walk(self, window, device):
        """All pages, one after the other: yields each title when its page is complete."""
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        yield "Welcome"
        window.press("Continue")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        yield "Device"
        for title in ("Checks", "Preparation"):
            while window.title() != title:
                window.go_on()
            window.wait_answerable()
            yield title
        window.press("Start the Capture")
        self.wait_driver(window)
        for count in (200, 900, 500):
            control(f"access {count}")
            time.sleep(1.1)
        window.fill("What you do now", "video starts")
        window.press("Set Marker")
        window.wait_text("video starts")
        yield "Capture"
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_answerable()
        yield "Verdict"
        window.press("Continue")
        window.wait_step("Description")
        window.wait_answerable()
        yield "Description"
        while window.title() != "Review":
            window.go_on()
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        yield "Review"
        window.press("Continue")
        window.press("I Agree")
        window.wait_step("Sending")
        window.wait_answerable()
        yield "Sending"
        window.press("Continue")
        window.wait_step("Done")
        wait_for("the end", lambda: window.can("Finish"))
        yield "Done"
