# SPDX-License-Identifier: Apache-2.0
"""`aureole check` on input files of particles: what is wrong or unwise, what a run will need."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import aureole as au
import numpy as np
import particle_runs
import pytest
from aureole.analysis import neighbours
from aureole.cli.main import main
from aureole.jobs.check_input_file import check
from aureole.jobs.stiffness import bonds_of, contacts_of

EXAMPLE = Path(__file__).parents[3] / "examples" / "06_input.toml"
LJ = """steps = 500
thermalize = 1.0
[system]
kind = "lattice"
n = 256
density = 0.8
[[forces]]
kind = "LennardJones"
epsilon = 1.0
sigma = 1.0
r_cut = 2.5
[integrator]
kind = "NVE"
dt = 0.005
[[observers]]
kind = "Trajectory"
path = "a.gsd"
every = 100
[[observers]]
kind = "Log"
path = "a.csv"
every = 10
"""
RAMP = """"VelocityVerlet"
thermostat.kind = "VRescale"
thermostat.tau = 0.5
thermostat.T = {{kind = {}, times = [0, {}], temperatures = [2, 1]}}"""
FENE = """steps = 500
[system]
kind = "saved"
path = "chains.npz"
[[forces]]
kind = "WCA"
epsilon = 1.0
sigma = 1.0
[[forces]]
kind = "FeneBond"
r_max = 1.5
k = 30.0
[integrator]
kind = "Langevin"
dt = 0.005
kT = 1.0
[[observers]]
kind = "Log"
path = "a.csv"
every = 100
"""


def looked_at(text: str, *changes: tuple[str, str]):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    Path("job.toml").write_text(text)
    return check("job.toml")


def said(found) -> str:
    return "\n".join(f"{one.severity}: {one.text}" for one in found.remarks)


def test_the_example_has_nothing_to_complain_of(capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLE.parent)
    assert main(["check", str(EXAMPLE)]) == 0
    out = capsys.readouterr().out
    assert "4,000: 3,200 A, 800 B" in out and "0 errors, 0 warnings, 0 notes" in out
    assert re.search(r"degrees of freedom +12,000\n", out)
    assert re.search(r"density +0.8 particles", out)
    assert not (EXAMPLE.parent / "mixture.csv").exists()  # nothing is written


def test_a_good_input(here):
    found = looked_at(LJ)
    assert found.remarks == []
    rows = dict(found.rows)
    side = (4 / 0.8) ** (1 / 3)
    assert float(rows["nearest pair"].split()[0]) == pytest.approx(side / math.sqrt(2), rel=1e-3)
    assert rows["degrees of freedom"] == "765"
    assert os.listdir(".") == ["job.toml"]


@pytest.mark.parametrize(
    ("changes", "severity", "text"),
    [
        ([("dt = 0.005", "dt = 0.02")], "warning", "time step 0.02 is large: contact A–A"),
        ([("r_cut = 2.5", "r_cut = 3.6")], "error", "exceeds half the box"),
        ([("every = 100", "every = 1000")], "warning", "a.gsd every 1,000 steps, but"),
        ([('"a.csv"', '"nowhere/a.csv"')], "error", "The folder of nowhere/a.csv does not exist"),
        ([("thermalize = 1.0\n", "")], "note", "start at rest"),
        ([("steps = 500", "steps = 0")], "warning", "nothing moves"),
        ([('"NVE"', '"Bussi"\nkT = 1.0')], "note", "tau of Bussi is not given; it is 0.5"),
        ([('"NVE"', '"Bussi"\nkT = 1.0\ntau = 0.1')], "warning", "too seldom"),
        ([('"NVE"', '"Langevin"\nkT = 1.0\ngamma = 0')], "warning", "nothing keeps"),
        ([('"NVE"', '"Langevin"\nkT = 1.0\ngamma = 50')], "warning", "1/gamma"),
        ([('"NVE"', RAMP.format('"Annealing"', 500))], "warning", "lasts until time 500, but"),
        ([("n = 256", "n = 256\ncomposition = {A = 1, B = 0}")], "note", "has the type B"),
    ],
)  # fmt: skip
def test_what_is_unwise_is_said(here, changes, severity, text):
    found = looked_at(LJ, *changes)
    assert [one for one in found.remarks if one.severity == severity and text in one.text], said(
        found
    )


def test_schedules_that_end_in_time(here):
    assert "Annealing" not in said(looked_at(LJ, ('"NVE"', RAMP.format('"Annealing"', 2.5))))
    words = RAMP.format("", 2).replace("kind = , ", "")
    with pytest.raises(au.InputError, match='Add kind = "Annealing"'):
        looked_at(LJ, ('"NVE"', words))


def test_no_input_at_all(here, capsys):
    assert main(["check"]) == 2
    assert "Usage: aureole check in.toml" in capsys.readouterr().err


def test_checkpoints_are_of_the_end_too(here):
    found = looked_at(LJ, ('"Log"\npath = "a.csv"\nevery = 10', '"Checkpoint"\nevery = 1000'))
    assert found.remarks == []
    assert main(["run", "job.toml", "--quiet"]) == 0
    assert au.Simulation.from_checkpoint("restart.ckpt").step == 500


@pytest.mark.parametrize("pairs_at_a_time", [2_000_000, 7])
def test_particles_that_overlap(here, monkeypatch, pairs_at_a_time):
    monkeypatch.setattr(neighbours, "_MOST", pairs_at_a_time)
    random = [('"lattice"', '"random"\nmin_distance = 0.5'), ("density = 0.8", "density = 0.5")]
    found = looked_at(LJ, *random)
    warning = next(one.text for one in found.remarks if "overlap" in one.text)
    assert found.count("warning") == 1
    # The pairs are counted one by one.
    system = au.build.random(256, 0.5, min_distance=0.5)
    i, j = np.triu_indices(256, 1)
    apart = system.box.minimum_image(system.position[i] - system.position[j])
    r = np.sort(np.linalg.norm(apart, axis=1))
    radius = float(re.search(r"closer than ([\d.]+)", warning)[1])
    assert 4 * (radius**-12 - radius**-6) + 1 == pytest.approx(100, rel=0.15)
    least, most = ((r < radius + off).sum() for off in (-4e-3, 4e-3))
    assert least <= int(warning.split()[0]) <= most
    nearest = float(dict(found.rows)["nearest pair"].split()[0])
    assert nearest == pytest.approx(r[0], rel=1e-3)
    later = looked_at(LJ, *random, ("[integrator]", "[minimize]\n[integrator]"))
    assert later.count("warning") == 0 and "The minimisation comes first" in said(later)


def test_curvatures_are_those_of_the_formulas(here):
    """Lennard-Jones and FENE with WCA, from their second derivatives."""
    system = au.build.lattice("fcc", n=256, density=0.8, mass=2.0)
    (contact,) = contacts_of([au.LennardJones(epsilon=1.5, sigma=1.2, r_cut=3.0)], system)
    # At the minimum 2^(1/6) sigma: 72 2^(-1/3) epsilon / sigma²; the reduced mass is 1.
    k = 72 * 2 ** (-1 / 3) * 1.5 / 1.2**2
    assert contact.period(0.0) == pytest.approx(2 * math.pi / math.sqrt(k), rel=0.03)
    assert contact.depth == pytest.approx(1.5, rel=0.02)
    assert contact.radius_at(1.5) == pytest.approx(1.2, rel=0.01)

    forces = [au.WCA(epsilon=1.0, sigma=1.0), au.FeneBond(r_max=1.5, k=30.0)]
    (bond,) = bonds_of(forces, particle_runs.bead_chains())
    r = bond.r[bond.energy.argmin()]
    assert r == pytest.approx(0.961, abs=3e-3)
    x = (r / 1.5) ** 2
    k = 30 * (1 + x) / (1 - x) ** 2 + 4 * (156 * r**-14 - 42 * r**-8)
    assert bond.period(0.0) == pytest.approx(2 * math.pi * math.sqrt(0.5 / k), rel=0.05)


def test_chains(here, capsys):
    particle_runs.bead_chains().save("chains.npz")
    assert looked_at(FENE).remarks == []
    assert main(["check", "job.toml"]) == 0
    found = looked_at(FENE, ("k = 30.0", "k = 3000.0"), ("dt = 0.005", "dt = 0.02"))
    assert "The time step 0.02 is large: bond backbone" in said(found)


def test_sizes_are_those_of_the_run(here):
    rows = dict(looked_at(LJ).rows)
    assert main(["run", "job.toml", "--quiet"]) == 0
    told = dict(re.findall(r"(a\.\w+) ([\d.]+) kB", rows["disk"]))
    for name, kilobytes in told.items():
        assert float(kilobytes) == pytest.approx(os.path.getsize(name) / 1000, rel=0.4), name


def test_exit_codes_and_other_files(here, capsys):
    Path("a.toml").write_text(LJ.replace("every = 100", "every = 1000"))
    assert main(["check", "a.toml"]) == 2
    assert main(["check", "a.toml", "-maxwarn", "1"]) == 0
    Path("b.toml").write_text(LJ.replace("sigma", "sgima"))
    assert main(["check", "b.toml"]) == 2
    assert "Did you mean 'sigma'" in capsys.readouterr().err
    assert main(["check", "a.py"]) == 2
    assert "it is no input file" in capsys.readouterr().err


def test_one_particle_and_no_forces(here):
    one = looked_at(LJ, ("n = 256", "n = 1"), ("density = 0.8", "density = 0.001"))
    assert "nearest pair" not in dict(one.rows)
    text = LJ[: LJ.index("[[forces]]")] + LJ[LJ.index("[integrator]") :]
    assert "ideal gas" in said(looked_at(text))
