# SPDX-License-Identifier: Apache-2.0
"""What `make test` installs: packages of Debian and of Python, with all that they need."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .config import Config, Problem
from .debian import Debian
from .out_of_sight import unmerged

SET_UP, REQUIREMENTS = "tools/setup.sh", "tools/requirements.txt"
#: What is there before `make`: to clone with, and to trust registries.
FIRST = ("git", "make", "ca-certificates")
#: What builds, where it does not come from Debian's packages.
BUILDS_WITH = ("cc", "c++", "cmake", "ninja", "make", "git", "clang-format")
#: What a virtual environment begins with.
BEGINS_WITH = ("pip", "setuptools", "wheel")
#: Where Debian's packages put what no test asks for.
DOCUMENTS = ("/usr/share/man/", "/usr/share/doc/", "/usr/share/locale/", "/usr/share/lintian/")


def of_setup(root: Path) -> list[str]:
    """The system packages of tools/setup.sh."""
    place = root / SET_UP
    text = place.read_text(encoding="utf-8") if place.exists() else ""
    found = re.search(r"^packages=\((.*?)\)", text, re.MULTILINE | re.DOTALL)
    return found[1].split() if found else []


class Machine:
    """What is on this machine, told apart: what a fresh one has after `make test`, and all else."""

    def __init__(self, config: Config, python: Path, debian: Debian) -> None:
        self._debian = debian
        extra = [entry.split("|", 1)[0] for entry in config.fast.packages.get("apt", ())]
        self.in_use = programs_in_use(python)
        roots = [*debian.base(), *FIRST, *of_setup(config.root), *extra]
        self._kept = debian.needed([*roots, *debian.owners(self.in_use)])
        self._files = debian.files(self._kept)

    def others(self) -> Iterator[str]:
        """Files and folders of Debian's packages that a fresh machine has not."""
        for name in self._debian.files_without(self._kept):
            if not name.startswith(DOCUMENTS):
                yield name

    def has_program(self, path: str) -> bool:
        """Whether a fresh machine has it; without Debian's packages, nothing speaks against it."""
        target = unmerged(os.path.realpath(path))
        return not self._files or target in self._files or target in self.in_use


def programs_in_use(python: Path) -> set[str]:
    """Programs without which nothing works here, wherever they come from."""
    named = (os.environ.get("CC"), os.environ.get("CXX"), *BUILDS_WITH)
    found = [shutil.which(name) for name in named if name]
    return {unmerged(os.path.realpath(name)) for name in (str(python), *filter(None, found))}


def required(root: Path) -> list[str]:
    """Lines of tools/requirements.txt."""
    try:
        lines = (root / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Problem(
            f"{REQUIREMENTS} cannot be read ({error}): what fast tests may import is in it. "
            "Take it from git."
        ) from None
    return [line for line in lines if line.strip() and not line.startswith("#")]


def needed_of_python(installed: Iterable[Distribution], lines: Iterable[str]) -> set[str]:
    """Names of distributions: those that some lines of requirements name, and what these need."""
    by_name = {canonicalize_name(one.metadata["Name"]): one for one in installed}
    found: set[tuple[str, str]] = set()  # names, with the extras that are asked for
    left = [Requirement(line) for line in lines]
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        for extra in ("", *one.extras) if name in by_name else ():
            if (name, extra) in found:
                continue
            found.add((name, extra))
            needs = map(Requirement, by_name[name].requires or ())
            left += [n for n in needs if not n.marker or n.marker.evaluate({"extra": extra})]
    return {name for name, _ in found}


def split(config: Config, site: Path) -> tuple[list[Distribution], list[Distribution]]:
    """The distributions in a folder that `make test` installs, and all others."""
    installed = list(distributions(path=[str(site)]))
    lines = [*BEGINS_WITH, *required(config.root), *config.fast.packages.get("pip", ())]
    wanted = needed_of_python(installed, lines)
    ours = [d for d in installed if canonicalize_name(d.metadata["Name"]) in wanted]
    return ours, [d for d in installed if d not in ours]
