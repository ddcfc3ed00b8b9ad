# SPDX-License-Identifier: Apache-2.0
"""Small molecules, a simulation of them, and the readers of other programs."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace

import aureole as au
import numpy as np
import pytest
from aureole.base.values import put
from aureole.gromacs.job_record import record_of
from aureole.live.run_loop import RunLoop
from aureole.system.topology import (
    Atoms,
    Exclusions,
    Labels,
    MoleculeType,
    Nonbonded,
    Terms,
    Topology,
)
from bent_chains import job_of, simulation


def molecule(n, edges, name="MOL"):
    """A molecule of n particles of mass 1 with bonds between `edges`."""
    one = Labels(("A",), np.zeros(n, np.int32))
    zero = np.zeros(n)
    residue = np.ones(n, np.int32)
    kinds = np.zeros(n, np.int32)
    atoms = Atoms(kinds, np.ones(n), zero, one, one, residue, np.zeros(n, bool))
    pairs = np.array(edges, np.int32).reshape(-1, 2)
    bonds = Terms(pairs, np.zeros(len(pairs), np.int32), np.array([[0.1, 1.0]]))
    none = Exclusions(np.zeros(n + 1, np.int64), np.empty(0, np.int32))
    return MoleculeType(name, atoms, {"harmonic_bond": bonds}, none)


def topology(*blocks):
    """A topology of (molecule, count) without forces."""
    zero = np.zeros((1, 1))
    return Topology("test", Nonbonded(("A",), zero, zero, "none"), blocks, 1.0)


def chains(folder, observers, precision="double", form="mesh"):
    """27 flexible chains in a cube of 1.92 nm, warm, with observers; and their job."""
    job = job_of(folder, form)
    sim = simulation(job, precision)
    sim.integrator = au.NVE(dt=0.0005)
    record = record_of(job)  # checkpoints name the files of the job
    put(sim, "origin", replace(sim.origin, record=record))
    masses = sim.get("mass")[:, None]
    velocity = np.sqrt(2.5 / masses) * np.random.default_rng(7).normal(size=(sim.n, 3))
    sim.set("velocity", velocity - (masses * velocity).sum(axis=0) / masses.sum())
    observe(sim, observers)
    return sim, job


def observe(sim, observers):
    """Give the simulation observers."""
    sim._loop = RunLoop(sim, observers)


def mdanalysis():
    return pytest.importorskip("MDAnalysis", reason="needs MDAnalysis")


def mdtraj():
    return pytest.importorskip("mdtraj", reason="needs mdtraj")


def frames_by_mdanalysis(path, n):
    """(time, box (3, 3) [nm], positions [nm], velocities, forces) of each frame, or None."""
    library, found = mdanalysis(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a format does not hold
        universe = library.Universe.empty(n, trajectory=False)
        universe.load_new(str(path))
        for step in universe.trajectory:
            columns = [
                getattr(step, name).astype(float) * scale if getattr(step, f"has_{name}") else None
                for name, scale in (("positions", 0.1), ("velocities", 0.1), ("forces", 10.0))
            ]
            box = step.triclinic_dimensions.astype(float) / 10
            found.append((step.time, box, *columns))
    return found


def finish_rescued(until: int) -> None:
    """Go on to a step from the checkpoint that a failed run has left, and remove that."""
    saved = next(name for name in os.listdir() if name.startswith("aureole-rescue"))
    with au.Simulation.from_checkpoint(saved) as again:
        again.run(until=until)
    os.remove(saved)
