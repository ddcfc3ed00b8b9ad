# SPDX-License-Identifier: Apache-2.0
"""The text of `aureole bench mpi`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aureole_bench.mpi import surroundings
from aureole_bench.mpi.worker import WAYS
from aureole_bench.table import Cell, table

Row = dict[str, Any]


def text(result: Row) -> str:
    """All tables, one for each MPI."""
    plan = result["plan"]
    lines = surroundings.head(result)
    lines += [
        "",
        f"{plan['ranks']} ranks; {rounds_of(plan)}. Off: without the preload; staged: with it, "
        "through the host; mapped: straight between devices.",
        "Ratios of times; to host: mapped, to off in memory of the host.",
    ]
    for name in dict.fromkeys(row["mpi"] for row in result["rows"]):
        rows = [row for row in result["rows"] if row["mpi"] == name]
        place = f", {result['devices']}" if result["devices"] else ""
        lines += ["", f"{name} ({result['libraries'][name]} interface{place})"]
        lines.append(table(rows, _columns(), left=2))
    wrong = {
        (r["mpi"], r["table"], r["memory"], way, told)
        for r in result["rows"]
        for way, told in r["verdicts"].items()
        if way != "off" and told != "right"
    }
    lines += ["", *(f"NOT right: {', '.join(each)}" for each in sorted(wrong))]
    if result["rows"] and not wrong:
        lines.append("All data that arrived with the preload were right.")
    return "\n".join(lines)


def _columns() -> dict[str, Cell]:
    return {
        "table": "{table}",
        "memory": "{memory}",
        "bytes": "{bytes:,}",
        "": lambda row: "µs" if row["unit"] == "s" else "MB/s",
        **{way: _number(way) for way in WAYS},
        **ratio_columns(),
        "to host": "{to_host:.2f}",
    }


def rounds_of(plan: Row) -> str:
    """How often a plan measures each number."""
    return "one round" if plan["rounds"] == 1 else f"medians of {plan['rounds']} alternating rounds"


def ratio_columns() -> dict[str, Cell]:
    """The ratios of staged to off and of mapped to staged."""

    def shown(row: Any, name: str) -> str:
        return "–" if row[name] is None else f"{row[name]['ratio']:.3f}"

    def quartiles(row: Any) -> str:
        found = row["mapped_to_staged"]
        return "–".join(f"{q:.3f}" for q in found["quartiles"]) if found else ""

    return {
        "staged:off": lambda row: shown(row, "staged_to_off"),
        "mapped:staged": lambda row: shown(row, "mapped_to_staged"),
        "quartiles": quartiles,
    }


def _number(which: str) -> Callable[[Any], str]:
    def shown(row: Row) -> str:
        value = row[which]
        if value is None:
            return str(row["verdicts"][which])
        return f"{value * 1e6:.2f}" if row["unit"] == "s" else f"{value / 1e6:.1f}"

    return shown
