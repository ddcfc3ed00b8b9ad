# SPDX-License-Identifier: Apache-2.0
"""`aureole bench stencil` on emulated devices: any number of ranks has the bits of one."""

from __future__ import annotations

from pathlib import Path

import mpis
import numpy as np
import pytest
from aureole_bench.mpi import stencil
from aureole_bench.mpi.worker import Way, run
from bench_runs import MACHINE, bench_of, emulate, planted

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
    ("memory", "preloaded"), [("host", False), ("host", True), ("device", True), ("managed", True)]
)
@pytest.mark.parametrize("ranks", [1, 2, 4, 8])
def test_ranks_have_the_bits_of_one(
    any_mpi: mpis.Mpi,
    monkeypatch: pytest.MonkeyPatch,
    expected: str,
    ranks: int,
    memory: str,
    preloaded: bool,
) -> None:
    emulate(monkeypatch)
    told = run(Way(bench_of(any_mpi), memory, preloaded), ranks, WORDS, 60)
    assert told.ended, told.said
    first, last = told.rows
    assert np.prod(first["grid"]) == ranks
    assert last == {"different": 0, "of": np.prod(CELLS), "sum": expected}


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
def test_wrong_faces_are_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str
) -> None:
    mpi = mpis.named("openmpi")
    if mpi is None:
        pytest.skip(mpis.missing("openmpi"))
    emulate(monkeypatch, planted(tmp_path, "halo.c", *FAULTS[fault]))
    for ranks, memory in ((1, "host"), (2, "device")):
        told = run(Way(bench_of(mpi), memory, memory == "device"), ranks, WORDS, 60)
        verdict = "right" if fault == "none" else "wrong data"
        assert stencil.judged(told)["verdict"] == verdict, told.said


def test_rows_of_a_measurement(any_mpi: mpis.Mpi, monkeypatch: pytest.MonkeyPatch) -> None:
    emulate(monkeypatch)
    plan = stencil.Plan(
        cells=(8, 8, 10),
        steps=3,
        ranks=(1, 2),
        memories=("host", "device"),
        rounds=1,
        check=True,
        mpirun=str(any_mpi.mpiexec),
    )
    result = stencil.measure(plan, MACHINE, lambda _: None)
    assert stencil.all_right(result)
    keys = [(row["memory"], row["ranks"]) for row in result["rows"]]
    assert keys == [("host", 1), ("host", 2), ("device", 1), ("device", 2)]
    for row in result["rows"]:
        assert row["with"] > 0 and 0 < row["exchange"] < 1
        assert (row["without"] is None) == (row["memory"] == "device")
    text = stencil.text(result)
    assert "All results are those of one rank to the bit (8 x 8 x 10 cells)." in text
    assert "these numbers are not those of a GPU" in text
