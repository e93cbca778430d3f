# SPDX-License-Identifier: GPL-2.0-or-later
"""The tree of what is on the screen, as AT-SPI shows it to screen readers: looking, waiting, pressing.

What is learnt about GTK 4.8: libatspi's cache is fed by the main loop, so that each look turns it; what is looked at may just go
away; labels, rows and check buttons have no action; all pages of a stack are "visible", so that the window's title tells the page.
"""

import contextlib
import functools
import gettext
import io
import os
import pathlib
import re
import subprocess
import time
import warnings

warnings.simplefilter("ignore", DeprecationWarning)

import gi  # noqa: E402

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

ROLE, STATE = Atspi.Role, Atspi.StateType
LIMIT_SEC = int(os.environ.get("MTW_LIMIT_SEC", "60"))
# Of one look: the tree stands still long enough now and then.
LOOK_SEC = 10
POLL_SEC = 0.12
# GTK's own time between the press of a button by a program and what it does.
PRESS_SEC = 0.27
# Of one call on a busy machine; libatspi's own are 0.8 s and 15 s.
CALL_MSEC = 20000
CATALOGUES = pathlib.Path(__file__).resolve().parent.parent.parent / "po"

# What a person presses or types into: each must have a name.
CONTROLS = {ROLE.PUSH_BUTTON, ROLE.TOGGLE_BUTTON, ROLE.CHECK_BOX, ROLE.RADIO_BUTTON, ROLE.ENTRY, ROLE.TEXT, ROLE.LIST, ROLE.LIST_ITEM,
            ROLE.PASSWORD_TEXT, ROLE.PROGRESS_BAR}
BUTTONS = {ROLE.PUSH_BUTTON, ROLE.TOGGLE_BUTTON}
CHOICES = {ROLE.RADIO_BUTTON, ROLE.CHECK_BOX}
PAGE_ROLES = {ROLE.PANEL, ROLE.FILLER}
TITLE_SEPARATOR = " – "
GONE = re.compile(r"No such|does not exist|no longer exists|Unknown ?Object|defunct", re.I)
# Of the context of a text, in front of it.
CONTEXT_END = "\x04"
MNEMONIC = re.compile(r"(^|\s)_\w")

Atspi.set_timeout(CALL_MSEC, CALL_MSEC)

# The language that the window speaks; the tests speak English.
TITLES = {title: title for title in ("Welcome", "Device", "Checks", "Preparation", "Capture", "Verdict", "Description", "Review", "Packing",
                                     "Sending", "Done", "Not Finished")}
words = {}


def speak(language):
    """@language: "de" for the words of po/de.po, None for English."""
    words.clear()
    if language and (CATALOGUES / f"{language}.po").exists():
        compiled = subprocess.run(["msgfmt", "-o", "-", CATALOGUES / f"{language}.po"], check=True, stdout=subprocess.PIPE).stdout
        translations = gettext.GNUTranslations(io.BytesIO(compiled))
        words.update((without_mnemonic(key.rpartition(CONTEXT_END)[2]), without_mnemonic(text)) for key, text in translations._catalog.items()
                     if isinstance(key, str) and key)
    for title in TITLES:
        TITLES[title] = translate(title)


def without_mnemonic(text):
    """As GTK shows it: "_Next", and "다음(_N)"."""
    return re.sub(r"_(?=\w)", "", text, count=1)


def translate(text):
    return words.get(text, text)


def turn():
    while GLib.MainContext.default().iteration(False):
        pass


def patient(look):
    """A look at a tree that changes meanwhile: once more, when something of it has just gone."""
    @functools.wraps(look)
    def again(*arguments, **options):
        end = time.monotonic() + LOOK_SEC
        while True:
            turn()
            try:
                return look(*arguments, **options)
            except GLib.Error:
                if time.monotonic() > end:
                    raise
            time.sleep(POLL_SEC)
    return again


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
    """Without those that have just gone."""
    try:
        count = node.get_child_count()
    except GLib.Error:
        return
    for index in range(count):
        try:
            child = node.get_child_at_index(index)
        except GLib.Error:
            continue
        if child is not None:
            yield child


def everything(node):
    """Without the pages that are not shown: GTK's stack says of none that it is hidden."""
    title = page_of(node)
    yield node
    for child in children(node):
        yield from everything_on(child, title)


def everything_on(node, title):
    if title and node.get_role() in PAGE_ROLES and node.get_name() in TITLES.values() and node.get_name() != title:
        return
    yield node
    for child in children(node):
        yield from everything_on(child, title)


def page_of(window):
    """The name of the page that is shown; None for what is no window of that kind."""
    name = window.get_name() or ""
    title = name.split(TITLE_SEPARATOR)[0]
    if title == name or title not in TITLES.values():
        return None
    return TITLES["Sending"] if title == TITLES["Packing"] else title


def has(node, state):
    return node.get_state_set().contains(state)


@patient
def find(root, name=None, role=None):
    name = None if name is None else translate(name)
    for node in everything(root):
        if (name is None or node.get_name() == name) and (role is None or node.get_role() == role):
            return node
    return None


@patient
def find_button(root, name):
    """One that can be seen."""
    name = translate(name)
    for node in everything(root):
        if node.get_role() in BUTTONS and node.get_name() == name and has(node, STATE.VISIBLE):
            return node
    return None


def try_to_press(root, name):
    """Returns: whether it was there, and could be pressed"""
    node = find_button(root, name)
    if node is None or not has(node, STATE.SENSITIVE):
        return False
    try:
        node.do_action(0)
    except GLib.Error as error:
        # It went away before. Of anything else it is not known whether it was pressed.
        if not GONE.search(error.message):
            raise AssertionError(f"the button {name}: {error.message}") from error
        return False
    return True


def press(root, name):
    """A button, when it can be pressed; returns when the program has heard of it. Once: not again for an answer that was lost."""
    wait_for(f"the button {name}", lambda: try_to_press(root, name))
    # GTK shows the button pressed for a while before it says so, and takes no other press meanwhile.
    time.sleep(PRESS_SEC)
    with contextlib.suppress(GLib.Error):
        # Not what libatspi knows already.
        Atspi.Component.get_extents(root, Atspi.CoordType.WINDOW)
    turn()


@patient
def texts(root):
    """All that is said there."""
    return "\n".join(node.get_name() for node in everything(root) if node.get_role() == ROLE.LABEL)


@patient
def nameless(root):
    """Controls without a real name: GTK falls back on its class, or keeps the underscore of a mnemonic."""
    bad = []
    for node in everything(root):
        name = node.get_name()
        if node.get_role() in CONTROLS and (not name or name.startswith("Gtk") or MNEMONIC.search(name)):
            bad.append(f"{node.get_role_name()} {name!r}")
    return bad
