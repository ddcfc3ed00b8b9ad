# SPDX-License-Identifier: Apache-2.0
"""`aureole bench mpi`, `stencil` and `hpcg` as users call them, on ranks of each MPI that is here.

Without devices; tests/mpi has the program of the ranks with emulated ones.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from aureole_bench import main
from aureole_bench.mpi import tables
from aureole_bench.mpi.worker import WAYS


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUREOLE_MPI_LIBRARY", raising=False)


def test_every_table_of_an_mpi(mpirun: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mpi", "--mpirun", mpirun, "--devices", "none", "--sizes", "8", "--rounds", "1"]
    assert main.main([*words, "--seconds", "1e-4", "--json", "a.json"]) == 0
    out = capsys.readouterr().out
    assert "All data that arrived with the preload were right." in out
    assert "No driver of devices was found: buffers of the host alone." in out
    result = json.loads(Path("a.json").read_text())
    assert [row["table"] for row in result["rows"]] == list(tables.TABLES)
    for row in result["rows"]:
        assert row["memory"] == "host" and all(row[way] > 0 for way in WAYS)


def test_the_stencil_on_ranks_of_an_mpi(mpirun: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["stencil", "--mpirun", mpirun, "--devices", "none", "--cells", "8,9,10", "--check"]
    assert main.main([*words, "--steps", "3", "--rounds", "1", "--json", "a.json"]) == 0
    told = "All results are those of one rank to the bit (8 x 9 x 10 cells)."
    assert told in capsys.readouterr().out
    rows = json.loads(Path("a.json").read_text())["rows"]
    assert [(row["ranks"], row["mapped_to_staged"]["pairs"]) for row in rows] == [(1, 1), (2, 1)]


def test_hpcg_on_ranks_of_an_mpi(mpirun: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hpcg", "--mpirun", mpirun, "--devices", "none", "--cells", "8", "--ranks", "2"]
    assert main.main([*words, "--iterations", "6", "--rounds", "1", "--json", "a.json"]) == 0
    told = "HPCG's tests are passed, and residuals are the same to the bit (16 x 16 x 16 cells)."
    assert told in capsys.readouterr().out
    result = json.loads(Path("a.json").read_text())
    (row,) = result["rows"]
    assert (row["ranks"], row["grid"], row["mapped_to_staged"]["pairs"]) == (2, [2, 1, 1], 1)
    (rating,) = result["ratings"]
    assert rating["needed"] >= rating["in_order"] == 6
