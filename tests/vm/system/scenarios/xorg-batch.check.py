# SPDX-License-Identifier: GPL-2.0-or-later
# Loading the driver alone makes 46 records; giving the device back to it a few more.
captures = share.sessions()
same(len(captures), 2, "captures")
for name in ("1af4-1050-alice-mmiotrace.tar.gz", "1af4-1050-alice-mmiotrace-2.tar.gz"):
    records = share.archive(name).records()
    expect(records["R"] >= 12 and records["W"] >= 33, f"{name}: records: {records}")
for session in captures:
    log = (session / "log").read_text()
    # The desktop comes back while the tracer is on.
    order = [log.find(text) for text in ("apply unit display-manager", "apply tracer", "undo unit display-manager", "undo tracer")]
    expect(-1 not in order and order == sorted(order), f"not in this order: {log}")
