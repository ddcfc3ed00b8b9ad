# SPDX-License-Identifier: Apache-2.0
"""What a job of `effect_jobs` comes to, here and with GROMACS, as the same numbers.

Vectors of all particles are kept as sums with fixed weights: few numbers, in which every component
of every particle counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from aureole import Device, Simulation
from aureole.base.units import BAR
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import simulation_of
from aureole_bench.gmx import Gmx
from aureole_bench.terms import TERMS
from aureole_bench.trr import frames
from effect_jobs import JOBS
from numpy.typing import NDArray

Vectors = NDArray[np.float64]
Numbers = dict[str, Any]

SUMS = 10
#: For GROMACS to make steps of velocity Verlet from the velocities that it is given. Otherwise it
#: takes them for those of half a step earlier.
PLAIN_STEPS = "GMX_DISABLE_MODULAR_SIMULATOR"
_TENSOR = tuple(f"Pres-{pair}" for pair in ("XX", "XY", "XZ", "YY", "YZ", "ZZ"))


def sums(vectors: Vectors) -> list[float]:
    """Sums of all components with weights that have nothing in common."""
    k = np.arange(vectors.size)
    weights = np.cos(np.outer(np.sqrt(np.arange(2, 2 + SUMS)), k + 1.0))
    return (weights @ vectors.ravel()).tolist()


def moved(start: Vectors, end: Vectors, box: Vectors) -> Vectors:
    """The shortest ways from one set of places to another, in a box of these vectors (3, 3)."""
    way = end - start
    return way - np.round(way @ np.linalg.inv(box)) @ box


def gromacs_numbers(gmx: Gmx, job: str, options: dict[str, str]) -> Numbers:
    """What GROMACS' double precision makes of it, in the folder of `gmx`."""
    one = JOBS[job]
    steps = options.get("nsteps", "10")
    every = {"nstxout": "1", "nstvout": "1", "nstfout": "1"}
    one.write(gmx.folder, every | {"nstenergy": steps, "nstcalcenergy": steps} | options)
    gmx.run(
        *("grompp", "-f", "grompp.mdp", "-c", "conf.gro", "-p", "topol.top", "-r", "ref.gro"),
        *("-n", "index.ndx", "-o", "p.tpr", "-po", "out.mdp", "-maxwarn", 99),
    )
    gmx.mdrun("p", "-notunepme")
    rows = list(frames(gmx.folder / "p.trr"))
    steep = options.get("integrator") == "steep"
    last, before = rows[-1], rows[-1 if steep else -2]
    terms = gmx.terms("p")
    more = () if steep else ("Kinetic-En.", *_TENSOR)
    energy = {name: column[-1] for name, column in gmx.energies("p", *terms, *more).items()}
    found: Numbers = {
        "moved": sums(moved(one.position, last["x"], last["box"])),
        "force": sums(before["f"]),
        "energy": _energies(energy),
    }
    if not steep:
        found |= {
            "step": int(last["step"]),
            "velocity": sums(last["v"]),
            "kinetic": energy["Kinetic-En."],
            "pressure": [energy[name] for name in _TENSOR],
            "box": last["box"].ravel().tolist(),
        }
    return found


def _energies(energy: dict[str, float]) -> dict[str, float]:
    """By our names; what is charges' is one number, as it is shared out in other ways."""
    found = {"potential": energy["Potential"]}
    for ours, theirs in TERMS.items():
        values = [energy[name] for name in theirs if name in energy]
        if values:
            found[ours] = sum(values)
    return _merged(found)


def _merged(energy: dict[str, float]) -> dict[str, float]:
    charges = [energy.pop(name) for name in ("coulomb", "mesh") if name in energy]
    return energy | ({"charges": sum(charges)} if charges else {})


def simulation(folder: Path, device: str | Device = "host") -> Simulation:
    """The job in a folder, in double precision on one thread."""
    names = ("conf.gro", "topol.top", "grompp.mdp")
    conf, top, mdp = (folder / name for name in names)
    read = read_job(conf, top, mdp, references=folder / "ref.gro", index=folder / "index.ndx")
    errors = [str(note) for note in read.notes if note.severity == "error"]
    assert not errors, errors
    return simulation_of(read, precision="double", threads=1, device=device)


def our_numbers(
    folder: Path, job: str, options: dict[str, str], device: str | Device = "host"
) -> Numbers:
    """What we make of it, in the folder."""
    one = JOBS[job]
    one.write(folder, options)
    with simulation(folder, device) as sim:
        if not sim.parameters.dynamics:
            sim.minimize()
            return {
                "moved": sums(_moved(sim, one.position)),
                "force": sums(sim.get("force")),
                "energy": _ours(sim),
            }
        sim.run(until=sim.end - 1)
        force = sim.get("force")
        sim.run(until=sim.end)
        return {
            "step": sim.step,
            "moved": sums(_moved(sim, one.position)),
            "velocity": sums(sim.get("velocity")),
            "force": sums(force),
            "energy": _ours(sim),
            "kinetic": sim.energy.kinetic,
            "pressure": _pressures(sim),
            "box": _vectors(sim).ravel().tolist(),
        }


def _ours(sim: Simulation) -> dict[str, float]:
    energy = sim.energy
    return _merged({"potential": energy.potential} | dict(energy.per_force))


def _vectors(sim: Simulation) -> Vectors:
    b = sim.box
    return np.array(
        [[b.lx, 0, 0], [b.xy * b.ly, b.ly, 0], [b.xz * b.lz, b.yz * b.lz, b.lz]], dtype=float
    )


def _moved(sim: Simulation, start: Vectors) -> Vectors:
    vectors = _vectors(sim)
    # Both programs keep their origin while the box changes: a corner, and the middle.
    return moved(start, sim.get("position") + vectors.sum(axis=0) / 2, vectors)


def _pressures(sim: Simulation) -> list[float]:
    p = sim.pressure_tensor * BAR
    return [p[i, j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
