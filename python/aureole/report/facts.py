# SPDX-License-Identifier: Apache-2.0
"""The facts of a run as names and words: its head, its system, its settings, its speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aureole.analysis.statistics import Average
from aureole.base.text import duration, rate
from aureole.formats.coordinates import Coordinates

from .energies import Energies
from .files import RunFiles, number_of, section
from .frames import Frame
from .numerals import short, with_error
from .scene import residues

Rows = list[tuple[str, str]]


@dataclass(frozen=True)
class Figure:
    """A number of the head: "Temperature", "299.81", "0.12", "K"."""

    name: str
    value: str
    error: str = ""
    unit: str = ""


def title(run: RunFiles, names: Coordinates | None) -> str:
    """What the page is called."""
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
    if names is None:
        return []
    first = np.unique(residues(names), return_index=True)[1]
    counts = np.bincount(names.residue_name.index[first], minlength=len(names.residue_name.words))
    residue_counts = zip(names.residue_name.words, map(int, counts), strict=True)
    return sorted((one for one in residue_counts if one[1]), key=lambda one: -one[1])


def particles(run: RunFiles, names: Coordinates | None) -> int | None:
    """Number of particles."""
    told = number_of(section(run.summary, "system").get("particles"))
    return int(told) if told is not None else names.n if names else None


def simulated(run: RunFiles, energies: Energies | None) -> float | None:
    """Time from the first energies to the end of the run, which may lie behind the last ones."""
    if energies is None or energies.n == 0 or not energies.timed:
        return None
    end = number_of(run.summary.get("time"))
    last = float(energies.time[-1])
    return max(last, last if end is None else end) - float(energies.time[0])


def time_words(ps: float, unit: str = "ps") -> str:
    """A time [ps] in the unit that suits it; in reduced units, "", as it is."""
    if not unit:
        return short(ps)
    for unit, size in (("µs", 1e6), ("ns", 1e3)):
        if abs(ps) >= size:
            return f"{short(ps / size)} {unit}"
    return f"{short(ps)} ps"


def figures(
    run: RunFiles, names: Coordinates | None, energies: Energies | None, means: dict[str, Average]
) -> list[Figure]:
    """The numbers of the head."""
    found = []
    count = particles(run, names)
    if count is not None:
        found.append(Figure("Particles", f"{count:,}"))
    length = simulated(run, energies)
    if length:
        value, _, unit = time_words(length, run.unit("ps")).partition(" ")
        found.append(Figure("Simulated", value, "", unit))
    for name, unit in (("temperature", "K"), ("pressure", "bar"), ("density", "kg/m³")):
        if name in means and math.isfinite(means[name].mean):
            found.append(Figure(name.capitalize(), *_figure(means[name]), run.unit(unit)))
    speed = number_of(section(run.summary, "speed").get("ns_per_day"))
    if speed is not None:
        found.append(Figure("Speed", rate(speed), "", "ns/day"))
    return found


def _figure(of: Average) -> tuple[str, str]:
    value, error = with_error(of.mean, of.error)
    return value, "" if error == "0" else error


def system_rows(run: RunFiles, names: Coordinates | None, frame: Frame | None) -> Rows:
    """The system in names and words."""
    system = section(run.summary, "system")
    rows: Rows = []
    count = particles(run, names)
    if count is not None:
        rows.append(("Particles", f"{count:,}"))
    parts = molecules(run, names)
    if parts:
        told = isinstance(system.get("molecules"), list)
        shown = ", ".join(f"{number:,} {name}" for name, number in parts[:12])
        more = f" and {len(parts) - 12} other kinds" if len(parts) > 12 else ""
        rows.append(("Molecules" if told else "Residues", shown + more))
    box, nm = system.get("box"), run.unit(" nm")
    if box is not None:
        rows.append(("Initial box" if frame is not None else "Box", _box_words(box, nm)))
    if frame is not None:
        lengths = " × ".join(f"{value:.4f}" for value in frame.box.lengths)
        lean = "" if frame.box.six[3:] == (0.0, 0.0, 0.0) else ", triclinic"
        rows.append(("Final box" if box is not None else "Box", f"{lengths}{nm}{lean}"))
    density = number_of(system.get("density"))
    if density is not None:
        rows.append(("Initial density", f"{short(density, 5)}{run.unit(' kg/m³')}"))
    known = {"units", "particles", "molecules", "box", "density", "name", "title"}
    return rows + named(flat({k: v for k, v in system.items() if k not in known}))


def _box_words(box: Any, nm: str) -> str:
    values = np.array(box, dtype=object).ravel().tolist() if isinstance(box, list) else []
    numbers = [number for value in values if (number := number_of(value)) is not None]
    if not numbers or len(numbers) != len(values):
        return words(box)
    if len(numbers) == 9 and not any(numbers[k] for k in (1, 2, 3, 5, 6, 7)):
        numbers = [numbers[0], numbers[4], numbers[8]]
    if len(numbers) == 3:
        return " × ".join(f"{value:.4f}" for value in numbers) + nm
    return " ".join(f"{value:.4f}" for value in numbers) + nm


def run_rows(run: RunFiles, energies: Energies | None) -> Rows:
    """Speed, and what the run ran on."""
    speed = section(run.summary, "speed")
    rows: Rows = []
    if isinstance(error := run.summary.get("error"), str):
        rows.append(("Ended by an error", error))
    ends = [number_of(run.summary.get("step"))]
    if energies is not None and energies.n and "step" in energies.columns:
        ends.append(float(energies.columns["step"][-1]))  # before the end where samples are rare
    known_ends = [end for end in ends if end is not None]
    if known_ends:
        rows.append(("Steps", f"{int(max(known_ends)):,}"))
    length = simulated(run, energies)
    if length:
        rows.append(("Simulated time", time_words(length, run.unit("ps"))))
    wall = number_of(speed.get("wall_seconds"))
    if wall is not None:
        timed = number_of(run.summary.get("steps"))
        of = ""
        if timed is not None and timed != max(known_ends, default=timed):
            of = f" for {int(timed):,} steps"
        rows.append(("Wall time", (duration(wall) if wall >= 10 else f"{wall:.2f} s") + of))
    per_day = number_of(speed.get("ns_per_day"))
    if per_day:
        rows.append(("Speed", f"{rate(per_day)} ns/day ({short(24 / per_day, 3)} h/ns)"))
    per_second = number_of(speed.get("steps_per_second"))
    if per_second is not None:
        rows.append(("Steps per second", rate(per_second)))
    known = {"wall_seconds", "ns_per_day", "steps_per_second"}
    rows += named(flat({k: v for k, v in speed.items() if k not in known}))
    rows += rank_rows(section(run.summary, "ranks"))
    if run.summary.get("version") is not None:
        rows.append(("Aureole", words(run.summary["version"])))
    return rows


def rank_rows(told: dict[str, Any]) -> Rows:
    """How the ranks of a run worked together; nothing of one rank."""
    rows: Rows = []
    grid = told.get("grid")
    count = number_of(told.get("ranks"))
    if count is not None:
        parts = " × ".join(map(words, grid)) if isinstance(grid, list) else ""
        rows.append(("Ranks", f"{int(count)}, grid {parts}" if parts else f"{int(count)}"))
    uneven = number_of(told.get("load_imbalance"))
    if uneven is not None:
        rows.append(("Load imbalance", f"{100 * uneven:.1f} %"))
    per_step = number_of(told.get("collectives_per_step"))
    if per_step is not None:
        between = number_of(told.get("collectives_per_step_between_renewals"))
        more = f", {between:.3f} outside list renewals" if between is not None else ""
        rows.append(("Collectives per step", f"{per_step:.3f}{more}"))
    early = number_of(told.get("renewals_ahead_of_plan"))
    if early is not None:
        renewals = number_of(told.get("list_renewals"))
        of = f" of {int(renewals):,}" if renewals is not None else ""
        rows.append(("Early list renewals", f"{int(early):,}{of}"))
    back = number_of(told.get("steps_taken_back"))
    if back is not None:
        rows.append(("Steps taken back", f"{int(back):,}"))
    return rows


def flat(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Names and words of a table that may hold tables."""
    for name, value in table.items():
        word = f"{before}{name}"
        if isinstance(value, dict) and value:
            yield from flat(value, f"{word} · ")
        elif value is not None and value not in ({}, [], ""):
            yield word, words(value)


def named(rows: Iterable[tuple[str, str]]) -> Rows:
    """The same rows with names that begin as sentences do."""
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
        rows.append((path.name, f"{_size(about.st_size)}, {when}"))
    return rows


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.3g} GB"
