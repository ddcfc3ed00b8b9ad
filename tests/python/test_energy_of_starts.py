# SPDX-License-Identifier: Apache-2.0
"""Total energies of starts far from equilibrium: with default lists as with exact ones.

With lists that nobody watched, these gained 150,000, 56 and 24 kJ/mol; where repulsion counted for
nothing and virtual sites were not watched, 2 and 73.
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


def exact(sim: au.Simulation) -> au.Simulation:
    """The same start with exact lists."""
    same: dict[str, Any] = {"forces": sim.forces, "integrator": sim.integrator, "threads": 1}
    return au.Simulation(sim.snapshot(), neighbors=au.NeighborList(mode="exact"), **same)


def late_energy(sim: au.Simulation, steps: int) -> float:
    """Mean total energy of the second half: at 20 fs it goes up and down by 0.7 kJ/mol."""
    sim.run(steps // 2)
    looks = 20
    return sum(sim.run(steps // 2 // looks).energy.total for _ in range(looks)) / looks


@pytest.mark.parametrize(
    "start, steps, allowed",
    [
        *((beads, 400, 1.0), (helium, 2000, 1.0), (water, 400, 1.0), (repulsion, 300, 1.0)),
        (levers, 600, 4.0),  # three times what the tolerance allows is 2.9 in that time
    ],
)
def test_default_lists_keep_the_energy_that_exact_ones_keep(here, start, steps, allowed):
    with start(here) as sim, exact(sim) as other:
        assert sim.energy.total == pytest.approx(other.energy.total, abs=1e-6)
        assert abs(late_energy(sim, steps) - late_energy(other, steps)) < allowed
