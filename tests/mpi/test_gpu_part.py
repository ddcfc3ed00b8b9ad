# SPDX-License-Identifier: Apache-2.0
"""The check of messages on a GPU (tools/gpu_mpi), shortened, from a pack, on the driver double."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpis
import pytest
from bench_runs import planted
from rank_runs import DRIVERS, PRELOAD

TOOL = mpis.ROOT / "tools/gpu_mpi"
sys.path[:0] = [str(TOOL.parent), str(Path(__file__).parent / "twins")]

from gpu_mpi import pack, report  # noqa: E402 - after their folders are known
from gpu_mpi.ranks import Pack  # noqa: E402
from gpu_mpi.steps import COLLECTIVES, MESSAGES, cycles  # noqa: E402
from test_twins import program  # noqa: E402

Row = dict[str, Any]
SIZES = (8, 64000, 1 << 20)
SUITES = {
    *("short program, default", "short program, straight", "both send at once, straight"),
    *("both send at once, staged", "probes, straight", "buffers that are too small, straight"),
    *("processes that fork, straight", "work on the default stream, default"),
    *("work on a blocking stream, default", "lists of blocks, default"),
    *("random programs, staged", "random programs, straight"),
}


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack without what is downloaded."""
    folder = tmp_path_factory.mktemp("gpu") / "pack"
    twins = {}
    for name in pack.MPI_FILES:
        mpi = mpis.named(name)
        if mpi is None:
            pytest.skip(mpis.missing(name))
        twins[name] = program(mpi, folder.parent)
    for needed in (PRELOAD, PRELOAD.parent / "aureole-mpi-bench", DRIVERS / "libcudart.so.13"):
        if not needed.exists():
            pytest.skip(f"{needed.name} is not built")
    assert pack.gather(folder, PRELOAD.parent, twins) == []
    return folder


@pytest.fixture
def altered(packed: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the pack, of which files may be replaced."""
    folder = tmp_path / "pack"
    shutil.copytree(packed, folder, copy_function=os.link, symlinks=True)
    yield folder
    shutil.rmtree(folder)


def check(folder: Path, out: Path, *words: str, double: str = "") -> tuple[int, Row, str]:
    """Exit code, what the JSON file says, and what was printed."""
    variables = {"LD_LIBRARY_PATH": str(DRIVERS), "AUREOLE_DOUBLE": double}
    done = subprocess.run(
        [sys.executable, TOOL, "--pack", folder, "--out", out, "--quick", *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert (out / "gpu-mpi.json").exists(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "gpu-mpi.json").read_text()), done.stdout


def put(place: Path, text: str) -> None:
    """A script in the place of a program."""
    place.unlink()
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)


def test_each_figure_is_there(packed: Path, tmp_path: Path) -> None:
    code, found, said = check(packed, tmp_path, double="bar=gdr")
    assert code == 0, said
    steps = found["steps"]
    assert {name: row for name, row in steps.items() if row["state"] != "passed"} == {
        f"openmpi: {what}, UCX": {
            "state": "not measured",
            "why": "UCX is not in the pack: tools/gpu_mpi/pack.py --download",
        }
        for what in ("messages", "collectives")
    }
    costs = {(row["figure"], row["bytes"]) for row in steps["costs"]["figures"]}
    of_sizes = ("host to device", "device to device", "device to host", "a handle is made",
                "a mapping is opened", "a mapping is closed", "a copy from a mapping")  # fmt: skip
    assert costs == {
        *((figure, size) for figure in of_sizes for size in SIZES),
        *(("a query of device memory", 1000), ("a query of host memory", 0)),
        *(("a query of pinned memory", 0), ("allocate and free", 1024)),
        *(("allocate and free", 1 << 20), ("the kernel for lists", 8000)),
        *(("the kernel for lists", 800000), ("a store through a mapping", 8)),
        ("a load through a mapping", 8),
    }
    assert all(row["seconds"] > 0 for row in steps["costs"]["figures"])
    assert steps["costs"]["device"]["emulated"] is True
    tables = {
        (row["mpi"], row["way"], row["table"], row["bytes"])
        for row in report.figures(found)
        if "table" in row
    }
    assert tables == {
        *((mpi, way, table, size) for mpi in ("openmpi", "mpich") for table in MESSAGES
          for way in ("host", "staged", "straight") for size in (8, 65536, 1 << 20)),
        *((mpi, way, table, size) for mpi in ("openmpi", "mpich") for table in COLLECTIVES
          for way in ("host", "staged") for size in (8, 65536)),
    }  # fmt: skip
    for mpi in ("openmpi", "mpich"):
        assert {f"{mpi}: {suite}" for suite in SUITES} < set(steps)
    done = [row["cycles"] for row in report.figures(found) if "cycles" in row]
    assert done == [60, 20]
    named = [row["what"] for row in found["not measured"]]
    assert "openmpi: messages, UCX" in named
    assert "aim: 8 B staged" not in named and "aim: 8 B mapped" not in named
    assert "aim: 1 MB straight" not in named
    text = (tmp_path / "gpu-mpi.md").read_text()
    assert "Emulated devices: these numbers are not those of a GPU." in text
    assert all(row["figure"] in text for row in steps["costs"]["figures"])


def test_wrong_data_in_a_table_fail(altered: Path, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    right = "(Send, c->out, c->n, mpi.of_float, 1"
    wrong = right.replace("c->n", "c->n - 1")
    bench = altered / "bin/aureole-mpi-bench"
    bench.unlink()
    shutil.copy2(planted(tmp_path / "bench", "messages.c", right, wrong), bench)
    code, found, said = check(altered, tmp_path, "--only", "openmpi: messages, staged")
    assert code == 1, said
    (row,) = found["steps"].values()
    assert row["state"] == "failed" and '["latency", 8, ' in row["why"], said
    assert "failed: openmpi: messages, staged" in said


def test_a_test_that_fails_and_cycles_that_fail_make_it_fail(altered: Path, tmp_path: Path) -> None:
    put(altered / "programs/mpich/short", "echo right; exit 3")
    put(altered / "programs/mpich/lists", "echo wrong: 1")
    put(altered / "programs/openmpi/straight", "exit 3")
    only = ("--only", "mpich: short program", "mpich: lists", "openmpi: 60 cycles")
    code, found, said = check(altered, tmp_path, *only)
    assert code == 1, said
    assert {row["state"] for row in found["steps"].values()} == {"failed"}
    assert len(found["steps"]) == 4


def test_without_the_preload_it_fails(altered: Path, tmp_path: Path) -> None:
    put(altered / "bin/aureole-mpi", 'shift; exec "$@"')
    code, found, said = check(altered, tmp_path, "--only", "mpich: short", "mpich: messages, st")
    assert code == 1, said
    states = {name: row["state"] for name, row in found["steps"].items()}
    assert states["mpich: short program, default"] == "failed", said
    assert states["mpich: messages, straight"] == "not measured", said


def test_wrong_bytes_of_a_copy_fail(altered: Path, tmp_path: Path) -> None:
    told = '{"figure": "host to device", "bytes": 8, "seconds": 1, "wrong": 1}'
    put(altered / "bin/costs", f"echo '{told}'; echo '{{\"ended\": true}}'")
    code, found, said = check(altered, tmp_path, "--only", "costs")
    assert code == 1, said
    assert "host to device" in found["steps"]["costs"]["why"]


def test_what_fails_or_runs_out_of_time_is_named(altered: Path, tmp_path: Path) -> None:
    put(altered / "programs/mpich/short", "sleep 60")
    put(altered / "openmpi/bin/mpiexec", "echo no network here; exit 1")
    only = ("--only", "costs", "starts", "short program", "openmpi: collectives")
    words = (*only, "--seconds", "16")
    code, found, said = check(altered, tmp_path, *words, double="fail=cuIpcOpenMemHandle:1")
    assert code == 0, said
    named = {row["what"]: row["why"] for row in found["not measured"]}
    assert named["a mapping is opened, 8 B"] == "cuIpcOpenMemHandle returned 999"
    assert "no network here" in named["openmpi starts"]
    assert "does not start" in named["openmpi: collectives, staged"]
    assert "ran out of time" in named["mpich: short program, default"]
    assert "had run out" in named["mpich: short program, straight"]


def test_cycles_that_end_early_are_told(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVERS))
    of = Pack(packed)
    row = cycles(of, of.mpis["openmpi"], (10**7, 4096, 0.5))(20)
    assert row["state"] == "passed", row
    done = row["figures"][0]["cycles"]
    assert row["left out"] == f"{10**7 - done:,} of 10,000,000 cycles: time ran out"


def test_aims() -> None:
    large, mb = 64 << 20, 1 << 20
    table = {"mpi": "openmpi", "table": "latency"}
    figures = [
        {**table, "way": "staged", "bytes": 8, "seconds": 13e-6},
        {**table, "way": "straight", "bytes": mb, "seconds": 15e-6},
        {**table, "way": "straight", "bytes": large, "seconds": 100e-6},
        {**table, "way": "UCX", "bytes": large, "seconds": 80e-6},
        {"figure": "device to device", "bytes": large, "seconds": 90e-6},
    ]
    found = {"steps": {"all": {"state": "passed", "figures": figures}}}
    met = {row["aim"]: (row["found"], row["met"]) for row in report.aims(found)}
    assert met["8 B staged"] == (13e-6, True)
    assert met["1 MB straight"] == (15e-6, False)
    assert met["64 MB straight, as part of a device copy's speed"] == (0.9, True)
    assert met["64 MB, time beside UCX"] == (1.25, False)
    assert met["8 B mapped"] == met["8 B, time beside UCX"] == (None, None)
    named = [row["what"] for row in report.left_out(found)]
    assert named == ["aim: 8 B mapped", "aim: 8 B, time beside UCX", "aim: 1 MB, time beside UCX"]
