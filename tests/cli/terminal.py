# SPDX-License-Identifier: GPL-2.0-or-later
"""Somebody who waits for questions and types answers."""

import os
import pty
import select
import signal
import termios
import time

from program import LIMIT_SEC, PROGRAM


class OnTerminal:
    """For a ProgramTest."""

    def on_terminal(self, steps, *arguments):
        """Runs it on a terminal. @steps: (what to wait for, what to type then). Returns: status, all that was on it.
        self.echoes: whether what is typed was shown, of each step"""
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(PROGRAM, [PROGRAM, *map(os.fspath, arguments)], {**self.env, "TERM": "dumb", "COLUMNS": "500"})
        text, waiting, self.echoes = b"", list(steps), []
        deadline = time.monotonic() + LIMIT_SEC
        while True:
            if not select.select([fd], [], [], max(deadline - time.monotonic(), 0))[0]:
                os.kill(pid, signal.SIGKILL)
                break
            try:
                block = os.read(fd, 4096)
            except OSError:
                break
            if not block:
                break
            text += block
            if waiting and waiting[0][0] in text:
                text = text.replace(waiting[0][0], b"<asked>")
                self.echoes.append(bool(termios.tcgetattr(fd)[3] & termios.ECHO))
                os.write(fd, waiting.pop(0)[1].encode())
        os.close(fd)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(waiting, [], text.decode(errors="replace"))
        return os.waitstatus_to_exitcode(status), text.decode(errors="replace")
