# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks print, and the machine they ran on."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import _core
from .table import table

Row = dict[str, Any]


def machine() -> Row:
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
    cells = [
        [
            r["case"],
            r["engine"],
            f"{r['energy_per_particle']:.9f}",
            f"{r['pressure']:.9f}",
            f"{r['energy_gap']:.1e}",
            f"{r['pressure_gap']:.1e}",
            "agrees" if r["agrees"] else "DISAGREES",
            r["note"],
        ]
        for r in rows
    ]
    head = ["case", "engine", "energy/N", "pressure", "ΔE/E", "ΔP/P", "to 1e-5", "sums"]
    return table(head, cells, left=2)


def rates(rows: Sequence[Row]) -> str:
    """Medians and quartiles of all engines."""
    cells = [
        [
            r["case"],
            f"{r['engine']} {r['style']}",
            str(r["threads"]),
            f"{r['matom_steps_per_s']:.2f}",
            f"{r['quartiles'][0]:.2f} – {r['quartiles'][1]:.2f}",
            f"{1e3 / r['matom_steps_per_s']:.1f}",
            _science(r["drift"]),
            _science(r["missed_pairs_per_particle"]),
        ]
        for r in rows
    ]
    head = [
        *("case", "engine and list", "threads", "M steps/s", "quartiles"),
        *("ns/step", "drift ε/τ", "missed/N"),
    ]
    return table(head, cells, left=2)


def comparisons(rows: Sequence[Row]) -> str:
    """Ratios of ours to the peers, run beside run."""
    verdict = {True: "yes", False: "NO", None: "–"}
    cells = [
        [
            r["case"],
            f"{r['ours']} / {r['peer']}",
            str(r["threads"]),
            f"{r['ratio']:.3f}",
            f"{r['quartiles'][0]:.3f} – {r['quartiles'][1]:.3f}",
            str(r["pairs"]),
            verdict[r["misses_no_more"]],
            f"{r['target']:g} {'reached' if r['ratio'] >= r['target'] else 'NOT reached'}",
        ]
        for r in rows
    ]
    head = ["case", "ours / peer", "threads", "ratio", "quartiles", "pairs", "misses no more"]
    return table([*head, "target"], cells, left=2)


def full(result: Row) -> str:
    """The whole result of `aureole bench lj` as text."""
    peers = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    parts = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        f"aureole {result['aureole']}; {peers or 'no peers'}",
        *result["missing"],
        "",
        "State at step 0",
        checks(result["checks"]),
        "",
        f"Million atom-steps per second (medians; {result['plan']['pairs']} interleaved rounds "
        f"of at least {result['plan']['seconds']:g} s)",
        rates(result["rows"]),
    ]
    parts += disturbance(result["rows"])
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


def _science(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1e}"
