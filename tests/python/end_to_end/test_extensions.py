# SPDX-License-Identifier: Apache-2.0
"""The engine is extended by single files: a drill with one of each kind, in tests/extensions/.

A pair potential that reads a user's column, one that reads velocities, tags and vectors of the
user's, a bonded term, an external force that reads a column, and a stage that writes one of its
own; no other file knows them. They run together on cluster lists and flat lists, in both
precisions.
"""

from __future__ import annotations

import sys

import pytest
from test_new_potential import EXTENSIONS, PACKAGE, ROOT, built, run  # noqa: F401 - a fixture

FILES = {
    "pair/dipole_repulsion": "DipoleRepulsion",
    "pair/pair_friction": "PairFriction",
    "bonded/quartic_bond": "QuarticBond",
    "external/cosine_field": "CosineField",
    "stages/quadratic_drag": "QuadraticDrag",
}

START = """\
import sys
import numpy as np
import aureole as au

ALGORITHM, PRECISION = sys.argv[1:3]
rng = np.random.default_rng(3)
n, box = 240, 9.0
system = au.build.random(n, box=(box,) * 3, min_distance=0.8, seed=1)
chosen = rng.permutation(n)
pairs = np.array([(i, i + 1) for i in range(0, n, 2)])
position = system.position.copy()
position[1::2] = position[::2] + (0.9, 0.1, 0.0)
dipole = rng.uniform(0.5, 1.5, n)
system = au.System(
    au.Box.of(box), position, velocity=rng.normal(size=(n, 3)), bonds={"all": pairs},
    columns={"dipole": dipole, "flow": rng.normal(size=(n, 3))},
)
FORCES = [
    au.DipoleRepulsion(k=0.7, r_cut=3.0),
    au.PairFriction(gamma=3.0, range=2.5),
    au.QuarticBond(r0=0.8, k2=1.0, k4=5.0),
    au.CosineField(amplitude=1.5, period=4.5, group=au.Tags(range(0, n, 3))),
]
STAGES = [au.QuadraticDrag(k=0.2, every=2)]
device = au.Device(name="host", algorithm=ALGORITHM, threads=2, precision=PRECISION)

def simulation(**changes):
    settings = {"forces": FORCES, "integrator": au.NVE(dt=0.002), "stages": STAGES}
    return au.Simulation(system, device=device, seed=5, **(settings | changes))
"""

ENERGIES = """
tolerance = 1e-11 if PRECISION == "double" else 2e-5
d = (position[:, None] - position[None]).reshape(-1, 3)
d = system.box.minimum_image(d).reshape(n, n, 3)
r = np.sqrt((d * d).sum(-1)) + np.eye(n) * 1e9
for i, j in pairs:
    r[i, j] = r[j, i] = 1e9  # bound particles are excluded
near = r < 3.0
want = {"DipoleRepulsion": (0.5 * 0.7 * np.outer(dipole, dipole) / r**3)[near].sum()}
length = np.sqrt((system.box.minimum_image(position[::2] - position[1::2]) ** 2).sum(1))
stretch = (length - 0.8) ** 2
want["quartic_bond"] = (stretch * (1.0 + 5.0 * stretch)).sum()
some = np.arange(n) % 3 == 0
x = system.box.wrap(position)[0][:, 0]
want["CosineField"] = -(1.5 * dipole * np.cos(2 * np.pi * x / 4.5))[some].sum()
found = simulation().energy.per_force
for name, value in want.items():
    assert abs(value) > 0.1 and abs(found[name] - value) < tolerance * max(abs(value), 10), (
        name, found[name], value)
alone = simulation(forces=[FORCES[2], FORCES[3]], stages=[]).get("force")
bonded = simulation(forces=[FORCES[2]], stages=[]).get("force")
push = -1.5 * dipole * 2 * np.pi / 4.5 * np.sin(2 * np.pi * x / 4.5) * some
assert np.abs((alone - bonded)[:, 0] - push).max() < 10 * tolerance * np.abs(alone).max()
"""

FRICTION = """
tolerance = 1e-11 if PRECISION == "double" else 2e-5

def friction(position, velocity, flow):
    d = system.box.minimum_image((position[:, None] - position[None]).reshape(-1, 3))
    d = d.reshape(n, n, 3)
    r = np.sqrt((d * d).sum(-1)) + np.eye(n) * 1e9
    v = velocity - flow
    along = ((v[:, None] - v[None]) * d).sum(-1)
    f = np.where(r < 2.5, -3.0 * (1 - r / 2.5) ** 2 * along / r**2, 0.0)
    f[np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < 2] = 0
    return (f[..., None] * d).sum(1), (f * r * r).sum() / 2

flow = system.columns["flow"]
free = au.System(au.Box.of(box), position, velocity=system.velocity, columns={"flow": flow})

def friction_alone():
    return au.Simulation(free, [FORCES[1]], au.NVE(dt=0.002), device=device)

sim = friction_alone()
want, trace = friction(position, system.velocity, flow)
assert np.abs(sim.get("force") - want).max() < tolerance * np.abs(want).max()
virial = sim.get("virial").sum(0)[:3].sum()
assert abs(virial - trace) < 30 * tolerance * np.abs(want).max() * n, (virial, trace)

# Steps read velocities as they are then, half a step before the positions, whatever is looked at.
x, v, force, dt = position, system.velocity, want, 0.002
for _ in range(30):
    v = v + 0.5 * dt * force
    x = x + dt * v
    force = friction(x, v, flow)[0]
    v = v + 0.5 * dt * force
other = friction_alone()
sim.run(30)
for _ in range(30):
    other.run(1)
    other.energy, other.get("virial")
for name in ("position", "velocity"):
    assert np.array_equal(sim.get(name), other.get(name)), name
assert np.abs(sim.get("velocity") - v).max() < 100 * tolerance
lost = np.abs(v - system.velocity).max()
assert lost > 0.1, lost
assert np.abs(sim.get("velocity").sum(0) - system.velocity.sum(0)).max() < 100 * tolerance
"""

RESTART = """
sim = simulation()
sim.run(23)
sim.write_checkpoint("drill.ckpt")
sim.run(40)
other = au.Simulation.from_checkpoint("drill.ckpt")
assert other.forces == sim.forces and other.stages == sim.stages
other.run(40)
for name in ("position", "velocity", "dipole", "path"):
    assert np.array_equal(other.get(name), sim.get(name)), name
assert np.array_equal(sim.get("dipole"), dipole)
assert other.energy == sim.energy
"""

STAGE = """
free = au.System(au.Box.of(box), position, velocity=system.velocity)
drag = au.QuadraticDrag(k=0.2, every=5, group=au.Tags(range(0, n, 2)))
sim = au.Simulation(free, [], au.NVE(dt=0.01), stages=[drag], device=device)
sim.run(24)
velocity, path, some = system.velocity.copy(), np.zeros(n), np.arange(n) % 2 == 0
for _ in range(4):  # at steps 5, 10, 15 and 20
    speed = np.sqrt((velocity**2).sum(1))
    path += speed * 0.05 * some
    velocity /= 1 + (0.2 * speed * 0.05 * some)[:, None]
assert np.abs(sim.get("path") - path).max() < 1e-12
assert np.abs(sim.get("velocity") - velocity).max() < 1e-12
"""

TELLS = """
sim = simulation()
sim.run(1)
words = str(sim.describe())
for name in ("DipoleRepulsion(k=0.7", "QuarticBond(r0=0.8", "amplitude=1.5",
             "QuadraticDrag           v <- v / (1 + k |v| t), every 2 steps", "dipole",
             "path [length]"):
    assert name in words, (name, words)
"""


def drill(script, algorithm, precision, folder):
    file = folder / "drill.py"
    file.write_text(START + script)
    command = f"import os, sys; os.chdir({str(folder)!r}); sys.argv = ['drill', *sys.argv[1:]]; "
    command += f"exec(open({str(file)!r}).read())"
    run(sys.executable, "-c", command, algorithm, precision, PYTHONPATH=str(PACKAGE))


@pytest.fixture(
    params=[(a, p) for a in ("clusters", "flat") for p in ("mixed", "double")], ids="-".join
)
def way(request):
    return request.param


def test_forces_and_energies_are_those_by_hand(built, way, tmp_path):  # noqa: F811
    drill(ENERGIES, *way, tmp_path)


def test_friction_is_that_by_hand(built, way, tmp_path):  # noqa: F811
    drill(FRICTION, *way, tmp_path)


def test_a_checkpoint_goes_on_to_the_bit(built, way, tmp_path):  # noqa: F811
    drill(RESTART, *way, tmp_path)


def test_a_stage_does_what_it_says(built, way, tmp_path):  # noqa: F811
    drill(STAGE, *way, tmp_path)


def test_the_steps_tell_about_them(built, way, tmp_path):  # noqa: F811
    drill(TELLS, *way, tmp_path)


def test_no_other_file_names_them():
    sources = [ROOT / "src", ROOT / "cmake", ROOT / "python" / "aureole"]
    files = [p for folder in sources for p in folder.rglob("*") if p.suffix not in (".so", ".pyc")]
    texts = [p.read_text(errors="replace").lower() for p in files if p.is_file()]
    for path, name in FILES.items():
        for word in (path.rpartition("/")[2], name.lower()):
            assert not any(word in text for text in texts), word


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_small(path):
    assert len((EXTENSIONS / f"{path}.hpp").read_text().splitlines()) < 45


@pytest.mark.parametrize(
    "path, page",
    [("external/cosine_field", "an-external-force"), ("stages/quadratic_drag", "a-stage")],
)
def test_the_file_is_the_one_that_is_explained(path, page):
    words = (ROOT / "docs" / "howto" / f"add-{page}.md").read_text()
    assert (EXTENSIONS / f"{path}.hpp").read_text() in words


def test_they_are_in_the_documentation(built, tmp_path):  # noqa: F811
    run(sys.executable, "tools/gen_docs.py", "--out", tmp_path, PYTHONPATH=str(PACKAGE))
    pages = "".join(page.read_text() for page in tmp_path.glob("*.md"))
    for name in FILES.values():
        assert f"## {name}\n" in pages, name
    assert "Writes the column `path` [length]" in pages


@pytest.mark.parametrize(
    "name", ["ExternalContract*CosineField", "Contract*DipoleRepulsion", "Contract*PairFriction"]
)
def test_they_keep_to_the_contracts(built, name):  # noqa: F811
    out = run(built, f"--gtest_filter=*{name}*")
    assert "[  PASSED  ]" in out and "[  PASSED  ] 0 tests" not in out
