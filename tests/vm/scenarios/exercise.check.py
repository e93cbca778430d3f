# SPDX-License-Identifier: GPL-2.0-or-later
archive = share.archive("1234-11e8-alice-mmiotrace.tar.gz")
everything = "\n".join(archive.text(name) for name in archive.files if name != "mydump.txt")
expect("one  word $HOME; echo two" in everything, "the output of echo, or a shell was used")
expect("complaint" in everything, "standard error of a command")
expect("exit status 3" in everything, "the status of a command that fails")
