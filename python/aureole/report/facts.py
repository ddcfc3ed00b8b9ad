# SPDX-License-Identifier: Apache-2.0
"""The facts of a run as names and words: its head, its system, its settings, its speed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aureole.analysis.statistics import Average
from aureole.base.text import duration, rate, size
from aureole.formats.coordinates import Coordinates

from .beads import Beads
from .energies import PER_PARTICLE, Energies
from .files import RunFiles, number_of, section
from .frames import Frame
from .numerals import short, with_error
from .scene import residues
from .units import MOLECULAR, REDUCED

Rows = list[tuple[str, str]]


_HEAD = (
    *((f"potential{PER_PARTICLE}", "kJ/mol"), ("temperature", "K")),
    *(("pressure", "bar"), ("density", "kg/m³")),
)
_FIGURES = {f"potential{PER_PARTICLE}": "Potential energy per particle"}


@dataclass(frozen=True)
class Figure:
    """A number of the head: "Temperature", "299.81", "0.12", "K"."""

    name: str
    value: str
    error: str = ""
    unit: str = ""


def title(run: RunFiles, names: Coordinates | None) -> str:
    """The title of the page."""
    system = section(run.summary, "system")
    for told in (system.get("name"), system.get("title"), names.title if names else None):
        if isinstance(told, str) and told.split(" t=")[0].strip():
            name = told.split(" t=")[0].strip(" ,")
            # GROMACS makes up a name of its own initials for systems without one.
            if "".join(filter(str.isupper, name)) != "GROMACS":
                return name
    return run.name


def molecules(run: RunFiles, names: Coordinates | None) -> list[tuple[str, int]]:
    """Names and counts of molecules; of residues where only the last frame is known."""
    told = section(run.summary, "system").get("molecules")
    if isinstance(told, list):
        found = [
            (str(one.get("name", "?")), int(count))
            for one in told
            if isinstance(one, dict) and (count := number_of(one.get("count"))) is not None
        ]
        if found:
            return found
    return [] if names is None else kinds(names)


def kinds(names: Coordinates) -> list[tuple[str, int]]:
    """Names and counts of the residues of a frame, the most common first."""
    first = np.unique(residues(names), return_index=True)[1]
    counts = np.bincount(names.residue_name.index[first], minlength=len(names.residue_name.words))
    residue_counts = zip(names.residue_name.words, map(int, counts), strict=True)
    return sorted((one for one in residue_counts if one[1]), key=lambda one: -one[1])


def particles(run: RunFiles, names: Coordinates | None) -> int | None:
    """Number of particles."""
    told = number_of(section(run.summary, "system").get("particles"))
    return int(told) if told is not None else names.n if names else None


def simulated(run: RunFiles, energies: Energies | None) -> float | None:
    """Time from the first energies to the end of the run, which may be after the last energies."""
    if energies is None or energies.n == 0 or not energies.timed:
        return None
    end = number_of(run.summary.get("time"))
    last = float(energies.time[-1])
    return max(last, last if end is None else end) - float(energies.time[0])


def time_words(ps: float, unit: str = "ps") -> str:
    """A time [ps] in the unit that suits it; in reduced units as it is."""
    if unit != "ps":
        return f"{short(ps)} {unit}".rstrip()
    for unit, scale in (("µs", 1e6), ("ns", 1e3)):
        if abs(ps) >= scale:
            return f"{short(ps / scale)} {unit}"
    return f"{short(ps)} ps"


def figures(
    run: RunFiles, names: Coordinates | None, energies: Energies | None, means: dict[str, Average]
) -> list[Figure]:
    """The numbers of the head."""
    count, length = particles(run, names), simulated(run, energies)
    value, _, unit = time_words(length or 0.0, run.unit("ps")).partition(" ")
    found = [
        Figure("Particles", "" if count is None else f"{count:,}"),
        Figure("Simulated", value if length else "", "", unit),
    ]
    for name, unit in _HEAD:
        if name in means and math.isfinite(means[name].mean):
            shown = run.unit(unit)
            if run.units == REDUCED and energies is not None:
                shown = energies.units.get(name, shown)
            told = _FIGURES.get(name, name.capitalize())
            found.append(Figure(told, *_figure(means[name]), shown))
    speeds = section(run.summary, "speed")
    speed = Figure("Speed", _told(speeds, "ns_per_day", rate), "", "ns/day")
    if run.units == REDUCED:
        speed = Figure("Speed", _told(speeds, "steps_per_second", rate), "", "steps/s")
    return [one for one in (*found, speed) if one.value]


def _figure(of: Average) -> tuple[str, str]:
    value, error = with_error(of.mean, of.error)
    return value, "" if error == "0" else error


def system_rows(
    run: RunFiles, names: Coordinates | None, frame: Frame | None, beads: Beads | None = None
) -> Rows:
    """The system in names and words."""
    system = section(run.summary, "system")
    count, parts = particles(run, names), molecules(run, names)
    told = isinstance(system.get("molecules"), list)
    of_molecules = beads is not None and beads.molecules is not None
    of_types = beads is not None and not of_molecules and not system.get("molecules")
    box, nm, final = system.get("box"), run.unit(" nm"), ""
    if frame is not None:
        lengths = " × ".join(f"{value:.4f}" for value in frame.box.lengths)
        lean = "" if frame.box.six[3:] == (0.0, 0.0, 0.0) else ", triclinic"
        final = f"{lengths}{nm}{lean}"
    density = _told(system, "density", lambda n: f"{short(n, 5)}{run.unit(' kg/m³')}")
    known = {"units", "particles", "molecules", "beads", "box", "periodic", "density"}
    known |= {"name", "title"}
    return [
        *_filled(
            ("Particles", "" if count is None else f"{count:,}"),
            ("Units", _UNITS.get(run.units, "")),
            (
                "Beads" if of_molecules else "Types",
                _list_of(kinds(beads.names)) if beads is not None else "",
            ),
            ("Bonded", beads.bonded() if beads is not None else ""),
            ("Molecules" if told else "Residues", "" if of_types else _list_of(parts)),
            ("Initial box" if final else "Box", "" if box is None else _box_words(box, nm)),
            ("Box" if box is None else "Final box", final),
            ("Open axes", " ".join(run.open_axes)),
            ("Initial density", density),
            ("Number density", _number_density(run, beads)),
        ),
        *named(flat({k: v for k, v in system.items() if k not in known})),
    ]


_UNITS = {
    REDUCED: "reduced: those of length σ, energy ε, mass m and time τ = σ √(m/ε)",
    "": "not given in the files",
}


def _number_density(run: RunFiles, beads: Beads | None) -> str:
    if beads is None or beads.flat:
        return ""
    unit = {REDUCED: " σ⁻³", MOLECULAR: " nm⁻³"}.get(run.units, "")
    return f"{short(beads.names.n / beads.frame.box.volume, 5)}{unit}"


def _list_of(parts: list[tuple[str, int]]) -> str:
    more = f" and {len(parts) - 12} other kinds" if len(parts) > 12 else ""
    return ", ".join(f"{number:,} {name}" for name, number in parts[:12]) + more


def _told(table: dict[str, Any], name: str, write: Callable[[float], str]) -> str:
    """A number of a table as `write` puts it; "" without one."""
    value = number_of(table.get(name))
    return "" if value is None else write(value)


def _filled(*rows: tuple[str, str]) -> Rows:
    """The rows that say something."""
    return [row for row in rows if row[1]]


def _box_words(box: Any, nm: str) -> str:
    values = np.array(box, dtype=object).ravel().tolist() if isinstance(box, list) else []
    numbers = [number for value in values if (number := number_of(value)) is not None]
    if not numbers or len(numbers) != len(values):
        return words(box)
    lean = ""
    if len(numbers) == 9:
        lean = ", triclinic" if any(numbers[k] for k in (1, 2, 3, 5, 6, 7)) else ""
        numbers = [numbers[0], numbers[4], numbers[8]]
    between = " × " if len(numbers) == 3 else " "
    return between.join(f"{value:.4f}" for value in numbers) + nm + lean


def run_rows(run: RunFiles, energies: Energies | None) -> Rows:
    """Length and speed of the run, and the ranks and version that it ran on."""
    told, speed = run.summary, section(run.summary, "speed")
    error, version = told.get("error"), told.get("version")
    ends = [] if (end := number_of(told.get("step"))) is None else [end]
    if energies is not None and energies.n and "step" in energies.columns:
        ends.append(float(energies.columns["step"][-1]))  # before the end where samples are rare
    length = simulated(run, energies)
    timed = number_of(told.get("steps"))
    other = timed is not None and timed != max(ends, default=timed)
    of = _told(told, "steps", lambda n: f" for {int(n):,} steps") if other else ""
    known = {"wall_seconds", "ns_per_day", "steps_per_second"}
    return [
        *_filled(
            ("Ended by an error", error if isinstance(error, str) else ""),
            ("Steps", f"{int(max(ends)):,}" if ends else ""),
            ("Simulated time", time_words(length, run.unit("ps")) if length else ""),
            ("Wall time", _told(speed, "wall_seconds", lambda wall: duration_words(wall) + of)),
            ("Speed", _told(speed, "ns_per_day", _per_day)),
            ("Steps per second", _told(speed, "steps_per_second", rate)),
        ),
        *named(flat({k: v for k, v in speed.items() if k not in known})),
        *rank_rows(section(told, "ranks")),
        *_filled(("Aureole", "" if version is None else words(version))),
    ]


def duration_words(seconds: float) -> str:
    """A wall time in words."""
    return duration(seconds) if seconds >= 10 else f"{seconds:.2f} s"


def _per_day(ns: float) -> str:
    return f"{rate(ns)} ns/day ({short(24 / ns, 3)} h/ns)" if ns else ""


def rank_rows(told: dict[str, Any]) -> Rows:
    """Facts about the ranks of a run; no rows for one rank."""
    grid = told.get("grid")
    parts = " × ".join(map(words, grid)) if isinstance(grid, list) else ""
    of_grid = f", grid {parts}" if parts else ""
    outside = "collectives_per_step_between_renewals"
    between = _told(told, outside, lambda n: f", {n:.3f} outside list renewals")
    collectives = _told(told, "collectives_per_step", lambda n: f"{n:.3f}{between}")
    of = _told(told, "list_renewals", lambda n: f" of {int(n):,}")
    return _filled(
        ("Ranks", _told(told, "ranks", lambda n: f"{int(n)}{of_grid}")),
        ("Load imbalance", _told(told, "load_imbalance", lambda part: f"{100 * part:.1f} %")),
        ("Collectives per step", collectives),
        ("Early list renewals", _told(told, "renewals_ahead_of_plan", lambda n: f"{int(n):,}{of}")),
        ("Steps taken back", _told(told, "steps_taken_back", lambda n: f"{int(n):,}")),
    )


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Names and words of a table that may hold tables."""
    for name, value in table.items():
        word = f"{before}{name}"
        if isinstance(value, dict) and value:
            yield from flat(value, f"{word} · ")
        elif value is not None and value not in ({}, [], ""):
            yield word, words(value)


def named(rows: Iterable[tuple[str, str]]) -> Rows:
    """Rows with names that begin as sentences do."""
    spaced = ((name.replace("_", " "), value) for name, value in rows)
    return [(name[:1].upper() + name[1:], value) for name, value in spaced]


def words(value: Any) -> str:
    """A value of JSON as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= 10000 else str(value)
    if isinstance(value, list):
        return ", ".join(words(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name}: {words(one)}" for name, one in value.items())
    return str(value)


def notes(run: RunFiles) -> list[str]:
    """The notes of the run."""
    told = run.summary.get("notes")
    told = told if isinstance(told, list) else [told] if told else []
    return [words(note.get("text", note) if isinstance(note, dict) else note) for note in told]


def file_rows(paths: list[Path]) -> Rows:
    """Names of files, with their sizes and times of writing."""
    rows = []
    for path in paths:
        about = path.stat()
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(about.st_mtime))
        rows.append((path.name, f"{size(about.st_size)}, {when}"))
    return rows
