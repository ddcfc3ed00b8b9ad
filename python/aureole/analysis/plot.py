# SPDX-License-Identifier: Apache-2.0
"""A picture of a run: energy, temperature and pressure against time, and g(r)."""

from __future__ import annotations

import csv
import io
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import bad_input, file_error
from aureole.base.files import open_regular

from .statistics import mean_and_error

Array = NDArray[np.float64]

_INK, _SOFT = "#22262e", "#8a93a3"
_COLOURS = {"energy": "#3266ad", "temperature": "#c4472b", "pressure": "#2e8b6f", "g": "#7a4fa3"}


def read_log(path: str | os.PathLike[str]) -> dict[str, Array]:
    """The columns of a log, by name."""
    try:
        with io.TextIOWrapper(open_regular(path), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        table = np.array(rows[1:], dtype=float).reshape(len(rows) - 1, len(rows[0]))
    except (OSError, ValueError, IndexError, csv.Error) as error:
        raise file_error(path, "is not a log", error, "Give one that Log has written") from None
    return {name: table[:, k] for k, name in enumerate(rows[0])}


def pyplot() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise bad_input(
            "no plot can be drawn", "matplotlib is missing", "Install it: pip install matplotlib"
        ) from None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


def _series(axes: Any, time: Array, values: Array, start: float, name: str, label: str) -> None:
    """One quantity against time, with its mean after `start`."""
    colour = _COLOURS[name]
    late = time >= start
    axes.plot(time, values, color=colour, lw=1.1)
    mean, error = mean_and_error(values[late])
    axes.hlines(mean, start, time[-1], color=_INK, lw=0.9, ls=(0, (4, 3)))
    spread = np.ptp(values[late]) or abs(mean) or 1.0
    # The start may be far off; the plot shows the relaxation.
    low, high = values[late].min() - 1.2 * spread, values[late].max() + 1.2 * spread
    axes.set_ylim(max(low, values.min() - 0.1 * spread), min(high, values.max() + 0.6 * spread))
    axes.set_xlim(time[0], time[-1])
    axes.axvspan(time[0], start, color="#eef1f5", lw=0, zorder=0)
    axes.set_title(label, loc="left", fontsize=10.5, color=_INK, fontweight="bold")
    digits = max(1, -int(np.floor(np.log10(error))) + 1) if error > 0 else 4
    axes.set_title(
        f"{mean:.{digits}f} ± {error:.{digits}f}", loc="right", fontsize=9.5, color=_SOFT
    )


def overview(
    log: dict[str, Array], n: int, g: tuple[Array, Array], path: str, title: str, start: float
) -> None:
    """Draw the picture.

    Args:
        log: columns time, potential, kinetic, temperature, pressure
        n: number of particles
        g: r and g(r)
        path: the PNG file to write
        title: above all
        start: time from which means are taken; what is before is shaded
    """
    plt = pyplot()
    style = {
        "font.family": "DejaVu Sans",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": _SOFT,
        "axes.labelcolor": _INK,
        "xtick.color": _SOFT,
        "ytick.color": _SOFT,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "axes.labelsize": 9.5,
    }
    with plt.rc_context(style):
        figure, grid = plt.subplots(2, 2, figsize=(10.5, 6.6), constrained_layout=True)
        figure.suptitle(title, x=0.012, ha="left", fontsize=13, color=_INK, fontweight="bold")
        time = log["time"]
        total = (log["potential"] + log["kinetic"]) / n
        _series(grid[0, 0], time, total, start, "energy", "Energy per particle  [ε]")
        _series(grid[0, 1], time, log["temperature"], start, "temperature", "Temperature  [ε/k]")
        _series(grid[1, 0], time, log["pressure"], start, "pressure", "Pressure  [ε/σ³]")
        for axes in (grid[0, 0], grid[0, 1], grid[1, 0]):
            axes.set_xlabel("time  [τ]")
            axes.grid(axis="y", color="#e6e9ee", lw=0.7)
            axes.set_axisbelow(True)
        _distribution(grid[1, 1], *g)
        figure.savefig(path, dpi=160)
        plt.close(figure)


def _distribution(axes: Any, r: Array, g: Array) -> None:
    axes.fill_between(r, 0, g, color=_COLOURS["g"], alpha=0.12, lw=0)
    axes.plot(r, g, color=_COLOURS["g"], lw=1.6)
    axes.axhline(1.0, color=_INK, lw=0.8, ls=(0, (4, 3)))
    axes.set_xlim(0, r[-1])
    axes.set_ylim(0, 1.12 * g.max())
    axes.set_xlabel("distance  [σ]")
    axes.set_title(
        "Pair distribution g(r)", loc="left", fontsize=10.5, color=_INK, fontweight="bold"
    )
    top = int(g.argmax())
    axes.annotate(
        f"{g[top]:.2f} at {r[top]:.2f} σ",
        (r[top], g[top]),
        xytext=(12, -4),
        textcoords="offset points",
        fontsize=9,
        color=_SOFT,
    )
