# SPDX-License-Identifier: Apache-2.0
"""Writes the page about a molecular run: collects what it shows, and renders it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from aureole.base.errors import Error
from aureole.base.text_files import replace

from . import charts, elements, energies, files, frames, pair_distribution, scene
from .page import Content, render

#: Frames of the trajectory that pair distributions are made of.
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
        pairs: pair distributions to draw, by kind or atom name, such as "O-H"; empty for common
            ones
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
    _add_energies(content)
    _add_last_frame(content)
    _add_distributions(content, pairs, frames)
    return content


def _add_energies(content: Content) -> None:
    if content.run.energies is not None:
        try:
            table = energies.read(content.run.energies)
        except Error as error:
            content.missing["energies"] = str(error)
        else:
            if table.n:
                content.energies = table if content.run.unit("ps") else table.reduced()
            else:
                content.missing["energies"] = f"{content.run.energies.name} has no rows yet."
    content.means = charts.averages(content.run.summary, content.energies)
    if content.energies is not None:
        content.large = charts.large(content.energies, content.means)
        content.small = charts.small(content.energies, content.means)


def _add_last_frame(content: Content) -> None:
    path = content.run.last_frame
    if path is None:
        return
    try:
        content.names, content.frame = frames.last_frame(path)
    except Error as error:
        content.missing["last_frame"] = str(error)
        return
    if content.frame is None:
        content.missing["distributions"] = f"{path.name} has no box, so there is no g(r)."
    shown = content.frame or frames.unbound(content.names)
    content.scene = scene.scene(content.names, shown, periodic=content.frame is not None)


def _add_distributions(content: Content, pairs: Sequence[str], most: int) -> None:
    chosen = _frames(content, most)
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
    residue = scene.residues(names)
    physical = bool(content.run.unit("nm"))
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
    """Frames for pair distributions, with the words about them; the last one if need be."""
    path, last = content.run.trajectory, content.frame
    if path is not None and content.names is not None and last is not None:
        try:
            chosen, count = frames.trajectory(path, most)
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
