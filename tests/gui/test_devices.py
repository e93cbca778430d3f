# SPDX-License-Identifier: GPL-2.0-or-later
"""The page of devices: what is looked for is found, a driver is chosen, and what cannot be traced now is traced at the next start."""

import unittest

from desktop import NIC, STATE, WindowTest, children, control, find, has, patient, wait_for
from test_fix import MODULE

WITHOUT_DRIVER = "0000:00:06.0"
SEARCH, LIST = "Search the devices", "Devices"
NOTHING = "No device has this in its name."
QUESTION = "Several drivers fit this device. Which one is to be traced? Choose the one that the driver developers asked about; without a wish, the " \
    "one that has the device now."
FIRST, SECOND = "e1000", "snd_hda_intel"


class Devices(WindowTest):
    def to_devices(self):
        window = self.open()
        window.wait_step("Welcome")
        window.press("Continue")
        window.wait_step("Device")
        wait_for("the devices", lambda: self.addresses(window))
        return window

    @staticmethod
    @patient
    def rows(window, state=STATE.VISIBLE):
        """The names of those that are seen, or selected."""
        found = find(window.window, LIST)
        return [row.get_name() for row in children(found) if has(row, state)] if found else []

    def addresses(self, window, state=STATE.VISIBLE):
        return [word for name in self.rows(window, state) for word in name.split() if word.startswith("0000:")]


class Search(Devices):
    @staticmethod
    def look_for(window, text):
        """With the keyboard alone, from wherever the focus is."""
        window.tab_to(SEARCH)
        window.key("ctrl+a")
        window.type(text)

    def wait_found(self, window, addresses, selected):
        wait_for(f"{addresses}, not {self.addresses(window)}", lambda: self.addresses(window) == addresses)
        wait_for(f"{selected} to be selected", lambda: self.addresses(window, STATE.SELECTED) == selected)

    def test_finds(self):
        """By a part of the name, of the address and of the driver, in letters of any size; the first that can be traced is selected."""
        window = self.to_devices()
        everything = self.addresses(window)
        self.assertEqual(len(everything), 7)
        for text, addresses, selected in (
                ("geforce", ["0000:00:02.0"], ["0000:00:02.0"]),
                ("00:1f", ["0000:00:1f.1"], []),
                ("SND_HDA", ["0000:00:04.0", "0000:00:05.0"], ["0000:00:04.0"]),
                ("8086:100e", [NIC], [NIC])):
            self.look_for(window, text)
            self.wait_found(window, addresses, selected)
            wait_for("the button", lambda: window.can("Continue") == bool(selected))
            self.assertNotIn(NOTHING, window.text())
        window.key("ctrl+a", "Delete")
        self.wait_found(window, everything, [everything[0]])

    def test_nothing(self):
        """That is said, nothing can be gone on with by any key, and another word finds again."""
        window = self.to_devices()
        self.look_for(window, "no such thing")
        wait_for("no device", lambda: self.addresses(window) == [])
        window.wait_text(NOTHING)
        self.assertFalse(window.can("Continue"))
        self.assertEqual(window.nameless(), [])
        self.picture("nothing")
        window.key("Return")
        window.key("ctrl+a")
        window.type("e1000")
        self.wait_found(window, [NIC], [NIC])
        self.assertEqual(window.title(), "Device")
        self.assertNotIn(NOTHING, window.text())

    def test_list_by_keys(self):
        """From the search to the list, another one of those that were found, and on with it."""
        window = self.to_devices()
        self.look_for(window, "hda")
        self.wait_found(window, ["0000:00:04.0", "0000:00:05.0"], ["0000:00:04.0"])
        window.key("Tab")
        wait_for("the focus on a row", lambda: "0000:00:04.0" in window.name_of_focus())
        window.key("Down")
        self.wait_found(window, ["0000:00:04.0", "0000:00:05.0"], ["0000:00:05.0"])
        window.key("Return")
        wait_for("the next step", lambda: window.title() == "Checks" or window.can("No"))
        window.go_on_until("Preparation")
        window.wait_text("0000:00:05.0")


class Driver(Devices):
    def setUp(self):
        """Two drivers say that they fit the device that has none."""
        super().setUp()
        for name in (FIRST, SECOND):
            control(f"put sys/bus/pci/drivers/{name}/new_id 1b36 0005")
        control(f"fits {FIRST} {SECOND}")

    def to_question(self):
        window = self.to_devices()
        row = next(name for name in self.rows(window) if WITHOUT_DRIVER in name)
        self.assertIn("Several drivers fit.", row)
        window.choose_row(LIST, row)
        window.press("Continue")
        self.wait_question(window)
        return window

    @staticmethod
    def wait_question(window):
        window.wait_text(QUESTION)
        wait_for("the choices", lambda: find(window.window, SECOND))

    def assert_bound(self, driver):
        bound = [line for line in self.kernel_written().splitlines() if line.endswith(f"/bind={WITHOUT_DRIVER}")]
        self.assertEqual(bound, [f"sys/bus/pci/drivers/{driver}/bind={WITHOUT_DRIVER}"])

    def test_choose(self):
        """None of them is proposed; the one that was chosen is bound, and at the end the device has none, as before."""
        window = self.to_question()
        self.assertEqual(window.chosen(), [])
        self.assertFalse(window.can("Continue"))
        self.assertEqual(window.nameless(), [])
        self.picture("driver")
        window.choose(SECOND)
        window.press("Continue")
        window.go_on_until("Preparation")
        window.wait_text(SECOND)
        self.assertEqual(self.kernel_written(), "")
        window.press("Start the Capture")
        self.wait_driver(window)
        self.assert_bound(SECOND)
        window.press("Stop the Capture")
        window.wait_step("Verdict")
        window.wait_text("The trace is complete.")
        self.assertIn(f"sys/bus/pci/drivers/{SECOND}/unbind={WITHOUT_DRIVER}\n", self.kernel_written())

    def test_back(self):
        """From the question to the devices; from the checks to the question, and then the other one is bound."""
        window = self.to_question()
        window.press("Back")
        wait_for("the devices", lambda: QUESTION not in window.text() and self.addresses(window))
        self.assertEqual(window.title(), "Device")
        window.choose_row(LIST, next(name for name in self.rows(window) if WITHOUT_DRIVER in name))
        window.press("Continue")
        self.wait_question(window)
        window.choose(FIRST)
        window.press("Continue")
        window.go_on_until("Checks")
        window.wait_answerable()
        window.press("Back")
        self.wait_question(window)
        self.assertEqual(window.title(), "Device")
        window.choose(SECOND)
        window.press("Continue")
        window.go_on_until("Capture")
        self.wait_driver(window)
        self.assert_bound(SECOND)


class NextStart(Devices):
    def setUp(self):
        """The driver of the network card is a module that can neither be unloaded nor let the card go."""
        super().setUp()
        control("boot-unit")
        for command in (*MODULE, "put sys/module/e1000/refcnt 1", "remove sys/bus/pci/drivers/e1000/unbind",
                        "remove sys/bus/pci/drivers/e1000/bind"):
            control(command)

    def test_plan(self):
        """The button of the device leads to the checks and the plan for it, without another question; Back leads to the devices."""
        window = self.to_devices()
        button = wait_for("the button", lambda: window.name_beginning("Trace at the next start: "))
        self.assertIn("82540EM", button)
        self.assertEqual(window.nameless(), [])
        self.picture("next-start")
        window.press(button)
        window.wait_step("Checks")
        window.press("Back")
        window.wait_step("Device")
        window.press(wait_for("the button", lambda: window.name_beginning("Trace at the next start: ")))
        window.wait_step("Checks")
        window.go_on_until("Preparation")
        wait_for("the plan", lambda: window.can("Trace at the Next Start"))
        self.assertIn(NIC, window.text())
        self.assertFalse(window.can("Start the Capture"))
        self.assertEqual(self.kernel_written(), "")

    def test_back_and_another(self):
        """After Back, another device is traced now, not at the next start."""
        window = self.to_devices()
        window.press(wait_for("the button", lambda: window.name_beginning("Trace at the next start: ")))
        window.wait_step("Checks")
        window.press("Back")
        window.wait_step("Device")
        wait_for("the devices", lambda: window.can("Continue"))
        window.press("Continue")
        window.go_on_until("Preparation")
        wait_for("the plan", lambda: window.can("Start the Capture"))


if __name__ == "__main__":
    unittest.main()
