# SPDX-License-Identifier: Apache-2.0
"""The picture of `aureole bench scaling --ranks`: where the time of all processors goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from aureole.base.errors import bad_input, file_error

from aureole_bench.ranks.scaling import PARTS, REST

Row = Mapping[str, Any]

INK, _SOFT, FAINT = "#22262e", "#6b7482", "#e6e9ee"
#: Cold colours compute, warm ones wait and send.
_COLOURS = {
    "pairs": "#2f5fa5",
    "bonded": "#7fa8d9",
    "mesh": "#6d4c9f",
    "search": "#2b8069",
    "integration": "#8cc4ae",
    "energies": "#4a5568",
    "positions": "#f0b74a",
    "forces": "#e07b2e",
    "sums": "#b93a26",
    REST: "#c3c9d2",
}
_WORDS = {"positions": "positions of ghosts", "forces": "forces on ghosts", "sums": "sums"}
_BRIGHT = {"positions", "bonded", "integration", REST}
_KINDS = (".png", ".svg")
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.edgecolor": _SOFT,
    "xtick.color": _SOFT,
    "svg.fonttype": "none",
}


def check(path: Path) -> None:
    """Refuse before the measurement what cannot be drawn after it."""
    if path.suffix.lower() not in _KINDS:
        raise bad_input(
            f"the picture is {str(path)!r}", "it is neither PNG nor SVG", "Let its name end in .png"
        )
    if not path.absolute().parent.is_dir():
        raise file_error(path, "cannot be written", "its folder does not exist", "Make it")
    pyplot()


def pyplot() -> Any:
    """The module that draws; raises InputError where matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        raise bad_input(
            "no plot can be drawn",
            "matplotlib is missing",
            "Install it: pip install matplotlib",
        ) from None
    matplotlib.use("Agg")
    import matplotlib.pyplot

    return matplotlib.pyplot


def bars(rows: Sequence[Row]) -> list[tuple[str, dict[str, float]]]:
    """Name and parts of each row: processor time of a step to that of one processor.

    The sum of the parts is one over the efficiency.
    """
    found = []
    for row in rows:
        whole, length = sum(row["ms_by_part"].values()), 1 / row["efficiency"]["ratio"]
        parts = {name: ms / whole * length for name, ms in row["ms_by_part"].items()}
        found.append((_name(row), parts))
    return found


def _name(row: Row) -> str:
    return "one processor" if row["processors"] == 1 else str(row["layout"])


def draw(result: Row, path: Path) -> None:
    """Write the picture, a panel for each case and a bar for each number of ranks or threads."""
    plt = pyplot()
    cases = [(case, list(rows)) for case, rows in groupby(result["rows"], lambda r: r["case"])]
    heights = [len(rows) + 1.2 for _, rows in cases]
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(
            len(cases),
            1,
            figsize=(9.6, 1.5 + 0.36 * sum(heights)),
            height_ratios=heights,
            sharex=True,
            squeeze=False,
            layout="constrained",
        )
        for axes, (case, rows) in zip(grid[:, 0], cases, strict=True):
            _panel(axes, case, rows)
        longest = max(1 / row["efficiency"]["ratio"] for row in result["rows"])
        grid[0, 0].set_xlim(0, 1.3 * longest)
        grid[-1, 0].set_xlabel(
            "processor time per step, n tₙ / t₁  (1: n processors are n times as fast)",
            color=INK,
        )
        _legend(figure, result["rows"])
        figure.savefig(path, dpi=160)
        plt.close(figure)


def _panel(axes: Any, case: str, rows: Sequence[Row]) -> None:
    """The bars of one case, from above."""
    places = _places(rows)
    for place, row, (_, parts) in zip(places, rows, bars(rows), strict=True):
        begin = 0.0
        threads = row["ranks"] == 1 and row["threads"] > 1
        for name, length in parts.items():
            axes.barh(
                place,
                length,
                left=begin,
                height=0.74,
                color=_pale(_COLOURS[name]) if threads else _COLOURS[name],
                edgecolor="white",
                linewidth=0.6,
            )
            if length > 0.06 * sum(parts.values()):
                ink = INK if threads or name in _BRIGHT else "white"
                text = f"{100 * length / sum(parts.values()):.0f}"
                axes.text(
                    begin + length / 2, place, text, ha="center", va="center", size=8, color=ink
                )
            begin += length
        axes.text(begin, place, f"  {_end(row)}", va="center", color=INK, size=9)
    axes.axvline(1.0, color=INK, lw=0.9, ls=(0, (4, 3)))
    axes.set_yticks(places, [_name(row) for row in rows], color=INK)
    axes.set_ylim(max(places) + 0.6, min(places) - 0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=FAINT, lw=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    title = f"{case}, {rows[0]['n']:,} particles"
    axes.set_title(title, loc="left", fontsize=10.5, color=INK, fontweight="bold")


def _places(rows: Sequence[Row]) -> list[float]:
    """Heights of the bars; bars of another number of processors stand apart."""
    places, at, before = [], 0.0, rows[0]["processors"]
    for row in rows:
        at += 0.25 if row["processors"] != before else 0.0
        before = row["processors"]
        places.append(at)
        at += 0.85
    return places


def _end(row: Row) -> str:
    """The text at the end of a bar."""
    time = f"{row['ms_per_step']:.3g} ms"
    efficiency = f"{time}, efficiency {row['efficiency']['ratio']:.2f}"
    return time if row["processors"] == 1 else efficiency


def _pale(colour: str) -> str:
    """Half way to white."""
    channels = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{(value + 255) // 2:02x}" for value in channels)


def _legend(figure: Any, rows: Sequence[Row]) -> None:
    """The parts that have a visible share of some bar, and what faint bars are."""
    from matplotlib.patches import Patch

    names = [
        name
        for name in (*PARTS, REST)
        if any(row["ms_by_part"][name] > 0.002 * row["ms_per_step"] for row in rows)
    ]
    handles = [Patch(color=_COLOURS[name], label=_WORDS.get(name, name)) for name in names]
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=len(handles),
        frameon=False,
        fontsize=8.5,
        handlelength=1.0,
        handleheight=1.0,
        columnspacing=1.2,
        title="Processor time per step by part [%]; pale: one rank with as many threads",
        title_fontproperties={"size": 11, "weight": "bold"},
        alignment="left",
    )
