# SPDX-License-Identifier: Apache-2.0
"""Writes the page about a run: collects what it shows, and renders it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path

from aureole.base.errors import Error
from aureole.base.text_files import replace
from aureole.formats.registry import ending_of

from . import (
    bead_picture,
    beads,
    charts,
    coarse,
    elements,
    energies,
    facts,
    files,
    frames,
    minimum,
    pair_distribution,
    radii,
)
from . import scene as pictures
from .page import Content, render
from .units import MOLECULAR, REDUCED

#: Number of frames of the trajectory for pair distributions.
FRAMES = 20


def write(
    run: str | os.PathLike[str],
    page: str | os.PathLike[str] | None = None,
    *,
    pairs: Sequence[str] = (),
    frames: int = FRAMES,
) -> tuple[Path, dict[str, str]]:
    """Write the page about a run.

    Args:
        run: the folder of the run, or the prefix of its files
        page: the file to write; None names it after the run, in the same folder
        pairs: pair distributions to draw, by kind, type or atom name, such as "O-H"; empty for
            common ones
        frames: number of frames for them, from the end of the trajectory

    Returns the file, and what could not be shown: part → why. Raises FileError if there is no
    run, InputError for unknown pairs.
    """
    content = collect(run, pairs=pairs, frames=frames)
    target = Path(page) if page is not None else content.run.page
    replace(target, [render(content).encode(errors="backslashreplace")])
    return target, content.missing


def collect(
    run: str | os.PathLike[str], *, pairs: Sequence[str] = (), frames: int = FRAMES
) -> Content:
    """All that the page shows; parts that cannot be read are listed in `missing`."""
    found = files.find(run)
    content = Content(found, dict(found.missing))
    _find_beads(content)
    if content.beads is None:
        _find_last_frame(content)
    _add_energies(content)
    if content.beads is None:
        _add_distributions(content, pairs, frames)
    else:
        _add_beads(content, pairs, frames)
    return content


def _add_energies(content: Content) -> None:
    if content.run.energies is not None:
        try:
            table = energies.read(content.run.energies)
        except Error as error:
            content.missing["energies"] = str(error)
        else:
            if table.n:
                content.energies = _in_units(table, content)
            else:
                content.missing["energies"] = f"{content.run.energies.name} has no rows yet."
    content.minimum = minimum.of_run(content.run.summary, content.energies)
    if content.minimum is not None:
        _add_descent(content)
        return
    content.means = charts.averages(content.run.summary, content.energies)
    if content.energies is not None:
        content.large = charts.large(content.energies, content.means)
        content.small = charts.small(content.energies, content.means)


def _add_descent(content: Content) -> None:
    """Add the charts of a minimisation, whose values have a trend and no means."""
    if content.energies is None:
        return
    content.energies = minimum.untimed(content.energies)
    content.ends = charts.ends(content.energies)
    large = charts.large(content.energies, {})
    content.large = [charts.of_ends(chart, content.ends) for chart in large]
    small = charts.small(content.energies, {})
    content.small = {name: charts.of_ends(chart, content.ends) for name, chart in small.items()}


def _in_units(table: energies.Energies, content: Content) -> energies.Energies:
    """The table in the units of the run; for particles with types, with energies per particle."""
    run, n = content.run, facts.particles(content.run, content.names)
    if run.units != MOLECULAR:
        table = table.converted(run.unit)
    of_types = content.beads is not None and content.beads.molecules is None
    return table.per_particle(n) if n and (of_types or run.units == REDUCED) else table


def _find_beads(content: Content) -> None:
    """The last frame of particles that are known by their types."""
    run = content.run
    path, reduced = run.trajectory, run.units != MOLECULAR
    if path is None or ending_of(path) not in beads.ENDINGS:
        return
    if run.last_frame is not None and not reduced:
        return  # of molecules, with their names
    try:
        found = beads.read(path, reduced)
    except Error as error:
        content.missing["trajectory"] = str(error)
        for part in ("last_frame", "distributions"):
            content.missing.pop(part, None)
        return
    found = dataclasses.replace(found, frame=frames.opened(found.frame, run.open_axes))
    content.beads, content.names, content.frame = found, found.names, found.frame
    content.missing.pop("last_frame", None)
    if not run.summary and run.missing.get("summary", "").startswith("No file"):
        content.missing["summary"] = (
            "Settings, speed and a time breakdown are shown for runs with au.RunLog among the "
            f'observers, for example au.RunLog("{run.name}.log").'
        )


def _find_last_frame(content: Content) -> None:
    """The last frame of molecules with its names, and the picture of it unless it has beads."""
    path = content.run.last_frame
    if path is None:
        return
    try:
        content.names, content.frame = frames.last_frame(path)
    except Error as error:
        content.missing["last_frame"] = str(error)
        return
    if content.frame is not None:
        content.frame = frames.opened(content.frame, content.run.open_axes)
    else:
        content.missing["distributions"] = f"{path.name} has no box, so there is no g(r)."
    shown = content.frame or frames.unbound(content.names)
    content.beads = coarse.of_run(content.run.summary, content.names, shown)
    if content.beads is None:
        content.scene = pictures.scene(content.names, shown, periodic=content.frame is not None)


def _add_beads(content: Content, pairs: Sequence[str], most: int) -> None:
    """The picture and pair distributions of particles that are known by their types."""
    run, found = content.run, content.beads
    assert found is not None, "they are looked for before"
    of = _frames_of_types if found.molecules is None else _frames
    chosen = of(content, most)
    made: list[pair_distribution.Distribution] = []
    try:
        if chosen:
            made = beads.distributions(found, chosen, [_split(pair) for pair in pairs])
    except Error as error:
        if pairs:
            raise
        content.missing["distributions"] = str(error)
    if made:
        content.distributions = charts.distributions(made, run.unit("nm"))
    elif found.names.n > 1:
        content.missing.setdefault("distributions", "No two types have enough particles for g(r).")
    else:
        content.missing["distributions"] = "There is one particle, so there is no g(r)."
    sizes, content.radii = radii.diameters(found, run.summary, chosen, made)
    kinds = found.type, found.type_names
    periodic, water = content.frame is not None, found.molecules and found.molecules.water
    shown = bead_picture.picture(found.frame, *kinds, found.bonds, sizes, periodic, water)
    content.scene = shown


def _frames_of_types(content: Content, most: int) -> list[frames.Frame]:
    """Frames for pair distributions of types, from the second half, with the words about them."""
    run, found = content.run, content.beads
    assert found is not None and run.trajectory is not None, "they are read from there"
    reduced, half = run.units != MOLECULAR, min(most, (found.frames + 1) // 2)
    last = beads.last_frames(run.trajectory, half, reduced)[0]
    chosen = [
        frames.opened(frame, run.open_axes)
        for frame in last
        if len(frame.position) == found.names.n  # of those types
    ]
    of = f"the last {len(chosen)} of {found.frames:,} frames"
    words = of if found.frames > 1 else "the only frame"
    content.frames = f"Over {words} of {run.trajectory.name}."
    return chosen


def _add_distributions(content: Content, pairs: Sequence[str], most: int) -> None:
    chosen = _frames(content, most)
    path = content.run.trajectory
    if content.names is None and path is not None and ending_of(path) in beads.ENDINGS:
        return  # what is wrong with it says why there is no g(r)
    if content.names is None or not chosen:
        content.missing.setdefault(
            "distributions",
            "Pair distributions need a box, and atom names from a last frame in a .gro file "
            "(au.write_frame writes one).",
        )
        return
    names = content.names
    symbol = elements.symbols(names.name, names.residue_name)
    water = elements.is_water(names.residue_name)
    kinds = pair_distribution.kinds(symbol, water)
    wanted = [_split(pair) for pair in pairs] or pair_distribution.usual_pairs(kinds)
    residue = pictures.residues(names)
    physical = content.run.units == MOLECULAR
    r_max = pair_distribution.R_MAX if physical else pair_distribution.R_MAX_REDUCED
    found = []
    for a, b in wanted:
        first, second = (pair_distribution.select(word, kinds, names.name) for word in (a, b))
        try:
            which = (first, second, residue, f"{a}–{b}")
            found.append(pair_distribution.distribution(chosen, *which, r_max=r_max))
        except Error as error:
            if pairs:
                raise
            content.missing["distributions"] = str(error)
    if found:
        content.distributions = charts.distributions(found, content.run.unit("nm"))


def _split(pair: str) -> tuple[str, str]:
    first, _, second = pair.partition("-")
    return first.strip(), second.strip() or first.strip()


def _frames(content: Content, most: int) -> list[frames.Frame]:
    """Frames for pair distributions, with the words about them; if need be the last frame alone."""
    path, last = content.run.trajectory, content.frame
    if path is not None and content.names is not None and last is not None:
        try:
            found, count = frames.trajectory(path, most)
            chosen = [frames.opened(frame, content.run.open_axes) for frame in found]
            n = content.names.n
            if chosen and all(len(frame.position) == n for frame in chosen):
                content.frames = f"Over the last {len(chosen)} of {count:,} frames of {path.name}."
                return chosen
            if chosen:
                others = len(chosen[0].position)
                content.missing["trajectory"] = (
                    f"{path.name} has {others:,} particles, but the last frame has {n:,}."
                )
            else:
                content.missing["trajectory"] = f"{path.name} has no frames."
        except Error as error:
            content.missing["trajectory"] = str(error)
    if last is None:
        return []
    content.frames = "Only the last frame is used."
    return [last]
