# SPDX-License-Identifier: Apache-2.0
"""Runs fast tests as on a fresh machine: what lanes, benchmarks or hands installed is out of sight.

Tests get an environment of Python with links to those packages alone that `make test` installs, and
a PATH of links to programs. Their Python hides files and folders of other packages of Debian. This
needs no privileges, and holds for processes that tests start.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution
from pathlib import Path

from .config import Config, Problem
from .debian import Debian
from .fresh_packages import Machine, split
from .globs import name_matches
from .out_of_sight import Hidden, unmerged

#: In the environment of links: loads out_of_sight.py when Python starts.
STARTER = (
    "import os, out_of_sight as o; "
    'o.install(o.Hidden(open(os.path.join(sitedir, "hidden.txt"), errors="surrogateescape")'
    ".read().split(chr(10))[:-1]))\n"
)
#: What tools/setup.sh itself puts beside packages: the tree, and what pip would write of it.
OURS = "aureole*"


@dataclass(frozen=True)
class View:
    """What a run of tests uses in place of .venv/bin/python and of the caller's environment."""

    python: str
    environment: dict[str, str]


@contextlib.contextmanager
def of_part(config: Config, part: str) -> Iterator[View]:
    """The view that tests of a tier or lane have; lanes see all that there is.

    A tree without .venv has nothing that could be told apart.
    """
    if part != "fast" or not (config.root / ".venv" / "pyvenv.cfg").exists():
        yield View(config.python, dict(os.environ))
        return
    with tempfile.TemporaryDirectory(prefix="aureole-fresh-") as place:
        yield make(config, Path(place))


def make(config: Config, place: Path) -> View:
    """The view in an empty folder."""
    (site,) = sorted((config.root / ".venv" / "lib").glob("python3*/site-packages"))[:1]
    machine = Machine(config, config.root / ".venv" / "bin" / "python", Debian())
    hidden = Hidden(names_to_hide(config, machine))
    new = place / site.relative_to(config.root / ".venv")
    python = link_environment(config, site, new, place)
    link_programs(config, place / "path", machine)
    link_hiding(new, hidden)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name_matches(name, config.out_of_sight.variables)
    }
    # A terminal that takes no codes, as fresh machines may have.
    return View(str(python), environment | {"PATH": str(place / "path"), "TERM": "dumb"})


def names_to_hide(config: Config, machine: Machine) -> list[str]:
    """Absolute names; never a folder in which the tree, programs or temporary files are."""
    found = list(machine.others())
    for pattern in config.out_of_sight.folders:
        found += map(unmerged, glob.glob(os.path.expanduser(pattern)))
    needed = [config.root.resolve(), Path(tempfile.gettempdir()).resolve(), Path.home()]
    needed += [Path(os.__file__), *map(Path, machine.in_use)]
    kept = {unmerged(str(above)) for one in needed for above in (one, *one.parents)}
    return [name for name in found if name not in kept]


def link_environment(config: Config, site: Path, new: Path, place: Path) -> Path:
    """An environment that has the packages of `make test` alone; its interpreter."""
    new.mkdir(parents=True)
    old = config.root / ".venv"
    shutil.copy(old / "pyvenv.cfg", place)
    (place / "bin").mkdir()
    for program in (old / "bin").glob("python*"):
        (place / "bin" / program.name).symlink_to(os.path.realpath(program))
    ours, others = split(config, site)
    link_files(site, new, files_in(ours, site), files_in(others, site))
    for one in site.glob(OURS):
        if not (new / one.name).exists():
            (new / one.name).symlink_to(one)
    for program in {*scripts_of(ours, old / "bin"), *(old / "bin").glob(OURS)}:
        copy_script(program, place / "bin" / program.name, old / "bin", place / "bin")
    return place / "bin" / "python"


def files_in(packages: Iterable[Distribution], site: Path) -> set[str]:
    """Files of some packages, by their names below site-packages."""
    found = set()
    for package in packages:
        for file in package.files or ():
            found.add(os.path.relpath(os.path.normpath(site / file), site))
    return {name for name in found if not name.startswith("..")}


def link_files(old: Path, new: Path, ours: set[str], others: set[str]) -> None:
    """Links to files; to a whole folder where no other package has anything in it."""
    shared = {name.split("/", 1)[0] for name in others if "/" in name}
    inner: dict[str, set[str]] = {}
    for name in ours:
        head, _, rest = name.partition("/")
        inner.setdefault(head, set()).add(rest)
    for head, rests in inner.items():
        if not (old / head).exists() or head == "__pycache__":
            continue
        if head not in shared or "" in rests:
            (new / head).symlink_to(old / head)
            continue
        (new / head).mkdir()
        deeper = {name.partition("/")[2] for name in others if name.startswith(f"{head}/")}
        link_files(old / head, new / head, rests, deeper)


def scripts_of(packages: Iterable[Distribution], folder: Path) -> set[Path]:
    found = set()
    for package in packages:
        for file in package.files or ():
            path = Path(os.path.normpath(package.locate_file(file)))
            if path.parent == folder and path.exists():
                found.add(path)
    return found


def copy_script(old: Path, new: Path, was: Path, now: Path) -> None:
    """A program of the environment, whose first lines may name its interpreter."""
    content = old.read_bytes()
    if not content.startswith(b"#!"):
        new.symlink_to(old)
        return
    new.write_bytes(content.replace(os.fsencode(f"{was}/"), os.fsencode(f"{now}/")))
    new.chmod(0o755)


def link_programs(config: Config, new: Path, machine: Machine) -> None:
    """One folder with the programs of the caller's PATH that a fresh machine has."""
    new.mkdir()
    unseen, inside = config.out_of_sight.programs, os.path.realpath(config.root / ".venv" / "bin")
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not folder or os.path.realpath(folder) == inside:
            continue
        with contextlib.suppress(OSError):
            for entry in os.scandir(folder):
                if os.path.lexists(new / entry.name) or name_matches(entry.name, unseen):
                    continue
                if (
                    entry.is_file()
                    and os.access(entry, os.X_OK)
                    and machine.has_program(entry.path)
                ):
                    (new / entry.name).symlink_to(os.path.abspath(entry.path))


def link_hiding(site: Path, hidden: Hidden) -> None:
    """Has every Python of an environment hide some files."""
    module = Path(__file__).with_name("out_of_sight.py")
    shutil.copy(module, site)
    if odd := [name for name in hidden.names if "\n" in name]:
        raise Problem(f"{odd[0]!r} cannot be hidden (its name has two lines). Rename it.")
    text = "".join(f"{name}\n" for name in sorted(hidden.names))
    (site / "hidden.txt").write_text(text, encoding="utf-8", errors="surrogateescape")
    (site / "out_of_sight.pth").write_text(STARTER, encoding="utf-8")
