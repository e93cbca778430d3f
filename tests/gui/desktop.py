# SPDX-License-Identifier: GPL-2.0-or-later
"""A screen, and the window on it, driven through AT-SPI (tree.py) and keys as a person would. See README.md."""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from tree import (BUTTONS, CHOICES, LIMIT_SEC, POLL_SEC, ROLE, STATE, TITLE_SEPARATOR, TITLES, Atspi, children, everything, find,
                  find_button, has, nameless, patient, press, speak, texts, translate, turn, wait_for)

SETTLE_SEC = 0.4
MANY = 12
# More than there are questions on any way.
MANY_ANSWERS = 40
WORK = pathlib.Path(os.environ["MTW_FAKE_MACHINE"])
PICTURES = pathlib.Path(os.environ["MTW_PICTURES"])
HOME = pathlib.Path(os.environ["HOME"])
# Of earlier tests: captures, settings, the queue.
LEFT_BEHIND = (".local", ".cache", ".config/mmiotrace-wizard")
PROGRAM = pathlib.Path(os.environ["MTW_PROGRAM_DIR"]) / "src/mmiotrace-wizard-gtk"
COMPLAINT = re.compile(r"WARNING|CRITICAL|ERROR|AddressSanitizer|runtime error")


def control(command):
    """To the kernel of the fake machine."""
    with open(WORK / "gui-control", "w", encoding="utf-8") as pipe:
        pipe.write(command + "\n")


def shown(name):
    """What the machine shows (inside.py); "" before it does."""
    try:
        return (WORK / f"gui-{name}").read_text()
    except FileNotFoundError:
        return ""


def set_looks(font):
    """What makes pictures the same everywhere."""
    os.environ.update(GSK_RENDERER="cairo", GSETTINGS_BACKEND="memory")
    os.environ.pop("GTK_THEME", None)
    config = pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "gtk-4.0"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.ini").write_text(f"[Settings]\ngtk-font-name={font}\ngtk-icon-theme-name=Adwaita\n"
                                         "gtk-enable-animations=0\n")


class Screen:
    """An X server of its own."""

    def __init__(self, width, height, font):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        os.environ.update(DISPLAY=self.name, GDK_BACKEND="x11")
        set_looks(font)

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
        speak(language.partition("_")[0] if language else None)
        if theme:
            variables["GTK_THEME"] = theme
        if language:
            variables.update(self.locale(language))
        self.process = subprocess.Popen([PROGRAM, *arguments], env=variables, stderr=subprocess.PIPE, text=True)
        try:
            self.application = wait_for("the application", self.find_application)
            self.window = wait_for("the window", lambda: next((node for node in children(self.application)), None))
        except AssertionError:
            print(self.close(), file=sys.stderr)
            raise

    @staticmethod
    def locale(name):
        """One that this machine need not have."""
        folder = HOME / "locales"
        folder.mkdir(exist_ok=True)
        if not (folder / name).exists():
            subprocess.run(["localedef", "-i", name.partition(".")[0], "-f", "UTF-8", folder / name], check=True)
        return {"LOCPATH": str(folder), "LANG": name, "LC_ALL": name, "LANGUAGE": name.partition("_")[0]}

    @patient
    def find_application(self):
        for node in children(Atspi.get_desktop(0)):
            if node.get_process_id() == self.process.pid:
                return node
        return None

    # ---- looking

    @staticmethod
    def english(name):
        """The page's title in the name of a window, in English."""
        title = name.split(TITLE_SEPARATOR)[0]
        return next((english for english, local in TITLES.items() if local == title), title)

    @patient
    def title(self):
        """Of the page, in English."""
        return self.english(self.window.get_name())

    @contextlib.contextmanager
    def heard_titles(self):
        """All that a screen reader hears of the window's title meanwhile, in English."""
        titles = []

        def hear(event, _=None):
            if event.source == self.window:
                titles.append(self.english(event.any_data))
        listener = Atspi.EventListener.new(hear, None)
        listener.register("object:property-change:accessible-name")
        yield titles
        turn()
        listener.deregister("object:property-change:accessible-name")

    def wait_step(self, title):
        wait_for(f"the page {title}", lambda: self.title() == title)

    def text(self):
        """All that is said on the page and below it."""
        return texts(self.window)

    def wait_text(self, text):
        wait_for(f"the text {text!r}", lambda: translate(text) in self.text())

    def button(self, name):
        return find_button(self.window, name)

    @patient
    def can(self, name):
        node = self.button(name)
        return node is not None and has(node, STATE.SENSITIVE)

    @patient
    def focused(self):
        for node in everything(self.window):
            if has(node, STATE.FOCUSED):
                return node
        return None

    @patient
    def name_of_focus(self):
        node = self.focused()
        return "" if node is None else node.get_name()

    def dialog(self):
        """The second window of the program."""
        windows = [node for node in children(self.application) if node != self.window]
        return windows[0] if windows else None

    def nameless(self):
        return nameless(self.window)

    # ---- doing

    def press(self, name):
        press(self.window, name)

    def press_beginning(self, beginning):
        """The first button whose name begins so."""
        press(self.window, wait_for(f"the button {beginning}...", lambda: self.name_beginning(beginning)))

    @patient
    def name_beginning(self, beginning):
        names = (node.get_name() for node in everything(self.window) if node.get_role() in BUTTONS and has(node, STATE.VISIBLE))
        return next((name for name in names if name.startswith(beginning)), None)

    @patient
    def answers(self):
        """The buttons that answer what is open, the most harmless first."""
        names = ("No", "Continue", "Go On All the Same", "Start the Capture", "I Agree", "Stop the Capture", "Try Again", "Finish")
        there = {node.get_name() for node in everything(self.window)
                 if node.get_role() in BUTTONS and has(node, STATE.VISIBLE) and has(node, STATE.SENSITIVE)}
        return [name for name in names if translate(name) in there]

    def wait_answerable(self):
        return wait_for("a question", self.answers)

    def go_on(self):
        """The answer that changes least, until the question is another one."""
        name = self.wait_answerable()[0]
        before = (self.title(), self.text())
        self.press(name)
        wait_for(f"what comes after {name!r} on {before}", lambda: (self.title(), self.text()) != before)

    def go_on_until(self, title):
        """Answers what comes until that page is there."""
        for _ in range(MANY_ANSWERS):
            wait_for(f"a question, or {title}", lambda: self.answers() or self.title() == title)
            if self.title() == title:
                return
            self.go_on()
        raise AssertionError(f"after {MANY_ANSWERS} answers there is no {title}, but {self.title()}")

    @patient
    def choose_row(self, name, beginning):
        """A row of a list, by its interface: GTK 4.8 has no action on rows."""
        rows = wait_for(f"the list {name}", lambda: find(self.window, name))
        index = next(number for number, row in enumerate(children(rows)) if row.get_name().startswith(beginning))
        Atspi.Selection.select_child(rows, index)
        turn()

    @staticmethod
    def xdotool(*arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True, timeout=LIMIT_SEC).stdout

    def number(self):
        """That X has for it."""
        return self.xdotool("search", "--onlyvisible", "--name", "mmiotrace").split()[0]

    def size(self):
        geometry = dict(line.split("=") for line in self.xdotool("getwindowgeometry", "--shell", self.number()).split())
        return int(geometry["WIDTH"]), int(geometry["HEIGHT"])

    def resize(self, width, height):
        """There is no manager of windows that would."""
        self.wait_step("Welcome")

        def is_done():
            self.xdotool("windowsize", self.number(), width, height)
            return self.size() == (width, height)
        wait_for("the window's size", is_done)

    @staticmethod
    def key(*names):
        """Keys as xdotool calls them: Return, Tab, ctrl+a."""
        Window.xdotool("key", *names)
        turn()

    @staticmethod
    def type(text):
        Window.xdotool("type", text)
        turn()

    @patient
    def field(self, name):
        """Its label may have the same name."""
        for node in everything(self.window):
            if node.get_name() == translate(name) and "EditableText" in node.get_interfaces():
                return node
        return None

    def fill(self, name, text):
        entry = wait_for(f"the field {name}", lambda: self.field(name))
        Atspi.EditableText.set_text_contents(entry, text)

    def menu(self, name):
        """An entry of the menu. Returns: the window that it opens"""
        self.key("F10")
        entry = wait_for(f"the menu's {name}", lambda: find(self.window, name, ROLE.MENU_ITEM))
        entry.do_action(0)
        return wait_for(f"the window of {name}", self.dialog)

    def tab_to(self, name):
        """With the Tab key, as somebody without a mouse."""
        def there():
            if self.name_of_focus() == name:
                return True
            self.key("Tab")
            return False
        wait_for(f"the focus on {name}", there)

    def tick(self, name):
        """A check button: GTK 4.8 has no action on it."""
        self.tab_to(name)
        self.key("space")
        wait_for(f"the tick at {name}", lambda: has(find(self.window, name), STATE.CHECKED))

    @patient
    def chosen(self):
        """The names of all choices that are on."""
        return [node.get_name() for node in everything(self.window) if node.get_role() in CHOICES and has(node, STATE.CHECKED)]

    def choose(self, text):
        """Of a list of choices that has the focus, the one with @text in its name."""
        self.key(*["Up"] * MANY)
        while not any(text in name for name in self.chosen()):
            before = self.chosen()
            self.key("Down")
            wait_for(f"a choice after {before}", lambda: self.chosen() != before)

    def close(self):
        """What is left of it. Returns: what it complained of"""
        ended = self.process.poll()
        if ended is None:
            self.process.terminate()
        said = self.process.communicate()[1]
        if ended is None or ended >= 0 or ended == -signal.SIGTERM:
            return said
        print(said, file=sys.stderr)
        return f"{said}\nCRITICAL: ended by signal {-ended}"


CARD, NIC = "0000:00:02.0", "0000:00:03.0"


class WindowTest(unittest.TestCase):
    """One screen for a class, a fresh kernel for each test; the window is closed and must not have complained."""

    make_screen = Screen
    theme = None
    language = None
    numbers = itertools.count(1)
    size = (1000, 760)
    font = "DejaVu Sans 10"
    # What GTK itself says, and what is not about this program.
    harmless = ("unable to send notifications", "Failed to connect to proxy", "Unable to acquire session bus", "Failed to set fd limit")

    @classmethod
    def setUpClass(cls):
        cls.screen = cls.make_screen(*cls.size, cls.font)

    @classmethod
    def tearDownClass(cls):
        cls.screen.close()

    def setUp(self):
        self.windows = []
        number = str(next(self.numbers))
        control(f"new {number}")
        wait_for("the machine", lambda: shown("new") == number)
        for name in LEFT_BEHIND:
            shutil.rmtree(HOME / name, ignore_errors=True)
        for path in HOME.glob("*.tar.*"):
            path.unlink()

    def _callTestMethod(self, method):
        """What could be seen when it failed."""
        try:
            super()._callTestMethod(method)
        except Exception:
            self.screen.picture(f"failed-{self.id()}")
            raise

    def tearDown(self):
        """What a failed test has left is ended by the next one's beginning."""
        complaints = [line for window in self.windows for line in window.close().splitlines()
                      if COMPLAINT.search(line) and not any(word in line for word in self.harmless)]
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
        return shown("written")

    @staticmethod
    def tracer():
        return shown("tracer")

    @staticmethod
    def archive(window):
        """The path that the last page tells."""
        return pathlib.Path(re.search(r"^/\S+\.tar\.gz$", window.text(), re.M)[0])

    # ---- ways

    def to_capture(self, window):
        window.wait_step("Welcome")
        window.go_on_until("Capture")
        self.wait_driver(window)

    def wait_driver(self, window):
        window.wait_text("The driver is up.")

    def to_review(self, window):
        self.to_capture(window)
        window.press("Stop the Capture")
        wait_for("the end", lambda: window.title() != "Capture")
        window.go_on_until("Review")
        wait_for("the files", lambda: window.can("Show What Was Masked"))

    @staticmethod
    def pack(window):
        """From the review to the question where it shall go."""
        window.press("Continue")
        window.press("I Agree")
        window.wait_step("Sending")

    @staticmethod
    def finish_unsent(window):
        """From there to the end: the file is only saved."""
        window.press("Continue")
        window.wait_step("Done")
        wait_for("the end", lambda: window.can("Finish"))

    def walk(self, window):
        """All pages, one after the other: yields each title when its page is complete."""
        window.wait_step("Welcome")
        wait_for("the welcome", lambda: window.can("Continue"))
        yield "Welcome"
        window.press("Continue")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        yield "Device"
        for title in ("Checks", "Preparation"):
            window.go_on_until(title)
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
        window.go_on_until("Review")
        wait_for("the files", lambda: window.can("Show What Was Masked"))
        yield "Review"
        self.pack(window)
        window.wait_answerable()
        yield "Sending"
        self.finish_unsent(window)
        yield "Done"
