# SPDX-License-Identifier: Apache-2.0
"""Steps beside GROMACS in double precision: frozen atoms, the first step, drift and thermostats."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole_bench.gmx import mdp_text, settings_of
from aureole_bench.trr import frames
from gmx_tool import gromacs

STEPS = 25
MDP = f"""\
integrator = md
dt = 0.0005
nsteps = {STEPS}
verlet-buffer-tolerance = -1
rlist = 0.84
rcoulomb = 0.7
rvdw = 0.7
coulombtype = reaction-field
epsilon-rf = 0
coulomb-modifier = none
vdw-modifier = none
constraints = h-bonds
lincs-order = 12
lincs-iter = 8
comm-mode = linear
nstcomm = 10
"""
THEIRS = ("Potential", "Kinetic-En.", "Temperature", "Pressure")
WATERS, ETHANOLS = 150, 8
FIRST = 9 * ETHANOLS  # the first atom of water


def groups():
    """Atoms by group; numbers from 1."""
    water = lambda k: [FIRST + 3 * k + j for j in (1, 2, 3)]  # noqa: E731
    return {
        "System": range(1, FIRST + 3 * WATERS + 1),
        "Waters": [atom for k in range(30) for atom in water(k)],
        "Ethanols": range(1, 9 * 3 + 1),
        "Heavy": [9 * k + 1 for k in range(4, 8)],  # carbons that bind hydrogens
        "Light": [9 * k + 6 for k in range(4, 8)],  # hydrogens of other carbons
    }


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """A folder with a mixture that has been minimised, with velocities, and its gmx_d."""
    folder = tmp_path_factory.mktemp("motion")
    gmx = gromacs(folder, double=True)
    built = au.build.solution({"ethanol": ETHANOLS, "spce": WATERS}, seed=5)
    descent = MDP.replace("= md\n", "= steep\n").replace(f"{STEPS}", "100") + "emtol = 100\n"
    built.write_gromacs(folder, descent)
    files = [folder / name for name in ("conf.gro", "topol.top", "grompp.mdp")]
    sim = au.from_gromacs(*files, precision="double", threads=1, maxwarn=9)
    sim.minimize()
    place = sim.get("position") + 0.5 * np.diag(sim.box.matrix)
    mass = sim.get("mass")[:, None]
    speed = np.random.default_rng(3).normal(size=place.shape) * np.sqrt(2.5 / mass)
    lines = files[0].read_text().splitlines()
    for i, (r, v) in enumerate(zip(place, speed, strict=True)):
        numbers = "".join(f"{x:18.12f}" for x in r) + "".join(f"{x:18.13f}" for x in v)
        lines[i + 2] = lines[i + 2][:20] + numbers
    files[0].write_text("\n".join([*lines, ""]))
    text = "".join(
        f"[ {name} ]\n" + " ".join(map(str, atoms)) + "\n" for name, atoms in groups().items()
    )
    (folder / "index.ndx").write_text(text)
    return gmx


def both(gmx, name, extra):
    """Frames and energies of GROMACS, and our simulation of the same, in step 0."""
    settings = settings_of(MDP) | settings_of(extra)
    every = dict.fromkeys(("nstxout", "nstvout", "nstfout", "nstenergy", "nstcalcenergy"), 1)
    (gmx.folder / f"{name}.mdp").write_text(mdp_text(settings, every))
    gmx.run(
        *("grompp", "-f", f"{name}.mdp", "-c", "conf.gro", "-p", "topol.top", "-n", "index.ndx"),
        *("-o", f"{name}.tpr", "-po", f"{name}.out.mdp", "-maxwarn", 9),
    )
    gmx.mdrun(name, "-noconfout", "-reprod")
    found = list(frames(gmx.folder / f"{name}.trr"))
    files = [gmx.folder / file for file in ("conf.gro", "topol.top", f"{name}.mdp")]
    sim = au.from_gromacs(
        *files,
        index=gmx.folder / "index.ndx",
        precision="double",
        threads=1,
        maxwarn=9,
    )
    return found, gmx.energies(name, *THEIRS), sim


def apart(sim, frame):
    """Largest difference of a coordinate, images of the box aside, and of a velocity."""
    matrix = sim.box.matrix
    edges = np.diag(matrix)
    d = sim.get("position") + 0.5 * edges - frame["x"]
    d -= edges * np.round(d / edges)
    return np.abs(d).max(), np.abs(sim.get("velocity") - frame["v"]).max()


def numbers(sim):
    energy = sim.energy
    return energy.potential, energy.kinetic, sim.temperature, sim.pressure


def expect_same(gmx, name, extra, compare=THEIRS):
    found, energies, sim = both(gmx, name, extra)
    for step in range(STEPS + 1):
        if step:
            sim.run(1)
        place, speed = apart(sim, found[step])
        assert place < 1e-9, (step, place)
        # What a thermostat has done is seen at once here, a step later there.
        assert speed < 1e-6 or "Kinetic-En." not in compare, (step, speed)
        for term, ours in zip(THEIRS, numbers(sim), strict=True):
            if term in compare:
                # Kinetic energies of GROMACS hold half of a drift that has been taken off.
                assert ours == pytest.approx(energies[term][step], rel=2e-5, abs=2e-3), (step, term)


# GROMACS takes too many degrees of freedom away for atoms that cannot move at all, and tells
# pressures of 10^20 bar where two of them are bound.
MOVING = ("Potential", "Kinetic-En.", "Pressure")
FROZEN = {
    "waters": ("freezegrps = Waters\nfreezedim = Y Y Y\n", MOVING),
    "ethanols": ("freezegrps = Ethanols\nfreezedim = Y Y Y\n", MOVING[:2]),
    "ends": ("freezegrps = Heavy Light\nfreezedim = Y Y Y Y Y Y\n", MOVING),
    "axes": ("freezegrps = Heavy\nfreezedim = Y N N\nconstraints = none\n", THEIRS),
}


@pytest.mark.parametrize("name", FROZEN)
def test_frozen_atoms(start, name):
    expect_same(start, name, *FROZEN[name])


PRESS = "tau-p = 0.2\ncompressibility = 4.5e-5\nref-p = 30000\nnstpcouple = 1\n"
WARM = "tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.1\nref-t = 300\n"


@pytest.mark.parametrize("barostat", ["Berendsen", "C-rescale", "Parrinello-Rahman"])
def test_frozen_atoms_keep_their_places_as_the_box_changes(start, barostat):
    frozen = "freezegrps = Ethanols\nfreezedim = Y Y Y\nconstraints = none\n"
    press = f"{PRESS}{WARM}{frozen}pcoupl = {barostat}\n"
    found, _, sim = both(start, f"box-{barostat}", press)
    sim.run(STEPS)
    first, last = found[0], found[-1]
    edges = np.diag(last["box"])
    assert np.abs(edges / np.diag(first["box"]) - 1).min() > 1e-4
    # GROMACS puts those that the box leaves outside to its other side, and keeps them there.
    inside = (first["x"] < np.minimum(edges, np.diag(sim.box.matrix)) - 1e-3).all(axis=1)
    who = np.array(groups()["Ethanols"]) - 1
    who = who[inside[who]]
    assert len(who) > 20
    moved = sim.get("position") + 0.5 * np.diag(sim.box.matrix) - first["x"]
    assert np.abs(moved[who]).max() < 1e-9
    assert np.abs((last["x"] - first["x"])[who]).max() < 1e-9


HEAT = "tcoupl = berendsen\ntc-grps = System\ntau-t = 0.02\nref-t = 250\n"
STEPPED = {
    "free": ("", THEIRS),
    "drift": ("nstcomm = 3\nfreezegrps = Waters\nfreezedim = Y Y Y\n", MOVING),
    "every step": ("nstcomm = 1\nfreezegrps = Waters\nfreezedim = Y Y Y\n", MOVING),
    "heat often": (HEAT + "nsttcouple = 2\nnstcomm = 2\n", MOVING[:1]),
    "heat": (HEAT + "nsttcouple = 4\nnstcomm = 4\n", MOVING[:1]),
    "verlet": ("integrator = md-vv\n", THEIRS),
}


@pytest.mark.parametrize("name", STEPPED)
def test_steps(start, name):
    """The start of a run, and where drift and heat are taken off."""
    expect_same(start, name.replace(" ", "-"), *STEPPED[name])


TETRAHEDRA = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
C 0 12.0 0.0 A 0.3 0.5
[ moleculetype ]
TET 3
[ atoms ]
1 C 1 TET A 1 0 12
2 C 1 TET B 2 0 16
3 C 1 TET C 3 0 20
4 C 1 TET D 4 0 30
[ constraints ]
1 2 1 0.2
2 3 1 0.2
1 3 1 0.2
4 1 1 0.2
3 4 1 0.2
2 4 1 0.2
[ system ]
rigid
[ molecules ]
TET 27
"""


def test_rigid_tetrahedra(tmp_path):
    """Opposite edges have no particle in common, and a series of LINCS diverges."""
    gmx = gromacs(tmp_path, double=True)
    rng = np.random.default_rng(5)
    shape = 0.2 / np.sqrt(8) * np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    turns = np.linalg.qr(rng.normal(size=(27, 3, 3)))[0]
    sites = (np.array(list(np.ndindex(3, 3, 3))) + 0.5) * 0.6
    places = (sites[:, None] + shape @ turns).reshape(-1, 3)
    speeds = 0.3 * rng.normal(size=places.shape)
    rows = [
        f"{k // 4 + 1:5d}TET  {'ABCD'[k % 4]:>5}{k + 1:5d}"
        + "".join(f"{x:18.12f}" for x in places[k])
        + "".join(f"{x:18.13f}" for x in speeds[k])
        for k in range(108)
    ]
    (tmp_path / "conf.gro").write_text("\n".join(["rigid", "108", *rows, "1.8 1.8 1.8", ""]))
    (tmp_path / "topol.top").write_text(TETRAHEDRA)
    (tmp_path / "index.ndx").write_text("[ System ]\n" + " ".join(map(str, range(1, 109))) + "\n")
    solver = "dt = 0.002\nconstraint-algorithm = shake\nshake-tol = 1e-12\n"
    expect_same(gmx, "rigid", solver + "tcoupl = no\n")


def test_the_start_from_a_trajectory_is_that_of_gromacs(start):
    """The frame of a .trr: the last one that has both positions and velocities."""
    gmx, every = start, {"nsteps": 14, "nstxout": 4, "nstvout": 8, "constraints": "none"}
    stage = settings_of(MDP) | every
    gmx.grompp("stage", "conf.gro", "topol.top", stage)
    gmx.mdrun("stage", "-noconfout", "-reprod")
    after = {"nsteps": 0, "nstenergy": 1, "nstcalcenergy": 1, "nstxout": 1, "nstvout": 1}
    (gmx.folder / "after.mdp").write_text(mdp_text(stage, after))
    gmx.run(
        *("grompp", "-f", "after.mdp", "-c", "conf.gro", "-p", "topol.top", "-t", "stage.trr"),
        *("-o", "after.tpr", "-po", "after.out.mdp", "-maxwarn", 9),
    )
    gmx.mdrun("after", "-noconfout", "-reprod")
    files = [gmx.folder / file for file in ("conf.gro", "topol.top", "after.mdp")]
    held = ["".join(sorted(set(frame) & {"x", "v"})) for frame in frames(gmx.folder / "stage.trr")]
    assert held == ["vx", "x", "vx", "x"]
    with au.from_gromacs(
        *files, state=gmx.folder / "stage.trr", precision="double", threads=1, maxwarn=9
    ) as sim:
        theirs = gmx.energies("after", *THEIRS[:2])
        assert sim.energy.potential == pytest.approx(theirs["Potential"][0], rel=1e-9)
        assert sim.energy.kinetic == pytest.approx(theirs["Kinetic-En."][0], rel=1e-9)
