# SPDX-License-Identifier: Apache-2.0
"""The files of the tree that git has or would take, and digests of some of them."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import tomllib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from .config import Config, Problem
from .globs import path_matches

#: Variables by which a hook of git, or a user, has it look at another tree.
ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")


def git(root: Path, *words: str) -> str:
    """What git says; Problem if it fails. Names that are not UTF-8 keep their bytes."""
    environment = {k: v for k, v in os.environ.items() if k not in ELSEWHERE}
    try:
        done = subprocess.run(
            ["git", *words], cwd=root, env=environment, capture_output=True, check=False
        )
    except OSError as error:
        raise Problem(f"git cannot be started ({error}). Install git.") from None
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        raise Problem(f"git {words[0]} failed ({why[-1]}). Lanes need a clone made by git.")
    return done.stdout.decode(errors="surrogateescape")


def _bytes(name: str) -> bytes:
    return name.encode(errors="surrogateescape")


class Files:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._digests: dict[str, bytes] = {}

    @cached_property
    def names(self) -> list[str]:
        listed = git(self.root, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
        return sorted({n for n in listed if n and os.path.lexists(self._path(n))})

    def _path(self, name: str) -> bytes:
        return os.path.join(os.fsencode(self.root), _bytes(name))

    def matching(self, globs: Iterable[str]) -> list[str]:
        globs = tuple(globs)
        return [name for name in self.names if path_matches(name, globs)]

    def _digest_of(self, name: str) -> bytes:
        """Of what git would keep of a file, and of what a link leads to."""
        if name not in self._digests:
            path = self._path(name)
            mode = os.lstat(path).st_mode
            kind = b"link " + os.readlink(path) if stat.S_ISLNK(mode) else b"file"
            if os.path.isdir(path) and not stat.S_ISLNK(mode):
                raise Problem(
                    f"{name} is a repository of its own (changes in it would not be seen). "
                    "Move it out of the tree."
                )
            whole = hashlib.sha256(kind + (b" x\0" if mode & stat.S_IXUSR else b"\0"))
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    whole.update(file.read())
            self._digests[name] = whole.digest()
        return self._digests[name]

    def digest(self, globs: Iterable[str], *more: str) -> str:
        """SHA-256 over paths and contents, in order of the paths, and then over `more`."""
        whole = hashlib.sha256()
        for name in self.matching(globs):
            whole.update(_bytes(name) + b"\0" + self._digest_of(name))
        for text in more:
            whole.update(b"\1" + text.encode())
        return whole.hexdigest()


def without_lane(config: Config, files: Files) -> list[str]:
    """Files whose change no lane would notice."""
    left = files.names
    for globs in (config.unwatched, *(lane.all for lane in config.lanes.values())):
        left = [name for name in left if not path_matches(name, globs)]
    return left


def not_collected(config: Config, files: Files) -> list[str]:
    """Files of Python tests in folders where pytest does not look."""
    place = config.root / "pyproject.toml"
    options = tomllib.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    paths = options.get("tool", {}).get("pytest", {}).get("ini_options", {}).get("testpaths", [])
    tests = files.matching(["**/test_*.py"]) if paths else []
    return [t for t in tests if not path_matches(t, [f"{path}/**" for path in paths])]


def without_files(config: Config, files: Files) -> list[str]:
    """Patterns that no file has: what they were for is watched no longer, or never was."""
    found = {}
    for lane in config.lanes.values():
        for glob in (*lane.own, *lane.all):
            found.setdefault(glob, f"lanes.{lane.name} has {glob}, which matches no file")
        for test in (*lane.python, *lane.whole):
            # A file of tests is a pattern whose star has slashes.
            if not test.startswith(("fixture:", "*")):
                glob = test.split("::", 1)[0].replace("*", "**")
                found.setdefault(glob, f"lanes.{lane.name} has tests of {test}, which is no file")
    return [text for glob, text in found.items() if not files.matching([glob.removeprefix("!")])]
