# SPDX-License-Identifier: Apache-2.0
"""A Riemann solver, a reconstruction and a criterion are one file each: a drill.

The files are those of docs/howto, in tests/extensions/. Steps with them are those of a program in
NumPy, in all schedules; sub-grids are refined where NumPy says so.
"""

from __future__ import annotations

import re
import sys

import pytest
from test_new_potential import EXTENSIONS, PACKAGE, ROOT, built, run  # noqa: F401 - a fixture

FILES = {
    "riemann/one_speed": "add-a-riemann-solver.md",
    "reconstruct/minmod": "add-a-riemann-solver.md",
    "criteria/steepness": "add-a-criterion.md",
}

START = """\
import numpy as np
from aureole import amr
from aureole.amr.criterion import Criterion, _positive_field, checked, number, spec

SCHEME = amr.Scheme(reconstruct="minmod", riemann="one_speed", steps="rk2", cfl=0.4)
GAMMA = 1.4

def wave(x, *others):
    return {"density": 1.0 + 0.5 * np.sin(2 * np.pi * x) ** 3, "velocity_x": 0.3,
            "pressure": np.where(x < 0.4, 1.0, 0.2)}
"""

STEPS = """
def fluxes(w):
    \"\"\"Through the low face of each cell, with the neighbour below.\"\"\"
    below, above = w - np.roll(w, 1, 1), np.roll(w, -1, 1) - w
    slope = np.where(below * above > 0,
                     np.where(abs(below) < abs(above), below, above), 0)
    left, right = np.roll(w + slope / 2, 1, 1), w - slope / 2
    speed = lambda u: np.sqrt(GAMMA * u[2] / u[0])
    root = np.sqrt(left[0]), np.sqrt(right[0])
    mean = lambda a, b: (root[0] * a + root[1] * b) / (root[0] + root[1])
    v = mean(left[1], right[1])
    c = np.sqrt(mean(speed(left) ** 2, speed(right) ** 2)
                + root[0] * root[1] / (root[0] + root[1]) ** 2 / 2 * (right[1] - left[1]) ** 2)
    slowest = np.minimum(left[1] - speed(left), v - c)
    fastest = np.maximum(right[1] + speed(right), v + c)
    most = np.maximum(abs(slowest), abs(fastest))
    flux = lambda w, u: np.array([u[1], u[1] * w[1] + w[2], (u[2] + w[2]) * w[1]])
    a, b = conserved(left), conserved(right)
    return ((flux(left, a) + flux(right, b)) - most * (b - a)) / 2

def conserved(w):
    return np.array([w[0], w[0] * w[1], w[2] / (GAMMA - 1) + w[0] * w[1] ** 2 / 2])

def primitive(u):
    v = u[1] / u[0]
    return np.array([u[0], v, (GAMMA - 1) * (u[2] - u[0] * v**2 / 2)])

n = 64
x = (np.arange(n) + 0.5) / n
start = wave(x)
w = np.array([start["density"], np.full(n, 0.3), start["pressure"]])
u, time = conserved(w), 0.0
for _ in range(20):
    w = primitive(u)
    dt = 0.4 / n / (abs(w[1]) + np.sqrt(GAMMA * w[2] / w[0])).max()
    rate = lambda u: (lambda f: (f - np.roll(f, -1, 1)) * n)(fluxes(primitive(u)))
    first = u + dt * rate(u)
    u = (u + first + dt * rate(first)) / 2
    time += dt
w = primitive(u)
for schedule in ("pack", "aggregate", "subgrids"):
    sim = amr.Simulation(amr.Mesh(box=[(0, 1)], roots=(n // 8,)), amr.IdealGas(gamma=GAMMA),
                         scheme=SCHEME, schedule=schedule, threads=2)
    sim.set(wave)
    sim.run(20)
    assert abs(sim.time - time) < 1e-13
    for name, want in zip(("density", "velocity_x", "pressure"), w):
        assert abs(sim.get(name) - want).max() < 1e-12, (schedule, name)
    assert abs(w[1] - 0.3).max() > 0.1
    sim.close()
"""

LEVELS = """
@spec(kw_only=False)
class Steepness(Criterion, family="refine"):
    \"\"\"The largest change of a field between neighbours, relative to both.\"\"\"

    _leaf = "steepness"

    field: str = checked(_positive_field)
    above: float = checked(number, 0.3, low=0.0, open_low=True)
    below: float = checked(number, 0.1, low=0.0)

def simulation(schedule="pack", threads=1, **changes):
    sim = amr.Simulation(amr.Mesh(box=[(0, 1), (0, 1)], roots=(8, 8), max_level=1),
                         scheme=SCHEME, schedule=schedule, threads=threads,
                         refine=[Steepness("pressure", **changes)])
    sim.set(lambda x, y: {"density": 1.0, "pressure": 1 + np.sin(np.pi * x * y) ** 8 * 9})
    return sim

# The criterion on the mesh without levels, by hand: then sub-grids have four children.
for above in (0.1, 0.2, 0.3):
    x, y = np.meshgrid((np.arange(64) + 0.5) / 64, (np.arange(64) + 0.5) / 64)
    p = 1 + np.sin(np.pi * x * y) ** 8 * 9
    most = 0
    for axis in (0, 1):
        for side in (-1, 1):
            q = np.roll(p, side, axis)
            most = np.maximum(most, abs(q - p) / (q + p))
    wanted = (most.reshape(8, 8, 8, 8).max((1, 3)) > above)
    with simulation(above=above, below=0.05) as sim:
        assert (sim.blocks.levels == 1).sum() == 4 * wanted.sum(), (above, wanted.sum())
        assert 0 < wanted.sum() < 64

states = []
for schedule, threads in (("pack", 1), ("pack", 2), ("aggregate", 2), ("subgrids", 2)):
    with simulation(schedule, threads) as sim:
        before = sim.totals["energy"]
        sim.run(12)
        assert abs(sim.totals["energy"] / before - 1) < 1e-12
        states.append(sim.blocks.cells("density").tobytes())
        if threads == 1:
            sim.write_checkpoint("drill.ckpt")
assert all(state == states[0] for state in states)
with amr.Simulation.from_checkpoint("drill.ckpt") as sim:
    assert sim.refine == (Steepness("pressure"),) and sim.scheme == SCHEME
    assert sim.blocks.cells("density").tobytes() == states[0]
"""


def drill(script, folder):
    (folder / "drill.py").write_text(START + script)
    command = f"import os; os.chdir({str(folder)!r}); exec(open('drill.py').read())"
    run(sys.executable, "-c", command, PYTHONPATH=str(PACKAGE))


@pytest.mark.parametrize("path, page", FILES.items())
def test_the_file_is_the_one_that_is_explained(path, page):
    assert (EXTENSIONS / f"{path}.hpp").read_text() in (ROOT / "docs" / "howto" / page).read_text()


def test_the_class_is_the_one_that_is_explained():
    page = (ROOT / "docs" / "howto" / "add-a-criterion.md").read_text()
    (code,) = re.findall(r"```\n(@spec.*?)```", page, re.DOTALL)
    head, arguments = code.split('    """', 1)[0], code.split('_leaf = "steepness"')[1]
    assert head in LEVELS and arguments in LEVELS


def test_steps_are_those_by_hand(built, tmp_path):  # noqa: F811
    drill(STEPS, tmp_path)


def test_a_criterion_refines_where_it_says(built, tmp_path):  # noqa: F811
    drill(LEVELS, tmp_path)
