# SPDX-License-Identifier: Apache-2.0
"""Frozen groups: their places in a box that changes, and degrees of freedom of what moves."""

from __future__ import annotations

from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.base.units import BOLTZMANN
from aureole_bench.gmx import mdp_text

#: nm between neighbours of a cubic lattice of argon, 4 x 4 x 8; its lower half is the wall.
APART = 0.38
ATOMS, WALL = 128, 64
MDP = {
    "integrator": "md",
    "dt": 0.002,
    "nsteps": 40,
    "rcoulomb": 0.9,
    "rvdw": 0.9,
    "gen-vel": "yes",
    "gen-temp": 300,
    "gen-seed": 3,
    "nstcomm": 10,
    "nstcalcenergy": 10,
    "freezegrps": "Wall",
    "freezedim": "Y Y Y",
}
TOPOLOGY = """\
[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
AR AR 18 39.948 0.0 A 0.3405 0.996
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0.0 39.948
[ system ]
wall
[ molecules ]
AR 128
"""


def places() -> np.ndarray:
    """(n, 3) as the file has them; the first is outside of the box."""
    grid = np.stack(np.meshgrid(*map(np.arange, (8, 4, 4)), indexing="ij"), -1).reshape(-1, 3)
    found = (grid[:, ::-1] + 0.5) * APART + [0.25, 0.25, 0.0]
    found[0, 1] -= 0.47
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("wall")
    rows = [
        f"{k + 1:5d}AR      AR{k + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}"
        for k, (x, y, z) in enumerate(places())
    ]
    text = ["wall", str(ATOMS), *rows, "   2.02000   2.02000   3.04000", ""]
    (made / "conf.gro").write_text("\n".join(text))
    (made / "topol.top").write_text(TOPOLOGY)
    groups = {"System": range(1, 129), "Wall": range(1, 65), "Fluid": range(65, 129)}
    lines = [f"[ {name} ]\n{' '.join(map(str, of))}\n" for name, of in groups.items()]
    (made / "index.ndx").write_text("".join(lines))
    return made


def simulation(folder: Path, settings: dict[str, object], **more: object) -> au.Simulation:
    (folder / "grompp.mdp").write_text(mdp_text(MDP | settings))
    files = (folder / name for name in ("conf.gro", "topol.top", "grompp.mdp"))
    return au.from_gromacs(*files, index=folder / "index.ndx", maxwarn=9, **more)


def from_corner(sim: au.Simulation) -> np.ndarray:
    """(n, 3) positions as in files, that no boundary has taken to the other side."""
    vectors = np.array(sim.box.matrix).T
    return sim.get("position") + (sim.get("image") + 0.5) @ vectors


PRESS = {
    "tau-p": 0.5,
    "compressibility": "4.5e-4 4.5e-4",
    "ref-p": "3000 2000",
    "pcoupltype": "semiisotropic",
    "nstpcouple": 2,
    "tcoupl": "v-rescale",
    "tc-grps": "System",
    "tau-t": 0.5,
    "ref-t": 300,
}


@pytest.mark.parametrize("algorithm", ["clusters", "flat"])
@pytest.mark.parametrize("barostat", ["Berendsen", "C-rescale", "Parrinello-Rahman"])
def test_frozen_atoms_stay_where_the_file_has_them(folder, barostat, algorithm):
    device = au.Device(threads=1, algorithm=algorithm)
    with simulation(folder, PRESS | {"pcoupl": barostat}, device=device) as sim:
        before = sim.box.lz
        sim.run(40)
        assert abs(sim.box.lz / before - 1) > 1e-3
        away = from_corner(sim) - places()
    assert np.abs(away[:WALL]).max() < 1e-12
    assert np.abs(away[WALL:]).min() > 0


def test_axes_that_are_frozen_stay_alone(folder):
    settings = PRESS | {"pcoupl": "Berendsen", "freezedim": "N N Y"}
    with simulation(folder, settings, threads=1) as sim:
        sim.run(40)
        away = from_corner(sim)[:WALL] - places()[:WALL]
    assert np.abs(away[:, 2]).max() < 1e-12
    assert np.abs(away[:, :2]).min() > 0


def wall_of(path: Path) -> np.ndarray:
    """Positions of the wall in the last frame of a .gro file, less the first atom."""
    rows = path.read_text().splitlines()[-ATOMS:][: WALL - 1]
    return np.array([[float(row[20 + 8 * k : 28 + 8 * k]) for k in range(3)] for row in rows])


def test_files_have_them_where_they_were(folder, tmp_path):
    path = tmp_path / "a.gro"
    frames = [au.Frames(path, every=40)]
    with simulation(folder, PRESS | {"pcoupl": "Berendsen"}, threads=1, observers=frames) as sim:
        sim.run(40)
        assert sim.box.lz < 3.0
    assert np.array_equal(wall_of(path), wall_of(folder / "conf.gro"))


HEAT = {"tcoupl": "v-rescale", "nsttcouple": 10}
SYSTEM = HEAT | {"tc-grps": "System", "tau-t": 0.05, "ref-t": 300}
BOTH = HEAT | {"tc-grps": "Wall Fluid", "tau-t": "0.05 0.05", "ref-t": "300 300"}
#: Thermostat, groups whose drift is removed, and the translations that this takes from the fluid.
GROUPS = {
    "both": ("Wall Fluid", 3),
    "wall": ("Wall", 0),
    "fluid": ("Fluid", 3),
    "system": ("System", 3),
    "none": ("", 3),
}


@pytest.mark.parametrize("drift", GROUPS)
@pytest.mark.parametrize("heat", ["System", "both"])
def test_temperature_is_that_of_what_moves(folder, heat, drift):
    names, taken = GROUPS[drift]
    settings = (SYSTEM if heat == "System" else BOTH) | {"integrator": "md-vv"}
    if names:
        settings["comm-grps"] = names
    with simulation(folder, settings, threads=1, precision="double") as sim:
        sim.run(20)
        thermo, temperature, velocity = sim.thermo(), sim.temperature, sim.get("velocity")
        mass = sim.get("mass")
    assert not velocity[:WALL].any()
    twice = float((mass[:, None] * velocity**2).sum())
    count = 3 * (ATOMS - WALL) - taken
    assert thermo["dof"] == pytest.approx(count, rel=1e-12)
    assert temperature == pytest.approx(twice / (count * BOLTZMANN), rel=1e-10)
    # Of a wall that does not move there is no temperature.
    expected = [twice / count] if heat == "System" else [0.0, twice / count]
    assert thermo["group_temperatures"] == pytest.approx(expected, rel=1e-10)
    if taken:
        assert np.abs(mass @ velocity).max() < 1e-9


def test_the_thermostat_brings_what_moves_to_its_temperature(folder):
    with simulation(folder, SYSTEM | {"comm-grps": "Wall Fluid"}, threads=1) as sim:
        found = []
        for _ in range(30):
            sim.run(20)
            v = sim.get("velocity")[WALL:]
            found.append((39.948 * v**2).sum() / (189 * BOLTZMANN))
    # One sample scatters by sqrt(2 / 189) 300 K = 31 K, the mean of 20 by 7 K.
    assert np.mean(found[10:]) == pytest.approx(300, abs=25)
