# SPDX-License-Identifier: Apache-2.0
"""`aureole bench hpcg`: what it makes of what ranks print, and of how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aureole as au
import pytest
from aureole_bench import main
from aureole_bench.mpi import worker

HEAD = {"version": "Toy MPI 1.0", "abi": "standard", "ranks": 2, "preloaded": True,
        "devices": "cuda", "number": 2, "emulated": True}  # fmt: skip
#: Stands for mpirun: acts as the ranks would. Without the preload device memory crashes.
MPIRUN = """#!/bin/sh
case "$*" in *--version*) exit 0;; esac
case "$*" in *aureole-mpi\\ --quiet*) echo '{preloaded}';; *) echo '{plain}';; esac
case "$AUREOLE_MPI_MAPPED_FROM" in 0) way=mapped;; *) way=staged;; esac
case "$*" in
  *tables=barrier*) echo '{{}}';;
  *rating=1*) cat numbers-host-staged rating;;
  *aureole-mpi\\ --quiet*memory=device*check=1*) cat numbers-device-$way checks-device-$way;;
  *aureole-mpi\\ --quiet*memory=device*) cat numbers-device-$way;;
  *memory=device*) echo 'Segmentation fault'; exit 139;;
  *check=1*) cat numbers-host-$way checks-host-$way;;
  *) cat numbers-host-$way;;
esac
echo '{{"ended": true}}'
"""
SECONDS = {("host", "staged"): 1.0, ("host", "mapped"): 1.0,
           ("device", "staged"): 8.0, ("device", "mapped"): 2.0}  # fmt: skip
CHECKS: dict[str, Any] = {
    "residuals": [2.0, 1e-9],
    "error": 1e-9,
    "symmetry": [0.1, 0.0],
    "spread": [12, 2],
}
HPCG = ["hpcg", "--mpirun", "./mpirun", "--cells", "16", "--iterations", "10", "--ranks", "2",
        "--memory", "host,device", "--rounds", "3", "--json", "a.json"]  # fmt: skip


def said(file: str, row: dict[str, Any]) -> None:
    Path(file).write_text(json.dumps(row) + "\n")


def numbers(seconds: float, straight: int = 0, large: int = 0) -> dict[str, Any]:
    times = {"seconds": seconds, "exchange": seconds / 5, "reduction": seconds / 10}
    return {"grid": [2, 1, 1], "flops": 4e9, "straight": straight, "large": large, **times}


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(worker, "FOLDER", tmp_path)
    monkeypatch.delenv("AUREOLE_MPI_LIBRARY", raising=False)
    for name in (worker.PROGRAM, worker.LAUNCHER, "libaureole_mpi.so"):
        Path(name).touch()
    mpirun = Path("mpirun")
    plain = json.dumps(HEAD | {"preloaded": False})
    mpirun.write_text(MPIRUN.format(preloaded=json.dumps(HEAD), plain=plain))
    mpirun.chmod(0o755)
    for (memory, way), seconds in SECONDS.items():
        went = (8, 8) if (memory, way) == ("device", "mapped") else (0, 0)
        said(f"numbers-{memory}-{way}", numbers(seconds, *went))
        said(f"checks-{memory}-{way}", CHECKS)
    said("rating", {"in_order": 10, "needed": 16, "reached": 1e-5})


def test_rates_ratios_and_the_rating(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(HPCG) == 0
    out = capsys.readouterr().out
    shown = [line.split() for line in out.splitlines()]
    before, grid = ["Toy", "MPI", "1.0"], ["2", "2", "x", "1", "x", "1"]
    # 4e9 operations a second
    on_host = ["4.00", "4.00", "4.00", "1.000", "1.000", "1.000–1.000", "1.00", "20%", "10%"]
    assert [*before, "host", *grid, *on_host] in shown
    on_device = ["crashes", "0.50", "2.00", "–", "0.250", "0.250–0.250", "2.00", "20%", "10%"]
    assert [*before, "device", *grid, *on_device] in shown
    assert "need 16 iterations" in out and "HPCG's rating is 0.625 of the rates." in out
    assert "HPCG's tests are passed, and residuals are the same to the bit" in out
    result = json.loads(Path("a.json").read_text())
    assert result["ratings"] == [{"ranks": 2, "in_order": 10, "needed": 16, "reached": 1e-5}]
    assert [row["off"] for row in result["rows"]] == [4e9, None]


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"error": 0.5}, "wrong solution"),
        ({"symmetry": [1.1, 0.0]}, "not symmetric"),
        ({"symmetry": [0.0, 1.1]}, "not symmetric"),
        ({"spread": [13, 2]}, "not converged"),
        ({"spread": [12, 3]}, "not converged"),
    ],
)
def test_a_test_of_hpcg_that_fails(
    capsys: pytest.CaptureFixture[str], change: dict[str, Any], verdict: str
) -> None:
    said("checks-device-mapped", CHECKS | change)
    assert main.main(HPCG) == 1
    out = capsys.readouterr().out
    assert f"NOT right: Toy MPI 1.0, device, 2 ranks, mapped, {verdict}" in out
    assert "HPCG's tests are passed" not in out


def test_numbers_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    """As C prints them."""
    text = json.dumps(CHECKS | {"error": None}).replace("null", "-nan")
    Path("checks-device-mapped").write_text(text + "\n")
    assert main.main(HPCG) == 1
    assert "device, 2 ranks, mapped, not a number" in capsys.readouterr().out


def test_residuals_that_differ_in_a_bit(capsys: pytest.CaptureFixture[str]) -> None:
    said("checks-device-mapped", CHECKS | {"residuals": [2.0, 1.0000000000000002e-9]})
    assert main.main(HPCG) == 1
    out = capsys.readouterr().out
    assert "NOT right: Toy MPI 1.0, device, 2 ranks, mapped, differs" in out
    assert "NOT right: Toy MPI 1.0, host, 2 ranks, off, differs" in out


def test_messages_that_did_not_go_straight(capsys: pytest.CaptureFixture[str]) -> None:
    said("numbers-device-mapped", numbers(2.0, straight=0, large=8))
    assert main.main(HPCG) == 1
    assert "device, 2 ranks, mapped, not mapped" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cells", "16,16,12"], "multiples of 8"),
        (["--cells", "16,16"], "one or three"),
        (["--iterations", "0"], "needs an iteration"),
        (["--cells", "2048"], "fewer than 2\\^31 cells"),
        (["--memory", "disk"], "disk"),
        (["--rounds", "0"], "nothing would be measured"),
    ],
)
def test_options_that_make_no_sense(words: list[str], told: str) -> None:
    with pytest.raises(au.InputError, match=told):
        main.main([*HPCG, *words])
