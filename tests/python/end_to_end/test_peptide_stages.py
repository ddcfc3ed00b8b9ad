# SPDX-License-Identifier: Apache-2.0
"""The first tutorial of GROMACS: a peptide in water, from pdb2gmx to the analysis of its run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gmx_tool import gromacs, library
from mdrun_inputs import mdrun, rows

EM = """\
integrator = steep
emtol = 1000
nsteps = 500
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 1.0
rvdw = 1.0
pbc = xyz
"""
DYNAMICS = """\
integrator = md
dt = 0.002
nsteps = 250
nstenergy = 25
nstlog = 50
nstxout-compressed = 25
constraint-algorithm = lincs
constraints = h-bonds
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 1.0
rvdw = 1.0
DispCorr = EnerPres
tcoupl = V-rescale
tc-grps = Protein Non-Protein
tau-t = 0.1 0.1
ref-t = 300 300
ld-seed = 5
"""
FROM_REST = "gen-vel = yes\ngen-temp = 300\ngen-seed = 11\n"
GOES_ON = "gen-vel = no\ncontinuation = yes\n"
PRESSURE = "pcoupl = C-rescale\ntau-p = 2.0\nref-p = 1.0\ncompressibility = 4.5e-5\n"
RESTRAINED = "define = -DPOSRES\nrefcoord-scaling = com\n"
STAGES = {
    "em": EM,
    "nvt": DYNAMICS + RESTRAINED + FROM_REST,
    "npt": DYNAMICS + RESTRAINED + PRESSURE + GOES_ON,
    "md": DYNAMICS + PRESSURE + GOES_ON,
}
#: In the order of the file.
COLUMNS = {
    "Potential": "potential",
    "Conserved-En.": "conserved",
    "Temperature": "temperature",
    "Pressure": "pressure",
}
ANALYSES = {
    "rmsd.xvg": ("rms -s md.tpr -f md.xtc -o rmsd.xvg", "Backbone\nBackbone\n"),
    "hbonds.xvg": ("hbond -s md.tpr -f md.xtc -num hbonds.xvg", "Protein\nWater\n"),
}
# Bond length in nm, angle and dihedral in degrees of each backbone atom, after the three before it.
CHAIN = {"N": (0.133, 117, 135), "CA": (0.146, 122, 180), "C": (0.152, 111, -120)}
ATOMS = ("N", "CA", "CB", "C", "O")


def follow(a, b, c, length, angle, dihedral):
    """The position at a distance from c, with an angle to b and a dihedral to a."""
    angle, dihedral = np.radians([angle, dihedral])
    along = (c - b) / np.linalg.norm(c - b)
    across = np.cross(b - a, along)
    across /= np.linalg.norm(across)
    x, y, z = -np.cos(angle), np.sin(angle) * np.cos(dihedral), np.sin(angle) * np.sin(dihedral)
    return c + length * (x * along + y * np.cross(across, along) + z * across)


def strand(residues):
    """Heavy atoms of an extended chain of alanines as a PDB file."""
    chain = [np.array([0.0, 0.1, 0.1]), np.array([0.0, 0.0, 0.1]), np.zeros(3)]
    for _ in range(residues):
        for values in CHAIN.values():
            chain.append(follow(*chain[-3:], *values))
    lines = []
    for k in range(residues):
        n, ca, c = chain[3 + 3 * k : 6 + 3 * k]
        beta, oxygen = follow(n, c, ca, 0.153, 110, 122), follow(n, ca, c, 0.123, 120, -45)
        for name, r in zip(ATOMS, (n, ca, beta, c, oxygen), strict=True):
            x, y, z = 10 * r
            lines.append(
                f"ATOM  {len(lines) + 1:5d}  {name:<3s} ALA A{k + 1:4d}    "
                f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           {name[0]}"
            )
    return "\n".join([*lines, "TER", "END", ""])


def words(command):
    return command.split()


def run(options):
    mdrun(*words(options))


@pytest.fixture
def peptide(here):
    """topol.top, posre.itp and solvated.gro of five alanines in water, all by gmx."""
    gmx = gromacs()
    library(gmx)
    Path("p.pdb").write_text(strand(5))
    gmx.run(*words("pdb2gmx -f p.pdb -ff amber99sb-ildn -water tip3p -ignh -o p.gro"))
    gmx.run(*words("editconf -f p.gro -o boxed.gro -c -d 0.7 -bt cubic"))
    gmx.run(*words("solvate -cp boxed.gro -cs spc216.gro -p topol.top -o solvated.gro"))
    for name, text in STAGES.items():
        Path(f"{name}.mdp").write_text(text)
    return gmx


def test_stages_restarts_and_analysis(peptide):
    """em, nvt, npt and md as in a tutorial; md is interrupted twice."""
    gmx = peptide
    run("-c solvated.gro -p topol.top -f em.mdp -deffnm em")
    run("-c em.gro -r -p topol.top -f nvt.mdp -deffnm nvt")
    run("-c nvt.gro -t nvt.cpt -r em.gro -p topol.top -f npt.mdp -deffnm npt")
    run("-c npt.gro -t npt.cpt -p topol.top -f md.mdp -deffnm whole -e whole.csv")
    run("-c npt.gro -t npt.cpt -p topol.top -f md.mdp -deffnm md -nsteps 60")
    run("-deffnm md -cpi -nsteps 90")
    run("-deffnm md -cpi")
    assert json.loads(Path("em.json").read_text())["minimum"]["converged"]

    ours, whole = rows("md.csv"), rows("whole.csv")
    assert ours["step"].tolist() == list(range(0, 251, 25))
    for name in ours:
        assert np.array_equal(ours[name], whole[name]), name
    assert Path("md.xtc").read_bytes() == Path("whole.xtc").read_bytes()
    # Velocities are those of npt.cpt; without restraints the next half step differs a little.
    assert ours["temperature"][0] == pytest.approx(rows("npt.csv")["temperature"][-1], abs=0.02)

    theirs = gmx.energies("md", *COLUMNS)
    assert theirs["time"] == pytest.approx(ours["time"])
    for name, column in COLUMNS.items():
        assert np.allclose(theirs[name], ours[column], rtol=2e-7, atol=1e-4), name
    gmx.run(*words("grompp -f md.mdp -c npt.gro -p topol.top -o md.tpr -maxwarn 1"))
    for name, (command, answers) in ANALYSES.items():
        gmx.run(*words(command), text=answers)
        lines = Path(name).read_text().splitlines()
        found = np.array([line.split() for line in lines if line[0] not in "#@"], float)
        assert found[:, 0] == pytest.approx(ours["time"]), name
        assert np.all(np.isfinite(found)), name
        if name == "rmsd.xvg":
            assert 0 < found[1:, 1].max() < 0.3  # nm
        else:
            assert found[:, 1].min() > 5  # bonds of a short peptide to water
