# SPDX-License-Identifier: Apache-2.0
"""The picture of the sweep: time of a step over executors, over batches and over workers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole.base.text import counted

from aureole_bench.blast.picture import COLOURS
from aureole_bench.blast.sweep import SCHEDULES
from aureole_bench.ranks.picture import FAINT, INK, STYLE, Row, pyplot

_LINES = {"poll": ("-", "o"), "callback": ("--", "s"), "wait": (":", "^")}


def place(picture: Path) -> Path:
    """Beside the picture of the blast."""
    return picture.with_name(f"{picture.stem}-sweep{picture.suffix}")


def draw(result: Row, path: Path) -> None:
    """Write the picture."""
    plt = pyplot()
    rows, given = result["sweep"], result["sweep_settings"]
    one, alone, workers = min(given["executors"]), min(given["most"]), max(given["workers"])
    of_all = counted(workers, "worker")
    panels = (
        ("executors", {"most": alone, "workers": workers}, f"most {alone}, {of_all}"),
        ("most", {"executors": one, "workers": workers}, f"executors {one}, {of_all}"),
        ("workers", {}, "fastest executors and most"),
    )
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(1, 3, figsize=(13.2, 3.8), layout="constrained", sharey=True)
        figure.get_layout_engine().set(w_pad=0.12)
        for axes, (over, fixed, title) in zip(grid, panels, strict=True):
            some = [row for row in rows if all(row[name] == v for name, v in fixed.items())]
            _lines(axes, over, some)
            axes.set_title(title, loc="left", fontsize=10, color=INK, fontweight="bold")
        grid[0].set_ylabel("ms/step", color=INK)
        figure.legend(
            *grid[0].get_legend_handles_labels(), loc="outside right upper", frameon=False
        )
        figure.savefig(path, dpi=160)
        plt.close(figure)


def _lines(axes: Any, over: str, rows: Sequence[Row]) -> None:
    """The fastest of each value of a setting, a line for each schedule and notice."""
    for schedule, (notice, (line, mark)) in itertools.product(SCHEDULES, _LINES.items()):
        some = [row for row in rows if (row["schedule"], row["notice"]) == (schedule, notice)]
        at = sorted({row[over] for row in some})
        times = [min(row["ms_per_step"] for row in some if row[over] == value) for value in at]
        if at:
            style = {"color": COLOURS[schedule], "marker": mark, "ms": 4, "mfc": "none", "lw": 1.2}
            axes.plot(at, times, line, label=f"{schedule}, {notice}", **style)
    ticks = sorted({row[over] for row in rows})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", subs=(1.5, 2, 3, 5, 7))
    axes.set_xticks(ticks, [str(value) for value in ticks])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("{x:g}")
    axes.set_xlabel(over, color=INK)
    axes.grid(color=FAINT, lw=0.7, which="both")
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
