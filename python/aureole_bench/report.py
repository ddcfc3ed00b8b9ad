# SPDX-License-Identifier: Apache-2.0
"""Output of the benchmarks, and the machine they ran on."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aureole import _core

from aureole_bench import hyperthreads
from aureole_bench.table import Cell, Row, spread, table


def machine() -> dict[str, Any]:
    """Date, processor and engine of these measurements."""
    build, cpu = _core.build_info(), _core.cpu_info()
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": f"{cpu.get('model') or _cpu_model()}, {len(os.sched_getaffinity(0))} processors",
        "system": f"{platform.system()} {platform.machine()}",
        "load": os.getloadavg()[0],
        "aureole": f"{build.get('version')} ({cpu.get('isa')}, {build.get('compiler')})",
    }


def _cpu_model() -> str:
    path = Path("/proc/cpuinfo")
    text = path.read_text() if path.exists() else ""
    for line in text.splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def checks(rows: Sequence[Row]) -> str:
    """Energies and pressures at step 0."""
    columns: dict[str, Cell] = {
        **{"case": "{case}", "engine": "{engine}", "energy/N": "{energy_per_particle:.9f}"},
        **{"pressure": "{pressure:.9f}", "ΔE/E": "{energy_gap:.1e}", "ΔP/P": "{pressure_gap:.1e}"},
        **{"to 1e-5": agreement, "sums": "{note}"},
    }
    return table(rows, columns, left=2)


def agreement(row: Row) -> str:
    """Whether the engines agree, in capitals where they do not."""
    return "agrees" if row["agrees"] else "DISAGREES"


def rates(rows: Sequence[Row]) -> str:
    """Medians and quartiles of all engines."""
    columns: dict[str, Cell] = {
        **{"case": "{case}", "engine and list": "{engine} {style}", "threads": "{threads}"},
        **{"M atom-steps/s": "{matom_steps_per_s:.2f}", **spread(2)},
        "ns/atom-step": lambda r: f"{1e3 / r['matom_steps_per_s']:.1f}",
        **{"drift ε/τ/N": "{drift:+.1e}", "missed/N": "{missed_pairs_per_particle:+.1e}"},
    }
    return table(rows, columns, left=2)


def comparisons(rows: Sequence[Row]) -> str:
    """Ratios of ours to the peers, run beside run."""
    verdict = {True: "yes", False: "NO", None: "–"}
    columns: dict[str, Cell] = {
        **{"case": "{case}", "ours / peer": "{ours} / {peer}", "threads": "{threads}"},
        **{"ratio": "{ratio:.3f}", **spread(3), "pairs": "{pairs}"},
        "misses no more": lambda r: verdict[r["misses_no_more"]],
        "target": lambda r: (
            f"{r['target']:g} {'reached' if r['ratio'] >= r['target'] else 'NOT reached'}"
        ),
    }
    return table(rows, columns, left=2)


def head(result: Row) -> list[str]:
    """Lines on the machine, the engines and what is missing."""
    peers = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    return [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; {peers or 'no peers'}",
        *hyperthreads.line(result["gains"]),
        *result["missing"],
    ]


def full(result: Row) -> str:
    """The whole result of `aureole bench lj` as text."""
    parts = [
        *(*head(result), "", "State at step 0", checks(result["checks"]), ""),
        f"Million atom-steps per second (medians; {result['plan']['pairs']} interleaved rounds "
        f"of at least {result['plan']['seconds']:g} s)",
        rates(result["rows"]),
        *disturbance(result["rows"]),
    ]
    if result["ratios"]:
        parts += ["", "Ratios of runs side by side", comparisons(result["ratios"])]
    return "\n".join(parts)


def disturbance(rows: Sequence[Row]) -> list[str]:
    """A line where other programs took part of the processors."""
    seen = [x for r in rows for x in r["processors_used_by_others"] if x is not None]
    loud = [x for x in seen if x >= 0.1]
    if not loud:
        return []
    return [
        f"Other programs used 0.1 to {max(loud):.1f} processors in {len(loud)} of {len(seen)} "
        "runs; repeat on an idle machine."
    ]
