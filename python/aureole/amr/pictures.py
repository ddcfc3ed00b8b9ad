# SPDX-License-Identifier: Apache-2.0
"""Pictures of a gas: a field, the borders of sub-grids, slices of three dimensions."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from aureole.base.errors import Error, bad_input
from aureole.base.text import counted
from aureole.base.text_files import replace
from aureole.base.values import choice, integer, number

from .blocks import Blocks
from .cells import Array, at_level
from .mesh import AXES, CELLS, Mesh

#: Most pixels of a field along an axis: finer cells are averaged.
MOST_PIXELS = 4096


def picture(
    sim: Any,
    field: str = "density",
    path: str | os.PathLike[str] = "picture.png",
    *,
    axis: str = "z",
    at: float | None = None,
    borders: bool = True,
    log: bool = False,
    width: int = 900,
) -> None:
    """Draw a field of a gas, with the borders of its sub-grids.

    In one dimension it is a line, in three a slice.

    Args:
        sim: an `amr.Simulation`
        field: as in `Simulation.get`, but no vector
        path: the file, .png, .pdf or .svg
        axis: across the slice of three dimensions, "x", "y" or "z"
        at: where the slice is along that axis [length]; None for the middle of the box
        borders: draw the borders of sub-grids
        log: colours and heights by the logarithm
        width: of the picture in pixels, 100 of an inch

    It needs matplotlib: ``pip install 'aureole[fluids]'``. Raises InputError for a vector, a place
    outside of the box and an ending that matplotlib has no format for.
    """
    figure_class = _figure()
    blocks, dims = sim.blocks, sim.mesh.dims
    cells = blocks.cells(field)
    if cells.ndim != dims + 1:
        raise bad_input(
            f"field of picture is {field!r}",
            "a vector has no single colour",
            f"Give a component, for example {field + '_x'!r}",
        )
    if log and not (cells > 0).any():
        raise bad_input(
            f"field of picture is {field!r} with log=True",
            "no cell has a positive value, and others have no logarithm",
            "Leave log out, or choose another field",
        )
    if dims != 3 and (at is not None or axis != "z"):
        raise bad_input(
            "picture got axis or at",
            f"they are of slices, and the mesh has {counted(dims, 'axis', 'axes')}",
            "Leave them out",
        )
    width = integer(width, "width of picture", low=100, high=10_000)
    across = AXES.index(choice(axis, "axis of picture", tuple(AXES))) if dims == 3 else 2
    height = 0.62 if dims == 1 else _height(sim.mesh.box, across)
    figure = figure_class(figsize=(width / 100, height * width / 100))
    axes = figure.add_subplot()
    place = ""
    if dims == 1:
        _line(axes, blocks, cells, log=log, borders=borders)
        axes.set(xlabel="x", ylabel=field.replace("_", " "))
    else:
        at = _place(sim, across, at) if dims == 3 else None
        if at is not None:
            place = f", {AXES[across]} = {at:.4g}"
        shown = _image(axes, sim, cells, across, at, log)
        if borders:
            _borders(axes, blocks, across, at)
        figure.colorbar(shown, label=field.replace("_", " "))
        one, two = (AXES[k] for k in range(dims) if dims == 2 or k != across)
        axes.set(xlabel=one, ylabel=two)
    axes.set_title(f"t = {sim.time:.4g}, step {sim.step:,}{place}", fontsize=10)
    _save(figure, os.fspath(path))


def _height(box: Sequence[tuple[float, float]], across: int) -> float:
    """The height of a picture over its width, so that the plane fills it; 0.85 for a square."""
    one, two = (high - low for k, (low, high) in enumerate(box) if k != across)
    return float(np.clip(0.25 + 0.6 * two / one, 0.4, 1.2))


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Error(
            f"picture needs matplotlib ({error}). Install it: pip install 'aureole[fluids]'"
        ) from None
    return Figure


def _place(sim: Any, across: int, at: float | None) -> float:
    low, high = sim.mesh.box[across]
    if at is None:
        return float((low + high) / 2)
    at = number(at, "at of picture")
    if not low <= at <= high:
        raise bad_input(
            f"at of picture is {at:g}",
            f"the box goes from {low:g} to {high:g} along {AXES[across]}",
            "Give a place inside",
        )
    return at


def _line(axes: Any, blocks: Blocks, cells: Array, *, log: bool, borders: bool) -> None:
    x = blocks.centers("x").ravel()
    order = np.argsort(x)
    axes.plot(x[order], cells.ravel()[order], ".-", ms=3, lw=0.8, color="#1f4e79")
    if log:
        axes.set_yscale("log")
    if borders:
        for end in np.unique(blocks.boxes[:, 0]):
            axes.axvline(end, color="0.85", lw=0.6, zorder=0)


def _image(axes: Any, sim: Any, cells: Array, across: int, at: float | None, log: bool) -> Any:
    """The cells of a plane, as a uniform picture at the level of the finest."""
    mesh, blocks = sim.mesh, sim.blocks
    kept = [k for k in range(mesh.dims) if k != across]
    crossed = _crossed(blocks, across, at)
    leaves, parts = np.asarray(sim._core.leaves())[crossed], cells[crossed]
    if at is not None:
        low, high = blocks.boxes[crossed, across].T
        layers = np.minimum((CELLS * (at - low) / (high - low)).astype(int), CELLS - 1)
        parts = np.moveaxis(parts, 3 - across, 1)[np.arange(len(parts)), layers]
    plane = Mesh(box=[mesh.box[k] for k in kept], roots=[mesh.roots[k] for k in kept])
    places = np.column_stack([leaves[:, [0, *(1 + k for k in kept)]], np.zeros_like(leaves[:, 0])])
    finest = int(blocks.levels.max())
    while finest > 0 and max(plane.cells) << finest > MOST_PIXELS:
        finest -= 1
    whole = at_level(plane, places, parts[:, None, None], finest)[0, 0]
    from matplotlib.colors import LogNorm

    norm = LogNorm() if log else None
    ends = [end for pair in plane.box for end in pair]
    shown = axes.imshow(whole, origin="lower", extent=ends, cmap="magma", norm=norm)
    axes.set_aspect("equal")
    return shown


def _crossed(blocks: Blocks, across: int, at: float | None) -> Any:
    """The sub-grids that a plane goes through; the upper ones where it is between two."""
    if at is None:
        return np.arange(len(blocks))
    low, high = blocks.boxes[:, across].T
    last = high == high.max()
    return np.flatnonzero((low <= at) & ((at < high) | (last & (at <= high))))


def _borders(axes: Any, blocks: Blocks, across: int, at: float | None) -> None:
    from matplotlib.collections import LineCollection

    kept = [k for k in range(blocks.boxes.shape[1]) if k != across]
    lines = []
    for k in _crossed(blocks, across, at):
        (a, b), (c, d) = (blocks.boxes[k, axis] for axis in kept)
        lines.append([(a, c), (b, c), (b, d), (a, d), (a, c)])
    axes.add_collection(LineCollection(lines, colors="white", linewidths=0.35, alpha=0.6))


def _save(figure: Any, path: str) -> None:
    ending = os.path.splitext(path)[1].removeprefix(".").lower()
    known = figure.canvas.get_supported_filetypes()
    if ending not in known:
        raise bad_input(
            f"path of picture is {path!r}",
            f"there is no format {ending!r}" if ending else "it has no ending",
            "Write for example blast.png",
        )
    room = io.BytesIO()
    figure.savefig(room, format=ending, dpi=100, bbox_inches="tight")
    replace(path, [room.getbuffer()])
