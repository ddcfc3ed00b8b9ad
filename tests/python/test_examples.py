# SPDX-License-Identifier: Apache-2.0
"""The numbered examples and the demonstration run, in short form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
# Particles and steps with which each program takes about a second.
SHORT = {
    "01_melt.py": (500, 200),
    "02_langevin_liquid.py": (500, 400),
    "03_mixture.py": (500, 200),
    "04_restart.py": (500, 200),
    "05_arrays.py": (500, 200),
    "07_minimize.py": (400, 200),
}


def run(*arguments):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_all_are_known_and_short():
    found = {path.name for path in EXAMPLES.glob("[0-9]*.py")}
    assert found == set(SHORT)
    for path in EXAMPLES.iterdir():
        if path.suffix in (".py", ".toml"):
            assert len(path.read_text().splitlines()) < 100, path


@pytest.mark.parametrize("name", SHORT)
def test_example(here, name):
    out = run(EXAMPLES / name, *SHORT[name])
    assert out.strip()
    if name == "04_restart.py":
        assert "bitwise the same positions: True" in out and "the same log: True" in out
    if name == "07_minimize.py":
        assert "walls moved by 0.0" in out


def test_input_example(here):
    out = run("-m", "aureole", "run", EXAMPLES / "06_input.toml", "--steps", "100")
    assert "done" in out
    assert Path("mixture.csv").exists() and Path("mixture.gsd").exists()


def test_demo(here):
    out = run("-m", "aureole.demo", "-n", 1000, "--equilibrate", 100, "--steps", 240)
    assert "What now?" in out
    names = {path.name for path in Path("demo").iterdir()}
    assert {"start.gsd", "liquid.gsd", "liquid.csv", "liquid.png", "restart.ckpt"} <= names
    assert Path("demo/liquid.png").read_bytes()[:4] == b"\x89PNG"
    run("-m", "aureole", "run", "demo/restart.ckpt", "--steps", "20")
