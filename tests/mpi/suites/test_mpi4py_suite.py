# SPDX-License-Identifier: Apache-2.0
"""mpi4py's own tests, with device arrays alone."""

from __future__ import annotations

import mpi4py_runs
import mpis
import pytest
from mpi4py_runs import COLLECTIVES, MESSAGES, ONE_SIDED, OTHERS, run_files
from rank_runs import Run

#: Wheels of mpi4py have no module of the standard's interface.
NAMES = ("mpich", "openmpi", "intel")
#: Files that Open MPI runs in the short form, on three ranks.
THREE_RANKS = (
    *MESSAGES,
    "test_cco_buf",
    "test_cco_buf_inter",
    "test_cco_nb_buf",
    "test_cco_nb_vec",
    "test_cco_pr_buf",
    "test_cco_vec_inter",
)
#: MPI, kind of devices, ranks, file: all files on MPICH, some for each other MPI, kind and number.
SHORT = [
    *(("mpich", "cuda", 2, file) for file in (*MESSAGES, *COLLECTIVES, *OTHERS)),
    *(("openmpi", "cuda", 3, file) for file in THREE_RANKS),
    *(("intel", "cuda", 2, file) for file in ("test_p2p_buf", "test_cco_nb_buf", "test_cco_vec")),
    *(("mpich", "hip", 2, file) for file in ("test_p2p_buf", "test_cco_buf", "test_cco_vec")),
    ("openmpi", "hip", 2, "test_cco_nb_buf"),
    ("openmpi", "cuda", 1, "test_cco_buf"),
    ("openmpi", "cuda", 4, "test_p2p_buf_matched"),
    ("openmpi", "cuda", 5, "test_cco_buf_inter"),
]


@pytest.fixture
def prepared(suite, devices, mpi):
    """Asks for all that a test of this file needs, and gives an MPI."""

    def asked(name: str, kind: str) -> mpis.Mpi:
        suite("mpi4py")
        devices(kind)
        found = mpi(name)
        if mpi4py_runs.package(found) is None:
            pytest.skip("mpi4py is not installed: tools/setup.sh lane mpi-suites")
        return found

    return asked


def passes(run: Run, ranks: int, file: str) -> None:
    found = run_files(run, ranks, [file])
    assert found.code == 0, found.told()
    ran, failed = mpi4py_runs.counted(found.output, ranks)
    assert ran >= ranks, found.told()
    assert failed == 0, found.told()
    assert mpi4py_runs.passed_over(found.output) == []


@pytest.mark.parametrize("kind", ["cuda", "hip"])
@pytest.mark.parametrize("name", NAMES)
def test_without_the_preload_they_crash(prepared, name, kind):
    run = Run(prepared(name, kind), preload=False, devices=kind, limit=30)
    found = run_files(run, 2, ["test_p2p_buf"])
    assert found.crashed, found.told()
    assert "0 failed" not in found.output


@pytest.mark.parametrize(("name", "kind", "ranks", "file"), SHORT)
def test_device_arrays(prepared, name, kind, ranks, file):
    passes(Run(prepared(name, kind), devices=kind, limit=240), ranks, file)


@pytest.mark.parametrize("file", ONE_SIDED)
def test_one_sided_from_device_arrays(prepared, file):
    passes(Run(prepared("mpich", "cuda"), limit=240), 2, file)


@pytest.mark.validate
@pytest.mark.parametrize("kind", ["cuda", "hip"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("name", NAMES)
def test_all_files(prepared, name, ranks, kind):
    mpi, failed = prepared(name, kind), []
    for file in (*MESSAGES, *COLLECTIVES, *OTHERS, *ONE_SIDED):
        try:
            passes(Run(mpi, devices=kind, limit=400), ranks, file)
        except AssertionError as wrong:
            failed.append(f"{file}: {wrong}")
    assert not failed, "\n\n".join(failed)
