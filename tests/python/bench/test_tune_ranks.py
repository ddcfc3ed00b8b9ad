# SPDX-License-Identifier: Apache-2.0
"""`aureole mpi --tune` as users call it, on emulated devices whose copies take time, and what the
library then does. Nothing is said about which size the threshold is.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from aureole.cli.main import main
from aureole_bench.mpi import launchers, tune, worker

DRIVERS = Path(__file__).parents[3] / "build/drivers"


@pytest.fixture
def double(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (DRIVERS / "libcuda.so.1").exists():
        pytest.skip("the driver double is not built: cmake --build build --target double_cuda")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("AUREOLE_DOUBLE", "copy=6.5:25")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(DRIVERS))
    for variable in ("AUREOLE_MPI_LIBRARY", "AUREOLE_MPI_MAPPED_FROM"):
        monkeypatch.delenv(variable, raising=False)


def straight_sizes(mpirun: str) -> tuple[list[int], str]:
    """Sizes whose messages all went straight, and all that was said, as a program runs."""
    (mpi,) = launchers.at_hand(mpirun)
    command = [mpirun, "-n", "2", worker.FOLDER / worker.LAUNCHER, worker.FOLDER / worker.PROGRAM]
    words = ["memory=device", "tables=latency", f"sizes={','.join(map(str, tune.SIZES))}"]
    done = subprocess.run(
        [*map(str, command), f"mpi={mpi.library}", "limit=60", *words],
        env={**mpi.environment, **os.environ},
        capture_output=True,
        text=True,
        check=True,
    )
    rows = worker._read(done.stdout).rows
    assert [row["wrong"] for row in rows] == [0] * len(tune.SIZES)
    assert all(row["straight"] == row["large"] for row in rows)
    return [row["bytes"] for row in rows if row["straight"] > 0], done.stderr


@pytest.mark.usefixtures("double")
def test_messages_go_straight_from_where_the_table_says(
    mpirun: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert straight_sizes(mpirun)[0] == [size for size in tune.SIZES if size >= 65536]
    words = ["--rounds", "1", "--seconds", "1e-3", "--json", "a.json"]
    assert main(["mpi", "--tune", "--mpirun", mpirun, *words]) == 0
    out = capsys.readouterr().out
    (row,) = json.loads(Path("a.json").read_text())["rows"]
    times = {size["bytes"]: size["runs"] for size in row["sizes"]}
    for size, of in times.items():
        shown = rf"^ *{size:,} +{of['staged'][0] * 1e6:.2f} +{of['mapped'][0] * 1e6:.2f} "
        assert re.search(shown, out, re.MULTILINE), out
    slower = [s for s, of in times.items() if of["mapped"][0] / of["staged"][0] > tune.SLACK]
    expected = [size for size in tune.SIZES if size > max(slower, default=0)]
    went, said = straight_sizes(mpirun)
    assert went == expected, out
    assert str(tmp_path / "aureole/mpi-thresholds") in said and "is ignored" not in said
