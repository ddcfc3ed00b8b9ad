# SPDX-License-Identifier: Apache-2.0
"""The text of `aureole bench mpi`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aureole_bench.mpi import surroundings
from aureole_bench.table import Cell, table

Row = dict[str, Any]


def text(result: Row) -> str:
    """All tables, one for each MPI."""
    plan = result["plan"]
    lines = surroundings.head(result)
    lines += [
        "",
        f"{plan['ranks']} ranks; medians of {plan['rounds']} alternating rounds; ratios of times, "
        "with the preload to without, and with it to the host's memory without.",
    ]
    for name in dict.fromkeys(row["mpi"] for row in result["rows"]):
        rows = [row for row in result["rows"] if row["mpi"] == name]
        place = f", {result['devices']}" if result["devices"] else ""
        lines += ["", f"{name} ({result['libraries'][name]} interface{place})"]
        lines.append(table(rows, _columns(), left=2))
    wrong = {(r["mpi"], r["table"], r["memory"]) for r in result["rows"] if not _good(r)}
    lines += ["", *(f"NOT right: {', '.join(each)}" for each in sorted(wrong))]
    if result["rows"] and not wrong:
        lines.append("All data that arrived with the preload were right.")
    return "\n".join(lines)


def _good(row: Row) -> bool:
    return bool(row["verdicts"]["with"] == "right")


def _columns() -> dict[str, Cell]:
    return {
        "table": "{table}",
        "memory": "{memory}",
        "bytes": "{bytes:,}",
        "": lambda row: "µs" if row["unit"] == "s" else "MB/s",
        "without": _number("without"),
        "with preload": _number("with"),
        "ratio": "{ratio:.3f}",
        "quartiles": lambda row: "–".join(f"{q:.3f}" for q in row["quartiles"] or []),
        "to host": "{to_host:.2f}",
    }


def _number(which: str) -> Callable[[Any], str]:
    def shown(row: Row) -> str:
        value = row[which]
        if value is None:
            return str(row["verdicts"][which])
        return f"{value * 1e6:.2f}" if row["unit"] == "s" else f"{value / 1e6:.1f}"

    return shown
