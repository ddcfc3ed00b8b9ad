# SPDX-License-Identifier: Apache-2.0
"""Energies of starts far from equilibrium: with default lists as with exact ones.

With lists that nobody watched, these gained 150,000, 56 and 24 kJ/mol; where repulsion counted for
nothing and virtual sites were not watched, 2 and 73; and by faults of the watch 10,000 and more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest

KT = 2.494  # kJ/mol, at 300 K
TOPOLOGY = """\
[ defaults ]
1 2 no 1 1
[ atomtypes ]
X 0 {mass} 0.0 A {sigma} {epsilon}
[ moleculetype ]
X 1
[ atoms ]
1 X 1 X X 1 0
[ system ]
gas
[ molecules ]
X 216
"""
PARAMETERS = """\
integrator = md
dt = {dt}
nsteps = {steps}
rcoulomb = 1.1
rvdw = 1.1
coulombtype = cut-off
tcoupl = no
gen-vel = {gen_vel}
gen-temp = 300
gen-seed = 3
"""


def gas(
    folder: Path, edge: float, parameters: str, topology: str = TOPOLOGY, **numbers: float
) -> au.Simulation:
    """216 particles near a lattice in a cube, with all else as mdrun has it by default."""
    sites = (np.array(list(np.ndindex(6, 6, 6))) + 0.5) * edge / 6
    places = sites + np.random.default_rng(5).uniform(-0.05, 0.05, sites.shape)
    rows = [
        f"{k:5d}X    {'X':>5}{k:5d}{x:8.3f}{y:8.3f}{z:8.3f}"
        for k, (x, y, z) in enumerate(places, 1)
    ]
    (folder / "conf.gro").write_text("\n".join(["gas", "216", *rows, f"{edge:10.5f}" * 3, ""]))
    (folder / "topol.top").write_text(topology.format(**numbers))
    (folder / "grompp.mdp").write_text(parameters)
    files = [str(folder / name) for name in ("conf.gro", "topol.top", "grompp.mdp")]
    return au.from_gromacs(*files, maxwarn=9, threads=1)


def beads(folder: Path) -> au.Simulation:
    """A dilute gas of Martini's beads, which begins to condense, at 20 fs."""
    parameters = PARAMETERS.format(dt=0.02, steps=400, gen_vel="yes")
    return gas(folder, 6.0, parameters, mass=72.0, sigma=0.47, epsilon=5.0)


def helium(folder: Path) -> au.Simulation:
    """Light atoms."""
    parameters = PARAMETERS.format(dt=0.002, steps=2000, gen_vel="yes")
    return gas(folder, 4.0, parameters, mass=4.0026, sigma=0.2556, epsilon=0.085)


def water(folder: Path) -> au.Simulation:
    """Rigid molecules at rest, as they were put into the box: they heat themselves."""
    built = au.build.water(216, "spce").system()
    return au.Simulation(
        built.replace(velocity=np.zeros((built.n, 3))),
        forces=[au.LennardJones(r_cut=0.9, mode="shift"), au.ReactionField(r_cut=0.9)],
        integrator=au.LeapFrog(dt=0.0005),
        neighbors=au.NeighborList(mode="tolerance"),
        threads=1,
    )


def repulsion(folder: Path) -> au.Simulation:
    """Particles that only repel each other, as those of Gō models do, with a cut-off at two σ."""
    topology = TOPOLOGY.replace("1 2 no", "1 1 no")  # C₆ and C₁₂
    parameters = PARAMETERS.replace("1.1", "0.8").format(dt=0.002, steps=300, gen_vel="yes")
    twelve = 4 * 0.2 * 0.4**12
    return gas(folder, 5.2, parameters, topology, mass=20.0, sigma=0.0, epsilon=twelve)


def levers(folder: Path) -> au.Simulation:
    """Rods whose charge is on a virtual site far beyond their end."""
    rng = np.random.default_rng(2)
    n, edge, far, mass = 216, 6.8, 0.3, 2.0
    middle = ((np.array(list(np.ndindex(6, 6, 6))) + 0.5) / 6 - 0.5) * edge
    along = rng.normal(size=(n, 3))
    along /= np.linalg.norm(along, axis=1)[:, None]
    first = middle - 0.05 * along
    position = np.stack([first, first + 0.1 * along, first + far * along], axis=1).reshape(-1, 3)
    velocity = rng.normal(size=(n, 3, 3)) * np.sqrt(KT / mass)
    velocity[:, 2] = 0
    tag = 3 * np.arange(n)[:, None]
    system = au.System(
        edge,
        position,
        velocity=velocity.reshape(-1, 3),
        mass=np.tile([mass, mass, 0.0], n),
        charge=np.tile([0.0, 0.0, 0.4], n),
        terms={
            "constraint": (np.add(tag, [0, 1]), 0.1),
            "vsite2fd": (np.add(tag, [2, 0, 1]), far),
        },
        units="molecular",
    )
    return au.Simulation(
        system,
        forces=[
            au.LennardJones(epsilon=0.1, sigma=0.25, r_cut=0.9, mode="shift"),
            au.ReactionField(r_cut=0.9),
        ],
        integrator=au.LeapFrog(dt=0.0005),
        neighbors=au.NeighborList(mode="tolerance"),
        threads=1,
    )


def grid(side: int, edge: float) -> np.ndarray[Any, Any]:
    """A simple cubic lattice in the middle of a cube."""
    return ((np.array(list(np.ndindex(side, side, side))) + 0.5) / side - 0.5) * edge


def uncoupled(dt: float) -> au.LeapFrog:
    """Lists are planned for 100 K, which a thermostat hardly keeps."""
    return au.LeapFrog(dt=dt, thermostat=au.VRescale(T=100, tau=1e6))


def simulated(system: au.System, integrator: Any, forces: list[Any], **more: Any) -> au.Simulation:
    """A simulation with default lists, the tolerance of which is that of mdrun."""
    tolerance = au.NeighborList(mode="tolerance")
    options = {"threads": 1} | more
    return au.Simulation(system, forces, integrator, neighbors=tolerance, **options)


def of_the_second_type() -> list[Any]:
    """Forces between charged particles of the second type alone, for systems of types A and B."""
    epsilon = {("A", "A"): 0, ("A", "B"): 0, ("B", "B"): 1.0}
    return [
        au.LennardJones(epsilon=epsilon, sigma=0.3, r_cut=1.0, mode="shift"),
        au.ReactionField(r_cut=1.0),
    ]


def thermal(rng: np.random.Generator, mass: Any, T: Any) -> np.ndarray[Any, Any]:
    """Velocities of a Maxwell-Boltzmann distribution [nm/ps]."""
    mass = np.asarray(mass, dtype=float)
    return rng.normal(size=(len(mass), 3)) * np.sqrt(0.0083145 * T / mass)[:, None]


def deuterium(folder: Path) -> au.Simulation:
    """Hot ions of twice the mass, to three digits, of cold atoms that do nothing."""
    rng = np.random.default_rng(3)
    order = rng.permutation(1728)
    mass = np.where(np.arange(1728) < 192, 1.008, 2.014)
    cold = mass < 2
    charge = np.where(cold, 0, np.where(np.arange(1728) % 2 == 0, 0.3, -0.3))
    system = au.System(
        8.0,
        grid(12, 8.0)[order] + rng.normal(0, 0.01, (1728, 3)),
        velocity=thermal(rng, mass, np.where(cold, 100, 3000)),
        mass=mass,
        charge=charge,
        type=np.where(cold, 0, 1),
        type_names=("A", "B"),
        units="molecular",
    )
    return simulated(system, uncoupled(0.0005), of_the_second_type())


def streams(folder: Path) -> au.Simulation:
    """Rigid dimers that move as a whole, past each other; what interacts is light."""
    rng = np.random.default_rng(3)
    n = 1000
    along = rng.normal(size=(n, 3))
    along /= np.linalg.norm(along, axis=1)[:, None]
    place = grid(10, 6.0)
    velocity = thermal(rng, np.full(n, 41.0), 100)
    velocity[:, 0] += np.where(np.arange(n) // 10 % 2 == 0, 5.0, -5.0)
    system = au.System(
        6.0,
        np.stack([place, place + 0.1 * along], axis=1).reshape(-1, 3),
        velocity=np.repeat(velocity, 2, axis=0),
        mass=np.tile([40.0, 1.0], n),
        charge=np.stack([np.zeros(n), np.where(np.arange(n) % 2 == 0, 0.3, -0.3)], 1).ravel(),
        type=np.tile([0, 1], n),
        type_names=("A", "B"),
        terms={"constraint": (2 * np.arange(n)[:, None] + np.array([0, 1]), 0.1)},
        units="molecular",
    )
    return simulated(system, uncoupled(0.002), of_the_second_type())


def past_walls(folder: Path) -> au.Simulation:
    """Cold layers that flow past others that are frozen."""
    rng = np.random.default_rng(1)
    n = 1728
    wall = np.arange(n) // 12 % 12 % 4 < 2
    velocity = np.where(wall[:, None], 0.0, thermal(rng, np.full(n, 40.0), 20))
    velocity[~wall, 0] += 4.0
    system = au.System(
        6.0,
        grid(12, 6.0) + rng.normal(0, 0.01, (n, 3)),
        velocity=velocity,
        mass=40.0,
        groups={"wall": np.nonzero(wall)[0]},
        units="molecular",
    )
    return simulated(
        system,
        au.Bussi(dt=0.002, kT="0.1663 kJ/mol", tau=5.0),
        forces=[au.LennardJones(epsilon=1.0, sigma=0.34, r_cut=1.0, mode="shift")],
        constraints=[au.Freeze(group="wall")],
    )


def fast_ions(folder: Path) -> au.Simulation:
    """A few hot ions among many cold atoms of the same mass."""
    rng = np.random.default_rng(3)
    ions, atoms = 216, 8000
    mass = np.full(ions + atoms, 40.0)
    places = grid(6, 6.0)[rng.permutation(ions)] + rng.normal(0, 0.05, (ions, 3))
    system = au.System(
        6.0,
        np.concatenate([places, rng.uniform(-3, 3, (atoms, 3))]),
        velocity=thermal(rng, mass, np.where(np.arange(ions + atoms) < ions, 10_000, 100)),
        mass=mass,
        charge=np.where(np.arange(ions + atoms) < ions, 1.0, 0.0),
        units="molecular",
    )
    return simulated(system, uncoupled(0.001), forces=[au.ReactionField(r_cut=1.0)])


def fluid(folder: Path) -> au.Simulation:
    """A Lennard-Jones fluid in equilibrium, whose attraction and repulsion do not cancel."""
    forces = [au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=1.2, mode="shift")]
    device = au.Device(algorithm="flat", threads=1, precision="double")
    system = au.build.random(4000, 0.3, min_distance=0.9, seed=1)
    start = au.Simulation(system, forces, au.Langevin(dt=0.005, kT=1.0, gamma=1.0), device=device)
    start.thermalize(1.0)
    start.run(1000)
    return simulated(start.snapshot(), au.NVE(dt=0.005), forces=forces, device=device, threads=None)


def exact(sim: au.Simulation) -> au.Simulation:
    """The same start with exact lists."""
    same: dict[str, Any] = {"forces": sim.forces, "integrator": sim.integrator, "threads": 1}
    same |= {"constraints": sim.constraints, "neighbors": au.NeighborList(mode="exact")}
    return au.Simulation(sim.snapshot(), **same)


def late_energy(sim: au.Simulation, steps: int) -> float:
    """Mean of the second half: at 20 fs the total energy goes up and down by 0.7 kJ/mol."""
    sim.run(steps // 2)
    looks = 20
    return sum(_energy(sim.run(steps // 2 // looks)) for _ in range(looks)) / looks


def _energy(sim: au.Simulation) -> float:
    return sim.conserved if sim.has_conserved else sim.energy.total


@pytest.mark.parametrize(
    "start, steps, allowed",
    [
        *((beads, 400, 1.0), (helium, 2000, 1.0), (water, 400, 1.0), (repulsion, 300, 1.0)),
        (levers, 600, 4.0),  # three times what the tolerance allows is 2.9 in that time
        # As much as the tolerance allows:
        (deuterium, 360, 1.6),
        (streams, 160, 3.2),
        (past_walls, 480, 8.3),
        (fast_ions, 320, 13.0),
        (fluid, 640, 64.0),
    ],
)
def test_default_lists_keep_the_energy_that_exact_ones_keep(here, start, steps, allowed):
    with start(here) as sim, exact(sim) as other:
        assert sim.energy.total == pytest.approx(other.energy.total, rel=1e-6)
        assert abs(late_energy(sim, steps) - late_energy(other, steps)) < allowed


def test_a_field_pushes_suddenly_once_lists_were_calm():
    """Lists are looked at in each step where a field changes with time."""
    rng = np.random.default_rng(3)
    n = 1000
    mass = np.full(n, 40.0)
    system = au.System(
        7.5,
        grid(10, 7.5)[rng.permutation(n)] + rng.normal(0, 0.01, (n, 3)),
        velocity=thermal(rng, mass, 20),
        mass=mass,
        charge=np.where(np.arange(n) % 2 == 0, 0.2, -0.2),
        units="molecular",
    )
    forces = [
        au.LennardJones(epsilon=1.0, sigma=0.3, r_cut=1.0, mode="shift"),
        au.ReactionField(r_cut=1.0),
        au.ElectricField(
            strength=(400.0, 0, 0), omega=(50.0, 0, 0), centre=(1.4, 0, 0), width=(0.02, 0, 0)
        ),
    ]
    integrator = au.LeapFrog(dt=0.002, thermostat=au.VRescale(T=20, tau=2))
    device = au.Device(algorithm="flat", threads=1)
    with simulated(system, integrator, forces=forces, device=device, threads=None) as sim:
        sim.run(660)
        for _ in range(16):
            sim.run(5)
            with exact(sim) as other:
                missed = sim.energy.potential - other.energy.potential
            assert abs(missed) < 1.0, sim.step  # tolerated in a list of 20 steps: 0.2
