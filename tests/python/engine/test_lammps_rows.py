# SPDX-License-Identifier: Apache-2.0
"""Rows of docs/howto/from-hoomd-or-lammps.md: what its columns say has the same forces and motion.

What is ours is taken from the page and evaluated; the style of LAMMPS must stand in the same row.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from lammps_tool import run, tables, write_data

PAGE = Path(__file__).resolve().parents[3] / "docs" / "howto" / "from-hoomd-or-lammps.md"
SIZES = {"sigma": {("A", "A"): 1.0, ("A", "B"): 0.8, ("B", "B"): 0.88}}
DEPTHS = {"epsilon": {("A", "A"): 1, ("A", "B"): 1.5, ("B", "B"): 0.5}}
MIXED = "pair_coeff 1 1 1 1\npair_coeff 1 2 1.5 0.8\npair_coeff 2 2 0.5 0.88\n"
PLAIN = au.LennardJones(epsilon=1, sigma=1, r_cut=2.5)
PAIRS = "pair_style lj/cut 2.5\npair_coeff * * 1 1\nspecial_bonds lj 0 1 1\n"
BEADS = "pair_style lj/cut 1.122462\npair_coeff * * 1 1\npair_modify shift yes\n"
BONDS = PAIRS + "bond_style harmonic\nbond_coeff 1 50 1\n"
BOND = "au.HarmonicBond(r0=1.0, k=100.0)"
ANGLE = np.degrees(2.0).item()


def row(style, name):
    """The row of the page that has a style of LAMMPS and one of our names."""
    lines = PAGE.read_text().splitlines()
    found = [line for line in lines if line.startswith("|") and style in line and name in line]
    assert len(found) == 1, (style, name)
    return found[0]


@cache
def liquid():
    """Two types, away from their lattice."""
    rng = np.random.default_rng(3)
    lattice = au.build.lattice("fcc", n=256, density=0.8)
    return au.System(
        lattice.box,
        lattice.position + rng.uniform(-0.12, 0.12, (256, 3)),
        velocity=rng.normal(size=(256, 3)),
        mass=1.0 + np.arange(256) % 2,
        type=np.arange(256) % 2,
        type_names=("A", "B"),
    )


@cache
def slit():
    return au.System(
        au.Box(9, 9, 10, periodic="ppf"),
        au.build.random(200, box=(9, 9, 8), min_distance=0.8).position,
        mass=2.0,
    )


@cache
def chains(**options):
    """Chains of four beads, with the bonds, angles and dihedrals that are asked for."""
    rng = np.random.default_rng(3)
    first = np.array([(x, y, z) for x in (-3, 0.5) for y in (-3, -1, 1, 3) for z in (-3, -1, 1, 3)])
    shape = np.array([[0, 0, 0], [0.9, 0.1, 0], [1.2, 0.9, 0.2], [2.1, 1.0, 0.7]])
    position = first[:, None] + shape + rng.uniform(-0.1, 0.1, (len(first), 4, 3))
    tags = 4 * np.arange(len(first))[:, None]
    tuples = {
        name: {"all": np.concatenate([tags + np.arange(k, k + size) for k in range(5 - size)])}
        for name, size in (("bonds", 2), ("angles", 3), ("dihedrals", 4))
    }
    asked = {name: tuples[name] for name in ("bonds", "angles", "dihedrals") if options.get(name)}
    exclusions = [] if options.get("all_pairs") else None
    return au.System(au.Box(8, 8, 8), position.reshape(-1, 3), exclusions=exclusions, **asked)


def with_angles():
    return chains(bonds=True, angles=True)


#: Style of LAMMPS in the page, ours there, further forces of ours, theirs, and the system.
CASES = [
    ("bond_style harmonic", BOND, [PLAIN], BONDS, lambda: chains(bonds=True)),
    (
        "bond_style fene",
        "au.FeneBond(r_max=1.5, k=30.0)",
        [au.WCA(epsilon=1, sigma=1)],
        BEADS + "special_bonds fene\nbond_style fene\nbond_coeff 1 30 1.5 1 1\n",
        lambda: chains(bonds=True, all_pairs=True),
    ),
    ("pair_style lj/cut 1.122462", "au.WCA(epsilon=1, sigma=1)", [], BEADS, liquid),
    (
        "angle_style harmonic",
        "au.HarmonicAngle(theta0=2.0, k=10.0)",
        [PLAIN, au.HarmonicBond(r0=1.0, k=100.0)],
        BONDS + f"angle_style harmonic\nangle_coeff 1 5 {ANGLE!r}\n",
        with_angles,
    ),
    (
        "angle_style cosine/squared",
        "au.G96Angle(theta0=2.0, k=10.0)",
        [PLAIN, au.HarmonicBond(r0=1.0, k=100.0)],
        BONDS + f"angle_style cosine/squared\nangle_coeff 1 5 {ANGLE!r}\n",
        with_angles,
    ),
    (
        "dihedral_style charmm",
        "au.PeriodicDihedral(phi0=0.0, k=1.0, n=3)",
        [PLAIN, au.HarmonicBond(r0=1.0, k=100.0)],
        BONDS + "dihedral_style charmm\ndihedral_coeff 1 1.0 3 0 0.0\n",
        lambda: chains(bonds=True, dihedrals=True),
    ),
    (
        "fix wall/lj93",
        "au.LennardJonesWall(epsilon=1, sigma=1, nz=1, offset=-5, r_cut=2.5)",
        [PLAIN],
        PAIRS + "fix push all wall/lj93 zlo -5 1 1 2.5\nfix_modify push energy yes\n",
        slit,
    ),
    (
        "fix addforce",
        "au.UniformForce(fx=0.1)",
        [PLAIN],
        PAIRS + "fix push all addforce 0.1 0 0\nfix_modify push energy yes\n",
        liquid,
    ),
    (
        "fix gravity",
        "au.Gravity(gz=-0.1)",
        [PLAIN],
        PAIRS + "fix push all gravity 0.1 vector 0 0 -1\nfix_modify push energy yes\n",
        slit,  # along periodic axes its energy there is that of wrapped positions
    ),
]
MODES = [
    ("the default", {"mode": "none"}, "lj/cut 2.5", ""),
    ("pair_modify shift yes", {"mode": "shift"}, "lj/cut 2.5", "pair_modify shift yes\n"),
    ("pair_style lj/smooth/linear", {"mode": "force-shift"}, "lj/smooth/linear 2.5", ""),
    ("pair_modify tail yes", {"tail_correction": True}, "lj/cut 2.5", "pair_modify tail yes\n"),
]


def ours(system, forces):
    with au.Simulation(system, forces, precision="double", threads=1) as sim:
        tensor = sim.pressure_tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        return sim.energy.potential, sim.get("force"), tensor


HEAD = """\
units lj
atom_style full
boundary {boundary}
read_data start.data
timestep 0.005
thermo_modify norm no
"""
FRAME = """\
dump forces all custom 1 force.dump fx fy fz
dump_modify forces sort id format float %.17g
thermo_style custom step pe pxx pyy pzz pxy pxz pyz
thermo_modify norm no format float %.16g
run 0
"""


def theirs(folder, system, commands):
    write_data(folder / "start.data", system)
    boundary = " ".join("p" if periodic else "f" for periodic in system.box.periodic)
    head = HEAD.format(boundary=boundary)
    (table,) = tables(run(folder, head + commands + FRAME))
    tensor = [table[f"P{ab}"][0] for ab in ("xx", "yy", "zz", "xy", "xz", "yz")]
    return table["PotEng"][0], np.loadtxt(folder / "force.dump", skiprows=9), np.array(tensor)


def same(here, there):
    for ours, theirs in zip(here, there, strict=True):
        assert np.abs(ours - theirs).max() < 1e-11 * np.abs(theirs).max()


@pytest.mark.parametrize("style, text, others, commands, system", CASES, ids=[c[1] for c in CASES])
def test_forces_of_a_row(style, text, others, commands, system, tmp_path):
    assert text in row(style, text)
    forces = [*others, eval(text, {"au": au})]
    same(ours(system(), forces), theirs(tmp_path, system(), commands))


@pytest.mark.parametrize("words, options, style, more", MODES, ids=[m[0] for m in MODES])
def test_modes_of_lennard_jones(words, options, style, more, tmp_path):
    ((name, value),) = options.items()
    assert row(words, f'{name}="{value}"' if name == "mode" else f"{name}={value}")
    forces = [au.LennardJones(**DEPTHS, **SIZES, r_cut=2.5, **options)]
    commands = f"pair_style {style}\n{MIXED}{more}"
    same(ours(liquid(), forces), theirs(tmp_path, liquid(), commands))


def evaluated(style, text):
    """A text of the page as it stands in the row of a style."""
    assert text in row(style, text)
    return eval(text, {"au": au})


TRAJECTORY = """\
pair_style lj/cut 2.5
pair_coeff * * 1 1
{fix}dump places all custom 50 places.dump xu yu zu
dump_modify places sort id format float %.17g
run 50
"""


@pytest.mark.parametrize(
    "style, text, fix",
    [
        ("fix nve", "au.NVE(dt=0.005)", "fix move all nve\n"),
        ("fix nve/limit", "au.SpeedLimit(v_max=5.0)", "fix move all nve/limit 0.025\n"),
    ],
)
def test_courses_without_a_thermostat(style, text, fix, tmp_path):
    """The distance of `fix nve/limit` is that of a step at `v_max`; a third are too fast here."""
    given = evaluated(f"`{style}`", text)
    stages = [given] if style == "fix nve/limit" else []
    system = liquid().replace(velocity=4 * liquid().velocity, mass=1.0)
    write_data(tmp_path / "start.data", system)
    run(tmp_path, HEAD.format(boundary="p p p") + TRAJECTORY.format(fix=fix))
    last = (tmp_path / "places.dump").read_text().split("xu yu zu\n")[-1]
    with au.Simulation(
        system, [PLAIN], au.NVE(dt=0.005), stages=stages, precision="double", threads=1
    ) as sim:
        sim.run(50)
        places = sim.get("position") + sim.get("image") @ sim.box.matrix.T
    assert np.abs(places - np.loadtxt(last.splitlines())).max() < 1e-9


GAS = """\
comm_modify cutoff 3
pair_style zero 2.5
pair_coeff * *
{fix}thermo 20
thermo_style custom step temp
thermo_modify format float %.14g
run 200
"""
MOVE = "fix move all nve\n"


@pytest.mark.parametrize(
    "style, text, fix, rate",
    [
        (
            "fix langevin",
            "au.Langevin(dt=0.005, kT=1.0, gamma=1.0)",
            MOVE + "fix heat all langevin 1 1 1 5\n",
            2.0,
        ),
        (
            "fix temp/csvr",
            "au.Bussi(dt=0.005, kT=1.0, tau=0.5)",
            MOVE + "fix heat all temp/csvr 1 1 0.5 5\n",
            2.0,
        ),
        (
            "fix temp/berendsen",
            "au.Berendsen(T=1.0, tau=0.5)",
            MOVE + "fix heat all temp/berendsen 1 1 0.5\n",
            2.0,
        ),
        (
            "fix nvt",
            "au.NoseHoover(T=1.0, tau=3.1, length=3)",
            f"fix move all nvt temp 1 1 {3.1 / (2 * np.pi)!r}\n",
            None,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("au.") else "",
)
def test_thermostats_cool_an_ideal_gas(style, text, fix, rate, tmp_path):
    """From twice the temperature, by the relaxation that both programs' settings mean."""
    rng = np.random.default_rng(1)
    speeds = rng.normal(size=(10_000, 3))
    speeds *= np.sqrt(2 / (speeds**2).mean())
    gas = au.System(au.Box.of(60.0), rng.uniform(-30, 30, (10_000, 3)), velocity=speeds)
    write_data(tmp_path / "start.data", gas)
    (table,) = tables(run(tmp_path, HEAD.format(boundary="p p p") + GAS.format(fix=fix)))
    given = evaluated(f"`{style}", text)
    if not isinstance(given, (au.Langevin, au.Bussi)):
        given = au.VelocityVerlet(dt=0.005, thermostat=given)
    found = []
    with au.Simulation(gas, [], given, seed=4, threads=1) as sim:
        for _ in table["Step"]:
            found.append(sim.temperature)
            sim.run(20)
    noise = 5 * np.sqrt(2 / 3e4)  # five standard deviations of one temperature of 1
    expected = table["Temp"] if rate is None else 1 + np.exp(-rate * 0.005 * table["Step"])
    assert np.abs(found - expected).max() < noise + 0.01  # Berendsen acts at each tenth step
    assert np.abs(table["Temp"] - expected).max() < noise
    assert found[-1] < 1.5
