# SPDX-License-Identifier: Apache-2.0
"""What `aureole bench grappa` and `protein` print."""

from __future__ import annotations

from typing import Any

from .report import disturbance
from .table import table

Row = dict[str, Any]


def points(result: Row, case: str | None = None) -> str:
    """Energies term by term and errors of forces, of one case or all."""

    def mine(rows: list[Row]) -> list[Row]:
        return [row for row in rows if case is None or row["case"] == case]

    energies = [
        [
            r["case"],
            r["term"],
            "–" if r["aureole"] is None else f"{r['aureole']:.4f}",
            f"{r['gromacs']:.4f}",
            "–" if r["gap"] is None else f"{r['gap']:.1e}",
            "agrees" if r["agrees"] else "DISAGREES",
        ]
        for r in mine(result["checks"])
    ]
    peer = ", ".join(dict.fromkeys(r["peer"] for r in mine(result["checks"])))
    parts = [
        f"Energies of the start [kJ/mol], GROMACS by {peer or 'nobody'}",
        table(["case", "term", "aureole", "gromacs", "gap", "to 1e-5"], energies, left=2),
    ]
    forces = mine(result["forces"])
    if forces:
        cells = [
            [r["case"], r["engine"], f"{r['error']:.2e}", f"{r['largest']:.2e}", r["reference"]]
            for r in forces
        ]
        head = ["case", "engine", "rms error", "largest", "reference"]
        parts += ["", "Errors of forces, relative to their root mean square"]
        parts.append(table(head, cells, left=2))
    return "\n".join(parts)


def full(result: Row) -> str:
    """The whole result as text."""
    peers = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    parts = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; {peers}",
        *result["missing"],
        "",
        points(result),
        "",
        f"Speed (medians and quartiles; {result['plan']['pairs']} interleaved rounds of at least "
        f"{result['plan']['seconds']:g} s)",
        _rates(result["rows"]),
        *disturbance(result["rows"]),
    ]
    if result["ratios"]:
        parts += ["", "Ratios of runs side by side", _ratios(result["ratios"])]
    if result["drifts"]:
        parts += ["", "Drift of the conserved energy", _drifts(result["drifts"])]
    return "\n".join(parts)


def _rates(rows: list[Row]) -> str:
    cells = [
        [
            r["case"],
            r["engine"],
            str(r["threads"]),
            f"{r['ns_per_day']:.2f}",
            f"{r['matom_steps_per_s']:.3f}",
            f"{r['quartiles'][0]:.3f} – {r['quartiles'][1]:.3f}",
            str(len(r["runs"])),
            str(r["steps"]),
        ]
        for r in rows
    ]
    head = ["case", "engine", "threads", "ns/day", "M steps/s", "quartiles", "runs", "steps"]
    return table(head, cells, left=2)


def _ratios(rows: list[Row]) -> str:
    cells = [
        [
            r["case"],
            f"aureole / {r['peer']}",
            str(r["threads"]),
            f"{r['ratio']:.3f}",
            f"{r['quartiles'][0]:.3f} – {r['quartiles'][1]:.3f}",
            str(r["pairs"]),
        ]
        for r in rows
    ]
    return table(["case", "pair", "threads", "ratio", "quartiles", "pairs"], cells, left=2)


def _drifts(rows: list[Row]) -> str:
    cells = [
        [r["case"], r["engine"], str(r["steps"]), f"{r['drift']:+.2e}", f"{r['kT_per_ns']:+.4f}"]
        for r in rows
    ]
    head = ["case", "engine", "steps", "kJ/mol/ps per particle", "kT/ns per particle"]
    return table(head, cells, left=2)
