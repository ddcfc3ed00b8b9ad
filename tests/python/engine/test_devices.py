# SPDX-License-Identifier: Apache-2.0
"""A device's results are the host's: the same functors, other loops and another order of sums.

The algorithm of devices also runs on host threads (flat lists), so that it is tested everywhere;
the same tests run on the GPU in `make gpu-check`.
"""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest

DEVICES = ["flat", pytest.param("cuda:0", marks=pytest.mark.gpu)]
MODES = {
    "none": {},
    "shift": dict(mode="shift"),
    "force-shift": dict(mode="force-shift"),
    "xplor": dict(mode="xplor", r_switch=1.8),
}
# Both round each pair's force and coordinates differently: single and double precision's 2^-24 and
# 2^-53, times the steepness (about 14) and the number of neighbours (about 60) of a liquid.
TOLERANCE = {"mixed": 2e-5, "double": 1e-11}


def simulation(device, n=1000, integrator=None, precision="mixed", **options):
    system = au.build.lattice("fcc", n=n, density=0.8)
    force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5, **options)
    sim = au.Simulation(
        system,
        [force],
        integrator or au.NVE(dt=0.005),
        device=au.Device(
            name="cuda:0" if device == "cuda:0" else "host",
            algorithm="flat" if device == "flat" else "auto",
            precision=precision,
            threads=1,
        ),
        seed=3,
    )
    sim.thermalize(kT=1.4)
    return sim


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("mode", MODES)
def test_forces_energies_and_virials(device, precision, mode):
    here = simulation("host", precision=precision, **MODES[mode])
    here.run(100)
    there = simulation(device, precision=precision, **MODES[mode])
    for name in ("position", "velocity"):
        there.set(name, here.get(name))
    tolerance = TOLERANCE[precision]
    want = here.get("force")
    assert np.abs(there.get("force") - want).max() < tolerance * np.abs(want).max()
    for name in ("energy", "virial"):
        want = here.get(name)
        assert np.abs(there.get(name) - want).max() < tolerance * np.abs(want).max()
    want = here.energy.potential
    assert abs(there.energy.potential - want) < tolerance * abs(want)
    assert abs(there.temperature - here.temperature) < 1e-12
    scale = np.abs(here.virial).max()
    assert np.abs(there.virial - here.virial).max() < tolerance * scale


@pytest.mark.parametrize("device", DEVICES)
def test_trajectories_begin_alike(device):
    """Until the Lyapunov instability has blown up rounding: 40 steps of a liquid, double."""
    found = []
    for where in ("host", device):
        sim = simulation(where, precision="double")
        sim.run(40)
        found.append(sim.get("position"))
    d = found[0] - found[1]
    edge = 1000 ** (1 / 3) / 0.8 ** (1 / 3)
    d -= edge * np.round(d / edge)
    assert np.abs(d).max() < 1e-9


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "integrator",
    [
        au.NVE(dt=0.005),
        au.Langevin(dt=0.005, kT=1.0, gamma=1.0),
        au.Bussi(dt=0.005, kT=1.0, tau=0.5),
    ],
    ids=lambda i: type(i).__name__,
)
def test_runs_repeat_to_the_bit(device, integrator):
    found = []
    for _ in range(2):
        sim = simulation(device, integrator=integrator)
        sim.run(200)
        found.append((sim.get("position"), sim.get("velocity")))
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("device", DEVICES)
def test_energy_and_momentum_are_kept(device):
    sim = simulation(device, precision="double", mode="xplor", r_switch=2.0)
    sim.run(100)
    before = sim.energy.potential + sim.energy.kinetic
    sim.run(400)
    after = sim.energy.potential + sim.energy.kinetic
    # Fluctuations of velocity Verlet at dt 0.005 are a few 1e-4 epsilon per particle.
    assert abs(after - before) < 1e-3 * 1000
    assert np.abs(sim.momentum).max() < 1e-9


@pytest.mark.gpu
def test_gpu_columns_are_seen_in_place():
    cupy = pytest.importorskip("cupy", reason="cupy reads the GPU's memory in this test")
    sim = simulation("cuda:0").run(10)
    with sim.arrays as a:
        for name in ("position", "velocity", "force", "mass", "type", "image", "tag"):
            want = sim.get(name, order="local")
            assert np.array_equal(cupy.asnumpy(cupy.asarray(getattr(a, name))), want)
            assert np.array_equal(cupy.asnumpy(cupy.from_dlpack(getattr(a, name))), want)
