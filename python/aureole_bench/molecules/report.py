# SPDX-License-Identifier: Apache-2.0
"""Output of `aureole bench grappa` and `protein`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aureole_bench.report import agreement, disturbance, head
from aureole_bench.table import Cell, Row, spread, table


def points(result: Row, case: str | None = None) -> str:
    """Energies term by term and errors of forces, of one case or all."""

    def mine(rows: Sequence[Row]) -> list[Row]:
        return [row for row in rows if case is None or row["case"] == case]

    peer = ", ".join(dict.fromkeys(r["peer"] for r in mine(result["checks"])))
    columns: dict[str, Cell] = {
        **{"case": "{case}", "term": "{term}", "aureole": "{aureole:.4f}"},
        **{"gromacs": "{gromacs:.4f}", "gap": "{gap:.1e}", "to 1e-5": agreement},
    }
    parts = [
        f"Initial energies [kJ/mol], GROMACS by {peer or 'nobody'}",
        table(mine(result["checks"]), columns, left=2),
    ]
    forces = mine(result["forces"])
    if forces:
        columns = {
            **{"case": "{case}", "engine": "{engine}", "rms error": "{error:.2e}"},
            **{"largest": "{largest:.2e}", "reference": "{reference}"},
        }
        parts += ["", "Errors of forces, relative to their root mean square"]
        parts.append(table(forces, columns, left=2))
    return "\n".join(parts)


def full(result: Row) -> str:
    """The whole result as text."""
    parts = [
        *(*head(result), "", points(result), ""),
        f"Speed (medians and quartiles; {result['plan']['pairs']} interleaved rounds of at least "
        f"{result['plan']['seconds']:g} s)",
        table(result["rows"], _RATES, left=2),
        *disturbance(result["rows"]),
    ]
    if result["ratios"]:
        parts += ["", "Ratios of runs side by side", table(result["ratios"], _RATIOS, left=2)]
    if result["drifts"]:
        parts += ["", "Drift of the conserved energy", table(result["drifts"], DRIFTS, left=2)]
    return "\n".join(parts)


_RATES: Mapping[str, Cell] = {
    **{"case": "{case}", "engine": "{engine}", "threads": "{threads}"},
    **{"ns/day": "{ns_per_day:.2f}", "M atom-steps/s": "{matom_steps_per_s:.3f}", **spread(3)},
    **{"runs": lambda r: str(len(r["runs"])), "steps": "{steps}"},
}
_RATIOS: Mapping[str, Cell] = {
    **{"case": "{case}", "pair": "aureole / {peer}", "threads": "{threads}"},
    **{"ratio": "{ratio:.3f}", **spread(3), "pairs": "{pairs}"},
}
DRIFTS: Mapping[str, Cell] = {
    **{"case": "{case}", "engine": "{engine}", "steps": "{steps}"},
    **{"kJ/mol/ps per particle": "{drift:+.2e}", "kT/ns per particle": "{kT_per_ns:+.4f}"},
}
