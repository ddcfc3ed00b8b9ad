# SPDX-License-Identifier: Apache-2.0
"""Ranks beside as many threads, beside the ranks of peers, and each beside one processor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from aureole_bench import report
from aureole_bench.engines import PeerFailed
from aureole_bench.rounds import Measured, Size, Timed, interleaved
from aureole_bench.stats import ratios, spread
from aureole_bench.table import Cell, table
from aureole_bench.table import spread as quartiles

Say = Callable[[str], None]
Row = dict[str, Any]

#: Least acceptable ratios of our ranks to each of the others.
TO_THREADS, TO_THREADS_OF_FEW, TO_PEER = 0.95, 0.90, {"gromacs": 1.05, "lammps": 5.0}
FEW = 23_000  # particles, below which the lower ratio to threads holds
#: Difference by which our efficiency may lie below that of GROMACS.
EFFICIENCY_BELOW = 0.02


@dataclass(frozen=True)
class Sides:
    """Engines that are timed on so many processors.

    Args:
        ours: our engine, a rank of one thread on each processor
        threads: our engine, one rank with a thread on each processor
        peers: other engines, with ranks
        alone: for each engine, the reference of its efficiency: one thread
    """

    ours: Timed
    threads: Timed
    peers: Sequence[Timed]
    alone: Sequence[Timed]


class OnOne:
    """An engine on one processor in rounds of runs on more."""

    def __init__(self, of: Timed) -> None:
        self.of, self.engine, self.style = of, of.engine, of.style

    @property
    def label(self) -> str:
        """The engine's name in tables."""
        return f"{self.of.label}, one processor"

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time of `steps` steps on one processor."""
        return self.of.seconds(1, steps)


@dataclass(frozen=True)
class Rounds:
    """How the runs are made: rounds, seconds of each run, steps of the trial before."""

    pairs: int
    seconds: float
    trial_steps: int


def measured(case: Size, ranks: int, sides: Sides, how: Rounds, say: Say) -> dict[str, list[Row]]:
    """Rows, ratios and efficiencies of one case on one number of ranks."""
    timed = [sides.ours, sides.threads, *sides.peers, *(OnOne(engine) for engine in sides.alone)]
    trials = {engine.label: _trial(engine, ranks, how.trial_steps, say) for engine in timed}
    seconds = {label: trial for label, trial in trials.items() if trial is not None}
    fit = [engine for engine in timed if engine.label in seconds]
    fastest = min(seconds[engine.label] for engine in fit if _makes_steps_of_all(engine))
    entries = []
    for engine in fit:
        trial = fastest if _makes_steps_of_all(engine) else seconds[engine.label]
        steps = math.ceil(1.05 * how.seconds * how.trial_steps / max(trial, 1e-6) / 10) * 10
        entries.append(Measured(engine, None, how.pairs, steps))
    interleaved(entries, case, ranks, say)
    return {
        "rows": [
            entry.row(case, _processors(entry.engine, ranks)) | {"label": entry.engine.label}
            for entry in entries
        ],
        "ratios": _ratios(case, ranks, entries),
        "efficiencies": _efficiencies(case, ranks, entries),
    }


def _makes_steps_of_all(engine: Timed) -> bool:
    """Whether it makes as many steps as the fastest makes in its time; slow ones make fewer."""
    return not isinstance(engine, OnOne) and engine.engine != "lammps"


def _processors(engine: Timed, ranks: int) -> int:
    return 1 if isinstance(engine, OnOne) else ranks


def _trial(engine: Timed, ranks: int, steps: int, say: Say) -> float | None:
    """Seconds of some steps; None where a peer does not run on so many ranks."""
    try:
        return engine.seconds(ranks, steps)
    except PeerFailed as error:
        if engine.engine == "aureole":
            raise
        say(f"  {engine.label} is skipped on {ranks} ranks: {error}")
        return None


def _ratios(case: Size, ranks: int, entries: Sequence[Measured]) -> list[Row]:
    """Our ranks over each of the others on as many processors."""
    ours, *others = (entry for entry in entries if not isinstance(entry.engine, OnOne))
    rows = []
    for other in others:
        ratio = ratios(ours.rates, other.rates)
        assert ratio is not None
        name = other.engine.engine
        of_threads = TO_THREADS if case.n >= FEW else TO_THREADS_OF_FEW
        target = of_threads if name == ours.engine.engine else TO_PEER[name]
        rows.append(
            {
                **{"case": case.name, "ranks": ranks, "peer": other.engine.label},
                **{**ratio.of_ratios(), "target": target},
            }
        )
    return rows


def _efficiencies(case: Size, ranks: int, entries: Sequence[Measured]) -> list[Row]:
    """t₁/(n tₙ) of each engine on ranks, round by round, and ours less GROMACS'."""
    alone = {entry.engine.engine: entry for entry in entries if isinstance(entry.engine, OnOne)}
    on_all = {}
    for entry in entries:
        if not isinstance(entry.engine, OnOne):
            on_all.setdefault(entry.engine.engine, entry)  # our ranks come before our threads
    found = {
        name: [a / (ranks * b) for a, b in zip(on_all[name].rates, one.rates, strict=True)]
        for name, one in alone.items()
        if name in on_all
    }
    rows = [_efficiency(case, ranks, name, values) for name, values in found.items()]
    if {"aureole", "gromacs"} <= found.keys():
        less = [a - b for a, b in zip(found["aureole"], found["gromacs"], strict=True)]
        rows.append(_efficiency(case, ranks, "aureole − gromacs", less) | {"least": True})
    return rows


def _efficiency(case: Size, ranks: int, name: str, values: Sequence[float]) -> Row:
    found = spread(values)
    return {
        **{"case": case.name, "ranks": ranks, "of": name, "efficiency": found.median},
        **{"quartiles": [found.low, found.high], "pairs": found.count, "least": False},
    }


def reached(value: float, target: float) -> str:
    """A target, and whether it is reached."""
    return f"{target:g} {'reached' if value >= target else 'NOT reached'}"


_RATES: dict[str, Cell] = {
    **{"case": "{case}", "engine and list": "{label}", "processors": "{threads}"},
    **{"M atom-steps/s": "{matom_steps_per_s:.2f}", **quartiles(2)},
}
_RATIOS: dict[str, Cell] = {
    **{"case": "{case}", "our ranks / peer": "{peer}", "ranks": "{ranks}"},
    **{"ratio": "{ratio:.3f}", **quartiles(3), "pairs": "{pairs}"},
    "target": lambda r: reached(r["ratio"], r["target"]),
}
_EFFICIENCIES: dict[str, Cell] = {
    **{"case": "{case}", "ranks of": "{of}", "ranks": "{ranks}"},
    **{"efficiency": "{efficiency:.3f}", **quartiles(3), "pairs": "{pairs}"},
    "target": lambda r: reached(r["efficiency"], -EFFICIENCY_BELOW) if r["least"] else "–",
}


def tables(result: Row) -> list[str]:
    """Speeds, ratios and efficiencies as lines of text."""
    return [
        f"Million atom-steps per second ({result['plan']['pairs']} interleaved rounds)",
        table(result["rows"], _RATES, left=2),
        *report.disturbance(result["rows"]),
        "",
        "Ratios of runs side by side",
        table(result["ratios"], _RATIOS, left=2),
        "",
        "Efficiency t₁/(n tₙ) of n ranks of one thread, relative to one processor",
        table(result["efficiencies"], _EFFICIENCIES, left=2),
    ]
