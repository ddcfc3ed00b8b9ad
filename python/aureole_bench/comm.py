# SPDX-License-Identifier: Apache-2.0
"""Messages and sums between processes of one machine, ours beside those of the MPIs at hand."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aureole.ranks.team import Team

from aureole_bench import comm_worker, report
from aureole_bench.engines import PeerFailed, cpus, run_program
from aureole_bench.mpi.launchers import programs
from aureole_bench.stats import ratios, spread
from aureole_bench.table import Cell, table

Say = Callable[[str], None]
Row = dict[str, Any]

OURS = "Aureole"
WORK = 1e-3  # [s] of one step of the ring
#: Largest acceptable ratios of our time to that of the faster MPI.
TARGETS = {
    **{"8 B": 0.5, "1024 B": 0.65, "8192 B": 0.75, "1048576 B": 0.65},
    **{"sum on 2": 0.4, "sum on 4": 0.6},
}
RING_TARGET = 0.8  # of the ideal pace, at least


@dataclass(frozen=True)
class Launcher:
    """An mpirun."""

    program: str

    def times(self, ranks: int, what: str, folder: Path) -> dict[str, Any]:
        """Times that `comm_worker` measures under this mpirun, with the MPI's version."""
        command = [self.program, "-n", str(ranks), "--bind-to", "none", sys.executable]
        command += ["-m", "aureole_bench.comm_worker", what]
        allow = {
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PRTE_ALLOW_RUN_AS_ROOT": "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }
        said = run_program(command, on=cpus(ranks), folder=folder, environment=allow)
        answers = [line for line in said.splitlines() if line.startswith("{")]
        if not answers:
            raise PeerFailed(f"{self.program} gave no times. Check that it starts Python.", said)
        found: dict[str, Any] = json.loads(answers[-1])
        return found


def launchers(named: str) -> list[Launcher]:
    """Launchers named, separated by colons, and otherwise those on PATH."""
    return [Launcher(program) for program in programs(named)]


def measure(rounds: int, named: str, say: Say) -> dict[str, Any]:
    """All engines in turn, `rounds` times; `named`: mpiruns, see `launchers`."""
    counts = [n for n in (2, 4) if n <= len(cpus())]
    result: dict[str, Any] = {**report.machine(), "rounds": rounds, "missing": []}
    times: dict[str, list[dict[str, float]]] = {OURS: []}
    ring: list[float] = []
    peers = launchers(named)
    if not peers:
        result["missing"].append("No mpirun was found: use --mpirun.")
    if not counts:
        result["missing"].append("Only one processor: nothing to compare.")
    with tempfile.TemporaryDirectory() as folder:
        for k in range(rounds if counts else 0):
            times[OURS].append(_ours(counts))
            for peer in peers:
                found = _of_peer(peer, counts, Path(folder))
                name = " ".join(found["version"].replace("Version:", "").split())
                times.setdefault(name, []).append(found["times"])
            ring.append(_ring())
            say(f"  round {k + 1} of {rounds}")
    names = list(times[OURS][0]) if counts else []
    result["rows"] = [_row(name, times) for name in names]
    result["copies"] = _copies() if counts else None
    result["ring"] = {"ranks": 2 * len(cpus()), "share": spread(ring).median} if ring else None
    return result


def _ours(counts: Sequence[int]) -> dict[str, float]:
    found: dict[str, float] = {}
    for n in counts:
        with Team(n, threads=1) as team:
            found |= team.call(comm_worker.messages if n == 2 else comm_worker.sums)
    return found


def _of_peer(peer: Launcher, counts: Sequence[int], folder: Path) -> dict[str, Any]:
    found = peer.times(2, "messages", folder)
    for n in counts[1:]:
        found["times"] |= peer.times(n, "sums", folder)["times"]
    return found


def _copies() -> bool:
    """Whether the system copies between the memories of two ranks."""
    with Team(2, threads=1) as team:
        return bool(team.world.copies_with(1))


def _ring() -> float:
    """The share of the ideal pace that twice as many ranks as processors keep."""
    with Team(2 * len(cpus()), threads=1) as team:
        return 2 * WORK / float(team.call(comm_worker.ring, WORK))


def _row(name: str, times: dict[str, list[dict[str, float]]]) -> Row:
    """Medians of all, and the rounds' ratios to whichever MPI is faster on the median."""
    all_of = {engine: [found[name] for found in each] for engine, each in times.items()}
    medians = {engine: spread(values).median for engine, values in all_of.items()}
    fastest = min((e for e in medians if e != OURS), key=lambda e: medians[e], default=None)
    ratio = ratios(all_of[OURS], all_of[fastest]) if fastest else None
    return {
        **{"what": name, "seconds": medians, "fastest": fastest, "target": TARGETS.get(name)},
        **(ratio.of_ratios() if ratio else {"ratio": None, "quartiles": None, "pairs": 0}),
    }


def reached(row: Row) -> bool | None:
    """Whether a row meets its target; None where there is nothing to compare."""
    if row["ratio"] is None or row["target"] is None:
        return None
    return bool(row["ratio"] <= row["target"])


def text(result: dict[str, Any]) -> str:
    """The result as a table."""
    rows = result["rows"]
    verdict = {True: "reached", False: "NOT reached", None: ""}
    engines = list(rows[0]["seconds"]) if rows else []

    def microseconds(engine: str) -> Callable[[Any], str]:
        return lambda row: f"{row['seconds'][engine] * 1e6:.3f}"

    columns: dict[str, Cell] = {
        "": "{what}",
        **{f"{engine} [µs]": microseconds(engine) for engine in engines},
        "ratio to the faster MPI": "{ratio:.2f}",
        "quartiles": lambda r: "–".join(f"{q:.2f}" for q in r["quartiles"] or []),
        "target": lambda r: f"{r['target']:g} {verdict[reached(r)]}",
    }
    lines = [
        f"{result['date']}   {result['cpu']}   load at start {result['load']:.1f}",
        *result["missing"],
        "",
        f"One way of a message between two pinned processes, and sums of eight numbers: medians of "
        f"{result['rounds']} rounds",
        table(rows, columns) if rows else "",
    ]
    if result["copies"] is not None:
        how = "copied by both ranks" if result["copies"] else "sent in chunks (copies are refused)"
        lines.append(f"Long messages outside shared memory are {how}.")
    if ring := result["ring"]:
        verdict_of_ring = verdict[ring["share"] >= RING_TARGET]
        lines.append(
            f"A ring of {ring['ranks']} ranks with {WORK * 1e3:g} ms of work each: "
            f"{ring['share']:.2f} of the ideal pace (target {RING_TARGET} {verdict_of_ring})"
        )
    return "\n".join(lines)
