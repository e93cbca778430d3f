# SPDX-License-Identifier: GPL-2.0-or-later
# One mapping: the target's. Nothing may be recorded outside its 128 KiB.
trace = share.archive().text("mydump.txt").splitlines()
(start,) = {int(line.split()[3], 16) for line in trace if line.startswith("MAP ")}
physical = [int(line.split()[4], 16) for line in trace if line[:2] in ("R ", "W ")]
expect(len(physical) > 10000, f"only {len(physical)} accesses")
expect(all(start <= address < start + 0x20000 for address in physical), "accesses outside the target's BAR")
