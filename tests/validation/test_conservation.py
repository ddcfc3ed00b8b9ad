# SPDX-License-Identifier: Apache-2.0
"""NVE: the energy fluctuates as dt^2, does not drift, and momentum stays."""

from __future__ import annotations

import aureole as au
import numpy as np

FORCE = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5, r_switch=2.0, mode="xplor")


def liquid(n, precision, steps=4000):
    """An equilibrated liquid at density 0.8442, warm enough that it does not freeze later.

    A change of structure during the run would change the energy too: at order dt^2 it depends on
    the mean square force. That would be no drift of the integrator.
    """
    sim = au.Simulation(
        au.build.lattice("fcc", n=n, density=0.8442),
        [FORCE],
        au.Langevin(dt=0.004, kT=2.0, gamma=2.0),
        seed=3,
        precision=precision,
    )
    sim.thermalize(kT=4.0)
    sim.run(steps)
    sim.integrator = au.Langevin(dt=0.004, kT=0.9, gamma=2.0)
    sim.run(2 * steps)
    sim.integrator = au.NVE(dt=0.004)
    sim.run(steps)
    return sim.snapshot()


def energies(system, dt, steps, every, precision):
    """Total energies along a run, and the momenta at its ends."""
    sim = au.Simulation(system, [FORCE], au.NVE(dt=dt), precision=precision)
    begin, seen = sim.momentum, [sim.energy.total]
    for _ in range(steps // every):
        sim.run(every)
        seen.append(sim.energy.total)
    return np.array(seen), begin, sim.momentum


def test_fluctuation_falls_as_dt_squared(scale, tell):
    # Equal times and equally spaced samples for the three steps. The shadow Hamiltonian of velocity
    # Verlet differs from the energy by terms of order dt^2.
    system = liquid(2048, "double")
    steps = [0.001, 0.002, 0.004]
    time = 40.0 * scale
    spread = []
    for dt in steps:
        e, _, _ = energies(system, dt, round(time / dt), round(0.02 / dt), "double")
        spread.append(e.std() / system.n)
    slope = float(np.polyfit(np.log(steps), np.log(spread), 1)[0])
    tell("nve slope", slope=slope, spread=[float(s) for s in spread])
    assert abs(slope - 2.0) <= 0.1


def test_drift_in_mixed_precision(scale, tell):
    n, count = 4000, int(100_000 * scale)
    system = liquid(n, "mixed")
    e, begin, end = energies(system, 0.005, count, 50, "mixed")
    slope = np.polyfit(np.arange(len(e)) * 50.0, e / n, 1)[0]
    drift = float(slope * count)
    moved = float(np.abs(end - begin).max())
    tell("nve drift", steps=count, drift_per_particle=drift, momentum_change=moved)
    assert abs(drift) < 1e-4
    # Rounding of n terms of order one: forces act in pairs, but are summed in single precision,
    # 6e-8 each, so that dt times their sum walks at random over the steps.
    typical = 6e-8 * 0.005 * 60 * np.sqrt(n * count)
    assert moved < 10 * typical


def test_momentum_in_double_precision(scale, tell):
    n, count = 2048, int(20_000 * scale)
    _, begin, end = energies(liquid(n, "double"), 0.005, count, 100, "double")
    moved = float(np.abs(end - begin).max())
    tell("momentum", steps=count, change=moved)
    assert moved < 10 * 1.1e-16 * 0.005 * 60 * np.sqrt(n * count) + 1e-12 * n**0.5
