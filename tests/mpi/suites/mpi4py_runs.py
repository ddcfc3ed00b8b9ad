# SPDX-License-Identifier: Apache-2.0
"""mpi4py's own tests on device arrays: which files, and how they are run."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from mpich_suite import SUITES
from mpis import ROOT, Mpi
from rank_runs import Outcome, Run, start

HERE = Path(__file__).parent
TESTS = SUITES / "mpi4py" / "test"
#: Files whose tests pass arrays to MPI.
MESSAGES = ("test_p2p_buf", "test_p2p_buf_matched", "test_p2p_buf_part")
COLLECTIVES = (
    "test_cco_buf",
    "test_cco_buf_inter",
    "test_cco_nb_buf",
    "test_cco_nb_vec",
    "test_cco_ngh_buf",
    "test_cco_pr_buf",
    "test_cco_pr_ngh_buf",
    "test_cco_pr_vec",
    "test_cco_vec",
    "test_cco_vec_inter",
)
OTHERS = ("test_address", "test_pack", "test_io")
ONE_SIDED = ("test_rma", "test_rma_nb")
#: Reasons of the suite itself for passing over a test: it needs a second rank.
ALLOWED = re.compile(r"mpi-world-size<2")


def package(mpi: Mpi) -> Path | None:
    """The folder that has mpi4py: of tools/setup.sh, beside an MPI, or of this Python."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    prefixes = (ROOT / ".setup" / "mpi4py", mpi.prefix, Path(sys.prefix))
    places = [prefix / "lib" / version / "site-packages" for prefix in prefixes]
    return next((place for place in places if (place / "mpi4py").is_dir()), None)


def run_files(run: Run, ranks: int, files: Sequence[str]) -> Outcome:
    place = package(run.mpi)
    assert place is not None
    path = [HERE / "standin", place]
    variables = {
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AUREOLE_STANDIN": run.devices or "",
        "MPI4PY_MPIABI": run.mpi.abi,
    }
    program = [sys.executable, str(HERE / "device_only.py"), str(TESTS), *files]
    return start(run, ranks, program, **variables)


def counted(output: str, ranks: int) -> tuple[int, int]:
    """Tests that ran and that failed, of all ranks; outputs of ranks may share a line."""
    found = re.findall(r"rank (\d+): (\d+) ran, (\d+) failed", output)
    assert {int(rank) for rank, _, _ in found} == set(range(ranks)), "not all ranks came to the end"
    return sum(int(ran) for _, ran, _ in found), sum(int(failed) for _, _, failed in found)


def passed_over(output: str) -> list[str]:
    """Tests that were skipped for a reason that is not allowed."""
    found = re.findall(r"skipped: (\S+: .*)", output)
    return [line for line in found if not ALLOWED.search(line)]
