# SPDX-License-Identifier: Apache-2.0
"""Mutated files of a GROMACS job: one of five is damaged, the others are sound."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from aureole.gromacs.job import read_job

TOP = """\
; a bit of everything that topologies hold
#define gb 0.11 9e4
#ifdef FLEXIBLE
#define more
#endif
[ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
tC bC 6 12.0  0.25 A 0.35 0.40
tH bH 1  1.0  0.10 A 0.25 0.06
tO bO 8 16.0 -0.50 A 0.30 0.90
tV bV 0  0.0  0.00 V 0.00 0.00
[ bondtypes ]
bC bH 1 0.11 5e5
[ pairtypes ]
tC tH 1 0.2 0.1
[ angletypes ]
bH bC bO 5 110 400 0.2 900
[ dihedraltypes ]
X bC bO X 9 0 1 1
X bC bO X 9 180 2 2
bH bC 2 35 9
[ nonbond_params ]
tC tO 1 0.3 0.1
[ cmaptypes ]
bC bH bO bC bH 1 2 2 \\
1 2 3 4
[ moleculetype ]
MOL 3
[ atoms ]
1 tC 1 RES C1 1
2 tH 1 RES H1 1
3 tO 1 RES O1 1
4 tC 1 RES C2 1
5 tH 1 RES H2 1 0.1 1.0
6 tV 1 RES V1 1 0.1 0.0
7 tV 1 RES V2 1
[ bonds ]
1 2 1
1 3 1 gb
3 4 2 0.1 900
4 5 5
6 1 1 0.1 900
1 4 6 0.2 900
1 4 1 0.2 900
[ pairs ]
2 4 1
1 4 2 0.5 0.1 0.2 0.3 0.4
[ angles ]
2 1 3 5
1 3 4 1 109 40
6 1 3 1 110 40
6 1 4 1 120 40
3 1 4 1 100 40
[ dihedrals ]
2 1 3 4 9
1 2 3 4 3 1 2 3 4 5 6
2 3 4 1 2
1 3 4 5 4 0 1 2
[ cmap ]
1 2 3 4 5 1
[ constraints ]
2 5 1 0.2
[ virtual_sites3 ]
6 1 3 4 -4
[ virtual_sitesn ]
7 2 1 3
[ position_restraints ]
1 1 1000 1000 1000
[ exclusions ]
1 6 7
[ moleculetype ]
SOL 2
[ atoms ]
1 tO 1 SOL OW 1 -0.8
2 tH 1 SOL HW1 1 0.4
3 tH 1 SOL HW2 1 0.4
#ifndef FLEXIBLE
[ settles ]
1 1 0.1 0.1633
#else
[ bonds ]
1 2 1 0.1 900
#endif
[ system ]
Two molecules in three waters
[ molecules ]
MOL 2
SOL 3
[ intermolecular_interactions ]
[ bonds ]
1 9 6 0.5 100
"""
MDP = """\
; a run of everything
define = -DPOSRES
integrator = md
dt = 0.001
nsteps = 1000
nstxout-compressed = 100
nstlog = 100
nstenergy = 100
nstlist = 10
coulombtype = PME
rcoulomb = 0.9
fourierspacing = 0.12
vdw-modifier = Force-switch
rvdw-switch = 0.7
rvdw = 0.9
DispCorr = no
tcoupl = V-rescale
tc-grps = Solute Rest
tau-t = 0.5 0.5
ref-t = 300 300
annealing = single no
annealing-npoints = 2 0
annealing-time = 0 10
annealing-temp = 300 310
pcoupl = C-rescale
pcoupltype = semiisotropic
tau-p = 5
ref-p = 1 1
compressibility = 4.5e-5 4.5e-5
refcoord-scaling = com
gen-vel = yes
gen-temp = 300
constraints = h-bonds
freezegrps = Frozen
freezedim = Y N Y
electric-field-x = 0.5 10 3 1
comm-grps = System
"""
NDX = """\
[ System ]
1 2 3 4 5 6 7 8 9 10 11 12
 13 14 15 16 17 18 19 20 21 22 23
[ Solute ] ; what is dissolved
1 2 3 4 5 6 7 8 9 10 11 12 13 14
[ Rest ]
15 16 17 18 19 20 21 22 23
[ Frozen ]
20 21 22
"""
NAMES = [*(["C1", "H1", "O1", "C2", "H2", "V1", "V2"] * 2), *(["OW", "HW1", "HW2"] * 3)]
RESIDUES = [1] * 7 + [2] * 7 + [3] * 3 + [4] * 3 + [5] * 3


def places() -> np.ndarray:
    """Somewhere for each particle [nm]."""
    return np.random.default_rng(3).uniform(0.1, 2.9, (len(NAMES), 3))


def gro() -> str:
    lines = ["Two molecules in three waters, t= 1.0 step= 5", f"{len(NAMES):5d}"]
    for k, (name, residue, x) in enumerate(zip(NAMES, RESIDUES, places(), strict=True), 1):
        kind = "RES" if residue < 3 else "SOL"
        columns = "".join(f"{v:8.3f}" for v in x) + "".join(f"{v:8.4f}" for v in x - 1.5)
        lines.append(f"{residue:5d}{kind:<5}{name:>5}{k:5d}{columns}")
    return "\n".join([*lines, "   3.00000   3.10000   3.20000", ""])


def pdb() -> str:
    lines = ["TITLE     TWO MOLECULES IN THREE WATERS"]
    lines += ["CRYST1   30.000   31.000   32.000  90.00  90.00  90.00 P 1           1"]
    lines += ["MODEL        1"]
    for k, (name, residue, x) in enumerate(zip(NAMES, RESIDUES, 10 * places(), strict=True), 1):
        kind, first = ("RES", "ATOM  ") if residue < 3 else ("SOL", "HETATM")
        columns = "".join(f"{v:8.3f}" for v in x) + "  1.00  0.00          "
        lines.append(f"{first}{k:5d}  {name:<3} {kind} A{residue:4d}    {columns} {name[0]}")
    return "\n".join([*lines, "TER", "ENDMDL", "END", ""])


SOUND = {"top": TOP, "mdp": MDP, "ndx": NDX, "gro": gro(), "pdb": pdb()}
#: Half of the mutations leave alone what comes before this.
HEADS = {
    "top": "[ bondtypes ]",
    "mdp": "coulombtype",
    "ndx": "1 2",
    "gro": "    1RES",
    "pdb": "ATOM",
}


def read_files(path: Path) -> float:
    """Read the job that has the damaged file, and use what was read."""
    kind, folder = path.suffix[1:], path.parent
    for name, text in SOUND.items():
        if name != kind and not (folder / f"sound.{name}").exists():
            (folder / f"sound.{name}").write_text(text)
    files = {name: folder / f"sound.{name}" for name in SOUND} | {kind: path}
    conf = files["pdb" if kind == "pdb" else "gro"]
    job = read_job(conf, files["top"], files["mdp"], index=files["ndx"])
    size = float(job.coordinates.n)
    topology = job.topology
    topology.expand_exclusions()
    topology.expand_atoms()
    for terms in topology.expand_terms().values():
        assert terms.particles.min() >= 0 and terms.particles.max() < topology.n
        assert np.isfinite(terms.parameters).all()
    assert all(group.particles.max(initial=0) < topology.n for group in job.groups)
    assert all(str(note) for note in job.notes) and all(job.remarks)
    return size + float(job.coordinates.position.sum())
