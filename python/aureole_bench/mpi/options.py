# SPDX-License-Identifier: Apache-2.0
"""The options of `aureole bench mpi`, `stencil` and `hpcg`, and of `aureole mpi --tune`."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from typing import Any

from aureole.base.errors import bad_input
from aureole.base.parse import integer, real

from aureole_bench import about
from aureole_bench.lists import counts, words
from aureole_bench.mpi import hpcg, stencil, tables, tune
from aureole_bench.mpi.worker import MEMORIES

Act = Callable[[argparse.Namespace], int]


def add_commands(commands: Any, act: Act) -> None:
    """Add them to a parser's commands; `act` is called with what was chosen."""
    one = commands.add_parser("mpi", help="GPU pointers in any MPI", description=about.MPI)
    _add_tables(one)
    two = commands.add_parser(
        "stencil", help="GPU pointers in a program of MPI", description=about.STENCIL
    )
    _add_stencil(two)
    three = commands.add_parser(
        "tune", prog="aureole mpi --tune", help="same as aureole mpi --tune", description=about.TUNE
    )
    every = tune.Plan()
    three.add_argument(
        "--seconds", type=real, default=every.seconds, help="of each number (default %(default)s)"
    )
    four = commands.add_parser(
        "hpcg", help="GPU pointers in a solver over MPI", description=about.HPCG
    )
    _add_hpcg(four)
    for command in (one, two, four):
        command.add_argument(
            "--memory", default=",".join(MEMORIES), help="kinds of buffers (default %(default)s)"
        )
    for command in (one, two, three, four):
        _add_common(command)
        command.set_defaults(act=act)


def module_of(chosen: argparse.Namespace) -> Any:
    """The module that measures what was chosen: its `measure`, `text` and `all_right`."""
    return {"mpi": tables, "stencil": stencil, "hpcg": hpcg, "tune": tune}[chosen.bench]


def plan_of(chosen: argparse.Namespace) -> Any:
    """A Plan of that module; raises InputError."""
    if chosen.bench == "tune":
        return tune.Plan(_rounds(chosen), chosen.seconds, chosen.mpirun, chosen.devices)
    plan = {"mpi": _plan_of_tables, "stencil": _plan_of_stencil, "hpcg": _plan_of_hpcg}
    return plan[chosen.bench](chosen)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    every = tables.Plan()
    parser.add_argument(
        "--tables", default=",".join(tables.TABLES), help="names (default %(default)s)"
    )
    parser.add_argument(
        "--sizes",
        default=",".join(map(str, every.sizes)),
        help="bytes of a message, or of a block of a collective call (default %(default)s)",
    )
    parser.add_argument("--ranks", type=integer, default=2, help="at least 2 (default 2)")
    parser.add_argument(
        "--seconds", type=real, default=every.seconds, help="of each number (default %(default)s)"
    )


def _add_stencil(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cells", default="96", help="of all ranks, N or NX,NY,NZ (default %(default)s)"
    )
    parser.add_argument("--steps", type=integer, default=50, help="of a run (default %(default)s)")
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks (default %(default)s)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare the whole grid with one rank, to the bit (otherwise a small one)",
    )


def _add_hpcg(parser: argparse.ArgumentParser) -> None:
    every = hpcg.Plan()
    parser.add_argument(
        "--cells",
        default="104",
        help="of each rank, N or NX,NY,NZ, multiples of 8 (default %(default)s)",
    )
    parser.add_argument(
        "--iterations", type=integer, default=every.iterations, help="of a run (default 50)"
    )
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks (default %(default)s)")
    parser.add_argument(
        "--check", action="store_true", help="HPCG's tests on the whole grid, not on a small one"
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--devices",
        default="any",
        choices=("any", "cuda", "hip", "none"),
        help="whose driver is used (default: the first that has devices)",
    )
    parser.add_argument("--rounds", type=integer, default=5, help="of all (default %(default)s)")
    parser.add_argument(
        "--mpirun",
        default=os.environ.get("AUREOLE_MPIRUN", ""),
        help="programs, separated by colons (default: AUREOLE_MPIRUN, or those on PATH)",
    )


def _plan_of_tables(chosen: argparse.Namespace) -> tables.Plan:
    sizes = counts(chosen.sizes, "sizes")
    if odd := [size for size in sizes if size % 4 != 0]:
        raise bad_input(
            f"sizes has {odd[0]}", "data are numbers of four bytes", "Give multiples of 4"
        )
    if not 2 <= chosen.ranks <= 64:
        raise bad_input(f"ranks is {chosen.ranks}", "messages need two", "Give 2 to 64")
    return tables.Plan(
        tables=_known(chosen.tables, tables.TABLES, "tables"),
        sizes=sizes,
        memories=_known(chosen.memory, MEMORIES, "memory"),
        ranks=chosen.ranks,
        rounds=_rounds(chosen),
        seconds=chosen.seconds,
        mpirun=chosen.mpirun,
        devices=chosen.devices,
    )


def _plan_of_stencil(chosen: argparse.Namespace) -> stencil.Plan:
    cells, ranks = stencil.cells_of(chosen.cells), counts(chosen.ranks, "ranks")
    if max(ranks) > min(*cells, 64):
        raise bad_input(
            f"ranks is {chosen.ranks!r}, with {chosen.cells} cells",
            "no axis may have fewer cells than there are ranks, of which 64 are possible",
            "Give more cells or fewer ranks",
        )
    if chosen.steps < 1 or math.prod(cells) > 2**31:
        raise bad_input(
            f"there are {chosen.steps} steps of {math.prod(cells)} cells",
            "a run needs a step, and at most 2^31 cells",
            "Change --steps or --cells",
        )
    return stencil.Plan(
        cells=cells,
        steps=chosen.steps,
        ranks=ranks,
        **_of_grids(chosen),
    )


def _plan_of_hpcg(chosen: argparse.Namespace) -> hpcg.Plan:
    cells, ranks = stencil.cells_of(chosen.cells), counts(chosen.ranks, "ranks")
    if odd := [n for n in cells if n % 8 != 0]:
        raise bad_input(
            f"cells has {odd[0]}",
            "four levels of the grid halve the cells three times",
            "Give multiples of 8",
        )
    if chosen.iterations < 1 or math.prod(cells) >= 2**31:
        raise bad_input(
            f"there are {chosen.iterations} iterations on {math.prod(cells)} cells",
            "a run needs an iteration, and fewer than 2^31 cells on each rank",
            "Change --iterations or --cells",
        )
    return hpcg.Plan(
        cells=cells,
        iterations=chosen.iterations,
        ranks=ranks,
        **_of_grids(chosen),
    )


def _of_grids(chosen: argparse.Namespace) -> dict[str, Any]:
    return {
        "memories": _known(chosen.memory, MEMORIES, "memory"),
        "rounds": _rounds(chosen),
        "check": chosen.check,
        "mpirun": chosen.mpirun,
        "devices": chosen.devices,
    }


def _known(text: str, all_of: tuple[str, ...], what: str) -> list[str]:
    found = words(text)
    if unknown := [word for word in found if word not in all_of] or ([] if found else [text]):
        raise bad_input(
            f"{what} has {unknown[0]!r}", "there is no such kind", f"Choose of {', '.join(all_of)}"
        )
    return found


def _rounds(chosen: argparse.Namespace) -> int:
    if chosen.rounds < 1:
        raise bad_input(
            f"rounds is {chosen.rounds}", "nothing would be measured", "Give at least 1"
        )
    return int(chosen.rounds)
