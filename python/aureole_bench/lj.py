# SPDX-License-Identifier: Apache-2.0
"""`aureole bench lj`: our engine and the installed peers, run by run in turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from aureole.base.errors import Error

from aureole_bench import gmx, gromacs, hyperthreads, lammps, report
from aureole_bench.cases import Case, case_named
from aureole_bench.engines import WARM, Engine, Quality, State
from aureole_bench.own import Aureole
from aureole_bench.rounds import Measured, interleaved
from aureole_bench.snapshot import Snapshot, cache_folder, snapshot_of
from aureole_bench.stats import ratios

TOLERANCES = (0.0005, 0.005)  # epsilon/tau per particle; the second is GROMACS' default
AGREEMENT = 1e-5
Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """Settings: cases, thread counts, interleaved rounds, seconds of the fastest run."""

    cases: Sequence[str]
    threads: Sequence[int]
    pairs: int
    seconds: float
    lammps_pairs: int
    quality: bool = True
    folder: Path = field(default_factory=cache_folder)


@dataclass
class Peers:
    """The programs that were found and start; None where there is none."""

    gromacs: str | None
    lammps: str | None
    _versions: dict[str, str] = field(default_factory=dict)
    _failed: list[str] = field(default_factory=list)

    @classmethod
    def find(cls) -> Peers:
        """The peers of this machine."""
        peers = cls(gmx.find(), lammps.find())
        if peers.gromacs:
            peers._start("gromacs", gmx.Gmx(peers.gromacs, Path.cwd()))
        if peers.lammps:
            peers._start("lammps", lammps.Lammps(peers.lammps, "plain", 0.3))
        return peers

    def _start(self, name: str, peer: gmx.Gmx | lammps.Lammps) -> None:
        try:
            self._versions[name] = peer.version
        except (Error, OSError) as error:
            self._failed.append(f"{name.upper()} is skipped: {error}")
            setattr(self, name, None)

    def able(self, case: Case, say: Say) -> Peers:
        """The peers that can run the case; says which cannot, and why."""
        if self.gromacs is None or not case.mixed:
            return self
        say(f"GROMACS is skipped for {case.name}: it has one cut-off for all pairs of types.")
        return replace(self, gromacs=None)

    def missing(self) -> list[str]:
        """One line for each peer that is not installed, with how to install it, or that fails."""
        lines = list(self._failed)
        for name, how in (("GROMACS", gmx.INSTALL), ("LAMMPS", lammps.INSTALL)):
            failed = any(line.startswith(name) for line in lines)
            if getattr(self, name.lower()) is None and not failed:
                lines.append(f"{name} is missing. Install: {how}")
        return lines

    def versions(self) -> dict[str, str]:
        """Version of each peer that takes part."""
        return {name: text for name, text in self._versions.items() if getattr(self, name)}


def measure(plan: Plan, say: Say, save: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """All of the plan; `save` gets the growing result after each case and thread count."""
    peers = Peers.find()
    result: dict[str, Any] = {
        **report.machine(),
        "versions": peers.versions(),
        "missing": peers.missing(),
        "plan": {"pairs": plan.pairs, "seconds": plan.seconds, "warm_steps": WARM},
        "gains": hyperthreads.gains(plan.threads),
        "checks": [],
        "rows": [],
        "ratios": [],
    }
    for line in peers.missing():
        say(line)
    for name in plan.cases:
        case = case_named(name)
        snapshot = snapshot_of(case, say, plan.folder)
        able = peers.able(case, say)
        engines = _engines(able, snapshot)
        states = _states(engines, snapshot, plan.folder / case.name, say)
        engines = [engine for engine in engines if engine.engine in states]
        result["checks"] += _check(case, snapshot, states, say)
        qualities = {e.label: _quality(e, case, say) if plan.quality else None for e in engines}
        for threads in plan.threads:
            entries = [Measured(e, qualities[e.label], plan.pairs) for e in engines]
            if able.lammps and "lammps" in states:
                entries = [e for e in entries if e.engine.engine != "lammps"]
                among = able.lammps, lammps.styles(able.lammps)
                try:
                    best = best_lammps(among, snapshot, threads, plan.folder, say)
                    entries.append(Measured(best, None, min(plan.pairs, plan.lammps_pairs)))
                except Error as error:
                    say(f"  LAMMPS is skipped on {threads} thread(s): {error}")
            steps = _steps(plan, threads, entries)
            for entry in entries:
                entry.steps = steps
            interleaved(entries, case, threads, say)
            result["rows"] += [_row(case, threads, entry) for entry in entries]
            result["ratios"] += _ratios(case, threads, entries)
            save(result)
    return result


def _engines(peers: Peers, snapshot: Snapshot) -> list[Engine]:
    """Ours and the peers, in the order of a round: neighbours are compared."""
    tight, loose = TOLERANCES
    engines: list[Engine] = [Aureole()]
    if peers.gromacs:
        engines.append(gromacs.Gromacs(peers.gromacs, tight))
    engines.append(Aureole(tight))
    engines.append(Aureole(loose))
    if peers.gromacs:
        engines.append(gromacs.Gromacs(peers.gromacs, loose))
    if peers.lammps:
        engines.append(lammps.Lammps(peers.lammps, "plain", snapshot.case.skin))
    return engines


def _states(
    engines: Sequence[Engine], snapshot: Snapshot, folder: Path, say: Say
) -> dict[str, State]:
    """Prepare engines; states at step 0, one for each program. A peer without takes no part."""
    states: dict[str, State] = {}
    failed: set[str] = set()
    for engine in engines:
        if engine.engine in failed:
            continue
        try:
            engine.prepare(snapshot, folder)
            if engine.engine not in states:
                states[engine.engine] = engine.state()
        except Error as error:
            if engine.engine == "aureole":
                raise
            failed.add(engine.engine)
            states.pop(engine.engine, None)
            say(f"  {engine.engine.upper()} is skipped: {error}")
    return states


def _check(
    case: Case, snapshot: Snapshot, states: dict[str, State], say: Say
) -> list[dict[str, Any]]:
    """States at step 0 beside ours."""
    ours = states["aureole"]
    rows = []
    for name, state in states.items():
        # Sums in single precision cannot resolve a pressure whose two parts cancel.
        kinetic = snapshot.kinetic_pressure
        scale = abs(ours.pressure)
        if state.note.startswith("single"):
            scale = kinetic + abs(ours.pressure - kinetic)
        energy_gap = abs(state.energy - ours.energy) / abs(ours.energy)
        pressure_gap = abs(state.pressure - ours.pressure) / scale
        rows.append(
            {
                "case": case.name,
                "engine": name,
                "energy_per_particle": state.energy / case.n,
                "pressure": state.pressure,
                "energy_gap": energy_gap,
                "pressure_gap": pressure_gap,
                "agrees": max(energy_gap, pressure_gap) <= AGREEMENT,
                "note": state.note,
            }
        )
    say(report.checks(rows))
    return rows


def _quality(engine: Engine, case: Case, say: Say) -> Quality | None:
    steps = int(min(2500, max(400, 8e7 / case.n)))
    quality = engine.quality(steps)
    if quality is not None:
        say(
            f"  {engine.label}: drift {quality.drift:+.1e} ε/τ per particle, "
            f"{quality.missed:.1e} missed pairs per particle ({quality.note})"
        )
    return quality


def best_lammps(
    among: tuple[str, Sequence[str]], snapshot: Snapshot, threads: int, folder: Path, say: Say
) -> lammps.Lammps:
    """A program's style, with its skin, that is fastest in a short trial."""
    program, styles = among
    case = snapshot.case
    rates: dict[lammps.Lammps, float] = {}

    def trial(style: str, skin: float) -> None:
        engine = lammps.Lammps(program, style, skin)
        if not engine.can_use(threads):
            return
        engine.prepare(snapshot, folder / case.name)
        try:
            rates[engine] = case.n * 200 / engine.seconds(threads, 200) / 1e6
        except Error as error:
            say(f"  lammps {style} does not run: {error}")
            return
        say(f"  {engine.label}, {threads} thread(s), trial: {rates[engine]:.2f} M/s")

    for style in styles:
        trial(style, case.skin)
    if not rates:
        raise Error("no LAMMPS style runs (see above). Repair the installation or remove it.")
    style = max(rates, key=lambda engine: rates[engine]).style
    for skin in (case.skin - 0.1, case.skin + 0.1):
        trial(style, round(skin, 3))
    return max(rates, key=lambda engine: rates[engine])


def _steps(plan: Plan, threads: int, entries: list[Measured]) -> int:
    """So many that the fastest engine takes the plan's seconds at least, in hundreds."""
    fast = [entry.engine for entry in entries if entry.engine.engine != "lammps"]
    trial = min(engine.seconds(threads, 400) for engine in fast)
    return math.ceil(1.05 * plan.seconds * 400 / trial / 100) * 100


def _row(case: Case, threads: int, entry: Measured) -> dict[str, Any]:
    quality = entry.quality
    return {
        **entry.row(case, threads),
        "style": entry.engine.label.removeprefix(f"{entry.engine.engine} "),
        "drift": quality.drift if quality else None,
        "missed_pairs_per_particle": quality.missed if quality else None,
        "list": quality.note if quality else "exact",
    }


def _ratios(case: Case, threads: int, entries: list[Measured]) -> list[dict[str, Any]]:
    """Ours over each peer, with whether our list misses no more than theirs."""
    by_label = {entry.engine.label: entry for entry in entries}
    peers = [entry for entry in entries if entry.engine.engine != "aureole"]
    rows = []
    for peer in peers:
        styles = ["exact"]
        if peer.engine.engine == "gromacs":
            styles.append(peer.engine.style)
        for style in styles:
            ours = by_label[f"aureole {style}"]
            ratio = ratios(ours.rates, peer.rates)
            if ratio is None:
                continue
            rows.append(
                {
                    "case": case.name,
                    "threads": threads,
                    "ours": style,
                    "peer": peer.engine.label,
                    **ratio.of_ratios(),
                    "target": 4.0 if peer.engine.engine == "lammps" else 1.1,
                    "misses_no_more": _misses_no_more(ours.quality, peer.quality),
                }
            )
    return rows


def _misses_no_more(ours: Quality | None, theirs: Quality | None) -> bool | None:
    """Compares missed pairs; None where not measured."""
    if ours is None:
        return None
    rounding, sampling = 1e-3, 1.05  # of the energy sums; of some 50 samples
    allowed = theirs.missed if theirs is not None else 0.0
    return abs(ours.missed) <= max(sampling * abs(allowed), rounding)
