# SPDX-License-Identifier: Apache-2.0
"""The right to write a file, which one run has at a time."""

from __future__ import annotations

import errno
import os
import platform
import stat
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress

from .errors import bad_input, file_error
from .files import open_regular
from .text import one_line
from .user_warnings import warn

try:
    import fcntl
except ImportError:  # no advisory locks on this system
    fcntl = None  # type: ignore[assignment]


_MOST_BYTES = 200  # that are shown of a lock file


class Claims:
    """The files that one run has for itself, from `take` to `release`.

    A claim is an advisory lock on a file beside, ``.NAME.lock``, as checkpoints and tables are
    replaced by new files each time they are written. It says whose it is. The system drops the
    lock with the process, however that ends; a lock file that is left behind keeps nobody out.

    Args:
        let_go: asks the owner to close its files, as another part of this process wants them, and
            says whether it did; weakly held
    """

    def __init__(self, let_go: Callable[[], bool] | None = None) -> None:
        self._locks: dict[str, int] = {}  # descriptors by the names of lock files
        self._process = os.getpid()
        self._let_go = None if let_go is None else weakref.WeakMethod(let_go)

    def take(self, paths: Iterable[str]) -> None:
        """Claim files; those that it has already stay claimed.

        Raises FileError where another run has one of them. Where locks are not to be had, a
        warning says so.
        """
        before = set(self._locks)
        try:
            for path in paths:
                self._take(path)
        except BaseException:
            for name in set(self._locks) - before:
                self._drop(name)
            raise

    def _take(self, path: str) -> None:
        real = resolved(path)
        if not _may_become_file(real):
            return
        folder, name = os.path.split(real)
        lock = os.path.join(folder, f".{name}.lock")
        if lock in self._locks:
            return
        try:
            try:
                self._locks[lock] = _locked(lock)
            except BlockingIOError:
                if not _let_go(lock):
                    raise
                self._locks[lock] = _locked(lock)
            _HOLDERS[lock] = self
        except BlockingIOError:
            raise file_error(
                path,
                "is being written by another run",
                f"{_owner(lock)} holds the lock {lock}",
                "Wait until it ends (in Python: close its simulation), or use other file names",
            ) from None
        except OSError as error:
            gone = error.errno in (errno.ENOENT, errno.ENOTDIR)
            if gone or not (os.access(folder, os.W_OK) or os.access(real, os.W_OK)):
                return  # opening the file will fail too, with a better message
            warn(
                f"{path} cannot be locked ({error.strerror}): make sure that no other run "
                "writes to it at the same time",
            )

    def release(self) -> None:
        """Let others write the files."""
        for name in list(self._locks):
            self._drop(name)

    def _drop(self, name: str) -> None:
        descriptor = self._locks.pop(name)
        if os.getpid() == self._process:  # a forked child has a copy, but no claim
            with suppress(OSError):
                os.unlink(_place_of(descriptor, name))
        with suppress(OSError):
            os.close(descriptor)

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


# Who has a lock in this process, by the name of its file.
_HOLDERS: weakref.WeakValueDictionary[str, Claims] = weakref.WeakValueDictionary()


def _let_go(lock: str) -> bool:
    """Ask the holder in this process, if there is one, to give up its claims."""
    holder = _HOLDERS.get(lock)
    ask = holder._let_go() if holder is not None and holder._let_go is not None else None
    return ask is not None and ask()


def _locked(name: str) -> int:
    """A descriptor of the lock file `name`, locked; BlockingIOError where another has it."""
    if fcntl is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    while True:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The previous owner may have removed the file between our two calls.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(name)):
                    _sign(descriptor)
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _sign(descriptor: int) -> None:
    """Write into a lock file whose it is, for the error of those that it keeps out."""
    job = os.environ.get("SLURM_JOB_ID")
    words = f"process {os.getpid()} on {platform.node()}" + (f", Slurm job {job}" if job else "")
    with suppress(OSError):  # the disk may be full
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, words.encode(errors="replace"), 0)


def _owner(lock: str) -> str:
    try:
        with open_regular(lock) as file:
            return one_line(file.read(_MOST_BYTES).decode(errors="replace")) or "it"
    except OSError:
        return "it"


def _place_of(descriptor: int, name: str) -> str:
    """Where the lock file is now, as its folder may have been renamed since; else `name`."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return name


def _may_become_file(path: str) -> bool:
    """Whether `path` is an ordinary file or none yet; devices and pipes may have many writers."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True


def resolved(path: str) -> str:
    """The absolute name without symbolic links."""
    try:
        return os.path.realpath(path)
    except OSError as error:  # the working folder is gone
        raise file_error(
            path, "cannot be found", error, "Give an absolute path, or change to another folder"
        ) from None


def check_distinct(paths: Iterable[str]) -> None:
    """Refuse two names of one file, links included."""
    seen: dict[object, str] = {}
    for path in paths:
        key: object = resolved(path)
        with suppress(OSError):
            about = os.stat(path)
            if not stat.S_ISREG(about.st_mode):
                continue
            key = (about.st_dev, about.st_ino)
        if key in seen:
            other = f"{path}" if seen[key] == path else f"{path}, which is {seen[key]}"
            raise bad_input(
                f"two observers write {other}", "they would overwrite each other", "Rename one"
            )
        seen[key] = path
