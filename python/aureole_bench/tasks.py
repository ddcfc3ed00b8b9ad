# SPDX-License-Identifier: Apache-2.0
"""`aureole bench tasks`: the program bench_tasks, and its numbers as tables.

It names what it measures. A value is a number; a time of ours and of oneTBB with their ratio; other
numbers by name; or a list of runs with the same settings for each notice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole_bench import programs, report
from aureole_bench.stats import spread
from aureole_bench.table import Cell, Row, table

PROGRAM = programs.of_tree("bench_tasks")
_SETTINGS = ("executors", "most", "workers")


def measure(program: Path) -> dict[str, Any]:
    """Results of the program. Raises InputError where it is missing, PeerFailed where it fails."""
    return {
        **report.machine(),
        "program": str(program),
        "tasks": programs.results(PROGRAM.name, program),
    }


def text(result: Row) -> str:
    """The result as tables."""
    found = dict(result["tasks"])
    compared = [
        {"what": name, "ratio": None, **value}
        for name, value in found.items()
        if isinstance(value, dict) and "ours" in value
    ]
    parts = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; {result['program']}",
    ]
    if found.get("tbb") is False:
        parts += ["oneTBB is skipped: it was not found when bench_tasks was built (libtbb-dev)."]
    if compared:
        parts += ["", "Nanoseconds of each; the last number of a name counts workers"]
        parts += [table(compared, _COMPARED)]
    parts += [""]
    for name, value in found.items():
        if isinstance(value, list):
            parts += ["", *_notices(name, value)]
        elif isinstance(value, dict) and "ours" not in value:
            parts += [f"{name}: " + ", ".join(f"{n} {v:,.6g}" for n, v in value.items())]
        elif not isinstance(value, dict | bool):
            parts += [f"{name}: {value}"]
    return "\n".join(parts)


_COMPARED: dict[str, Cell] = {
    **{"": "{what}", "ours": "{ours:.1f}", "oneTBB": "{tbb:.1f}"},
    "ours to oneTBB": "{ratio:.2f}",
}


def _notices(name: str, rows: Sequence[Row]) -> list[str]:
    """Times of all notices at equal settings beside the ideal, and of waiting to polling."""
    notices = list(dict.fromkeys(row["notice"] for row in rows))
    by_settings: dict[tuple[int, ...], dict[str, Any]] = {}
    for row in rows:
        of = by_settings.setdefault(tuple(row[setting] for setting in _SETTINGS), {})
        of |= {setting: row[setting] for setting in (*_SETTINGS, "ideal")}
        of[row["notice"]] = row
    columns: dict[str, Cell] = {setting: f"{{{setting}}}" for setting in _SETTINGS}
    columns["ideal"] = lambda row: f"{1e3 * row['ideal']:.2f}"
    for notice in notices:
        columns[notice] = lambda row, n=notice: _timed(row.get(n))
    lines = list(by_settings.values())
    both = [line for line in lines if "poll" in line and "wait" in line]
    if both:
        columns["poll to ideal"] = lambda row: (
            f"{row['poll']['seconds'] / row['ideal']:.2f}" if row in both else "–"
        )
        columns["wait to poll"] = lambda row: f"{_gain(row):.2f}" if row in both else "–"
    title = f"{name[:1].upper()}{name[1:]}: milliseconds, and the mean batch in brackets"
    parts = [title, table(lines, columns)]
    if both:
        least = min(both, key=_gain)
        settings = ", ".join(f"{name} {least[name]}" for name in _SETTINGS)
        gains = spread([_gain(line) for line in both])
        parts += [f"Wait to poll: median {gains.median:.2f}, least {_gain(least):.2f} ({settings})"]
    return parts


def _timed(row: Row | None) -> str:
    return f"{1e3 * row['seconds']:.2f} ({row['mean_batch']:.1f})" if row else "–"


def _gain(row: Row) -> float:
    return float(row["wait"]["seconds"] / row["poll"]["seconds"])
