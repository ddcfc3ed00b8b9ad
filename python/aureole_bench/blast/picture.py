# SPDX-License-Identifier: Apache-2.0
"""The picture of `aureole bench blast`: times of schedules, PyClaw, and the blast itself."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole.base.text import counted

from aureole_bench.ranks import picture as rank_picture
from aureole_bench.ranks.picture import FAINT, INK, STYLE, Row, pyplot

_BLUE, _ORANGE, _GREY = "#2f5fa5", "#e07b2e", "#c3c9d2"
COLOURS = {"pack": _BLUE, "subgrids": _ORANGE, "aggregate": "#4c9a67"}  # of schedules


def place(chosen: argparse.Namespace) -> Path | None:
    """Where the picture goes, checked; None without --picture where matplotlib is missing."""
    if chosen.picture is None and importlib.util.find_spec("matplotlib") is None:
        return None
    path = chosen.picture or Path("blast.png")
    rank_picture.check(path)
    return Path(path)


def draw(result: Row, path: Path) -> None:
    """Write the picture."""
    plt = pyplot()
    beside = result["pyclaw"]
    panels = [_times, _profile] if beside is None else [_times, _beside, _profile]
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(
            1, len(panels), figsize=(4.7 * len(panels), 3.6), layout="constrained"
        )
        figure.get_layout_engine().set(wspace=0.08)
        for axes, panel in zip(grid, panels, strict=True):
            panel(axes, result)
            axes.set_axisbelow(True)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        figure.savefig(path, dpi=160)
        plt.close(figure)


def _times(axes: Any, result: Row) -> None:
    rows = result["rows"]
    names = [_name(row) for row in rows]
    _bars(axes, names, rows, [COLOURS[row["schedule"]] for row in rows])
    subgrids = (result["cells"] // 8) ** 3
    _title(axes, f"{subgrids} sub-grids, RK3, PPM [ms/step]")


def _name(row: Row) -> str:
    if not row["threads"]:
        return str(row["schedule"])
    return f"{row['schedule']}, {counted(row['threads'], 'thread')}"


def _beside(axes: Any, result: Row) -> None:
    rows = result["pyclaw"]["rows"]
    names = [row["engine"].replace("aureole pack", "pack, RK2, PLM") for row in rows]
    _bars(axes, names, rows, [_BLUE] + [_GREY] * (len(rows) - 1))
    _title(axes, f"PyClaw {result['pyclaw']['version']}, one processor [ms/step]")


def _bars(axes: Any, names: Sequence[str], rows: Sequence[Row], colours: Sequence[str]) -> None:
    """Medians, with lines from quartile to quartile."""
    at = range(len(rows))
    values = [row["ms_per_step"] for row in rows]
    low = [row["ms_per_step"] - row["quartiles"][0] for row in rows]
    high = [row["quartiles"][1] - row["ms_per_step"] for row in rows]
    style = {"ecolor": INK, "elinewidth": 1.0, "capsize": 2.5}
    axes.barh(at, values, height=0.7, color=colours, xerr=[low, high], error_kw=style)
    for k, row in enumerate(rows):
        value = f"  {values[k]:.3g}" if values[k] < 100 else f"  {values[k]:.0f}"
        axes.text(row["quartiles"][1], k, value, va="center", color=INK, size=9)
    axes.set_yticks(at, names, color=INK)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.2 * max(row["quartiles"][1] for row in rows))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, lw=0.7)


def _profile(axes: Any, result: Row) -> None:
    """The mean density of shells, beside the exact density."""
    beside = result["pyclaw"]
    exact = result["exact"]
    axes.plot(exact["radius"], exact["density"], color=INK, lw=1.1, label="exact")
    shells = result["expected"]
    axes.plot(shells["radius"], shells["density"], "--", color=INK, lw=0.9, label="exact, means")
    shells = [("RK3, PPM", result["profile"], _BLUE, "o")]
    if beside is not None:
        by_name = {row["engine"]: row["profile"] for row in beside["rows"]}
        shells.append(("RK2, PLM", by_name["aureole pack"], _ORANGE, "s"))
        shells.append((beside["fastest"], by_name[beside["fastest"]], "#8a929e", "^"))
    for label, of, colour, mark in shells:
        axes.plot(
            of["radius"], of["density"], mark, color=colour, ms=4, mfc="none", label=label, mew=1.1
        )
    axes.set_xlabel("radius", color=INK)
    axes.legend(frameon=False, fontsize=8.5, loc="upper left")
    axes.grid(color=FAINT, lw=0.7)
    _title(axes, "Density at t = 0.01, means of shells")


def _title(axes: Any, words: str) -> None:
    axes.set_title(words, loc="left", fontsize=10, color=INK, fontweight="bold")
