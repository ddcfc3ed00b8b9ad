# SPDX-License-Identifier: Apache-2.0
"""Thermostats draw from the canonical ensemble, by the package physical_validation.

Merz and Shirts, PLoS ONE 13, e0202764 (2018). Two ways: the kinetic energies have the Maxwell-
Boltzmann distribution; and the ratio of two distributions of the potential energy, at two
temperatures, is the Boltzmann factor of their difference.
"""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest

try:  # `make validate` installs it; `make test` has none of these tests
    import physical_validation as pv
except ImportError:
    pv = None

N, DENSITY, DT = 256, 0.4, 0.001
THERMOSTATS = {
    "Langevin": lambda kT: au.Langevin(dt=DT, kT=kT, gamma=2.0),
    "Bussi": lambda kT: au.Bussi(dt=DT, kT=kT, tau=0.2),
}


def sample(thermostat, kT, count, every):
    """physical_validation's data of one run."""
    kinetic, potential = [], []

    def note(sim):
        kinetic.append(sim.energy.kinetic)
        potential.append(sim.energy.potential)

    force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5, mode="xplor", r_switch=2.0)
    settings = dict(forces=[force], integrator=THERMOSTATS[thermostat](kT), threads=1)
    warm = au.Simulation(au.build.lattice("fcc", n=N, density=DENSITY), seed=11, **settings)
    warm.thermalize(kT=kT)
    warm.run(20_000)
    observers = [au.Callback(note, every=every)]
    sim = au.Simulation(warm.snapshot(), observers=observers, seed=12, **settings)
    sim.run(count * every)
    lost = 3 * N - sim.dof
    return pv.data.SimulationData(
        units=pv.data.UnitData(
            kb=1.0,
            energy_str="eps",
            energy_conversion=1.0,
            length_str="sigma",
            length_conversion=1.0,
            volume_str="sigma^3",
            volume_conversion=1.0,
            temperature_str="eps/k",
            temperature_conversion=1.0,
            pressure_str="eps/sigma^3",
            pressure_conversion=1.0,
            time_str="tau",
            time_conversion=1.0,
        ),
        dt=DT * every,
        ensemble=pv.data.EnsembleData("NVT", natoms=N, volume=N / DENSITY, temperature=kT),
        system=pv.data.SystemData(
            natoms=N,
            nconstraints=0,
            ndof_reduction_tra=lost,
            ndof_reduction_rot=0,
            mass=np.ones(N),
        ),
        observables=pv.data.ObservableData(
            kinetic_energy=np.array(kinetic[1:]),
            potential_energy=np.array(potential[1:]),
            total_energy=np.array(kinetic[1:]) + np.array(potential[1:]),
            volume=np.full(len(kinetic) - 1, N / DENSITY),
        ),
    )


@pytest.mark.skipif(pv is None, reason="pip install physical_validation")
@pytest.mark.parametrize("thermostat", THERMOSTATS)
def test_canonical(scale, tell, thermostat):
    count, every = int(3000 * scale), 400
    low = sample(thermostat, 1.2, count, every)
    # Narrow enough that the distributions overlap well, wide enough to tell a wrong slope.
    high = sample(thermostat, 1.26, count, every)
    for data, kT in ((low, 1.2), (high, 1.26)):
        p = float(pv.kinetic_energy.distribution(data, strict=True, verbosity=0))
        mean, width = pv.kinetic_energy.distribution(data, strict=False, verbosity=0)
        tell(f"{thermostat} kinetic {kT}", p=p, mean_sigmas=float(mean), width_sigmas=float(width))
        assert p > 0.01
        assert abs(mean) < 3 and abs(width) < 3
    quantile = pv.ensemble.check(low, high, total_energy=False, verbosity=0)
    tell(f"{thermostat} ensemble", sigmas=[float(q) for q in np.atleast_1d(quantile)])
    assert max(abs(q) for q in np.atleast_1d(quantile)) < 3
