# SPDX-License-Identifier: Apache-2.0
"""Energies of proteins whose hydrogens are virtual sites: terms that are left, as grompp leaves
them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aureole.gromacs.gro import read_gro, write_gro
from aureole.gromacs.job import read_job
from aureole.molecular import MolecularSimulation
from gmx_tool import Gmx
from test_top_gmx import library

app = pytest.importorskip("openmm.app", reason="needs openmm, whose test data has a protein")

MDP = """\
integrator = md
dt = 0.001
nsteps = 0
continuation = yes
nstxout = 1
nstenergy = 1
nstcalcenergy = 1
coulombtype = reaction-field
epsilon-rf = 0
rcoulomb = 1
rvdw = 1
constraints = {constraints}
lincs-order = 8
lincs-iter = 8
"""
TERMS = {
    "harmonic_bond": ("Bond",),
    "harmonic_angle": ("Angle",),
    "urey_bradley": ("U-B",),
    "periodic_dihedral": ("Proper-Dih.", "Per.-Imp.-Dih.", "Improper-Dih."),
    "ryckaert_bellemans": ("Ryckaert-Bell.",),
    "cmap": ("CMAP-Dih.",),
    "pair": ("LJ-14", "Coulomb-14"),
    "vdw": ("LJ-(SR)",),
    "coulomb": ("Coulomb-(SR)",),
}


def protein():
    """Heavy atoms of the protein that comes with OpenMM, as a PDB file."""
    lines = (Path(app.__file__).parent / "data" / "test.pdb").read_text().splitlines()
    rows = [row for row in lines if row.startswith("ATOM") and row[17:20] not in ("HOH", "SOL")]
    kept = [row for row in rows if row[17:20].strip() not in ("WAT", "CL", "Cl")]
    cell = [line for line in lines if line.startswith("CRYST1")]
    return "\n".join([*cell, *kept, "END", ""]).replace("HIE", "HIS")


def positions(trr):
    """Positions of the first frame [nm] of a double-precision run, whose file is in XDR."""
    sizes = np.frombuffer(trr, ">i4", 13, 24)  # behind the number of the format and its name
    assert sizes[7] == 24 * sizes[10]
    start = 24 + 4 * 13 + 16 + sizes[[2, 3, 4]].sum()
    return np.frombuffer(trr, ">f8", 3 * sizes[10], start).reshape(-1, 3).astype(float)


def energies(gmx, conf):
    """Terms of a single point, and where the sites of virtual particles were put."""
    gmx.run(
        "grompp", "-f", "a.mdp", "-c", conf, "-p", "p.top", "-o", "a.tpr", "-po", "o.mdp",
        "-maxwarn", 9,
    )  # fmt: skip
    gmx.run("mdrun", "-deffnm", "a", "-ntmpi", 1, "-ntomp", 1)
    told = gmx.run("energy", "-f", "a.edr", text="\n\n", fails=True)
    names = [name for group in TERMS.values() for name in group if name in told.split()]
    gmx.run(
        "energy",
        "-f",
        "a.edr",
        "-o",
        "a.xvg",
        "-dp",
        "-xvg",
        "none",
        text="\n".join(names) + "\n\n",
    )
    numbers = [float(word) for word in Path("a.xvg").read_text().split()[1:]]
    where = positions(Path("a.trr").read_bytes())
    write_gro("placed.gro", replace(read_gro("p.gro"), position=where, velocity=None), 9)
    return dict(zip(names, numbers, strict=True))


@pytest.mark.parametrize("constraints", ["none", "all-bonds"])
@pytest.mark.parametrize("field", ["amber99sb-ildn", "charmm27"])
def test_a_protein_with_sites_for_hydrogens(here, field, constraints):
    gmx = Gmx()
    folders = library(gmx)
    double = Path(f"{gmx.program}_d")
    if not double.exists():
        pytest.skip("needs gmx_d beside gmx")
    gmx.program = str(double)
    Path("p.pdb").write_text(protein())
    gmx.run(
        "pdb2gmx", "-f", "p.pdb", "-ff", field, "-water", "none", "-ignh", "-vsite", "hydrogens",
        "-o", "p.gro", "-p", "p.top", "-i", "p.itp",
    )  # fmt: skip
    text = MDP.format(constraints=constraints)
    Path("a.mdp").write_text(text.replace("continuation = yes", "continuation = no"))
    energies(gmx, "p.gro")  # sites are put in their places
    Path("a.mdp").write_text(text)
    theirs = energies(gmx, "placed.gro")
    folders_of = "".join(f"include = -I{folder}\n" for folder in folders)
    Path("a.mdp").write_text(text + folders_of)
    job = read_job("placed.gro", "p.top", "a.mdp")
    # Energies do not know of masses, and the sites of a simulation have none.
    blocks = tuple(
        (replace(one, atoms=replace(one.atoms, mass=np.maximum(one.atoms.mass, 1.0))), count)
        for one, count in job.topology.blocks
    )
    sim = MolecularSimulation(
        replace(job.topology, blocks=blocks), job.coordinates, job.parameters,
        device="host", precision="double", threads=1,
    )  # fmt: skip
    mine = sim.energy.per_force
    mine["periodic_dihedral"] += mine.pop("harmonic_improper", 0.0)
    for kind, names in TERMS.items():
        expected = sum(theirs.get(name, 0.0) for name in names)
        assert mine.get(kind, 0.0) == pytest.approx(expected, rel=1e-7, abs=1e-6), kind
