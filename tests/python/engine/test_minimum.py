# SPDX-License-Identifier: Apache-2.0
"""Which way to a minimum is taken where none is named, how it ends, and what is seen of it."""

import warnings

import aureole as au
import numpy as np
import pytest


def beads(**more):
    """Beads on a distorted grid, bound in pairs that are too long."""
    rng = np.random.default_rng(2)
    grid = np.stack(np.meshgrid(*[np.arange(6)] * 3), axis=-1).reshape(-1, 3) * 1.1
    pairs = np.arange(216).reshape(-1, 2)
    system = au.System(6.6, grid + rng.normal(0, 0.05, grid.shape), bonds={"b": pairs})
    forces = [
        au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5, mode="shift"),
        au.HarmonicBond(r0=0.97, k=500.0),
    ]
    return au.Simulation(system, forces, au.NVE(dt=0.002), **more)


def test_bonded_beads_reach_a_minimum():
    found = beads().minimize()
    assert found.converged and found.max_force < 1e-3
    descent = beads().minimize(au.SteepestDescent(max_steps=found.steps))
    assert descent.max_force > 100 * found.max_force


def test_a_limit_that_nobody_asked_for_is_told(monkeypatch):
    """The one of a minimiser that was chosen for the system."""
    sim = beads()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sim.minimize(max_steps=3).steps == 3
    short = au.SteepestDescent(max_steps=4, force_tolerance=1e-9)
    monkeypatch.setattr("aureole.simulation.minimization._suitable", lambda _: short)
    with pytest.warns(UserWarning, match="at its limit of 4 steps: the largest force is"):
        sim.minimize()


def test_why_it_ended_is_told():
    """Forces in single precision cannot fall as low as this."""
    pair = au.System(8.0, [[0, 0, 0], [0.7, 0.8, 0.3]])
    lj = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
    sim = au.Simulation(pair, [lj], precision="mixed")
    assert sim.minimize(max_steps=3).reason == "its limit of 3 steps"
    told = r"ended at the precision of the forces: .*Give a larger force_tolerance, or use prec"
    with pytest.warns(UserWarning, match=told):
        found = sim.minimize(au.SteepestDescent(force_tolerance=1e-12, max_steps=None))
    assert found.reason == "the precision of the forces" and not found.converged
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = sim.minimize(au.SteepestDescent(force_tolerance=2 * found.max_force))
    assert again.converged and again.reason == "its force tolerance"
    sim = au.Simulation(pair, [lj], precision="double")  # where no higher one is advised
    with pytest.warns(UserWarning, match=r"Give a larger force_tolerance$"):
        sim.minimize(au.SteepestDescent(force_tolerance=1e-300, max_steps=None))


@pytest.mark.parametrize(
    "do", [lambda sim: sim.run(10), lambda sim: sim.minimize(), lambda sim: sim.energy.potential]
)
def test_broken_bonds_are_named(do):
    """That across the boundary is short."""
    ends = [[0, 0, 0], [1.6, 0, 0], [0, 3, 4.8], [0, 3, -4.3]]
    system = au.System(au.Box(10, 10, 10), ends, bonds={"b": [[2, 3], [0, 1]]})
    sim = au.Simulation(system, [au.FeneBond(r_max=1.5, k=30.0)], au.NVE(dt=0.005))
    with pytest.raises(au.Error, match=r"FENE bond 0-1 is 1\.6 long, r_max is 1\.5\. A start"):
        do(sim)


def test_particles_behind_a_wall_are_named():
    system = au.System(au.Box(10, 10, 10, periodic="ppf"), [[0, 0, 1], [0, 0, 2], [0, 0, -1]])
    wall = au.LennardJonesWall(epsilon=1, sigma=1, offset=0, r_cut=2.5)
    sim = au.Simulation(system, [wall], au.NVE(dt=0.005), threads=1)
    with pytest.raises(au.Error, match=r"Particle 2 is behind the wall .*; 1 are\."):
        sim.run(10)


def test_progress_is_shown(capsys):
    sim = beads(observers=[au.Progress(lines=True)])
    sim.minimize(au.SteepestDescent(max_steps=20))
    said = capsys.readouterr().err
    assert " of at most 20  energy" in said and "steps  energy" in said and "(goal" in said


@pytest.mark.parametrize("integrator", [au.NVE(dt=0.005), au.LeapFrog(dt=0.005)])
def test_a_speed_limit_relaxes_points_at_random(integrator):
    """Overlaps of any depth: without the limit the first step throws particles out of the box."""
    edge = 8.0
    points = np.random.default_rng(1).uniform(-edge / 2, edge / 2, (400, 3))

    def simulate(**options):
        liquid = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)
        return au.Simulation(au.System(au.Box.of(edge), points), [liquid], integrator, **options)

    with simulate() as sim, pytest.raises(au.BlowUpError):
        sim.run(10)
    with simulate(stages=[au.SpeedLimit(v_max=5.0)]) as sim:
        sim.run(500)
        assert sim.energy.potential < -3 * sim.n


def test_energies_before_a_minimisation():
    """Of waters that overlap, whose velocities half a step before the start overflow."""
    water = au.build.water(100).system()
    place = water.position.copy()
    place[3:6] = place[:3] + np.array([0.15, 0, 0])
    forces = [au.LennardJones(r_cut=0.6), au.ReactionField(r_cut=0.6)]
    sim = au.Simulation(water.replace(position=place), forces, au.LeapFrog(dt="4 fs"), threads=1)
    with pytest.raises(au.Error, match="the energy is not finite at step 0"):
        _ = sim.temperature
    found = sim.energy
    assert found.kinetic > 1e99
    assert found.potential == pytest.approx(sim.minimize(max_steps=0).energy)
    assert found.potential == pytest.approx(sum(found.per_force.values())) and found.potential > 1e4
    sim.minimize(max_steps=100)
    assert np.isfinite(sim.energy.total)


def test_waters_that_are_to_start_a_run():
    """They reach the goal, without a warning, and a spec has its own goal."""
    sim = au.Simulation(
        au.build.water(300, seed=1).system(),
        [au.LennardJones(r_cut=0.9), au.PME(r_cut=0.9)],
        au.LeapFrog(dt="2 fs"),
        threads=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sim.minimize()
    assert found.converged and 100 < found.max_force < 1000
    assert not sim.minimize(au.SteepestDescent(max_steps=3)).converged
    assert sim.minimize(force_tolerance=500).max_force < 500
