# SPDX-License-Identifier: Apache-2.0
"""Hides files and folders from this Python and those that it starts: they are as if missing.

A view of a fresh machine (fresh_view.py) loads it when Python starts, before any test.
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False  # of typing, which takes long to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WHY = "No such file or directory on a fresh machine; out of sight in the fast tier"
#: Audit events whose first argument is a path that is about to be used.
EVENTS = {"open", "os.listdir", "os.scandir", "os.chdir", "os.exec", "os.posix_spawn"}
EVENTS |= {"subprocess.Popen", "ctypes.dlopen", "os.symlink", "os.link"}
#: Functions that say whether something is there, which raise no audit event.
LOOKS = ("stat", "lstat", "access", "readlink")
#: Folders of the root, where they are links to those below /usr.
MERGED = frozenset(
    name
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
    if os.path.islink(f"/{name}")
)


def unmerged(name: str) -> str:
    """An absolute name with that of the folder below /usr in place of the link to it."""
    return f"/usr{name}" if name.split("/", 2)[1] in MERGED else name


class Hidden:
    """Files and folders by absolute names; all that is in such a folder is hidden too."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def has(self, path: object) -> bool:
        if not isinstance(path, str | bytes | os.PathLike):
            return False  # a descriptor, or nothing
        name = os.fsdecode(path)
        if not name:
            return False
        if not name.startswith("/"):
            name = os.path.join(os.getcwd(), name)
        name = unmerged(os.path.normpath(name))
        while name not in self.names:
            name = name.rpartition("/")[0]
            if not name:
                return False
        return True

    def demand_seen(self, path: object) -> None:
        if self.has(path):
            raise FileNotFoundError(errno.ENOENT, WHY, os.fsdecode(path))

    def audit(self, event: str, arguments: tuple) -> None:
        if event in EVENTS:
            self.demand_seen(arguments[0])


def look_for(hidden: Hidden, real: Callable) -> Callable:
    """A function of `os` that finds nothing where something is hidden."""

    def look(path, *words, **named):
        if named.get("dir_fd") is None and hidden.has(path):
            if real.__name__ == "access":
                return False
            hidden.demand_seen(path)
        return real(path, *words, **named)

    look.__name__, look.__doc__ = real.__name__, real.__doc__
    for listed in (os.supports_dir_fd, os.supports_follow_symlinks, os.supports_fd):
        if real in listed:
            listed.add(look)
    return look


def install(hidden: Hidden) -> None:
    sys.addaudithook(hidden.audit)
    for name in LOOKS:
        setattr(os, name, look_for(hidden, getattr(os, name)))
