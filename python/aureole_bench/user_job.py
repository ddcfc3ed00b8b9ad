# SPDX-License-Identifier: Apache-2.0
"""`aureole bench scaling --job FOLDER`: the files of a user's own job. Nothing is written there."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aureole.base.errors import bad_input, file_error
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import accept

from aureole_bench.molecules.engines import Ours

MAXWARN = 9  # of grompp's warnings, as of the systems that come with the benchmarks
#: The usual name, the ending, and what the file is.
_NEEDED = {
    "conf": ("conf.gro", ".gro", "coordinates"),
    "top": ("topol.top", ".top", "the topology"),
    "mdp": ("grompp.mdp", ".mdp", "run parameters"),
}
_OPTIONAL = {"index": "groups, .ndx", "references": "positions that restraints refer to"}


@dataclass(frozen=True)
class UserJob:
    """A job with its files, as a case.

    Args:
        name: of its folder
        n: particles
        folder: where runs work; not that of the job
        dt: time step [ps]
        files: coordinates, topology and run parameters
        more: other files, by the words of `from_gromacs`
    """

    name: str
    n: int
    dt: float
    folder: Path
    files: tuple[Path, Path, Path]
    more: Mapping[str, str]

    @property
    def warm(self) -> int:
        """Untimed steps before each measurement."""
        return min(200, max(40, 2_400_000 // self.n))


class OursOnJob(Ours):
    """Our engine on such a job."""

    def __init__(self, job: UserJob) -> None:
        super().__init__(job)  # type: ignore[arg-type]

    def _work(self, task: str, threads: int, **more: Any) -> dict[str, Any]:
        return super()._work(task, threads, **more, **self.case.more)  # type: ignore[attr-defined]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that name the job."""
    about = "a job of your own: the folder of its .gro, .top and .mdp files, instead of --cases"
    parser.add_argument("--job", type=Path, metavar="FOLDER", help=about)
    for option, (usual, ending, what) in _NEEDED.items():
        words = f"with --job: {what} (default {usual}, or the only {ending} file)"
        parser.add_argument(f"--{option}", metavar="FILE", help=words)
    for option, what in _OPTIONAL.items():
        parser.add_argument(f"--{option}", metavar="FILE", help=f"with --job: {what}")


def job_of(chosen: argparse.Namespace, work: Path) -> UserJob | None:
    """The job that the options name, read and checked; None without --job.

    Args:
        chosen: the options
        work: an empty folder for the runs

    Raises InputError and FileError that say what is missing, or what cannot be run.
    """
    given = {name: getattr(chosen, name) for name in (*_NEEDED, *_OPTIONAL)}
    if chosen.job is None:
        for name in filter(given.get, given):
            raise bad_input(f"--{name} has no --job", "it is a file of a job", "Give --job FOLDER")
        return None
    folder = chosen.job.absolute()
    if not folder.is_dir():
        why = "it is a file" if folder.exists() else "there is no such folder"
        raise file_error(
            chosen.job, "is no folder of a job", why, "Give the folder of the .gro, .top and .mdp"
        )
    files = {name: _found(folder, name, given[name]) for name in _NEEDED}
    more = {name: str(_named(folder, name, given[name])) for name in _OPTIONAL if given[name]}
    job = read_job(*files.values(), index=more.get("index"), references=more.get("references"))
    accept(job, MAXWARN)
    if not job.parameters.dynamics:
        raise bad_input(
            f"{files['mdp']} asks for a minimisation", "steps in time are measured", "Give --mdp"
        )
    return UserJob(
        *(folder.name or "job", job.topology.n, job.parameters.dt, work),
        files=(files["conf"], files["top"], files["mdp"]),
        more=more,
    )


def _found(folder: Path, option: str, given: str | None) -> Path:
    """The file of an option, of the usual name, or the only one of its kind."""
    usual, ending, what = _NEEDED[option]
    if given:
        return _named(folder, option, given)
    if (folder / usual).is_file():
        return folder / usual
    others = sorted(path for path in folder.iterdir() if path.suffix == ending and path.is_file())
    if len(others) == 1:
        return others[0]
    if not others:
        raise file_error(
            *(folder, f"has no {usual} and no other {ending} file", f"a job needs {what}"),
            f"Put one there, or name it: --{option} FILE",
        )
    names = ", ".join(path.name for path in others)
    raise bad_input(
        f"{folder} has no {usual} and {len(others)} {ending} files",
        f"any of {names} may be meant",
        f"Choose one: --{option} {others[0].name}",
    )


def _named(folder: Path, option: str, given: str) -> Path:
    """A file of the folder, or of any other where its path begins at the root."""
    path = folder / given
    if not path.is_file():
        raise file_error(path, "cannot be read", "no such file", f"Give --{option} another name")
    return path
