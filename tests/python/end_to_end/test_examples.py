# SPDX-License-Identifier: Apache-2.0
"""The numbered examples and the demonstration run, in short form."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import gsd.hoomd
import numpy as np
import pytest
from aureole.formats.gro import read_gro
from mpirun_jobs import ended

EXAMPLES = Path(__file__).parents[3] / "examples"
# Particles and steps with which each program takes about a second.
SHORT = {
    "01_melt.py": (500, 200),
    "02_langevin_liquid.py": (500, 400),
    "03_mixture.py": (500, 200),
    "04_restart.py": (500, 200),
    "05_arrays.py": (500, 200),
    "07_minimize.py": (400, 200),
    "08_liquid.py": (500, 240),
    "09_water.py": (300, 100),
    "10_water_from_python.py": (300, 100),
    "12_blast.py": (16, 0.1),
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
        assert "positions are bitwise identical: True" in out and "logs are identical: True" in out
    if name == "07_minimize.py":
        assert "walls moved by 0.0" in out
    if name == "12_blast.py":
        (change,) = re.findall(r"energy changed by (\S+)", out)
        assert abs(float(change)) < 1e-14 and Path("blast.png").exists()


def test_input_example(here):
    out = run("-m", "aureole", "run", EXAMPLES / "06_input.toml", "--steps", "100")
    assert "done" in out
    assert Path("mixture.csv").exists() and Path("mixture.gsd").exists()


# What needs one rank so far: energies of each particle, fluids.
ALONE = {"03_mixture.py", "12_blast.py"}
# Boxes that hold two parts.
LARGER = {"09_water.py": (700, 60), "10_water_from_python.py": (700, 60)}
# A descent in mixed precision may take other steps.
CLOSE = {"10_water_from_python.py": 0.05}
QUICK = ("01_melt.py", "04_restart.py")
ON_RANKS = [
    pytest.param(name, marks=() if name in QUICK else pytest.mark.validate)
    for name in SHORT
    if name not in ALONE
]


def numbers_of(path):
    """The columns of a table but for those of speed."""
    with open(path) as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    names = [name for name in rows[0] if "second" not in name and "day" not in name]
    return {name: np.array([float(row[name]) for row in rows]) for name in names}


@pytest.mark.parametrize("name", ON_RANKS)
def test_example_on_ranks(here, name, monkeypatch):
    """The same files with as many rows and frames, and the same numbers but for rounding."""
    for ranks in (1, 2):
        (here / str(ranks)).mkdir()
        monkeypatch.chdir(here / str(ranks))
        words = ("-m", "aureole", "run", "--quiet", "--threads", 1, "--ranks", ranks)
        run(*words, EXAMPLES / name, "--", *LARGER.get(name, SHORT[name]))
    one, two = (
        {path.relative_to(here / ranks): path for path in sorted((here / ranks).rglob("*.*"))}
        for ranks in ("1", "2")
    )
    assert one.keys() == two.keys()
    for file, path in one.items():
        if file.suffix == ".csv":
            before, after = numbers_of(path), numbers_of(two[file])
            assert before.keys() == after.keys()
            for column, values in before.items():
                close = CLOSE.get(name, 1e-3)
                # Pressures of small boxes of water are differences of some thousand bar.
                least = 5000 if name in LARGER and "pressure" in column else 0
                size = max(np.abs(values).max(), least)
                np.testing.assert_allclose(
                    after[column], values, rtol=0, atol=close * size, err_msg=f"{file} {column}"
                )
        elif file.suffix == ".gsd":
            with gsd.hoomd.open(path) as a, gsd.hoomd.open(two[file]) as b:
                assert [f.configuration.step for f in a] == [f.configuration.step for f in b]


@pytest.mark.validate
@pytest.mark.parametrize("name", [name for name in SHORT if name not in ALONE])
def test_example_on_every_rank_of_mpirun(here, name, mpirun, monkeypatch):
    arguments = [EXAMPLES / name, *LARGER.get(name, SHORT[name])]
    (here / "one").mkdir()
    monkeypatch.chdir(here / "one")
    run(*arguments)
    (here / "two").mkdir()
    monkeypatch.chdir(here / "two")
    code, _, err = ended(mpirun, 2, *arguments)
    assert code == 0 and "error" not in err, err
    files = [
        {path.relative_to(here / of) for path in (here / of).rglob("*")} for of in ("one", "two")
    ]
    assert files[0] == files[1]


# 1,440 atoms in a box that holds the cut-off twice.
DEMO = ("-m", "aureole.cli.demo", "--water", 360, "--ethanol", 40, "--equilibrate", 1, "--run", 1)


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Where a short demonstration ran, and what it printed."""
    place = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, *map(str, DEMO)], cwd=place, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return place, done.stdout


def test_demo_leaves_what_it_says(demo):
    place, out = demo
    assert "0 errors, 0 warnings, 0 notes" in out and "ns/day" in out and "What now?" in out
    assert "warning" not in out.replace("0 warnings", "") and "missing" not in out
    assert max(map(len, out.splitlines())) <= 100
    names = {path.name for path in (place / "demo").iterdir()}
    made = {f"prod.{end}" for end in ("xtc", "csv", "log", "json", "cpt", "gro", "html", "mdp")}
    assert made | {"conf.gro", "topol.top", "min.mdp", "eq.mdp", "min.gro", "eq.gro"} <= names
    for name in re.findall(r"demo/[\w.]+\.\w+", out):
        assert (place / name).exists(), name


def test_demo_is_a_liquid_of_water_and_ethanol(demo):
    place, _ = demo
    told = json.loads((place / "demo/prod.json").read_text())
    means = told["averages"]
    assert abs(means["temperature"]["mean"] - 300) < 15
    assert 880 < means["density"]["mean"] < 1000
    with open(place / "demo/prod.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == 101 and float(rows[-1]["time"]) == 1.0
    assert abs(means["conserved"]["drift"]) < 0.01 * abs(means["conserved"]["mean"])
    # The three sides of water keep their lengths; the file has three decimals.
    last = read_gro(place / "demo/prod.gro")
    water = last.position[: 3 * 360].reshape(360, 3, 3)
    sides = water - np.roll(water, 1, axis=1)
    sides -= np.rint(sides / np.diag(last.box)) * np.diag(last.box)
    angle = np.arccos(-1 / 3)
    expected = [0.1, 0.1, 0.2 * np.sin(angle / 2)]
    found = np.sort(np.linalg.norm(sides, axis=2), axis=1)
    np.testing.assert_allclose(found, np.broadcast_to(expected, found.shape), atol=2e-3)


def test_demo_prints_the_commands_that_do_the_same(demo, tmp_path):
    place, out = demo
    shutil.copytree(place / "demo", tmp_path / "demo")
    before = (tmp_path / "demo/prod.gro").read_bytes()
    (line,) = (line for line in out.splitlines() if line.startswith("$ aureole mdrun"))
    _command(tmp_path, line[2:])
    assert (tmp_path / "demo/prod.gro").read_bytes() == before
    assert (tmp_path / "demo/#prod.log.1#").exists()
    (more,) = re.findall(r"Continue for 10 ps:\n(.*\\\n.*)\n", out)
    _command(tmp_path, more.replace("\\\n", " ").replace("5000", "50"))
    assert " 550\n" in (tmp_path / "demo/prod.gro").read_text().splitlines(True)[0]


def _command(place, line):
    program, *words = shlex.split(line)
    assert Path(program).name == "aureole"
    subprocess.run(
        [sys.executable, "-m", "aureole", *words], cwd=place, check=True, capture_output=True
    )


def test_demo_says_what_is_wrong(here):
    done = subprocess.run(
        [sys.executable, "-m", "aureole.cli.demo", "--run", "0"], capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stderr.startswith("error: --run is 0 ps")
