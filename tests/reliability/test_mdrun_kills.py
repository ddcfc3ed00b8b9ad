# SPDX-License-Identifier: Apache-2.0
"""`aureole mdrun -cpi` in a loop, killed again and again: nothing is lost or doubled."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
from mdrun_inputs import command, mdrun, rigid

KILLS = 30
SETTINGS = """\
tcoupl = v-rescale
tc-grps = System
tau-t = 0.1
ref-t = 300
ld-seed = 5
pcoupl = c-rescale
tau-p = 5
compressibility = 4.5e-5
ref-p = 1
"""


def table(path: str) -> np.ndarray:
    return np.genfromtxt(path, delimiter=",", comments="#", skip_header=2)


@pytest.mark.slow
def test_a_killed_run_is_the_whole_run(tmp_path, monkeypatch):
    """Rigid water with thermostat and barostat, killed at random moments until it is done."""
    monkeypatch.chdir(tmp_path)
    files = rigid(tmp_path, SETTINGS)
    text = Path(files[2]).read_text().replace("nsteps = 200", "nsteps = 20000")
    Path(files[2]).write_text(text)
    mdrun("-deffnm", "whole", "-maxwarn", 5)
    rng = random.Random(11)
    kills, ends = 0, 0
    while kills < KILLS:
        for name in tmp_path.glob("part.*"):
            name.unlink()
        while True:
            words = command("-deffnm", "part", "-cpi", "-cpt", 0.002, "-maxwarn", 5)
            process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            number = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
            try:
                _, said = process.communicate(timeout=rng.uniform(0.3, 3.0))
            except subprocess.TimeoutExpired:
                process.send_signal(number)
                _, said = process.communicate(timeout=60)
                kills += 1
            assert b"Traceback" not in said, said.decode()
            if process.returncode == 0:
                break
            assert process.returncode in (-number, 128 + number), said.decode()
            time.sleep(0.01)
        ends += 1
        for ending in ("trr", "xtc"):
            whole, part = Path(f"whole.{ending}"), Path(f"part.{ending}")
            assert whole.read_bytes() == part.read_bytes(), ending
        np.testing.assert_allclose(table("part.csv"), table("whole.csv"), rtol=1e-9, atol=1e-6)
        assert Path("whole.gro").read_text() == Path("part.gro").read_text()
    assert ends >= 1
