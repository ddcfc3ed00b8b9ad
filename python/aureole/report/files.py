# SPDX-License-Identifier: Apache-2.0
"""The files of a run: found by a folder or by the prefix of their names."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aureole.base.errors import bad_input, file_error

from .units import MOLECULAR, REDUCED, units_of_files
from .vocabulary import PARTS_OF_A_RUN, REDUCED_UNITS, WITH_PREFIX, WITHOUT_PREFIX


@dataclass(frozen=True)
class RunFiles:
    """The files of the parts of a run; None for parts that are not there.

    Args:
        name: the prefix, or the name of the folder
        page: where the page goes if nobody says otherwise
        summary: summary that the run wrote, {} without a file
        energies, trajectory, last_frame: files
        missing: part → why it is not there, a sentence
        units: "molecular", "reduced", or "" where no file tells them
    """

    name: str
    page: Path
    summary: dict[str, Any]
    energies: Path | None = None
    trajectory: Path | None = None
    last_frame: Path | None = None
    missing: dict[str, str] = field(default_factory=dict)
    units: str = MOLECULAR

    @property
    def open_axes(self) -> str:
        """Axes of the box that are not periodic, such as "z"; "" where the run says nothing."""
        told = section(self.summary, "system").get("periodic")
        flags = told if isinstance(told, list) else []
        return "".join(axis for axis, flag in zip("xyz", flags, strict=False) if flag is False)

    def unit(self, name: str) -> str:
        """A molecular unit; for a run in reduced units what stands for it, or ""."""
        if self.units == REDUCED:
            word = name.strip()
            return name.replace(word, REDUCED_UNITS.get(word, ""))
        return name if self.units == MOLECULAR else ""


def find(run: str | os.PathLike[str]) -> RunFiles:
    """The files of the run in a folder, or with a prefix (or any one of its files).

    Raises FileError where there is no file of a run, InputError where a folder holds several runs.
    """
    given = Path(run)
    if given.is_dir():
        folder, prefix = given, _prefix_in(given)
    else:
        folder = given.parent
        prefix = given.stem if given.suffix in _SUFFIXES else given.name
    missing: dict[str, str] = {}
    summary = _read_summary(_look("summary", folder, prefix, None, missing), missing)
    names = section(summary, "outputs")
    parts = {
        part: _look(part, folder, prefix, names.get(part), missing)
        for part in ("energies", "trajectory", "last_frame")
    }
    parts["trajectory"] = _with_types(parts["trajectory"], parts["last_frame"], folder, prefix)
    if not summary and not any(parts.values()):
        tried = ", ".join(_candidates("summary", prefix) + _candidates("energies", prefix))
        why = f"looked for {tried} and the like in {folder}"
        raise file_error(run, "is not a run", why, "Give a folder, or the prefix of a run's files")
    stem = prefix or "report"
    name = prefix or folder.resolve().name
    told = section(summary, "system").get("units")
    if not isinstance(told, str):
        told = MOLECULAR if summary else units_of_files(**parts)
    page = folder / f"{stem}.html"
    return RunFiles(name, page, summary, missing=missing, units=told, **parts)


#: Endings of trajectories from which particles are known by their types, the richest first.
OF_PARTICLES = (".gsd", ".xyz", ".dcd")
_SUFFIXES = {".json", ".csv", ".edr", ".xtc", ".trr", ".gro", ".log", ".mdp"}
_SUFFIXES |= {".gsd", ".dcd", ".xyz", ".toml", ".py"}


def _prefix_in(folder: Path) -> str | None:
    """The prefix of the one run in a folder; None where files have the usual names, or none."""
    usual = " ".join(WITHOUT_PREFIX.values()).split()
    plain = any((folder / name).is_file() for name in usual)
    if plain and any((folder / name).is_file() for name in WITHOUT_PREFIX["summary"].split()):
        return None
    tables = {path.stem: _read_summary(path, {}).keys() for path in folder.glob("*.json")}
    telling = {"system", "outputs", "averages"}
    prefixes = sorted(name for name, told in tables.items() if told & telling)
    if plain and len(prefixes) != 1:
        return None
    if not prefixes:  # runs without a summary: a table and a trajectory of one name
        prefixes = sorted({p.stem for p in folder.glob("*.csv")} & _trajectories(folder))
    if len(prefixes) > 1:
        raise bad_input(
            f"{folder} holds {len(prefixes)} runs",
            ", ".join(prefixes),
            f"Give one of them: {folder / prefixes[0]}",
        )
    return prefixes[0] if prefixes else None


def _trajectories(folder: Path) -> set[str]:
    return {path.stem for ending in OF_PARTICLES for path in folder.glob(f"*{ending}")}


def _with_types(
    trajectory: Path | None, last_frame: Path | None, folder: Path, prefix: str | None
) -> Path | None:
    """The trajectory, or one beside it that shows particles where no other file does."""
    if trajectory is None or last_frame is not None or trajectory.suffix.lower() in OF_PARTICLES:
        return trajectory
    beside = [trajectory.with_suffix(ending) for ending in OF_PARTICLES]
    beside += [folder / name for name in _candidates("trajectory", prefix)]
    fit = (path for path in beside if path.suffix in OF_PARTICLES and path.is_file())
    return next(fit, trajectory)


def _candidates(part: str, prefix: str | None) -> list[str]:
    names = WITHOUT_PREFIX if prefix is None else WITH_PREFIX
    return [pattern.format(prefix) for pattern in names[part].split()]


def _look(
    part: str, folder: Path, prefix: str | None, told: Any, missing: dict[str, str]
) -> Path | None:
    """The file of a part: where the summary says, beside it, or under a usual name."""
    places = [folder / name for name in _candidates(part, prefix)]
    if isinstance(told, str) and told:
        places = [folder / told, folder / Path(told).name, Path(told), *places]
    for place in places:
        if place.is_file():
            return place
    names = ", ".join(dict.fromkeys(place.name for place in places))
    missing[part] = f"No file with {PARTS_OF_A_RUN[part]} was found (looked for {names})."
    return None


def _read_summary(path: Path | None, missing: dict[str, str]) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        missing["summary"] = f"{path.name} cannot be read ({error})."
        return {}
    if not isinstance(content, dict):
        missing["summary"] = f"{path.name} is not the summary of a run."
        return {}
    return content


def section(summary: dict[str, Any], name: str) -> dict[str, Any]:
    """A part of the summary that is a table of names and values; {} for anything else."""
    content = summary.get(name)
    return content if isinstance(content, dict) else {}


def number_of(value: Any) -> float | None:
    """A finite number, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None
