# SPDX-License-Identifier: Apache-2.0
"""`aureole bench`: speed beside the installed peers, scaling, and the device beside the host."""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from aureole.base.errors import Terminated, bad_input, file_error
from aureole.base.parse import integer, real

from aureole_bench import about, busy, comm, launches, lj, report, scaling, tasks, user_job
from aureole_bench.blast import measure as blast
from aureole_bench.blast import picture as blast_picture
from aureole_bench.blast import report as blast_report
from aureole_bench.blast import sweep_picture as blast_sweep_picture
from aureole_bench.cases import STANDARD, case_named
from aureole_bench.gpu import measure as gpu
from aureole_bench.lists import counts, words
from aureole_bench.molecules import measure as molecules
from aureole_bench.molecules import report as molecular_report
from aureole_bench.molecules.cases import (
    SIZES,
    MolecularCase,
    count_of,
    grappa_named,
    mixture,
    protein,
)
from aureole_bench.mpi import options as mpi_options
from aureole_bench.mpi import tune
from aureole_bench.ranks import lj as rank_lj
from aureole_bench.ranks import molecules as rank_molecules
from aureole_bench.ranks import picture as rank_picture
from aureole_bench.ranks import scaling as rank_scaling
from aureole_bench.snapshot import cache_folder

_RANKS = "rank counts instead of threads: N ranks of one thread, N threads, and N ranks of peers"
_THREADS = "thread counts, or all: 1, 2, 4 … and every processor (default %(default)s)"
_SCALED = "lj-melt-32000,grappa-pme-12k"
_DHFR = Path("..") / "shared" / "data" / "dhfr"


def configure(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the benchmarks to a parser."""
    commands = parser.add_subparsers(dest="bench", metavar="BENCH", required=True)
    one = commands.add_parser(
        "lj", help="Lennard-Jones fluids, against peers", description=about.LJ
    )
    one.add_argument(
        "--cases", default=",".join(STANDARD), help="cases with sizes (default %(default)s)"
    )
    one.add_argument("--threads", default="1,2", help=_THREADS)
    one.add_argument("--ranks", metavar="COUNTS", help=_RANKS)
    one.add_argument("--pairs", type=integer, help="interleaved rounds (default 9)")
    one.add_argument("--seconds", type=real, help="minimum of the fastest run (default 10)")
    one.add_argument(
        "--lammps-pairs", type=integer, help="rounds that LAMMPS takes part in (default: all)"
    )
    one.add_argument("--no-quality", action="store_true", help="skip drift and missed pairs")
    one.add_argument(
        "--quick", action="store_true", help="3 rounds of 2 s; by default the two small cases"
    )
    one.add_argument("--folder", type=Path, default=cache_folder(), help="for snapshots and inputs")
    one.set_defaults(act=_lj)
    two = commands.add_parser(
        "scaling",
        help="threads, sizes and memory, or ranks, of Aureole",
        description=about.SCALING,
    )
    two.add_argument("--pairs", type=integer, default=9, help="interleaved rounds (default 9)")
    two.add_argument("--seconds", type=real, default=10.0, help="of each run (default 10)")
    two.add_argument("--ranks", metavar="COUNTS", help="numbers of ranks, for example 1,2,4")
    two.add_argument(
        "--cases", default=_SCALED, help="with --ranks: systems by name (default %(default)s)"
    )
    two.add_argument(
        "--picture",
        type=Path,
        default=Path("scaling.png"),
        help="with --ranks: plot of the times, .png or .svg (default %(default)s)",
    )
    user_job.add_options(two)
    two.add_argument("--folder", type=Path, default=cache_folder(), help="for starts and inputs")
    two.set_defaults(act=_scaling)
    three = commands.add_parser("gpu", help="the first GPU against the host")
    three.add_argument("--seconds", type=real, default=4.0, help="of each run (default 4)")
    three.add_argument("--sizes", default="64000,2000000", help="particles (default %(default)s)")
    three.set_defaults(act=_gpu)
    four = commands.add_parser("grappa", help="water and ethanol", description=about.GRAPPA)
    four.add_argument("--sizes", default=",".join(SIZES), help="particles (default %(default)s)")
    four.add_argument("--pme", action="store_true", help="PME instead of a reaction field")
    four.set_defaults(act=_grappa)
    five = commands.add_parser("protein", help="a protein in water", description=about.PROTEIN)
    five.add_argument("--conf", type=Path, default=_DHFR / "dhfr.gro", help="coordinates, .gro")
    five.add_argument(
        "--top", type=Path, default=_DHFR / "dhfr.top", help="topology, self-contained"
    )
    five.add_argument(
        "--openmm-pairs", type=integer, default=3, help="rounds with OpenMM (default %(default)s)"
    )
    five.set_defaults(act=_protein)
    six = commands.add_parser("busy", help="speed on a busy machine", description=about.BUSY)
    six.add_argument("--rounds", type=int, default=3, help="of all runs (default %(default)s)")
    six.add_argument("--seconds", type=float, default=4.0, help="of each run (default 4)")
    six.add_argument("--before", type=Path, help="package folder of another build")
    six.add_argument("--folder", type=Path, default=cache_folder(), help="for starts and inputs")
    six.set_defaults(act=_busy)
    seven = commands.add_parser("comm", help="messages, against MPI", description=about.COMM)
    seven.add_argument("--rounds", type=integer, default=9, help="of all (default %(default)s)")
    seven.add_argument(
        "--mpirun",
        default=os.environ.get("AUREOLE_MPIRUN", ""),
        help="programs, separated by colons (default: AUREOLE_MPIRUN, or those on PATH)",
    )
    seven.set_defaults(act=_comm)
    eight = commands.add_parser("blast", help="fluids, against PyClaw", description=about.BLAST)
    blast.add_options(eight)
    eight.add_argument("--threads", default="all", help=_THREADS)
    eight.set_defaults(act=_blast)
    tables = (
        ("tasks", "tasks, against oneTBB", about.TASKS, tasks),
        ("launches", "what launches cost the host", about.LAUNCHES, launches),
    )
    for name, purpose, description, of in tables:
        nine = commands.add_parser(name, help=purpose, description=description)
        built = f"{of.PROGRAM.name} (default: build/{of.PROGRAM.name} of the source tree)"
        nine.add_argument("--program", type=Path, default=of.PROGRAM, help=built)
        nine.set_defaults(act=partial(_program, of), device=[])
    nine.add_argument("--device", action="append", help="host, clocked, gpu:0 ...; may be repeated")
    mpi_options.add_commands(commands, _mpi)
    for command in (four, five):
        command.add_argument("--threads", default="1,2", help=_THREADS)
        command.add_argument("--ranks", metavar="COUNTS", help=_RANKS)
        command.add_argument(
            "--pairs", type=integer, default=9, help="interleaved rounds (default 9)"
        )
        command.add_argument(
            "--seconds", type=real, default=10.0, help="minimum of the fastest run (default 10)"
        )
        command.add_argument("--no-drift", action="store_true", help="skip the drift")
        command.add_argument(
            "--folder", type=Path, default=cache_folder(), help="for starts and inputs"
        )
    for command in commands.choices.values():
        command.add_argument("--json", metavar="FILE", help="write all numbers to FILE (-: stdout)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `aureole bench ...`; 0 when all engines agree at step 0."""
    parser = configure(argparse.ArgumentParser(prog="aureole bench", description=__doc__))
    chosen = parser.parse_args(arguments)
    check_arguments(chosen)
    with end_with_children():
        return int(chosen.act(chosen))


def check_arguments(chosen: argparse.Namespace) -> None:
    """Refuse what would be noticed after the measurement, or never."""
    seconds = getattr(chosen, "seconds", None)
    if seconds is not None and not 0 < seconds < math.inf:
        raise bad_input(
            f"seconds is {seconds:g}", "a run needs a positive time", "Give for example 10"
        )
    if chosen.json not in (None, "-"):
        path = Path(chosen.json)
        why = "it is a folder" if path.is_dir() else "its folder does not exist"
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise file_error(path, "cannot be written", why, "Give --json a file in a folder")


@contextmanager
def end_with_children() -> Iterator[None]:
    """In its block SIGTERM ends the program under way too, as an exception does, not this process
    alone. Afterwards it does what it did before.
    """

    def end(*_: object) -> None:
        raise Terminated("by SIGTERM")

    before = signal.getsignal(signal.SIGTERM)
    # One that was set by other means than Python could not be put back, and stays.
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _lj(chosen: argparse.Namespace) -> int:
    names = words(chosen.cases)
    if chosen.quick and chosen.cases == ",".join(STANDARD):
        names = list(STANDARD[:2])
    for name in names:
        case_named(name)
    pairs = _at_least(_or(chosen.pairs, 3 if chosen.quick else 9), "pairs")
    plan = lj.Plan(
        cases=names,
        threads=_allowed(chosen.threads),
        pairs=pairs,
        seconds=_or(chosen.seconds, 2.0 if chosen.quick else 10.0),
        lammps_pairs=pairs if chosen.lammps_pairs is None else chosen.lammps_pairs,
        quality=not chosen.no_quality,
        folder=chosen.folder,
    )
    if chosen.ranks is not None:
        plan = replace(plan, threads=_several_ranks(chosen.ranks))
        _measured(chosen, partial(rank_lj.measure, plan, _say), rank_lj.text)
        return 0
    result = _measured(chosen, partial(lj.measure, plan, _say), report.full)
    return 0 if all(row["agrees"] for row in result["checks"]) else 1


def _scaling(chosen: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="aureole-bench-") as work:
        job = user_job.job_of(chosen, Path(work))
        if chosen.ranks is not None or job is not None:
            return _scaling_of_ranks(chosen, job)
    result = scaling.measure(_at_least(chosen.pairs, "pairs"), chosen.seconds, _say)
    return _told(chosen, result, scaling.text)


def _scaling_of_ranks(chosen: argparse.Namespace, job: user_job.UserJob | None) -> int:
    ranks = sorted({1, *_allowed(_or(chosen.ranks, "all"), "ranks")})
    plan = rank_scaling.Plan(
        cases=words(chosen.cases) if job is None else [],
        jobs=[] if job is None else [(job.name, job.n, job.dt, user_job.OursOnJob(job))],
        ranks=ranks,
        pairs=_at_least(chosen.pairs, "pairs"),
        seconds=chosen.seconds,
        folder=chosen.folder,
    )
    for name in plan.cases:
        if grappa_named(name) is None:
            case_named(name)
    rank_picture.check(chosen.picture)
    result = _measured(chosen, partial(rank_scaling.measure, plan, _say), rank_scaling.text)
    if not result["rows"]:
        return 1
    rank_picture.draw(result, chosen.picture)
    _say(f"Plot written to {chosen.picture}.")
    return 0


def _gpu(chosen: argparse.Namespace) -> int:
    result = gpu.measure(chosen.seconds, counts(chosen.sizes, "sizes"), _say)
    return _told(chosen, result, gpu.text)


def _grappa(chosen: argparse.Namespace) -> int:
    sizes = words(chosen.sizes)
    for size in sizes:
        count_of(size)
    peers = molecules.Peers.find(openmm=False)
    folder, threads = chosen.folder.absolute(), _processors()
    cases = [
        partial(mixture, size, chosen.pme, folder, peers.program(), threads, _say) for size in sizes
    ]
    return _molecules(chosen, peers, cases, 0)


def _protein(chosen: argparse.Namespace) -> int:
    for path in (chosen.conf, chosen.top):
        if not path.is_file():
            raise file_error(path, "cannot be read", "no such file", "Give --conf and --top")
    peers = molecules.Peers.find(openmm=True)
    files = chosen.conf.absolute(), chosen.top.absolute(), chosen.folder.absolute()
    make = partial(protein, *files, peers.program(), _processors(), _say)
    return _molecules(chosen, peers, [make], chosen.openmm_pairs)


def _molecules(
    chosen: argparse.Namespace,
    peers: molecules.Peers,
    cases: Sequence[Callable[[], MolecularCase]],
    openmm_pairs: int,
) -> int:
    ranks = None if chosen.ranks is None else _several_ranks(chosen.ranks)
    plan = molecules.Plan(
        threads=_allowed(chosen.threads) if ranks is None else ranks,
        pairs=_at_least(chosen.pairs, "pairs"),
        seconds=chosen.seconds,
        drift=not chosen.no_drift,
        openmm_pairs=openmm_pairs,
    )
    of, text = molecules.measure, molecular_report.full
    if ranks is not None:
        of, text = rank_molecules.measure, rank_molecules.text
    result = _measured(chosen, partial(of, plan, peers, cases, _say), text)
    return 0 if all(row["agrees"] for row in result["checks"]) else 1


def _busy(chosen: argparse.Namespace) -> int:
    rounds = _at_least(chosen.rounds, "rounds")
    plan = busy.Plan(rounds, chosen.seconds, chosen.folder, chosen.before)
    result = _measured(chosen, partial(busy.measure, plan, _say), busy.text)
    return 0 if busy.passes(result) else 1


def _comm(chosen: argparse.Namespace) -> int:
    result = comm.measure(_at_least(chosen.rounds, "rounds"), chosen.mpirun, _say)
    return _told(chosen, result, comm.text)


def _blast(chosen: argparse.Namespace) -> int:
    _at_least(chosen.rounds, "rounds"), _at_least(chosen.steps, "steps")
    plan, picture = blast.plan_of(chosen, _allowed(chosen.threads)), blast_picture.place(chosen)
    result = _measured(chosen, partial(blast.measure, plan, _say), blast_report.text)
    if picture is not None:
        blast_picture.draw(result, picture)
        _say(f"Plot written to {picture}.")
        if result["sweep"]:
            second = blast_sweep_picture.place(picture)
            blast_sweep_picture.draw(result, second)
            _say(f"Plot of the sweep written to {second}.")
    return 0 if result["same_bits"] else 1


def _program(of: Any, chosen: argparse.Namespace) -> int:
    return _told(chosen, of.measure(chosen.program, *chosen.device), of.text)


def _mpi(chosen: argparse.Namespace) -> int:
    of = mpi_options.module_of(chosen)
    result = of.measure(mpi_options.plan_of(chosen), report.machine(), _say)
    _told(chosen, result, of.text)
    if of is tune:
        tune.keep(result, _say)
    return 0 if of.all_right(result) else 1


def _told(chosen: argparse.Namespace, result: dict[str, Any], text: Callable[..., str]) -> int:
    """A result that is complete, printed and saved; 0."""
    _print(chosen.json, text(result))
    _save(chosen.json, result, last=True)
    return 0


def _measured(
    chosen: argparse.Namespace,
    measure: Callable[[Callable[[dict[str, Any]], None]], dict[str, Any]],
    text: Callable[[dict[str, Any]], str],
) -> dict[str, Any]:
    """The result of a measurement, printed and saved; what there is of it if it is interrupted."""
    so_far: dict[str, Any] = {}

    def keep(now: dict[str, Any]) -> None:
        so_far.update(now)
        _save(chosen.json, now)

    try:
        result = measure(keep)
    except (KeyboardInterrupt, Terminated):
        if so_far.get("rows"):
            _print(chosen.json, text(so_far))
        raise
    _print(chosen.json, text(result))
    _save(chosen.json, result, last=True)
    return result


def _processors() -> int:
    return len(os.sched_getaffinity(0))


def _several_ranks(text: str) -> list[int]:
    """The numbers of ranks from 2 on that this process can use; others are reported."""
    ranks = [count for count in _allowed(text, "ranks") if count > 1]
    if not ranks:
        raise bad_input(
            f"ranks is {text!r}",
            f"one rank is the reference, and this process may use {_processors()} processor(s)",
            "Give for example 2, on a machine of two processors",
        )
    return ranks


def _allowed(text: str, what: str = "threads") -> list[int]:
    """The counts of threads, or of what it is, that this process can use; others are reported."""
    if text.strip() == "all":
        powers = (2**k for k in range(_processors().bit_length()))
        return sorted({*powers, _processors()} & set(range(1, _processors() + 1)))
    found = counts(text, what)
    for count in found:
        if count > _processors():
            _say(f"{count} {what} are skipped: this process may use {_processors()} processor(s)")
    return [count for count in found if count <= _processors()] or [1]


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _at_least(value: int, name: str) -> int:
    if value < 1:
        raise bad_input(f"{name} is {value}", "nothing would be measured", "Give at least 1")
    return value


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _print(json_file: str | None, text: str) -> None:
    stream = sys.stderr if json_file == "-" else sys.stdout
    stream.write(text + "\n")


def _save(path: str | None, result: dict[str, Any], last: bool = False) -> None:
    """Keep what there is so far; standard output gets only the last."""
    text = json.dumps(result, indent=1) + "\n"
    if path == "-":
        if last:
            sys.stdout.write(text)
    elif path:
        target = Path(path).resolve()
        if target.exists() and not target.is_file():  # a pipe, /dev/null
            target.write_text(text)
            return
        beside = target.with_name(f"{target.name}.part")
        try:
            beside.write_text(text)
            beside.replace(target)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


if __name__ == "__main__":
    sys.exit(main())
