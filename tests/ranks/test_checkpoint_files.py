# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of ranks have no name until they are whole, where ranks can open such files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from mdrun_inputs import argon, command

FAULTS = Path(__file__).parents[2] / "build" / "faults.so"


@pytest.mark.skipif(not FAULTS.exists(), reason="the fault injector is not built")
@pytest.mark.parametrize("lacks", [None, "NO_UNNAMED", "NO_PROC"])
def test_names_while_they_are_written(
    lacks: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, log = tmp_path / "run", tmp_path / "calls"
    folder.mkdir()
    argon(folder)
    monkeypatch.chdir(folder)
    environment = os.environ | {
        "LD_PRELOAD": str(FAULTS),
        "AUREOLE_FAULTS_FOLDER": str(folder),
        "AUREOLE_FAULTS_LOG": str(log),
        "AUREOLE_FAULTS_CALLS": "open",
    }
    if lacks is not None:
        environment[f"AUREOLE_FAULTS_{lacks}"] = "1"
    done = subprocess.run(
        command("-ntmpi", 2, "-nsteps", 20, "-deffnm", "run"),
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = [line.split()[2] for line in log.read_text().splitlines()]
    assert any("run.cpt.tmp-" in name for name in names) == (lacks is not None)
    assert (folder / "run.cpt").exists()
    assert not list(folder.glob("*.tmp-*"))
