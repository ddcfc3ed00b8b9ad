# SPDX-License-Identifier: Apache-2.0
"""`aureole run` and `aureole info` for checkpoints of fluids."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from typing import Any

from aureole.amr.restart import read
from aureole.amr.simulation import Simulation
from aureole.base.engine_schema import VERSION
from aureole.base.errors import bad_input
from aureole.base.text import printable
from aureole.specs.device import Device

from . import run_summary


def act(arguments: argparse.Namespace, path: str, named: Sequence[str]) -> int:
    """Go on from a checkpoint; `named` are files that the run may write."""
    if arguments.ranks is not None:
        raise bad_input(
            f"{path} is a checkpoint of fluids", "these run on one rank", "Leave --ranks out"
        )
    device = None if arguments.device is None else Device(name=arguments.device)
    allowed = [*named, *arguments.allow_write]
    with Simulation.from_checkpoint(
        path, device=device, threads=arguments.threads, allow_write=allowed
    ) as sim:
        has_ended = sim.time >= sim.target_time or (
            sim.target is not None and sim.step >= sim.target
        )
        asked = arguments.steps is not None or arguments.until is not None
        if not asked and (has_ended or (sim.target is None and sim.target_time == math.inf)):
            ended = f"run ended at {sim._place()}; continue with --until T or --steps N"
            sys.stdout.write(f"{printable(path)}: {ended}\n")
            return 0
        paint = run_summary.Paint(sys.stdout)
        if not arguments.quiet:
            sys.stdout.write(run_summary.header(sim, VERSION, paint) + "\n")
            sys.stdout.flush()
        first, began = sim.step, time.perf_counter()
        sim.run(arguments.steps, until=arguments.until)
        if not arguments.quiet:
            seconds = time.perf_counter() - began
            sys.stdout.write(f"{_summary(sim, sim.step - first, seconds)}\n")
    return 0


def _summary(sim: Simulation, steps: int, seconds: float) -> str:
    speed = steps / seconds if seconds > 0 else 0.0
    return f"{steps:,} steps to {sim._place()}, {sim.pace(speed)}"


def rows(path: str) -> list[tuple[str, str]]:
    """Names and values for `aureole info`."""
    data = read(path)
    until = data["target_time"]
    step = f"{data['step']:,}"
    if until is None and data["target"]:
        step += f" of {data['target']:,}"
    return [
        ("step", step),
        ("time", f"{data['time']:g}" + ("" if until is None else f" of {until:g}")),
        *((name, _spec(data[name])) for name in ("mesh", "gas", "scheme", "schedule")),
        ("refine", "; ".join(map(_spec, data["refine"])) or "nothing"),
        ("observers", "; ".join(map(_spec, data["observers"])) or "none"),
        ("checked", "all blocks, intact"),
    ]


def _spec(data: dict[str, Any]) -> str:
    unused = {"kind"} | ({"every"} if data.get("every_time") is not None else set())
    values = ", ".join(f"{k}={v}" for k, v in data.items() if k not in unused and v is not None)
    return f"{data['kind']}({values})"
