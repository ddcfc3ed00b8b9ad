# SPDX-License-Identifier: Apache-2.0
"""`aureole bench scaling --ranks`: ranks of one thread beside threads of one rank, part by part."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from aureole_bench import gmx, hyperthreads, report
from aureole_bench.cases import case_named
from aureole_bench.engines import cpus
from aureole_bench.molecules.cases import grappa_named, mixture
from aureole_bench.molecules.engines import Ours
from aureole_bench.own import Aureole
from aureole_bench.rounds import Measured, undisturbed
from aureole_bench.snapshot import snapshot_of
from aureole_bench.stats import ratios, spread
from aureole_bench.table import Cell, table
from aureole_bench.table import spread as quartiles

Say = Callable[[str], None]
Row = dict[str, Any]

#: Parts of a step, and the regions of the engine's profile that they are made of.
PARTS: Mapping[str, tuple[str, ...]] = {
    "pairs": ("force",),
    "bonded": ("bonded",),
    "mesh": ("mesh",),
    "search": ("search", "prune"),
    "integration": ("update", "constraints"),
    "energies": ("thermo", "output"),
    "positions": ("halo_positions",),
    "forces": ("halo_forces",),
    "sums": ("sums",),
}
REST = "rest"
#: Explanation of the parts beyond their names.
EXPLAINED = (
    "Parts are means over the ranks. Positions and forces (of ghosts) and sums include sending,\n"
    "waiting for other ranks and receiving. Pairs are all pairs of a rank: those with ghosts are\n"
    "in the same list and not counted separately. The search includes the exchange of particles\n"
    "and ghosts, the mesh the wait for other slabs, each part the wait of threads for each other."
)
_TRIAL = 200  # steps


class Subject(Protocol):
    """A system that our engine can be timed on."""

    def timed(self, ranks: int, threads: int, steps: int) -> Row:
        """Seconds and profiles of a run of so many ranks, with so many threads each."""


@dataclass(frozen=True)
class Plan:
    """Settings: cases by name, numbers of ranks, rounds, seconds of each run.

    `jobs` are names, numbers of particles, time steps [ps] and subjects of other systems, which
    also run on ranks of several threads.
    """

    cases: Sequence[str]
    ranks: Sequence[int]
    pairs: int
    seconds: float
    folder: Path
    jobs: Sequence[tuple[str, int, float, Subject]] = ()


class Layout:
    """So many ranks with so many threads each, as an engine that can be timed."""

    engine, style = "aureole", ""

    def __init__(self, of: Subject, ranks: int, threads: int) -> None:
        self.of, self.ranks, self.threads = of, ranks, threads
        self.answer: Row = {}

    @property
    def processors(self) -> int:
        """One for each thread."""
        return self.ranks * self.threads

    @property
    def label(self) -> str:
        """For example "4 ranks"."""
        if self.processors == 1:
            return "1"
        if self.ranks > 1 and self.threads > 1:
            return f"{self.ranks} ranks × {self.threads} threads"
        kind, count = ("ranks", self.ranks) if self.ranks > 1 else ("threads", self.threads)
        return f"{count} {kind}"

    @property
    def options(self) -> str:
        """Options of mdrun."""
        ranks = f"-ntmpi {self.ranks} " if self.ranks > 1 else ""
        return f"{ranks}-ntomp {self.threads}"

    def seconds(self, threads: int, steps: int) -> float:
        """Wall time; `threads` is that of the layout anyway."""
        self.answer = self.of.timed(self.ranks, self.threads, steps)
        return float(self.answer["seconds"])


def measure(plan: Plan, say: Say, save: Callable[[Row], None]) -> Row:
    """All cases on one processor, and on each number of ranks and as many threads, in turn."""
    result: Row = {
        **report.machine(),
        "plan": {"pairs": plan.pairs, "seconds": plan.seconds},
        "gains": hyperthreads.gains(plan.ranks),
        "missing": [],
        "rows": [],
    }
    for name in plan.cases:
        found = _subject(name, plan.folder, say)
        if isinstance(found, str):
            say(found)
            result["missing"].append(found)
            continue
        n, subject = found
        _add(result, name, n, layouts(subject, plan.ranks), plan, say)
        save(result)
    for name, n, dt, subject in plan.jobs:
        places = layouts(subject, plan.ranks, mixed=True)
        for row in _add(result, name, n, places, plan, say):
            row["ns_per_day"] = 86_400 * dt / row["ms_per_step"]  # ps and ms to ns and days
            row["options"] = next(p.options for p in places if p.label == row["layout"])
        save(result)
    return result


def _subject(name: str, folder: Path, say: Say) -> tuple[int, Subject] | str:
    """Number of particles and what to run; or why the case is left out."""
    size = grappa_named(name)
    if size is None:
        snapshot = snapshot_of(case_named(name), say, folder)
        fluid = Aureole()
        fluid.prepare(snapshot, folder / name)
        return snapshot.case.n, fluid
    program = gmx.find()
    if program is None:
        return f"{name} is skipped: gmx, which prepares it, is missing. Install: {gmx.INSTALL}"
    case = mixture(*size, folder.absolute(), program, len(cpus()), say)
    return case.n, Ours(case)


def layouts(of: Subject, ranks: Sequence[int], mixed: bool = False) -> list[Layout]:
    """One processor; then, for each number, ranks, `mixed` ones of threads, and threads."""
    found = [Layout(of, 1, 1)]
    for count in sorted(set(ranks) - {1}):
        divisors = [k for k in range(count - 1, 1, -1) if count % k == 0] if mixed else []
        found += [Layout(of, k, count // k) for k in (count, *divisors, 1)]
    return found


def _add(
    result: Row, case: str, n: int, wanted: Sequence[Layout], plan: Plan, say: Say
) -> list[Row]:
    """Rounds of the layouts of one case, as rows of the result."""
    places: list[Layout] = []
    entries: list[Measured] = []
    for place in wanted:
        trial = place.seconds(place.processors, _TRIAL)
        used = len(place.answer["profiles"])
        if used != place.ranks:
            why = f"{case}: {place.ranks} ranks are left out: the box has room for {used}"
            if why not in result["missing"]:
                result["missing"].append(why)
                say(f"  {why}")
            continue
        places.append(place)
        steps = math.ceil(1.05 * plan.seconds * _TRIAL / trial / 10) * 10
        entries.append(Measured(place, None, plan.pairs, steps))
    parts: list[list[dict[str, float]]] = [[] for _ in places]
    for k in range(plan.pairs):
        for place, entry, seen in zip(places, entries, parts, strict=True):
            seconds, others = undisturbed(entry, place.processors, say)
            entry.rates.append(n * entry.steps / seconds / 1e6)
            entry.others.append(others)
            seen.append(parts_of(place.answer, entry.steps))
        rates = ", ".join(f"{e.engine.label} {e.rates[-1]:.3f}" for e in entries)
        say(f"  {case}, {k + 1}/{plan.pairs}: {rates} M/s")
    by_layout = {(p.ranks, p.threads): e for p, e in zip(places, entries, strict=True)}
    rows: list[Row] = [
        {
            **{"case": case, "n": n, "layout": place.label},
            **{"ranks": place.ranks, "threads": place.threads, "processors": place.processors},
            **_speed(n, entry),
            "efficiency": _ratio(entry, by_layout[1, 1], place.processors),
            "to_threads": _ratio(entry, by_layout[1, place.processors])
            if place.ranks > 1
            else None,
            "ms_by_part": {name: median(one[name] for one in seen) for name in seen[0]},
        }
        for place, entry, seen in zip(places, entries, parts, strict=True)
    ]
    result["rows"] += rows
    return rows


def parts_of(answer: Row, steps: int) -> dict[str, float]:
    """Milliseconds of a step by part, means over the ranks; the rest is what no part has."""
    profiles = answer["profiles"]
    spent = {
        name: sum(one.get(region, 0.0) for one in profiles for region in regions)
        / (len(profiles) * steps)
        * 1e3
        for name, regions in PARTS.items()
    }
    whole = answer["seconds"] / steps * 1e3
    return {**spent, REST: max(0.0, whole - sum(spent.values()))}


def _speed(n: int, entry: Measured) -> Row:
    rate = spread(entry.rates)
    return {
        "ms_per_step": n / rate.median / 1e3,
        "matom_steps_per_s": rate.median,
        "quartiles": [rate.low, rate.high],
        "runs": entry.rates,
        "processors_used_by_others": entry.others,
        "failed_runs": entry.failures,
        "steps": entry.steps,
    }


def _ratio(one: Measured, other: Measured, times: int = 1) -> Row:
    """Ratio of the rates, the other's times `times`: median and quartiles over the rounds."""
    found = ratios(one.rates, [times * rate for rate in other.rates])
    assert found is not None
    return found.of_ratios()


def text(result: Row) -> str:
    """The result as tables."""
    of_jobs = bool(result["rows"]) and all("ns_per_day" in row for row in result["rows"])
    speeds: dict[str, Cell] = {
        **{"case": "{case}", "on": "{layout}", "ms/step": "{ms_per_step:.3f}"},
        **({"ns/day": "{ns_per_day:.4g}"} if of_jobs else {}),
        **{"M atom-steps/s": "{matom_steps_per_s:.2f}", **quartiles(2)},
        "efficiency": lambda r: _words(r["efficiency"]),
        "to threads": lambda r: _words(r["to_threads"]),
    }
    names = [n for n in (*PARTS, REST) if any(r["ms_by_part"][n] >= 5e-4 for r in result["rows"])]
    parts: dict[str, Cell] = {"case": "{case}", "on": "{layout}"}
    parts |= {name: f"{{ms_by_part[{name}]:.3f}}" for name in names}
    return "\n".join(
        [
            f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
            f"aureole {result['aureole']}",
            *hyperthreads.line(result["gains"]),
            *result["missing"],
            "",
            f"Ranks of one thread, and threads of one rank ({result['plan']['pairs']} interleaved "
            f"rounds of {result['plan']['seconds']:g} s; efficiency t₁/(n tₙ), medians of the "
            "rounds' ratios with quartiles)",
            table(result["rows"], speeds, left=2),
            *report.disturbance(result["rows"]),
            "",
            "Where the time of a step goes [ms]",
            table(result["rows"], parts, left=2),
            EXPLAINED,
            *([f"fastest: aureole mdrun {_fastest(result)['options']}"] if of_jobs else []),
        ]
    )


def _fastest(result: Row) -> Row:
    return max(result["rows"], key=lambda row: row["ns_per_day"])


def _words(ratio: Row | None) -> str:
    if ratio is None:
        return "–"
    low, high = ratio["quartiles"]
    return f"{ratio['ratio']:.3f} ({low:.3f} – {high:.3f})"
