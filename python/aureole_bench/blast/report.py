# SPDX-License-Identifier: Apache-2.0
"""Output of `aureole bench blast`."""

from __future__ import annotations

from typing import Any

from aureole_bench import hyperthreads
from aureole_bench.blast import refined as blast_refined
from aureole_bench.blast import sweep_report as blast_sweep_report
from aureole_bench.table import Cell, Row, spread, table

#: Figures of another program on another machine stand beside ours as text, and never in a ratio.
PAPER = (
    "Daiß et al. (2023, section 4) on this scenario in Octo-Tiger: at best 86.6 ms a step on an "
    "A100\n(earlier work of theirs); without aggregation 7,680 launches and 15,360 copies a step."
)


def text(result: Row) -> str:
    """The result as tables."""
    host = result["device"] == "host"
    subgrids, cells = (result["cells"] // 8) ** 3, result["cells"] ** 3
    parts = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; device {result['device']}",
        *hyperthreads.line(result["gains"]),
        *result["missing"],
        "",
        f"Sedov's blast, {subgrids} sub-grids, {cells:,} cells, RK3, PPM, HLLC: "
        f"means of {result['steps']} steps, medians of {result['rounds']} interleaved rounds",
        table(result["rows"], _times(result["rows"], host)) if result["rows"] else "",
        PAPER,
        "",
        "Errors at t = 0.01: means over cells, of conserved fields",
        table(result["states"], _ERRORS),
        _bits(result["states"]),
    ]
    if result["sweep"]:
        parts += ["", *blast_sweep_report.text(result)]
    if result.get("refined"):
        parts += ["", *blast_refined.text(result["refined"])]
    if result["pyclaw"] is not None:
        parts += ["", *_beside(result["pyclaw"])]
    return "\n".join(parts)


_COUNTS = {
    **{"launches": ("launches/step", ",.0f"), "copies": ("copies/step", ",.0f")},
    **{"mean_batch": ("mean batch", ".1f"), "idle": ("idle", ".0%")},
}


def _threads(row: Row) -> str:
    return str(row["threads"]) if row["threads"] else "–"


def _times(rows: list[Row], host: bool) -> dict[str, Cell]:
    columns: dict[str, Cell] = {"schedule": "{schedule}"}
    if host:
        columns["threads"] = _threads
    columns |= {"ms/step": "{ms_per_step:.2f}", **spread(2), "M cells/s": "{mcells_per_s:.2f}"}
    if any(row["speedup"] for row in rows):
        columns["to 1 thread"] = lambda r: f"{r['speedup']['ratio']:.2f}" if r["speedup"] else ""
    for name, (head, form) in _COUNTS.items():
        if any(name in row["counts"] for row in rows):
            columns[head] = lambda r, name=name, form=form: (
                format(r["counts"][name], form) if name in r["counts"] else "–"
            )
    return columns


_ERRORS: dict[str, Cell] = {
    **{"schedule": "{schedule}", "threads": _threads, "steps": "{steps}"},
    **{"density": "{density[mean]:.4e}", "energy": "{energy[mean]:.4e}"},
    "energy of the box": "{total_energy:.12f}",
    "bits": lambda row: row["bits"][:12],
}


def _bits(states: list[Row]) -> str:
    different = len({row["bits"] for row in states})
    if different == 1:
        return "All states have the same bits."
    return f"The states DIFFER: there are {different} of {len(states)}."


def _beside(found: Row) -> list[str]:
    columns: dict[str, Cell] = {
        **{"engine": "{engine}", "ms/step": "{ms_per_step:.2f}", **spread(2)},
        **{"M cells/s": "{mcells_per_s:.2f}", "ours to it": lambda r: _ratio(r["ratio"])},
        **{"steps": "{steps}", "density": "{density[mean]:.3e}", "energy": "{energy[mean]:.3e}"},
        "energy of the box": "{total_energy:.9f}",
    }
    reached = "reached" if found["ratio"] >= found["target"] else "NOT reached"
    low, high = found["quartiles"]
    return [
        f"The same blast with a pressure of {found['pressure']:g} outside, on one processor: pack "
        f"with RK2 and PLM beside\nPyClaw {found['version']}; steps and errors are those up to "
        "t = 0.01",
        table(found["rows"], columns),
        f"To the fastest, {found['fastest']}: {found['ratio']:.2f} ({low:.2f} – {high:.2f}), "
        f"target {found['target']:g} {reached}",
    ]


def _ratio(ratio: dict[str, Any] | None) -> str:
    return f"{ratio['ratio']:.2f}" if ratio else ""
