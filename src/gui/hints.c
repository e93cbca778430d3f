/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gui/hints.h"

#include <glib.h>
#include <glib/gi18n.h>

/*
 * The core's texts as they stand there; tests/lint/window-words tells of one that is missing, or not there any more. In the
 * order of the files.
 */
/* clang-format off */
static const struct {
	const char *core, *own;
} hints[] = {
	/* base/error.c */
	{ "See mmiotrace-wizard --help.", "" },
	{ "Check the spelling; `mmiotrace-wizard devices` (or sessions, targets, queue) lists what there is.", "" },
	{ "`mmiotrace-wizard check` tells what is missing and what to do about it.",
	  N_("The list above tells what is missing and what to do about it.") },
	{ "A capture needs root, for example with sudo. When it is about a file, look at its owner and mode.",
	  N_("A capture needs the consent of this computer's administrator: a password is asked for, and it has to be the right one. When it is about a file, look at its owner and mode.") },
	{ "The trace has gaps. Try again with a larger buffer (--buffer-kb).",
	  N_("The trace has gaps. Try again with a larger buffer.") },
	{ "Run `mmiotrace-wizard recover`. If that does not help, restart the computer: no change survives a restart.",
	  N_("“Clean Up” tries once more. If that does not help, restart the computer: no change survives a restart.") },
	{ "Make room on the disk, or choose another place with --output.",
	  N_("Make room on the disk. Captures that you do not need any more can be deleted: “Kept Captures” in the menu.") },
	{ "What you agreed to send is kept; `mmiotrace-wizard queue send` tries again.",
	  N_("What you agreed to send is kept, and waits on the first page of this program.") },
	{ "The same would be refused again. The archive is kept: change what the server names, or choose another place with `mmiotrace-wizard upload`.",
	  N_("The same would be refused again. The archive is kept: change what the server names, or choose another place.") },
	{ "Make a new token on its pages, or ask for the right to report there. `mmiotrace-wizard targets test-auth ID` tries one.",
	  N_("Make a new token on its pages, or ask for the right to report there. Then send it again.") },
	{ "The file need not be sent again: `mmiotrace-wizard queue send` goes on with the report.",
	  N_("The file need not be sent again: “Send Now” on the first page of this program goes on with the report.") },
	/* capture/sentences.c */
	{ "If no capture is running, `mmiotrace-wizard recover` cleans up after the one that died.",
	  N_("If no capture is running, “Clean Up” puts right what the one that died has left.") },
	{ "Close other programs, or choose the size of the buffer with --buffer-kb.", N_("Close other programs.") },
	{ "Close other programs, or choose a smaller buffer with --buffer-kb.", N_("Close other programs.") },
	{ "`mmiotrace-wizard devices` lists the devices and their addresses.",
	  N_("Choose one from the list of devices.") },
	{ "Name an installed one that fits the device with --driver.", N_("Choose one that fits the device.") },
	{ "The capture goes on without it. Work over SSH, or use --batch.", N_("The capture goes on without it.") },
	{ "The capture goes on without its terminal. `mmiotrace-wizard sessions` shows the result afterwards.",
	  N_("The capture goes on, and this window with it.") },
	{ "Name the driver that should have the device with --driver, or give the device back to it.",
	  N_("Give the device back to its driver first.") },
	{ "Install its driver first, or name one with --driver.", N_("Install its driver first.") },
	{ "Look into dmesg for the reason, or name another driver with --driver.",
	  N_("The kernel's log (dmesg) tells the reason.") },
	{ "Trace it from the next start of the computer: --next-boot.",
	  N_("Trace it from the next start of the computer.") },
	{ "What the driver does only once, when its module is loaded, will not be in the trace. To see that too, trace it from the next start of the computer: --next-boot.",
	  N_("What the driver does only once, when its module is loaded, will not be in the trace. To see that too, trace it from the next start of the computer.") },
	{ "Restart the computer, or take it back: `mmiotrace-wizard next-boot --cancel`.",
	  N_("Restart the computer, or take it back.") },
	/* wizard */
	{ "A command of --exercise printed this.", N_("A command printed this.") },
	{ "`mmiotrace-wizard verify` names the files.", "" },
	{ "`mmiotrace-wizard targets` lists the places; --target names one.",
	  N_("Send the archive yourself to whoever asked for it.") },
	{ "Does it belong to a report that is there already? Then its address, please; Enter alone makes a new report.",
	  N_("Does it belong to a report that is there already? Then its address, please. Leave this empty for a new report.") },
	{ "The server wants a password. It is not shown while you type; Enter alone goes on without.",
	  N_("The server wants to know who sends this: the password of your account there.") },
	{ "The server wants to know who sends this: a token (API key) of your account there. It is not shown while you type; Enter alone goes on without.",
	  N_("The server wants to know who sends this: a token (API key) of your account there.") },
	{ "Use the device now. Type what you are doing and press Enter: it becomes a marker in\nthe trace. Enter alone (or Ctrl+D, Ctrl+C) ends the capture.\n",
	  N_("Use the device now. Write down what you are doing: it becomes a marker in the trace.") },
	{ "Open a terminal then and type `mmiotrace-wizard attach`.", N_("Start this program again then.") },
	{ "To trace longer, give --duration.", "" },
	{ "All steps are done. Enter alone ends the capture; more markers are welcome.\n",
	  N_("All steps are done. Stop the capture when you like; more markers are welcome.") },
	{ "Restart the computer when it suits you; until then nothing changes for you. When it\n"
	  "is up again, use the device. Then:\n"
	  "  mmiotrace-wizard sessions            shows whether the trace is there\n"
	  "  mmiotrace-wizard pack SESSION        makes the file for the driver developers\n"
	  "Before the restart, this takes it back:\n"
	  "  mmiotrace-wizard next-boot --cancel\n",
	  N_("Restart the computer when it suits you; until then nothing changes for you.") },
	{ "`mmiotrace-wizard upload FILE` sends it later.", N_("“Send It…” sends it later.") },
	/* submit */
	{ "Its files are still there. If you do not need them, remove it with `mmiotrace-wizard queue drop ID`.",
	  N_("Its files are still there.") },
};
/* clang-format on */

const char *mtw_hint_of(const char *msgid)
{
	for (gsize i = 0; i < G_N_ELEMENTS(hints); i++)
		if (g_str_equal(hints[i].core, msgid))
			return hints[i].own;
	return msgid;
}
