# SPDX-License-Identifier: Apache-2.0
"""Energies of proteins whose hydrogens are virtual sites: terms that are left, as grompp leaves
them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aureole.formats.gro import read_gro, write_gro
from aureole.gromacs.job import read_job
from aureole.jobs.from_gromacs import simulation_of
from aureole_bench.gmx import settings_of
from aureole_bench.terms import TERMS
from aureole_bench.trr import frames
from gmx_tool import gromacs, library

app = pytest.importorskip("openmm.app", reason="needs openmm, whose test data has a protein")

MDP = """\
integrator = md
dt = 0.001
coulombtype = reaction-field
epsilon-rf = 0
rcoulomb = 1
rvdw = 1
constraints = {constraints}
lincs-order = 8
lincs-iter = 8
"""


def protein():
    """Heavy atoms of the protein that comes with OpenMM, as a PDB file."""
    lines = (Path(app.__file__).parent / "data" / "test.pdb").read_text().splitlines()
    rows = [row for row in lines if row.startswith("ATOM") and row[17:20] not in ("HOH", "SOL")]
    kept = [row for row in rows if row[17:20].strip() not in ("WAT", "CL", "Cl")]
    cell = [line for line in lines if line.startswith("CRYST1")]
    return "\n".join([*cell, *kept, "END", ""]).replace("HIE", "HIS")


@pytest.mark.parametrize("constraints", ["none", "all-bonds"])
@pytest.mark.parametrize("field", ["amber99sb-ildn", "charmm27"])
def test_a_protein_with_sites_for_hydrogens(here, field, constraints):
    gmx = gromacs(double=True)
    folder = library(gmx)
    Path("p.pdb").write_text(protein())
    gmx.run(
        "pdb2gmx", "-f", "p.pdb", "-ff", field, "-water", "none", "-ignh", "-vsite", "hydrogens",
        "-o", "p.gro", "-p", "p.top", "-i", "p.itp",
    )  # fmt: skip
    text = MDP.format(constraints=constraints)
    given, top = settings_of(text), Path("p.top")
    # Sites are put in their places.
    gmx.grompp("placed", Path("p.gro"), top, given, {"nsteps": 0, "nstxout": 1})
    gmx.mdrun("placed")
    where = next(frames(Path("placed.trr")))["x"]
    write_gro("placed.gro", replace(read_gro("p.gro"), position=where, velocity=None), 9)
    theirs = gmx.point("a", Path("placed.gro"), top, given).energy
    Path("a.mdp").write_text(f"{text}include = -I{folder}\n")
    job = read_job("placed.gro", "p.top", "a.mdp")
    # Energies do not know of masses, and the sites of a simulation have none.
    blocks = tuple(
        (replace(one, atoms=replace(one.atoms, mass=np.maximum(one.atoms.mass, 1.0))), count)
        for one, count in job.topology.blocks
    )
    heavy = replace(job, topology=replace(job.topology, blocks=blocks))
    sim = simulation_of(heavy, device="host", precision="double", threads=1)
    mine = sim.energy.per_force
    for kind, names in TERMS.items():
        expected = sum(theirs.get(name, 0.0) for name in names)
        assert mine.get(kind, 0.0) == pytest.approx(expected, rel=1e-7, abs=1e-6), kind
