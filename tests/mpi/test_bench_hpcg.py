# SPDX-License-Identifier: Apache-2.0
"""`aureole bench hpcg` on emulated devices: residuals that are known in two other ways, HPCG's own
tests, and faults that they find.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hpcg_reference
import mpis
import numpy as np
import pytest
from bench_runs import SOURCES, WAYS, Told, planted, run

ITERATIONS, FEW = 8, 4
GRIDS = {1: (1, 1, 1), 2: (2, 1, 1), 4: (2, 2, 1)}
#: Norms of the residuals of HPCG 3.1's own CG_ref on 16 x 16 x 16 cells a rank, with npx = npy = 1:
#: z, which is contiguous here, is its x.
OF_HPCG = {
    1: (368.7058448139926, 64.629884764263423, 30.821971870158631, 11.49296044295232,
        1.0489538254372597, 0.15387842031384796, 0.032072994082901297, 0.0078803788456598862,
        0.0018265214679344484),
    2: (472.14404581652832, 86.577811309315194, 45.009344717545922, 23.862606873795638,
        7.9081372511549439, 3.4766251762019755, 0.99298988966211543, 0.15154371802787592,
        0.026453992318240839),
}  # fmt: skip


def words(cells: Sequence[int], *more: str, iterations: int = ITERATIONS) -> list[str]:
    shape = ",".join(map(str, cells))
    return ["run=hpcg", f"cells={shape}", f"iterations={iterations}", *more]


def must(told: Told) -> tuple[dict[str, Any], dict[str, Any]]:
    """The numbers and the checks of a run that has ended."""
    assert told.ended, told.said
    first, last = told.rows
    return first, last


def passes(checks: dict[str, Any]) -> bool:
    """HPCG's tests, and the known solution."""
    plain, preconditioned = checks["spread"]
    is_symmetric = max(checks["symmetry"]) <= 1
    return is_symmetric and plain <= 12 and preconditioned <= 2 and checks["error"] < 1e-2


def near(norms: list[float] | tuple[float, ...]) -> Any:
    """Equal to rounding, which the iterations amplify."""
    return pytest.approx(norms, rel=1e-9)


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_all_ways_have_the_same_bits(any_mpi: mpis.Mpi, ranks: int) -> None:
    shape = tuple(16 * n for n in GRIDS[ranks])
    expected = near(hpcg_reference.residuals(shape, GRIDS[ranks], ITERATIONS))
    ways = WAYS if ranks < 4 else [("host", False), ("device", True)]
    found = []
    for memory, preloaded in ways:
        for mapped_from in ("off", "0") if (memory, preloaded) == ("device", True) else ("off",):
            told = run((any_mpi, memory, preloaded), ranks, *words((16, 16, 16), "check=1"),
                       AUREOLE_MPI_MAPPED_FROM=mapped_from)  # fmt: skip
            first, last = must(told)
            assert tuple(first["grid"]) == GRIDS[ranks] and first["iterations"] == ITERATIONS
            assert first["flops"] == hpcg_reference.flops(shape, ITERATIONS)
            assert last["residuals"] == expected
            assert passes(last)
            found.append(last)
    assert all(each == found[0] for each in found)


@pytest.mark.parametrize("ranks", GRIDS)
def test_any_number_of_ranks_does_the_same_with_ghosts_before_each_colour(ranks: int) -> None:
    """Otherwise a block sees values of others from before the sweep, as HPCG has it."""
    mpi = openmpi()
    shape = (32, 32, 16)
    cells = [n // of for n, of in zip(shape, GRIDS[ranks], strict=True)]
    of_run = words(cells, "colours=1", "check=1", iterations=FEW)
    _, last = must(run((mpi, "device", True), ranks, *of_run))
    assert last["residuals"] == near(hpcg_reference.residuals(shape, (1, 1, 1), FEW))
    assert max(last["symmetry"]) <= 1 and last["spread"][1] <= 2


def test_ranks_that_share_a_corner_alone() -> None:
    """Eight of them, each with seven neighbours; one cell each on the coarsest level."""
    of_run = words((8, 8, 8), "check=1", iterations=FEW)
    _, last = must(run((openmpi(), "device", True), 8, *of_run))
    expected = hpcg_reference.residuals((16, 16, 16), (2, 2, 2), FEW)
    assert last["residuals"] == near(expected)
    assert max(last["symmetry"]) <= 1 and last["spread"][1] <= 2


@pytest.mark.parametrize("ranks", OF_HPCG)
def test_sweeps_in_order_have_the_residuals_of_hpcg(any_mpi: mpis.Mpi, ranks: int) -> None:
    way = (any_mpi, "host", False)
    _, last = must(run(way, ranks, *words((16, 16, 16), "ordered=1", "check=1")))
    assert last["residuals"] == near(OF_HPCG[ranks])
    assert passes(last)


def test_iterations_that_colours_need_for_the_residual_of_that_order() -> None:
    _, last = must(run((openmpi(), "host", False), 1, *words((16, 16, 16), "rating=1")))
    reached = OF_HPCG[1][-1] / OF_HPCG[1][0]
    norms = np.array(hpcg_reference.residuals((16, 16, 16), (1, 1, 1), 2 * ITERATIONS))
    needed = int(np.argmax(norms <= reached * norms[0]))
    assert needed > ITERATIONS
    assert (last["in_order"], last["needed"]) == (ITERATIONS, needed)
    assert last["reached"] == pytest.approx(reached, rel=1e-8)


def test_odd_cells_on_the_coarsest_level_keep_their_colours() -> None:
    """Each rank has three planes of cells there: the second rank begins with the other colours."""
    shape = (48, 16, 16)
    expected = near(hpcg_reference.residuals(shape, (2, 1, 1), ITERATIONS))
    _, last = must(run((openmpi(), "device", True), 2, *words((24, 16, 16), "check=1")))
    assert last["residuals"] == expected
    assert passes(last)


def test_faces_go_straight_from_a_size_on() -> None:
    """The finest level's face is 16 x 24 doubles, 3072 bytes; edges and other levels are less."""
    for mapped_from, is_large in (("3072", True), ("3073", False), ("off", False)):
        told = run((openmpi(), "device", True), 2, *words((16, 16, 24), "check=1"),
                   AUREOLE_MPI_MAPPED_FROM=mapped_from)  # fmt: skip
        first, last = must(told)
        # Each rank: before the operator, which is used once before the iterations, and in each of
        # these before two sweeps and a residual besides.
        large = 2 * (1 + 4 * ITERATIONS) if is_large else 0
        assert (first["large"], first["straight"]) == (large, large)
        assert passes(last)


@pytest.mark.parametrize(("devices", "double"), [("hip", ""), ("cuda", "late=200,seed=3")])
def test_other_devices_have_them_too(devices: str, double: str) -> None:
    """AMD's, and those whose kernels run late."""
    way = (openmpi(), "device", True)
    more = (f"devices={devices}", "check=1")
    told = run(way, 2, *words((16, 16, 16), *more), double=double)
    assert told.head["devices"] == devices
    _, last = must(told)
    expected = hpcg_reference.residuals((32, 16, 16), GRIDS[2], ITERATIONS)
    assert last["residuals"] == near(expected)
    assert passes(last)


def test_the_ptx_is_that_of_the_kernels() -> None:
    """Which nvcc made from these files; products must not be contracted."""
    ptx = (SOURCES / "hpcg_kernel.ptx.h").read_text()
    sources = [(SOURCES / name).read_bytes() for name in ("hpcg_kernel.cu", "hpcg_cell.h")]
    assert hashlib.sha256(b"".join(sources)).hexdigest() in ptx, "run tools/stencil_ptx.sh"
    assert "mul.rn.f64" in ptx and "div.rn.f64" in ptx and "fma" not in ptx


#: The host's version of the kernels, as the driver double finds it.
EMULATED = ["multiply", "smooth", "coarsen", "refine", "combine", "fill", "dot_parts", "dot_sum"]


@pytest.mark.parametrize("fault", [False, True])
def test_the_code_of_devices_has_the_same_bits(tmp_path: Path, fault: bool) -> None:
    """Compiled for the host, in the blocks and threads that are launched; on a grid whose lines and
    colours are of different lengths.
    """
    code = (SOURCES / "hpcg_kernel.cu").read_text()
    if fault:
        assert code.count("sum[k] += sum[k + half]") == 1
        code = code.replace("sum[k] += sum[k + half]", "sum[k] += sum[2 * half - 1 - k]")
    (tmp_path / "hpcg_kernel.cu").write_text(code)
    player = Path(__file__).parent / "programs" / "hpcg_device_code.cpp"
    compiled = tmp_path / "device_code.o"
    flags = ["-std=c++20", "-O1", "-ffp-contract=off", f"-I{tmp_path}", f"-I{SOURCES}"]
    subprocess.run(["c++", *flags, "-c", "-o", compiled, player], check=True)
    macros = "".join(f"EMULATED({name})\n" for name in EMULATED)
    program = planted(tmp_path, "hpcg_kernel.c", macros, "", compiled)
    of_run = words((8, 24, 16), "check=1", iterations=FEW)
    _, by_devices = must(run((openmpi(), "device", True), 1, *of_run, program=program))
    _, by_hosts = must(run((openmpi(), "host", True), 1, *of_run))
    assert (by_devices == by_hosts) != fault


#: File, what is there, what is planted, and what tells it on two ranks.
FAULTS = {
    "none": ("hpcg_halo.c", "int open = 0;", "int open = 0;", ""),
    "no exchange": ("hpcg_halo.c", "int open = 0;", "int open = 0; return;", "error"),
    "one way": ("hpcg_halo.c", "starts[axis] = 1 - is_ghosts", "starts[axis] = 1", "error"),
    "no way back": ("hpcg_solver.c", "2 * colours - 1 - turn", "turn - colours", "symmetry"),
    "diagonal": ("hpcg_problem.c", "of->diagonal *= spread_factor", "of->diagonal *= 1", "spread"),
    "injection": ("hpcg_kernel.c", "work->x[at] - work->y[at]", "work->y[at] - work->x[at]",
                  "residuals"),
    "dot product": ("hpcg_kernel.c", "? (int)left :", "? (int)left / 2 :", "residuals"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(tmp_path: Path, fault: str) -> None:
    file, right, wrong, tells = FAULTS[fault]
    program = planted(tmp_path, file, right, wrong)
    told = run((openmpi(), "device", True), 2, *words((16, 16, 16), "check=1"), program=program)
    _, last = must(told)
    expected = hpcg_reference.residuals((32, 16, 16), GRIDS[2], ITERATIONS)
    found = {
        "error": not last["error"] < 1e-2,
        "symmetry": not max(last["symmetry"]) <= 1,
        "spread": last["spread"][0] > 12 or last["spread"][1] > 2,
        "residuals": last["residuals"] != near(expected),
    }
    assert passes(last) == (not (found["error"] or found["symmetry"] or found["spread"]))
    assert found[tells] if tells else not any(found.values())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["cells=16,16,12"], "cells are no multiples of 8"),
        (["cells=16,16,16", "ordered=1"], "devices sweep by colours"),
        (["cells=16,16,16", "iterations=0"], "there is no iteration"),
    ],
)
def test_what_cannot_be_is_refused(more: list[str], told: str) -> None:
    found = run((openmpi(), "device", True), 1, "run=hpcg", *more)
    assert not found.ended
    assert told in found.said


def openmpi() -> mpis.Mpi:
    found = mpis.named("openmpi")
    if found is None:
        pytest.skip(mpis.missing("openmpi"))
    return found
