# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel of the fake machine: a FUSE file system whose files answer to what is written to them, as sysfs and tracefs do.

    /usr/bin/python3 kernel.py MOUNTPOINT PIPE

PIPE is the fifo that stands for trace_pipe. Besides sys, proc, dev and boot, MOUNTPOINT has two files for tests:

    control  takes commands, a line each: "put PATH TEXT", "link PATH TARGET", "remove PATH", "refuse END ERRNO TIMES" (writing to a file whose
             path ends so fails; 0 times: always), "allow END" (not any more), "access N" (the drivers of devices that are traced write
             N registers), "lose N" (at the next start of a driver N records do not fit into the buffer), "reset"
    written  "PATH=TEXT" of everything that was written since the last reset
"""

import errno
import fcntl
import os
import stat
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import fusepy as fuse  # noqa: E402

import tree  # noqa: E402

START_ACCESSES = 300
PIPE_BYTES = 1024 * 1024
PAGE_BYTES = 4080


class Trace:
    """What comes out of trace_pipe. A full pipe loses records, as a full ring buffer does."""

    def __init__(self, path):
        self.path, self.pipe = path, None
        self.read_events = self.overrun = self.map_id = 0

    def open(self):
        if self.pipe is None:
            self.pipe = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
            fcntl.fcntl(self.pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def close(self):
        """What nobody read is gone, too."""
        if self.pipe is not None:
            os.close(self.pipe)
            self.pipe = None

    def line(self, text, counts=True):
        try:
            os.write(self.pipe, text.encode(errors="surrogateescape") + b"\n")
            self.read_events += counts
        except BlockingIOError:
            self.overrun += counts

    def header(self):
        self.line("VERSION 20070824", counts=False)
        for device in tree.DEVICES:
            place = int(device.address[5:7], 16) << 8 | int(device.address[8:10], 16) << 3 | int(device.address[11:])
            bars = (device.bars + [None] * 7)[:7]
            numbers = [bar[0] if bar else 0 for bar in bars] + [bar[1] if bar else 0 for bar in bars]
            self.line(f"PCIDEV {place:04x} {device.vendor:04x}{device.device:04x} b "
                      + "".join(f"{number:x} " for number in numbers) + (device.driver or ""), counts=False)


def now():
    return f"{time.monotonic():.6f}"


class Kernel:
    """The machine's state and what changes it. One lock: a kernel does one thing after the other."""

    def __init__(self, pipe):
        self.lock = threading.RLock()
        self.trace = Trace(pipe)
        self.reset()

    def reset(self):
        self.trace.close()
        self.files = tree.files()
        self.written, self.refused = "", []
        self.maps, self.taken_away, self.lose = {}, [], 0

    # ---- reading

    def text(self, path):
        return self.files[path].decode().strip()

    def put(self, path, text):
        self.files[path] = text.encode(errors="surrogateescape") + b"\n"

    def folder(self, path):
        """The names in it; None when there is no such folder."""
        head = path + "/" if path else ""
        names = {name[len(head):].split("/")[0] for name in self.files if name.startswith(head)}
        return names or None

    def content(self, path):
        if path == "written":
            return self.written.encode(errors="surrogateescape")
        if path.endswith("/stats") and path.startswith(tree.TRACING):
            return self.stats(path)
        return self.files[path]

    def stats(self, path):
        own = self.trace if "/cpu0/" in path else Trace(None)
        return (f"entries: 0\noverrun: {own.overrun}\ncommit overrun: 0\nbytes: 0\noldest event ts: 0.000000\n"
                f"now ts: {now()}\ndropped events: 0\nread events: {own.read_events}\n").encode()

    # ---- the tracer

    def is_tracing(self):
        return self.text(f"{tree.TRACING}/current_tracer") == "mmiotrace"

    def is_recording(self):
        return self.is_tracing() and self.text(f"{tree.TRACING}/tracing_on") == "1"

    def set_tracer(self, name):
        if name not in self.text(f"{tree.TRACING}/available_tracers").split():
            raise OSError(errno.EINVAL, name)
        was = self.is_tracing()
        self.expand()
        self.put(f"{tree.TRACING}/current_tracer", name)
        if self.is_tracing() and not was:
            self.trace.open()
            self.trace.header()
            self.taken_away = [cpu for cpu in range(1, tree.CPUS) if self.text(f"{tree.CPU}/cpu{cpu}/online") == "1"]
            self.set_cpus(self.taken_away, "0")
        elif was and not self.is_tracing():
            self.set_cpus(self.taken_away, "1")
            self.trace.close()

    def expand(self):
        """The first use gives an unused buffer its usual size."""
        for path in self.buffer_files():
            if "expanded" in self.text(path):
                self.put(path, "1408")

    def buffer_files(self):
        return [f"{tree.TRACING}/buffer_size_kb"] + [f"{tree.TRACING}/per_cpu/cpu{cpu}/buffer_size_kb"
                                                     for cpu in range(tree.CPUS)]

    def set_buffer(self, path, text):
        """Whole pages, at least two."""
        self.expand()
        pages = max(-(-int(text) * 1024 // PAGE_BYTES), 2)
        self.put(path, str(pages * PAGE_BYTES // 1024))
        sizes = {self.text(name) for name in self.buffer_files()[1:]}
        self.put(f"{tree.TRACING}/buffer_size_kb", sizes.pop() if len(sizes) == 1 else "X")

    def set_clock(self, name):
        names = [word.strip("[]") for word in self.text(f"{tree.TRACING}/trace_clock").split()]
        if name not in names:
            raise OSError(errno.EINVAL, name)
        self.put(f"{tree.TRACING}/trace_clock", " ".join(f"[{word}]" if word == name else word for word in names))

    def set_cpus(self, cpus, text):
        for cpu in cpus:
            self.put(f"{tree.CPU}/cpu{cpu}/online", text)
        on = [0] + [cpu for cpu in range(1, tree.CPUS) if self.text(f"{tree.CPU}/cpu{cpu}/online") == "1"]
        whole = len(on) == tree.CPUS
        self.put(f"{tree.CPU}/online", f"0-{tree.CPUS - 1}" if whole else ",".join(map(str, on)))

    def mark(self, text):
        if self.is_recording():
            self.trace.line(f"MARK {now()} {text.rstrip()}")

    # ---- drivers

    def driver_of(self, address):
        link = self.files.get(f"{tree.BUS}/{address}/driver")
        return link.rsplit("/", 1)[1] if link else None

    def knows(self, driver, device):
        """By itself, or because it was told."""
        told = self.text(f"{tree.PCI}/drivers/{driver}/new_id")
        return driver == device.driver or told == device.ids.replace(":", " ")

    def bind(self, driver, address):
        device = tree.BY_ADDRESS.get(address)
        if device is None or not self.knows(driver, device) or self.driver_of(address):
            raise OSError(errno.ENODEV, address)
        self.files.update(tree.binding(address, driver))
        if self.is_tracing():
            self.start_driver(device)

    def unbind(self, driver, address):
        if self.driver_of(address) != driver:
            raise OSError(errno.ENODEV, address)
        for path in tree.binding(address, driver):
            del self.files[path]
        mapped = self.maps.pop(address, None)
        if mapped and self.is_recording():
            self.trace.line(f"UNMAP {now()} {mapped} 0x0 0")

    def start_driver(self, device):
        """Maps the first memory BAR and sets the device up. Without recording the driver is traced all the same."""
        number, (start, size, _) = device.traced_bar()
        self.trace.map_id += 1
        self.maps[device.address] = self.trace.map_id
        if self.is_recording():
            self.trace.line(f"MAP {now()} {self.trace.map_id} 0x{start:x} 0x{0xffffc90000000000 + start:x} 0x{size:x} 0x0 0")
        self.access(device, START_ACCESSES)
        self.trace.overrun += self.lose
        self.lose = 0

    def access(self, device, count):
        start = device.traced_bar()[1][0]
        number = self.maps.get(device.address)
        for at in range(count if number and self.is_recording() else 0):
            kind = "R" if at % 3 == 0 else "W"
            self.trace.line(f"{kind} 4 {now()} {number} 0x{start + at % 64 * 4:x} 0x{at & 0xffff:x} 0x0 0")

    # ---- writing

    def write(self, path, data):
        text = data.decode(errors="surrogateescape")
        if path == "control":
            for line in text.splitlines():
                self.command(*line.split(" ", 2))
            return
        if path not in self.files or isinstance(self.files[path], str):
            raise OSError(errno.EACCES, path)
        self.refuse(path)
        self.written += f"{path}={text}\n"
        self.react(path, text.strip(), text)

    def refuse(self, path):
        for rule in self.refused:
            if path.endswith(rule["end"]):
                rule["times"] -= 1
                if rule["times"] == 0:
                    self.refused.remove(rule)
                raise OSError(rule["errno"], path)

    def react(self, path, text, raw):
        name = path.rsplit("/", 1)[1]
        if path.startswith(f"{tree.PCI}/drivers/") and name in ("bind", "unbind"):
            getattr(self, name)(path.split("/")[4], text)
        elif name == "driver_override":
            self.put(path, text or "(null)")
        elif path == f"{tree.TRACING}/current_tracer":
            self.set_tracer(text)
        elif path == f"{tree.TRACING}/trace_clock":
            self.set_clock(text)
        elif path == f"{tree.TRACING}/trace_marker":
            self.mark(raw)
        elif name == "buffer_size_kb":
            self.set_buffer(path, text)
        elif path.startswith(f"{tree.CPU}/cpu") and name == "online":
            self.set_cpus([int(path.split("/")[4][3:])], text)
        else:
            self.put(path, text)

    def command(self, name, first="", rest=""):
        if name == "put":
            self.put(first, rest)
        elif name == "link":
            self.files[first] = rest
        elif name == "remove":
            self.files.pop(first, None)
        elif name == "refuse":
            number, times = rest.split()
            self.refused.append({"end": first, "errno": getattr(errno, number), "times": int(times)})
        elif name == "allow":
            self.refused = [rule for rule in self.refused if rule["end"] != first]
        elif name == "access":
            for address in list(self.maps):
                self.access(tree.BY_ADDRESS[address], int(first))
        elif name == "lose":
            self.lose = int(first)
        elif name == "reset":
            self.reset()
        else:
            raise OSError(errno.EINVAL, name)


class Files(fuse.Operations):
    """What the kernel's FUSE asks. Nothing is kept by it: each read sees the state of that moment."""

    def __init__(self, kernel):
        self.kernel = kernel

    def __call__(self, op, path, *args):
        with self.kernel.lock:
            try:
                return getattr(self, op)(path.strip("/"), *args)
            except AttributeError:
                raise fuse.FuseOSError(errno.ENOSYS) from None
            except KeyError:
                raise fuse.FuseOSError(errno.ENOENT) from None
            except ValueError:
                raise fuse.FuseOSError(errno.EINVAL) from None
            except OSError as error:
                raise fuse.FuseOSError(error.errno) from None

    def mode_of(self, path):
        if path in ("control", "written"):
            return stat.S_IFREG | 0o600
        node = self.kernel.files.get(path)
        if isinstance(node, str):
            return stat.S_IFLNK | 0o777
        if node is not None:
            return stat.S_IFREG | (0o400 if path in tree.PRIVATE else 0o644)
        if path and self.kernel.folder(path) is None:
            raise KeyError(path)
        return stat.S_IFDIR | (0o700 if path in tree.PRIVATE_FOLDERS else 0o755)

    def getattr(self, path, _handle=None):
        mode = self.mode_of(path)
        size = 4096 if stat.S_ISREG(mode) else 0
        return {"st_mode": mode, "st_size": size, "st_nlink": 1, "st_uid": 0, "st_gid": 0}

    def readdir(self, path, _handle):
        names = self.kernel.folder(path) or set()
        return [".", ".."] + sorted(names | ({"control", "written"} if not path else set()))

    def readlink(self, path):
        return self.kernel.files[path]

    def read(self, path, size, offset, _handle):
        return self.kernel.content(path)[offset:offset + size] if path != "control" else b""

    def write(self, path, data, _offset, _handle):
        self.kernel.write(path, data)
        return len(data)

    def truncate(self, _path, _length, _handle=None):
        return 0

    def open(self, _path, _flags):
        return 0

    def statfs(self, _path):
        return {"f_bsize": 4096}

    def access(self, _path, _mode):
        return 0

    def flush(self, _path, _handle):
        return 0

    def release(self, _path, _handle):
        return 0

    def init(self, _path):
        return None

    def destroy(self, _path):
        return None


def main():
    folder, pipe = sys.argv[1:]
    fuse.FUSE(Files(Kernel(pipe)), folder, foreground=True, allow_other=True, default_permissions=True, direct_io=True,
              attr_timeout=0, entry_timeout=0, negative_timeout=0, fsname="fake-machine")


main()
