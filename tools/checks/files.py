# SPDX-License-Identifier: Apache-2.0
"""The files of the tree that git has or would take, and digests of some of them."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from .config import Config, Problem
from .globs import path_matches


def git(root: Path, *words: str) -> str:
    """What git says; Problem if it fails."""
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().splitlines() or ["no reason given"]
        raise Problem(f"git {words[0]} failed ({why[-1]}). Lanes need a clone made by git.")
    return done.stdout


class Files:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._digests: dict[str, bytes] = {}

    @cached_property
    def names(self) -> list[str]:
        listed = git(self.root, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
        return sorted({n for n in listed if n and os.path.lexists(self.root / n)})

    def matching(self, globs: Iterable[str]) -> list[str]:
        globs = tuple(globs)
        return [name for name in self.names if path_matches(name, globs)]

    def _digest_of(self, name: str) -> bytes:
        if name not in self._digests:
            path = self.root / name
            content = os.readlink(path).encode() if path.is_symlink() else b""
            if not content and path.is_file():
                content = path.read_bytes()
            self._digests[name] = hashlib.sha256(content).digest()
        return self._digests[name]

    def digest(self, globs: Iterable[str], *more: str) -> str:
        """SHA-256 over paths and contents, in order of the paths, and then over `more`."""
        whole = hashlib.sha256()
        for name in self.matching(globs):
            whole.update(name.encode() + b"\0" + self._digest_of(name))
        for text in more:
            whole.update(b"\1" + text.encode())
        return whole.hexdigest()


def without_lane(config: Config, files: Files) -> list[str]:
    """Files whose change no lane would notice."""
    left = files.names
    for globs in (config.unwatched, *(lane.all for lane in config.lanes.values())):
        left = [name for name in left if not path_matches(name, globs)]
    return left
