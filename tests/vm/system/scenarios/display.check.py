# SPDX-License-Identifier: GPL-2.0-or-later
# Loading the driver makes 46 records (measured); the desktop adds none of its own.
records = share.archive("1af4-1050-alice-mmiotrace.tar.gz").records()
expect(records["R"] >= 12 and records["W"] >= 30 and records["MAP"] >= 1, f"records: {records}")

# The desktop's end, the tracer, the driver and the way back.
log = (share.sessions()[0] / "log").read_text()
texts = ("apply unit display-manager", "apply vtconsole", "apply tracer", "apply bind", "undo unit display-manager", "undo tracer")
order = [log.find(text) for text in texts]
expect(-1 not in order and order == sorted(order), f"not in this order: {log}")
expect(share.events(2, kind="countdown"), "nobody was warned")
same(share.one("done", 2)["restored"], True, "restored")
