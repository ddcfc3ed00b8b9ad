# SPDX-License-Identifier: Apache-2.0
"""Lines of `aureole doctor` on ranks: each way to reach another process is tried on a child."""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
import sys
from collections.abc import Iterator

from aureole import _core
from aureole.ranks import find_launcher

Line = tuple[bool, str, str]  # whether it is well, what, in words

_TEXT = b"shared by ranks"
_SECONDS = 20.0
_SYS_MEMBARRIER = {"x86_64": 324, "aarch64": 283}
_EXPEDITED = 1 << 1  # among the commands that membarrier knows
# What the other process does: open the memory as ranks of mpirun do, and read this one's.
_OTHER = """\
import ctypes, mmap, os, sys
process, descriptor, address, n = map(int, sys.argv[1:])
try:
    memory = mmap.mmap(os.open(f"/proc/{process}/fd/{descriptor}", os.O_RDWR), 4096)
    print(memory[:n].hex())
except OSError as error:
    print("error", error.strerror)
class Part(ctypes.Structure):
    _fields_ = [("at", ctypes.c_void_p), ("n", ctypes.c_size_t)]
here = ctypes.create_string_buffer(n)
libc = ctypes.CDLL(None, use_errno=True)
mine, theirs = Part(ctypes.addressof(here), n), Part(address, n)
got = libc.process_vm_readv(process, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)
print(here.raw.hex() if got == n else "error " + os.strerror(ctypes.get_errno()))
"""
_VERSION = """\
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
text, n = ctypes.create_string_buffer(16384), ctypes.c_int()
library.MPI_Get_library_version(text, ctypes.byref(n))
print(" ".join(text.value.decode().split("\\n")[0].split(",")[0].split()))
"""


def lines() -> Iterator[Line]:
    """Lines on what ranks of this machine can use."""
    here, all_ = int(_core.cpu_info()["usable_threads"]), os.cpu_count() or 1
    yield True, "processors", f"{here} of {all_} available, for ranks × threads"
    yield from _memory()
    yield _barrier()
    found = False
    kinds = {kind.libraries: kind for kind in reversed(find_launcher.KINDS)}
    for kind in reversed(kinds.values()):
        for line in _libraries(kind):
            found = found or line[0]
            yield line
    if not found:
        words = "none can be loaded; ranks on one machine need no MPI (-ntmpi, --ranks)"
        yield False, "MPI", words


def _memory() -> Iterator[Line]:
    try:
        descriptor = os.memfd_create("aureole doctor")
    except (OSError, AttributeError) as error:
        yield False, "memfd", f"refused ({error}): ranks cannot share memory"
        return
    try:
        os.ftruncate(descriptor, mmap.PAGESIZE)
        with mmap.mmap(descriptor, mmap.PAGESIZE) as memory:
            memory[: len(_TEXT)] = _TEXT
            yield True, "memfd", "shared memory that needs no space in /dev/shm"
            yield from _other_process(descriptor)
    finally:
        os.close(descriptor)


def _other_process(descriptor: int) -> Iterator[Line]:
    own = ctypes.create_string_buffer(_TEXT)
    numbers = [os.getpid(), descriptor, ctypes.addressof(own), len(_TEXT)]
    said = _said(_OTHER, *map(str, numbers))
    mapped, read = [*said, "no answer", "no answer"][:2]
    good = mapped == _TEXT.hex()
    words = "opened by another process" if good else f"{mapped}: mpirun cannot start ranks"
    yield good, "/proc/PID/fd", words
    good = read == _TEXT.hex()
    words = "reads another process" if good else f"{read}: long messages are sent in pieces"
    yield good, "process_vm_readv", words


def _barrier() -> Line:
    number = _SYS_MEMBARRIER.get(os.uname().machine)
    known = -1 if number is None else ctypes.CDLL(None).syscall(number, 0, 0, 0)
    if known >= 0 and known & _EXPEDITED:
        return True, "membarrier", "waiting ranks sleep until they are woken"
    return False, "membarrier", "refused: waiting ranks poll once per millisecond"


def _libraries(kind: find_launcher.Kind) -> Iterator[Line]:
    """The first MPI library of a kind that can be loaded."""
    beside = [
        str(folder / name) for folder in find_launcher.beside_mpirun() for name in kind.libraries
    ]
    for path in dict.fromkeys([*find_launcher.found(kind), *beside, *kind.libraries]):
        said = _said(_VERSION, path)
        if said:
            yield True, "MPI", f"{said[0]} ({path})"
            return


def _said(program: str, *words: str) -> list[str]:
    """The lines that a program of Python prints; nothing if it fails."""
    command = [sys.executable, "-c", program, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.removeprefix("error ") for line in done.stdout.splitlines()]
