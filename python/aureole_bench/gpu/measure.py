# SPDX-License-Identifier: Apache-2.0
"""`aureole bench gpu`: the device beside the host, small and large."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aureole import _core
from aureole.base.errors import Error
from aureole.specs.device import Device

from aureole_bench import report
from aureole_bench.cases import Case, liquid, melt
from aureole_bench.engines import cpus
from aureole_bench.gpu import molecules as gpu_molecules
from aureole_bench.own import Aureole
from aureole_bench.snapshot import Snapshot, cache_folder, equilibrated, on_grid
from aureole_bench.table import table

SIZES = (64_000, 2_000_000)
SETTLE = (400, 200, 100)  # steps; a speed needs no better equilibrium
Say = Callable[[str], None]


def device_name() -> str:
    """The first GPU that works; raises Error, saying why, where there is none."""
    found = [d for d in _core.devices() if d["name"] != "host"]
    for device in found:
        if device["available"]:
            return str(device["name"])
    why = found[0].get("why") if found else "this build is for no GPUs"
    raise Error(f"no GPU ({why}). `aureole doctor` lists the devices of this machine.")


def measure(seconds: float, sizes: Sequence[int], say: Say) -> dict[str, Any]:
    """Rates and step-0 states of liquid, melt and molecules, on the device and on the host."""
    device = device_name()
    result: dict[str, Any] = {**report.machine(), "device": device, "rows": []}
    for d in _core.devices():
        if d["name"] == device:
            result["device"] = f"{device}: {d.get('description', '')}"
    for n in sizes:
        for case in (liquid(n), melt(n)):
            began = time.perf_counter()
            snapshot = on_grid(case, *equilibrated(case, device, SETTLE))
            say(f"  {case.name}: made on {device} in {time.perf_counter() - began:.1f} s")
            result["rows"] += _rows(case, snapshot, device, seconds, say)
    devices = [Device(name=device), Device(name="host")]
    result["rows"] += gpu_molecules.measure(devices, Path(cache_folder()), seconds, say)
    return result


def _rows(
    case: Case, snapshot: Snapshot, device: str, seconds: float, say: Say
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for where, threads in ((device, 1), ("host", len(cpus(1024)))):
        for tolerance in (None, 0.005):
            engine = Aureole(tolerance, where)
            engine.prepare(snapshot, Path(cache_folder()) / case.name)
            # All processors also for the device: its driver has threads of its own.
            trial = engine.work("time", threads, warm=200, steps=200, cpus=0)["seconds"]
            steps = min(20_000, max(200, int(200 * seconds / trial / 100) * 100))
            spent = engine.work("time", threads, warm=200, steps=steps, cpus=0)["seconds"]
            rows.append(
                {
                    "case": case.name,
                    "n": case.n,
                    "engine": "aureole",
                    "style": engine.style,
                    "device": where,
                    "threads": threads if where == "host" else 0,
                    "matom_steps_per_s": case.n * steps / spent / 1e6,
                    "steps_per_s": steps / spent,
                    **(engine.work("state", threads, cpus=0) if tolerance is None else {}),
                }
            )
            say(f"  {case.name} {where} {engine.style}: {rows[-1]['matom_steps_per_s']:.1f} M/s")
    return rows


def text(result: dict[str, Any]) -> str:
    """The result as a table, each device row beside the host's."""
    host = {(r["case"], r["style"]): r for r in result["rows"] if r["device"] == "host"}
    rows = []
    for r in result["rows"]:
        base = host[r["case"], r["style"]]
        more: dict[str, Any] = {"ratio": r["matom_steps_per_s"] / base["matom_steps_per_s"]}
        more |= {"gap": None, "where": f"host, {r['threads']} threads"}
        if r["device"] != "host":
            more["where"] = r["device"]
            if "energy" in r:
                more["gap"] = abs(r["energy"] - base["energy"]) / abs(base["energy"])
        rows.append(r | more)
    columns = {
        **{"case": "{case}", "where": "{where}", "list": "{style}"},
        **{"M atom-steps/s": "{matom_steps_per_s:.1f}", "steps/s": "{steps_per_s:.0f}"},
        **{"to the host": "{ratio:.2f}", "ΔE/E to the host": "{gap:.1e}"},
    }
    title = f"{result['date']}   {result['cpu']}\n{result['device']}; aureole {result['aureole']}\n"
    return title + "\n" + table(rows, columns, left=3)
