# SPDX-License-Identifier: Apache-2.0
"""A melt in reduced units with a thermostat and a barostat."""

from __future__ import annotations

import aureole as au


def melt(barostat: au.CRescale | None = None, **more: object) -> au.Simulation:
    """A Lennard-Jones melt of 500 particles."""
    sim = au.Simulation(
        au.build.lattice("fcc", n=500, density=0.8),
        forces=[au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)],
        integrator=au.LeapFrog(dt=0.004, thermostat=au.VRescale(T=1.0, tau=0.5), barostat=barostat),
        seed=1,
        threads=1,
        **more,
    )
    return sim.thermalize(kT=1.0)
