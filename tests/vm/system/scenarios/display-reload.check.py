# SPDX-License-Identifier: GPL-2.0-or-later
# Loading the module makes 270 records (measured), the desktop's pictures thousands more.
records = share.archive("1234-1111-alice-mmiotrace-2.tar.gz").records()
expect(records["R"] > 250 and records["W"] > 10000 and records["MAP"] >= 2, f"records: {records}")
for run in (2, 3):
    expect(share.events(run, kind="countdown"), f"run {run}: nobody was warned")
    same(share.one("done", run)["restored"], True, f"run {run}: restored")
expect("bochs" in share.one("result", 2)["message"], f"the driver's failure: {share.one('result', 2)}")
failed, traced = [(session / "log").read_text() for session in share.sessions()]
texts = ("apply unit display-manager", "apply unload bochs", "apply tracer", "apply load bochs", "undo unit display-manager", "undo tracer")
order = [traced.find(text) for text in texts]
expect(-1 not in order and order == sorted(order), f"not in this order: {traced}")
# The desktop is not left waiting for a driver that does not come.
expect("undo unit display-manager" in failed, f"the desktop did not come back: {failed}")
