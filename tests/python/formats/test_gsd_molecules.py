# SPDX-License-Identifier: Apache-2.0
"""GSD files of molecules: what HOOMD's schema holds of them, through restarts and full disks."""

from __future__ import annotations

import errno
import warnings

import aureole as au
import gsd.hoomd
import numpy as np
import pytest
from aureole.formats import gsd as gsdfile
from aureole.system.bonded_pairs import bonded_pairs
from mdrun_inputs import intervals, mdrun
from output_tools import chains, finish_rescued, frames_by_mdanalysis, mdanalysis

SPEC = au.Frames("a.gsd", 20, velocities=True, forces=True)


def frames(path="a.gsd"):
    with gsd.hoomd.open(path, "r") as file:
        found = list(file)
    for frame in found:
        frame.validate()
    return found


def numbers(path="a.gsd"):
    """All that frames hold of particles, as bytes."""
    columns = ("position", "image", "velocity", "typeid", "mass", "charge")
    return [
        (
            int(frame.configuration.step),
            *(getattr(frame.particles, name).tobytes() for name in columns),
            frame.log["particles/force"].tobytes(),
            frame.bonds.group.tobytes(),
        )
        for frame in frames(path)
    ]


def unwrapped(frame):
    box = au.Box(*map(float, frame.configuration.box))
    return frame.particles.position + frame.particles.image @ box.matrix.T


def test_what_hoomd_reads(here):
    """Every column is that of the engine; charges and masses those of the topology."""
    seen = []
    names = ("position", "velocity", "force")
    note = au.Callback(lambda s: seen.append([s.get(name) for name in names]), 20)
    sim, job = chains(here, [SPEC, note])
    with sim:
        sim.run(50)
    atoms = job.topology.expand_atoms()
    found = frames()
    assert [frame.configuration.step for frame in found] == [0, 20, 40]
    for frame, (position, velocity, force) in zip(found, seen, strict=True):
        particles, side = frame.particles, sim.box.lx
        assert particles.N == 162
        away = particles.position - position
        assert np.abs(away - side * np.rint(away / side)).max() < 2e-7
        assert np.abs(particles.position).max() <= side / 2 * (1 + 1e-6)
        assert np.allclose(particles.velocity, velocity, rtol=3e-7)
        assert np.allclose(frame.log["particles/force"], force, rtol=3e-7, atol=1e-4)
        assert np.allclose(frame.configuration.box, sim.box.six, rtol=1e-7)
        kinds = np.array(particles.types)[particles.typeid]
        assert kinds.tolist() == [job.topology.nonbonded.type_names[k] for k in atoms.type]
        assert np.array_equal(particles.charge, atoms.charge.astype(np.float32))
        assert np.array_equal(particles.mass, sim.get("mass").astype(np.float32))
    assert np.ptp(found[0].particles.charge) > 0


def test_bonds(here):
    """Each chain of six has its five bonds, which are short and named by what they join."""
    sim, _ = chains(here, [SPEC])
    with sim:
        sim.run(0)
    bonds, particles = frames()[0].bonds, frames()[0].particles
    first = 6 * np.repeat(np.arange(27), 5) + np.tile(np.arange(5), 27)
    assert bonds.N == 135
    assert np.array_equal(bonds.group, np.stack([first, first + 1], axis=1))
    away = particles.position[bonds.group[:, 0]] - particles.position[bonds.group[:, 1]]
    assert np.linalg.norm(sim.box.minimum_image(away), axis=1).max() < 0.25
    for kind, pair in zip(bonds.typeid, bonds.group, strict=True):
        ends = sorted(particles.types[particles.typeid[k]] for k in pair)
        assert bonds.types[kind] == "-".join(ends)
    assert sorted(set(bonds.types)) == bonds.types


@pytest.mark.parametrize("model, sites", [("spce", 3), ("tip4p", 4)])
def test_bonds_of_rigid_water(model, sites):
    """Oxygen with both hydrogens; neither these with each other nor a virtual site with any."""
    topology = au.build.water(5, model).topology
    expected = [[sites * k, sites * k + h] for k in range(5) for h in (1, 2)]
    assert bonded_pairs(topology).tolist() == expected


def test_images_unwrap_molecules_whole_and_steadily(here):
    """Bonds are short, particles move little from frame to frame, and roots go as the engine's."""
    roots = []
    note = au.Callback(lambda s: roots.append((s.get("position"), s.get("image"))), 5)
    sim, _ = chains(here, [au.Frames("a.gsd", 5), au.Frames("b.gsd", 5, whole=False), note])
    sim.set("position", sim.box.wrap(sim.get("position") + 0.9)[0])  # cut by the boundaries
    drift = np.array([9.0, -6.0, 12.0])  # nm/ps: 1 nm and more
    sim.set("velocity", sim.get("velocity") + drift)
    with sim:
        sim.run(200)
    found = frames()
    flat = np.array([unwrapped(frame) for frame in found])
    bonds = found[0].bonds.group
    assert np.linalg.norm(flat[:, bonds[:, 0]] - flat[:, bonds[:, 1]], axis=2).max() < 0.25
    assert np.linalg.norm(np.diff(flat, axis=0), axis=2).max() < 0.1
    assert np.linalg.norm(flat[-1] - flat[0], axis=1).min() > 0.9
    for frame, (position, image) in zip(flat, roots, strict=True):
        engine = position + image @ sim.box.matrix.T
        assert np.abs(frame - engine)[::6].max() < 1e-6
    each = np.array([unwrapped(frame) for frame in frames("b.gsd")])
    assert np.linalg.norm(each[:, bonds[:, 0]] - each[:, bonds[:, 1]], axis=2).max() > 1.0
    for k, (position, image) in enumerate(roots):
        assert np.abs(each[k] - position - image @ sim.box.matrix.T).max() < 1e-6


def test_mdanalysis_opens_it(here):
    library = mdanalysis()
    sim, job = chains(here, [SPEC])
    with sim:
        sim.run(40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        universe = library.Universe("a.gsd")
    atoms = job.topology.expand_atoms()
    assert len(universe.trajectory) == 3 and len(universe.bonds) == 135
    assert np.allclose(universe.atoms.charges, atoms.charge, rtol=1e-6)
    assert np.allclose(universe.atoms.masses, atoms.mass, rtol=1e-6)
    assert len(universe.atoms.fragments) == 27
    for step, frame in zip(universe.trajectory, frames(), strict=True):
        assert np.array_equal(step.positions, frame.particles.position)
        assert np.allclose(step.dimensions, [1.92, 1.92, 1.92, 90, 90, 90], rtol=1e-6)


def test_some_particles_with_the_bonds_among_them(here):
    sim, _ = chains(here, [SPEC, au.Frames("b.gsd", 20, particles="3-8,20")])
    with sim:
        sim.run(20)
    tags = [*range(3, 9), 20]
    for few, all_of_them in zip(frames("b.gsd"), frames(), strict=True):
        for name in ("position", "image", "mass", "charge", "typeid"):
            one, two = getattr(few.particles, name), getattr(all_of_them.particles, name)
            assert np.array_equal(one, two[tags]), name
        assert few.bonds.group.tolist() == [[0, 1], [1, 2], [3, 4], [4, 5]]
        assert not few.particles.velocity.any() and few.log.keys() <= {"unit/position", "missing"}


def test_without_a_topology_it_is_a_trajectory(here, liquid):
    specs = [au.Frames("a.gsd", 10, velocities=True), au.Trajectory("b.gsd", 10)]
    with liquid(n=108, observers=specs) as sim:
        sim.run(30)
    for one, two in zip(frames(), frames("b.gsd"), strict=True):
        for name in ("position", "image", "velocity", "mass", "typeid"):
            assert np.array_equal(getattr(one.particles, name), getattr(two.particles, name))
        assert one.bonds.N == 0 and not one.particles.charge.any()


@pytest.mark.parametrize("cut", [0, 1, 40, 61])
def test_restart(here, cut):
    sim, _ = chains(here, [SPEC])
    with sim:
        sim.run(130)
    whole = numbers()
    sim, _ = chains(here, [SPEC, au.Checkpoint("a.ckpt", every=10_000)])
    with sim:
        sim.run(cut)
        sim.write_checkpoint("kept.ckpt")
        sim.run(60)  # these frames lie beyond the checkpoint
    again = au.Simulation.from_checkpoint("kept.ckpt")
    with again:
        again.run(until=130)
    assert numbers() == whole


def test_full_disk_loses_nothing(here, monkeypatch):
    """Not even the first frame, which alone has the bonds."""
    sim, _ = chains(here, [SPEC])
    with sim:
        sim.run(60)
    whole, real = numbers(), gsdfile.append
    for first in (0, 40):

        def full(file, chunks, first=first):
            if int(chunks[0][1][0]) >= first:
                raise OSError(errno.ENOSPC, "No space left on device")
            real(file, chunks)

        sim, _ = chains(here, [SPEC])
        with monkeypatch.context() as patch:
            patch.setattr(gsdfile, "append", full)
            with pytest.raises(
                au.FileError, match=rf"a.gsd: cannot store the frame of step {first}"
            ):
                sim.run(60)
        sim.close()
        finish_rescued(60)
        assert numbers() == whole


def test_mdrun_writes_it(here):
    """All into one file at the steps of all, groups into another, as other formats have them."""
    intervals(here, 40, 40, 100)
    with open("grompp.mdp", "a") as file:
        file.write("compressed-x-grps = Oxygen\n")
    oxygen = np.arange(0, 375, 3)
    with open("index.ndx", "w") as file:
        file.write(f"[ System ]\n1\n[ Oxygen ]\n{' '.join(str(k + 1) for k in oxygen)}\n")
    out = " ".join(mdrun("-n", "-deffnm", "a", "-o", "a.gsd", "-x", "b.gsd").stdout.split())
    assert "written every 20 steps, with positions, because all frames of a.gsd hold" in out
    steps = list(range(0, 201, 20))
    assert [frame.configuration.step for frame in frames()] == steps
    assert [frame.configuration.step for frame in frames("b.gsd")] == steps
    mdrun("-n", "-deffnm", "c")
    for time, _, position, velocity, force in frames_by_mdanalysis("c.trr", 375):
        frame = frames()[round(time / 0.0005) // 20]
        if position is not None:
            away = frame.particles.position + 0.78 - position
            assert np.abs(away - 1.56 * np.rint(away / 1.56)).max() < 1e-6
            assert np.allclose(frame.particles.velocity, velocity, rtol=1e-6)
        if force is not None:
            assert np.allclose(frame.log["particles/force"], force, rtol=1e-6, atol=1e-3)
    for few, every in zip(frames("b.gsd"), frames(), strict=True):
        assert np.array_equal(few.particles.position, every.particles.position[oxygen])
        assert few.bonds.N == 0 and every.bonds.N == 250


def test_parameters_that_a_file_lacks_are_told_where_they_are_kept(here):
    au.write("water.gsd", au.build.water(8).system())
    with pytest.warns(UserWarning, match=r"System\.save does"):
        system = au.read("water.gsd")
    with pytest.raises(au.InputError, match=r"LennardJones has no epsilon .*System\.save keeps"):
        au.Simulation(system, [au.LennardJones(r_cut=0.3), au.ReactionField(r_cut=0.3)])
