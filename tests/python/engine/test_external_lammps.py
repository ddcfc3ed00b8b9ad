# SPDX-License-Identifier: Apache-2.0
"""Pressure tensors under external forces beside those of LAMMPS: a gas between walls, a driven
liquid, and a mixture whose components are pulled apart under a barostat.

Both run in one ensemble: Langevin dynamics, of which BAOAB here and the scheme of Gronbech-Jensen
and Farago there sample temperatures and distances without an error of the first power of the time
step; or Nose and Hoover's thermostat with a barostat. Errors are those of means of 20 blocks of 16
or 30 time units; the longest correlation time of a series here is 0.6. They are uncertain by a
sixth themselves, and at most 1.2 % of a mean is asked for, which leaves room for that: where forces
were counted in the virial, means differed by 59 % and more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import aureole as au
import numpy as np
import pytest
from aureole.analysis.statistics import mean_and_error
from lammps_tool import run, tables, write_data

LJ = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
DT = 0.004
EVERY = 10  # steps between samples


@dataclass(frozen=True)
class Case:
    """One system in both programs.

    Args:
        system: the start
        kT: temperature at the start
        forces: external ones
        integrator: ours
        commands: theirs
        axis: along which the forces act
        largest: standard error that the difference of means may have, in parts of them
    """

    system: au.System
    kT: float
    forces: list[Any]
    integrator: Any
    commands: str
    axis: int
    largest: dict[str, float]


def walls():
    """A gas in a slit of width 12; the volume is that of the box in both programs."""
    gas = au.build.random(400, box=(10, 10, 10), min_distance=0.9, seed=2)
    return Case(
        gas.replace(box=au.Box(10, 10, 12, periodic="ppf")),
        2.0,
        [
            au.LennardJonesWall(epsilon=1.0, sigma=1.0, nz=side, offset=-6.0, r_cut=2.5)
            for side in (1, -1)
        ],
        au.Langevin(dt=DT, kT=2.0, gamma=1.0),
        "fix walls all wall/lj93 zlo EDGE 1 1 2.5 zhi EDGE 1 1 2.5\n"
        "fix heat all langevin 2 2 1 71 gjf vhalf\nfix move all nve\n",
        2,
        {"along": 0.012, "across": 0.012},
    )


def driven():
    """A liquid that a force drives through its periodic box, at a speed of 0.5."""
    return Case(
        au.build.lattice("fcc", n=500, density=0.8),
        1.0,
        [au.UniformForce(fx=0.5)],
        au.Langevin(dt=DT, kT=1.0, gamma=1.0),
        "fix push all addforce 0.5 0 0\n"
        "fix heat all langevin 1 1 1 71 gjf vhalf\nfix move all nve\n",
        0,
        {"along": 0.012, "across": 0.012},
    )


def pulled():
    """A mixture with forces of opposite signs on its components, at a pressure of 1."""
    mixture = au.build.mixture(500, {"A": 1, "B": 1})
    return Case(
        au.build.lattice("fcc", n=500, density=0.567, **mixture),
        1.2,
        [
            au.UniformForce(fx=force, group=au.Type(name))
            for name, force in (("A", 0.5), ("B", -0.5))
        ],
        au.VelocityVerlet(
            dt=DT,
            thermostat=au.NoseHoover(T=1.2, tau=1.0, length=3),
            barostat=au.CRescale(P=1.0, tau=0.5, compressibility=0.2),
        ),
        "group a type 1\ngroup b type 2\n"
        "fix pull_a a addforce 0.5 0 0\nfix pull_b b addforce -0.5 0 0\n"
        "fix heat all npt temp 1.2 1.2 0.4 iso 1 1 1\n",
        0,
        {"along": 0.012, "across": 0.012, "density": 0.002},
    )


def compared(tensor, density, axis):
    """What is compared: the component of the tensor along the forces, the mean of those across."""
    across = [k for k in range(3) if k != axis]
    rows = np.asarray(tensor, dtype=float)
    return {"along": rows[:, axis], "across": rows[:, across].mean(axis=1), "density": density}


def ours(case, start, steps):
    rows = []

    def note(sim):
        rows.append([*np.diag(sim.pressure_tensor), sim.n / sim.box.volume])

    with au.Simulation(
        case.system,
        [LJ, *case.forces],
        case.integrator,
        [au.Callback(note, every=EVERY)],
        seed=3,
        threads=1,
    ) as sim:
        sim.thermalize(kT=case.kT)
        sim.run(start)
        rows.clear()
        sim.run(steps)
    found = np.array(rows)
    return compared(found[:, :3], found[:, 3], case.axis)


SCRIPT = """\
units lj
atom_style full
boundary {boundary}
read_data start.data
velocity all create {kT} 5
pair_style lj/cut/opt 2.5
pair_coeff * * 1 1
neighbor 0.4 bin
neigh_modify delay 0 every 1 check yes
timestep {dt}
{commands}thermo {every}
thermo_style custom step pxx pyy pzz density
thermo_modify norm no format float %.12g
run {start}
run {steps}
"""


def theirs(case, start, steps, folder):
    write_data(folder / "start.data", case.system)
    boundary = " ".join("p" if periodic else "f" for periodic in case.system.box.periodic)
    settings = {"dt": DT, "every": EVERY, "start": start, "steps": steps, "kT": case.kT}
    text = run(folder, SCRIPT.format(boundary=boundary, commands=case.commands, **settings))
    last = tables(text)[-1]
    tensor = np.column_stack([last[name] for name in ("Pxx", "Pyy", "Pzz")])
    return compared(tensor, last["Density"], case.axis)


@pytest.mark.parametrize("make", [walls, driven, pulled], ids=lambda make: make.__name__)
def test_tensors_are_those_of_lammps(make, tmp_path):
    case = make()
    here, there = ours(case, 5_000, 150_000), theirs(case, 5_000, 80_000, tmp_path)
    for name, largest in case.largest.items():
        (mean, error), (other, of_other) = (mean_and_error(s[name]) for s in (here, there))
        print(f"{make.__name__} {name}: {mean:.5f}({error:.5f}) and {other:.5f}({of_other:.5f})")
        assert np.hypot(error, of_other) < largest * other  # the next line means something
        assert abs(mean - other) < 3 * np.hypot(error, of_other), name


RIGID = """\
units real
atom_style full
read_data water.data extra/special/per/atom 4
pair_style zero 4.0
pair_coeff * *
bond_style zero
bond_coeff 1 1.0
angle_style zero
angle_coeff 1 {angle!r}
timestep 0.001
{force}fix rigid all shake 1e-12 200 0 b 1 a 1
fix move all nve
thermo_style custom step pxx pyy pzz pxy pxz pyz vol
thermo_modify format float %.15g
run 0
"""
TRAP = """\
variable fx atom -{0!r}*x
variable fy atom -{1!r}*y
variable fz atom -{2!r}*z
fix trap all addforce v_fx v_fy v_fz
"""


def rigid_virial_here(spring):
    """(6,) what a trap adds to the virial of rigid water at rest, and the water."""
    system = au.build.water(216, "spce").system()
    trap = au.HarmonicTrap(**dict(zip(("kx", "ky", "kz"), spring, strict=True)))
    virials = []
    pairs = [au.LennardJones(r_cut="0.8 nm"), au.PME(r_cut="0.8 nm")]
    for forces in (pairs, [*pairs, trap]):
        with au.Simulation(
            system, forces, au.LeapFrog(dt="0.01 fs"), precision="double", threads=1
        ) as sim:
            virials.append(sim.virial)
    added = virials[1] - virials[0]
    return [added[k] for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))], system


def test_only_constraints_answer_to_a_trap(tmp_path):
    """As there, the virial has no part of an external force but what rigid bonds have to bear."""
    spring = (20.0, 40.0, 10.0)  # kJ/mol/nm^2
    here, system = rigid_virial_here(spring)
    oxygen = np.arange(0, system.n, 3)
    there = au.System(
        au.Box(*(10 * system.box.lengths).tolist()),
        10 * system.position,
        mass=system.mass,
        type=system.type,
    )
    bonds = np.concatenate([np.column_stack([oxygen, oxygen + k]) for k in (1, 2)])
    angles = np.column_stack([oxygen + 1, oxygen, oxygen + 2])
    write_data(tmp_path / "water.data", there, bonds={"OH": bonds}, angles={"HOH": angles})
    angle = 2 * np.degrees(np.arcsin(0.8164966)).item()  # of SPC/E: that of a tetrahedron
    pressures = []
    for force in ("", TRAP.format(*(k / 418.4 for k in spring))):
        row = tables(run(tmp_path, RIGID.format(angle=angle, force=force)))[0]
        pressures.append(
            np.array([row[f"P{ab}"][0] for ab in ("xx", "yy", "zz", "xy", "xz", "yz")])
        )
    kcal = 68568.415  # atm angstrom^3, in LAMMPS' update.cpp
    added = (pressures[1] - pressures[0]) * row["Volume"][0] / kcal * 4.184
    assert np.allclose(added, here, rtol=0, atol=1e-4 * np.abs(here).max())
    assert np.abs(here).max() > 10
