# SPDX-License-Identifier: Apache-2.0
"""`aureole bench launches`: the program bench_device, and its numbers as a table.

It prints, for each device, a description and for each request the microseconds that the host spends
on one alone (`single`) and on each of a train of 100 (`train`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aureole_bench import programs, report
from aureole_bench.table import Cell, Row, table

PROGRAM = programs.of_tree("bench_device")


def measure(program: Path, *devices: str) -> dict[str, Any]:
    """Results of the program. Raises InputError where it is missing, PeerFailed where it fails."""
    found = programs.results(PROGRAM.name, program, *devices)
    return {**report.machine(), "program": str(program), "launches": found}


def text(result: Row) -> str:
    """The result as a table: a line for each request, two columns for each device."""
    found: dict[str, Row] = result["launches"]
    requests = list(dict.fromkeys(name for of in found.values() for name in of))
    lines = [
        {"request": name, **{device: of[name] for device, of in found.items() if name in of}}
        for name in requests
        if name != "description"
    ]
    columns: dict[str, Cell] = {"": "{request}"}
    for device in found:
        columns[device] = lambda row, d=device: _time(row.get(d), "single")
        columns[f"{device}, of 100"] = lambda row, d=device: _time(row.get(d), "train")
    parts = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; {result['program']}",
        *(f"{device}: {of['description']}" for device, of in found.items()),
        "",
        "Microseconds of the host for one request, and for each of a train of 100",
        table(lines, columns),
    ]
    return "\n".join(parts)


def _time(times: Row | None, which: str) -> str:
    return "–" if times is None else f"{times[which]:.3g}"
