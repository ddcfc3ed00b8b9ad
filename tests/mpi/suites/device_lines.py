# SPDX-License-Identifier: Apache-2.0
"""Programs of MPICH's suite that know device memory, with arguments that put buffers there."""

from __future__ import annotations

from collections.abc import Iterator

import mpich_suite
from mpich_suite import Line

#: Two basic types with gaps between them: what a receive must not write.
TYPE = "-type=MPI_INT:4+MPI_DOUBLE:8"
DRAWN = (TYPE, "-seed=7", "-testsize=4")
#: Names of the arguments that say where each buffer lies.
PAIR = ("-sendmem", "-recvmem")
RANKS = ("-evenmemtype", "-oddmemtype")
WINDOW = ("-origmem", "-targetmem")
FETCHED = ("-origmem", "-targetmem", "-resultmem")

COLL = {
    "allred": (4, ("-count=10",)),
    "allred2": (4, ()),
    "reduce": (5, ()),
    "op_coll": (4, ()),
    "bcast": (4, (*DRAWN, "-count=17")),
    "bcast_comm_world_only": (4, (*DRAWN, "-count=512")),
}
PT2PT = {"sendrecv1": 2, "sendself": 1}
#: These send 32 MB in all, so that short messages would be many.
PINGPING = (("pt2pt", "pingping"), ("pt2pt", "pingping_barrier"), ("part", "pingping"))
RMA = ("epochtest", "getfence1", "putfence1", "putpscw1")
LOCKED = ("lock_dt", "lock_dt_flush", "lock_dt_flushlocal", "lockall_dt", "lockall_dt_flush")
LOCKED_ALL = ("lockall_dt_flushall", "lockall_dt_flushlocal", "lockall_dt_flushlocalall")


def _at(names: tuple[str, ...], *places: str) -> tuple[str, ...]:
    return tuple(f"{name}={place}" for name, place in zip(names, places, strict=True))


def messages_and_collectives() -> Iterator[Line]:
    """A line for each program with all buffers in device memory, and one with half of them."""
    for program, ranks in PT2PT.items():
        line = Line("pt2pt", program, ranks, (*DRAWN, "-sendcnt=17", "-recvcnt=34"))
        yield line.with_arguments(*_at(PAIR, "device", "device"))
        yield line.with_arguments(*_at(PAIR, "host", "device"))
    for folder, program in PINGPING:
        taken = "-recvcnt=4096" if folder == "part" else "-recvcnt=8192"
        line = Line(folder, program, 2, (*DRAWN[:2], "-testsize=1", "-sendcnt=4096", taken))
        yield line.with_arguments(*_at(PAIR, "device", "device"))
    for program, (ranks, arguments) in COLL.items():
        line = Line("coll", program, ranks, arguments)
        yield line.with_arguments(*_at(RANKS, "device", "device"))
        yield line.with_arguments(*_at(RANKS, "device", "host"))


def one_sided(target: str) -> Iterator[Line]:
    """Origin buffers in device memory, windows there or on the host."""
    for program in RMA:
        line = Line("rma", program, 2 if "fence" in program else 4, (*DRAWN, "-count=17"))
        yield line.with_arguments(*_at(WINDOW, "device", target))
    basic = ("-type=MPI_INT", *DRAWN[1:], "-count=17")  # what can be accumulated
    for program in ("accfence1", "accpscw1"):
        yield Line("rma", program, 4, basic).with_arguments(*_at(WINDOW, "device", target))
    for program in (*LOCKED, *LOCKED_ALL):
        line = Line("rma", program, 2, basic)
        yield line.with_arguments(*_at(FETCHED, "device", target, "device"))


def of_the_suite(abi: str) -> Iterator[Line]:
    """The suite's lines for GPUs, and its lines of random types with all buffers on the device."""
    places = {"pt2pt": PAIR, "part": PAIR, "coll": RANKS, "rma": WINDOW}
    for folder in ("pt2pt", "coll", "rma"):
        yield from mpich_suite.lines(abi, folder, "testlist.gpu")
    for folder, names in places.items():
        for line in mpich_suite.lines(abi, folder, "testlist.dtp"):
            if folder != "part" or _same_lengths(line):
                yield line.with_arguments(*_at(names, "device", "device"))


def _same_lengths(line: Line) -> bool:
    """MPICH itself makes an error of partitioned messages that are shorter than their buffers."""
    given = dict(word.split("=", 1) for word in line.arguments)
    return given.get("-sendcnt") == given.get("-recvcnt")
