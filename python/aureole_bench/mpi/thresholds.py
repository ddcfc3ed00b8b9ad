# SPDX-License-Identifier: Apache-2.0
"""The file of thresholds that `aureole mpi --tune` writes and `libaureole_mpi.so` reads.

Its first line is HEAD; each further one is a number of bytes, or `off`, a space, and what it
belongs to: driver, device, MPI library and processor, as the library calls them.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from aureole.base.errors import FileError, file_error
from aureole.base.text_files import opened

try:
    import fcntl
except ImportError:  # no advisory locks on this system
    fcntl = None  # type: ignore[assignment]

HEAD = "aureole-mpi-thresholds 1"
NAME = "mpi-thresholds"
#: From how many bytes on messages go straight; None: never.
Thresholds = dict[str, int | None]
_LINE = re.compile(r"(off|[0-9]{1,13}) ([^\x00-\x1f]+)")
_MOST = 1 << 40  # bytes
_PATIENCE = 10.0  # seconds; another tuning holds the lock for as long as it takes to write a file
_ADVICE = "Set XDG_CACHE_HOME to a folder that you may write to, here and where programs run"


def path() -> Path:
    """Where the file is, whether it exists or not, by the rule of the library; FileError if there
    is no folder for it.
    """
    for variable, below in (("XDG_CACHE_HOME", ""), ("HOME", ".cache")):
        folder = os.environ.get(variable, "")
        if folder.startswith("/"):
            return Path(folder) / below / "aureole" / NAME
    why = "neither XDG_CACHE_HOME nor HOME is an absolute path"
    raise file_error(NAME, "has no folder", why, _ADVICE)


def parsed(text: str) -> Thresholds | None:
    """The thresholds in a text; None if it is broken, or of another version."""
    head, *lines = text.split("\n")
    if head != HEAD or not lines or lines.pop() != "":
        return None
    found: Thresholds = {}
    for line in lines:
        known = _LINE.fullmatch(line)
        if known is None or (known[1] != "off" and int(known[1]) > _MOST):
            return None
        found[known[2]] = None if known[1] == "off" else int(known[1])
    return found


def written(of: Mapping[str, int | None]) -> str:
    """The text of a file."""
    lines = (f"{'off' if size is None else size} {key}\n" for key, size in sorted(of.items()))
    return f"{HEAD}\n" + "".join(lines)


def prepare() -> None:
    """Make the folder; FileError if nothing can be written there."""
    folder = path().parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(folder, "cannot be made", error, _ADVICE) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        why = "no permission, or a disk that is mounted read-only"
        raise file_error(folder, "cannot be written to", why, _ADVICE)


def keep(new: Mapping[str, int | None]) -> str:
    """Put thresholds into the file, and leave those of other machines and libraries there.

    Returns a sentence on what was replaced, or nothing. Raises FileError; the file is then as it
    was.
    """
    prepare()
    place = path()
    with _locked(place):
        before = _read(place)
        _replace(place, written({**(before or {}), **new}).encode())
    if before is None:
        return f"{place} was broken or of another version; all of it was replaced."
    return ""


def _read(place: Path) -> Thresholds | None:
    if not place.exists():
        return {}
    with opened(place) as file:
        return parsed(file.read().decode(errors="replace"))


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """One tuning at a time reads and writes the file; where there are no locks, the last one wins.

    The system drops the lock with the process. Its file stays, as removing it would need a lock.
    """
    lock = place.with_name(f".{place.name}.lock")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise file_error(lock, "cannot be made", error, _ADVICE) from None
    try:
        _wait_for(descriptor, lock)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, lock: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while fcntl is not None:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                why = f"another process has held it for {_PATIENCE:g} s"
                advice = "End it, and run aureole mpi --tune again"
                raise file_error(lock, "is locked", why, advice) from None
            time.sleep(0.02)
        except OSError:  # a file system without locks
            return


def _replace(place: Path, text: bytes) -> None:
    """Write a file beside it, put it on the disk, and give it the name."""
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
        _sync_folder(place.parent)
    except OSError as error:
        raise file_error(
            place, "cannot be written", error, f"Free space there. {_ADVICE}"
        ) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Not all file systems can; then the name is on the disk a little later."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def instead(error: FileError, new: Mapping[str, int | None]) -> FileError:
    """The error of a file that was not written, with what has the same effect."""
    sizes = {"off" if size is None else str(size) for size in new.values()}
    which = next(iter(sizes)) if len(sizes) == 1 else "the number above"
    return FileError(f"{error} Or set AUREOLE_MPI_MAPPED_FROM={which} where programs run.")
