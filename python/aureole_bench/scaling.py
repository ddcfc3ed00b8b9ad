# SPDX-License-Identifier: Apache-2.0
"""`aureole bench scaling`: two threads, large systems, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aureole.base.errors import Error, bad_input

from aureole_bench import report
from aureole_bench.cases import melt
from aureole_bench.engines import WARM, cpus
from aureole_bench.own import Aureole, work
from aureole_bench.snapshot import cache_folder, snapshot_of
from aureole_bench.stats import ratios, spread
from aureole_bench.table import Cell, table

TILES = ((1, 1, 1), (2, 1, 1), (2, 2, 1), (2, 2, 2), (4, 2, 2), (4, 4, 2))
Say = Callable[[str], None]


def measure(pairs: int, seconds: float, say: Say, folder: Path | None = None) -> dict[str, Any]:
    """Threads, sizes and memory of the melt with the exact list."""
    folder = folder or cache_folder()
    ours = Aureole()
    snapshot = snapshot_of(melt(32_000), say, folder)
    ours.prepare(snapshot, folder / snapshot.case.name)
    result = {**report.machine(), "sizes": _sizes(ours, seconds, say), "memory": _memory(ours, say)}
    if len(cpus(2)) == 2:
        result["threads"] = _threads(ours, pairs, seconds, say)
    else:
        say("one processor: two threads are not measured")
    return result


def _steps(n: int, seconds: float, rate: float) -> int:
    return max(100, int(seconds * rate * 1e6 / n / 100) * 100)


def _threads(ours: Aureole, pairs: int, seconds: float, say: Say) -> dict[str, Any]:
    """Two threads beside two pinned one-thread runs at the same time."""
    n = ours.case.n
    rate = n * 1000 / ours.seconds(1, 1000) / 1e6
    steps = _steps(n, seconds, rate)
    two: list[float] = []
    summed: list[float] = []
    for k in range(pairs):
        two.append(n * 2 * steps / ours.seconds(2, 2 * steps) / 1e6)
        summed.append(sum(n * steps / t / 1e6 for t in _side_by_side(ours, steps)))
        say(f"  {k + 1}/{pairs}: two threads {two[-1]:.2f}, two runs {summed[-1]:.2f} M/s")
    ratio = ratios(two, summed)
    if ratio is None:
        raise bad_input("pairs is 0", "nothing was measured", "Give at least 1")
    return {
        "case": ours.case.name,
        "two_threads": spread(two).median,
        "two_runs": spread(summed).median,
        **ratio.of_ratios(),
    }


def _side_by_side(ours: Aureole, steps: int) -> list[float]:
    """Seconds of two one-thread runs that start together, each on its own processor."""
    with tempfile.TemporaryDirectory() as meeting:
        running = []
        for cpu in cpus(2):
            job = {
                "task": "time",
                "case": ours.case.name,
                "start": str(ours.start),
                "threads": 1,
                "warm": WARM,
                "steps": steps,
                "wait": meeting,
                "parties": 2,
            }
            process = subprocess.Popen(
                [sys.executable, "-m", "aureole_bench.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=lambda cpu=cpu: os.sched_setaffinity(0, [cpu]),
            )
            assert process.stdin is not None
            process.stdin.write(json.dumps(job))
            process.stdin.close()
            process.stdin = None
            running.append(process)
        texts = [process.communicate()[0] for process in running]
    if any(process.returncode for process in running):
        raise Error("a one-thread run failed (see above). Run `aureole bench lj --quick`.")
    return [float(json.loads(text.strip().splitlines()[-1])["seconds"]) for text in texts]


def _sizes(ours: Aureole, seconds: float, say: Say) -> list[dict[str, Any]]:
    """Time per particle and step of the melt and its multiples, one and all threads."""
    rows = []
    for tiles in TILES:
        n = ours.case.n * tiles[0] * tiles[1] * tiles[2]
        for threads in (1, 2):
            if threads > len(cpus(threads)):
                continue
            steps = _steps(n, seconds, 12.0 * threads)
            answer = ours.work("time", threads, tiles=tiles, warm=WARM, steps=steps)
            time_each = answer["seconds"] / steps / n * 1e9
            rows.append({"n": n, "threads": threads, "steps": steps, "ns_per_step": time_each})
            say(f"  {n} particles, {threads} thread(s): {time_each:.1f} ns per particle and step")
    return rows


def _memory(ours: Aureole, say: Say) -> dict[str, Any]:
    """Peak resident memory of a melt of a million, from the lattice on."""
    case = melt(1_000_000)
    job = {"task": "memory", "case": case.name, "threads": 0, "steps": 300}
    answer = work(job, cpus(1024), ours.folder)
    each = {key: answer[key] / case.n for key in ("before", "built", "peak")}
    say(f"  memory: {each['peak']:.0f} bytes per particle at peak, in total")
    return {"n": case.n, **{f"{key}_bytes_per_particle": value for key, value in each.items()}}


def text(result: dict[str, Any]) -> str:
    """The result as tables."""
    sizes = result["sizes"]
    smallest = min(row["n"] for row in sizes)
    base = {row["threads"]: row["ns_per_step"] for row in sizes if row["n"] == smallest}
    columns: dict[str, Cell] = {
        **{"particles": "{n}", "threads": "{threads}", "ns": "{ns_per_step:.1f}"},
        "to smallest": lambda r: f"{r['ns_per_step'] / base[r['threads']]:.3f}",
    }
    memory = result["memory"]
    lines = [
        f"{result['date']}   {result['cpu']}",
        f"aureole {result['aureole']}",
        "",
        "Melt, exact list: time per particle and step",
        table(sorted(sizes, key=lambda row: row["threads"]), columns),
        "",
        f"Peak memory of the melt of {memory['n']}: "
        f"{memory['peak_bytes_per_particle']:.0f} bytes per particle "
        f"(Python and its modules {memory['before_bytes_per_particle']:.0f} of them; "
        f"{memory['built_bytes_per_particle']:.0f} once the lattice is built)",
    ]
    if "threads" in result:
        t = result["threads"]
        lines += [
            "",
            f"Two threads {t['two_threads']:.2f} M/s, two pinned runs at the same time "
            f"{t['two_runs']:.2f} M/s in sum: ratio {t['ratio']:.3f} "
            f"({t['quartiles'][0]:.3f} – {t['quartiles'][1]:.3f}, {t['pairs']} pairs)",
        ]
    return "\n".join(lines)
