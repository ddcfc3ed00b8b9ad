# SPDX-License-Identifier: Apache-2.0
"""Every number of a topology as grompp has it."""

import math
from pathlib import Path

import gmx_dump
import numpy as np
import pytest
from aureole.gromacs.rigid_bonds import constrain_bonds
from aureole.gromacs.top.read import read_top
from gmx_dump import MDP, Dump
from gmx_tool import gromacs, library, shared
from top_tools import ATOMS, END, FIELD, sites


def grompp(gmx, top, coordinates, define="", constraints="none"):
    """The topology as grompp has it."""
    Path("a.mdp").write_text(MDP.format(define=define, constraints=constraints))
    gmx.run(
        "grompp", "-f", "a.mdp", "-c", coordinates, "-r", coordinates, "-p", top, "-o", "a.tpr",
        "-po", "out.mdp", "-maxwarn", "20",
    )  # fmt: skip
    return Dump(gmx.run("dump", "-s", "a.tpr"))


def compare(topology, dump):
    """Assert that blocks, particles, terms, exclusions and Lennard-Jones matrix are alike."""
    blocks = [(molecule.name, count) for molecule, count in topology.blocks]
    assert blocks == dump.blocks
    types = {}
    for molecule in {id(one): one for one, _ in topology.blocks}.values():
        other = dump.molecules[molecule.name]
        compare_particles(molecule, other)
        compare_terms(molecule.terms, other.terms, charges(other.charge, dump.fudge))
        types.update(zip(molecule.atoms.type.tolist(), other.type, strict=True))
    for i, other_i in types.items():
        for j, other_j in types.items():
            c6, c12 = dump.lennard_jones(other_i, other_j)
            assert topology.nonbonded.c6[i, j] == pytest.approx(c6, rel=2e-6, abs=1e-30)
            assert topology.nonbonded.c12[i, j] == pytest.approx(c12, rel=2e-6, abs=1e-30)
    system = charges(topology.expand_atoms().charge, dump.fudge)
    compare_terms(topology.intermolecular, dump.between, system)
    assert len(topology.cmaps) == len(dump.cmaps)
    for mine, theirs in zip(topology.cmaps, dump.cmaps, strict=True):
        assert mine.reshape(-1) == pytest.approx(np.array(theirs), abs=6e-4)  # three decimals


def compare_particles(molecule, other):
    atoms = molecule.atoms
    assert atoms.mass == pytest.approx(other.mass, rel=1e-5)
    assert atoms.charge == pytest.approx(other.charge, rel=1e-5, abs=1e-9)
    assert atoms.virtual.tolist() == other.virtual
    assert atoms.name.array().tolist() == other.names
    start, partner = molecule.exclusions.start, molecule.exclusions.partner
    for i in range(atoms.n):
        assert partner[start[i] : start[i + 1]].tolist() == other.excluded.get(i, []), i


def charges(charge, fudge):
    return lambda i, j: fudge * charge[i] * charge[j]


def compare_terms(terms, others, qq):
    theirs = {}
    for name, found in others.items():
        if name not in gmx_dump.KINDS:
            assert name == "CONNBONDS" or not found, name
            continue
        for one in found:
            kind, row = gmx_dump.rows(name, one, qq)
            theirs.setdefault(kind, []).append(row)
    mine = {kind: gmx_dump.ours(terms, kind) for kind in terms}
    assert {kind: len(found) for kind, found in mine.items()} == {
        kind: len(found) for kind, found in theirs.items()
    }
    for kind, found in mine.items():
        # Found by grompp in single precision, as differences of numbers of order one.
        atol = 1e-6 if kind.startswith("vsite") else 1e-12
        assert gmx_dump.same(found, theirs[kind], atol), kind


@pytest.mark.parametrize("constraints", ["none", "h-bonds"])
@pytest.mark.parametrize("define", ["", "-DFLEXIBLE"])
def test_dhfr(here, constraints, define):
    gmx = gromacs()
    top = shared("dhfr/dhfr.top")
    topology = constrain_bonds(read_top(top, defines=define), constraints)
    compare(topology, grompp(gmx, top, shared("dhfr/dhfr.gro"), define, constraints))


def test_water_and_ethanol(here):
    gmx = gromacs()
    top = shared("water-ethanol/we12k.top")
    compare(read_top(top), grompp(gmx, top, shared("water-ethanol/we12k.gro")))


#: Heavy atoms of the residues of a small peptide.
PEPTIDE = {
    "ALA": "N CA C O CB",
    "PHE": "N CA C O CB CG CD1 CD2 CE1 CE2 CZ",
    "GLY": "N CA C O",
    "ASN": "N CA C O CB CG OD1 ND2",
    "PRO": "N CA C O CB CG CD",
    "TRP": "N CA C O CB CG CD1 CD2 NE1 CE2 CE3 CZ2 CZ3 CH2",
    "LYS": "N CA C O CB CG CD CE NZ",
    "SER": "N CA C O CB OG OXT",
}


def peptide(without=()):
    """The peptide as a PDB file, its atoms anywhere, but not on top of one another."""
    lines = ["CRYST1   60.000   60.000   60.000  90.00  90.00  90.00 P 1           1"]
    serial = 0
    chosen = [(residue, names) for residue, names in PEPTIDE.items() if residue not in without]
    for number, (residue, names) in enumerate(chosen, 1):
        for name in names.split():
            serial += 1
            x = 30 + 12 * math.cos(0.9 * serial) + 0.7 * math.sin(3.1 * serial)
            y = 30 + 12 * math.sin(0.9 * serial)
            z = 8 + 0.6 * serial + 0.5 * math.cos(2.3 * serial)
            lines.append(
                f"ATOM  {serial:5d}  {name:<3s} {residue} A{number:4d}    "
                f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           {name[0]}"
            )
    return "\n".join([*lines, "TER", "END", ""])


FIELDS = ("amber99sb-ildn", "amber03", "charmm27", "oplsaa", "gromos54a7", "gromos43a1")
CASES = [(field, "none") for field in FIELDS]
CASES += [("oplsaa", which) for which in ("h-bonds", "all-bonds", "h-angles", "all-angles")]
CASES += [("gromos54a7", "h-angles"), ("charmm27", "all-angles"), ("charmm27", "h-bonds")]


@pytest.mark.parametrize("field, constraints", CASES)
def test_peptides(here, field, constraints):
    gmx = gromacs()
    Path("p.pdb").write_text(peptide())
    gmx.run(
        "pdb2gmx", "-f", "p.pdb", "-ff", field, "-water", "none", "-ignh", "-o", "p.gro",
        "-p", "p.top", "-i", "p.itp",
    )  # fmt: skip
    topology = constrain_bonds(read_top("p.top", include=[library(gmx)]), constraints)
    assert ("cmap" in topology.blocks[0][0].terms) == (field == "charmm27")
    compare(topology, grompp(gmx, "p.top", "p.gro", constraints=constraints))


@pytest.mark.parametrize("constraints", ["none", "h-bonds", "all-bonds"])
@pytest.mark.parametrize("sites", ["hydrogens", "aromatics"])
@pytest.mark.parametrize("field", FIELDS)
def test_peptides_with_virtual_sites(here, field, sites, constraints):
    """Parameters of sites, and what they make constant; grompp refuses the masses of TRP's rings,
    as they are of a type for virtual sites."""
    gmx = gromacs()
    Path("p.pdb").write_text(peptide(without=("TRP",) if sites == "aromatics" else ()))
    gmx.run(
        "pdb2gmx", "-f", "p.pdb", "-ff", field, "-water", "none", "-ignh", "-vsite", sites,
        "-o", "p.gro", "-p", "p.top", "-i", "p.itp",
    )  # fmt: skip
    topology = constrain_bonds(read_top("p.top", include=[library(gmx)]), constraints)
    kinds = {kind for kind in topology.blocks[0][0].terms if kind.startswith("vsite")}
    assert {"vsite3", "vsite3fd", "vsite3out"} <= kinds
    compare(topology, grompp(gmx, "p.top", "p.gro", constraints=constraints))


# Miniatures ------------------------------------------------------------------------------------

CHAIN = "".join(f"{k} t{'COHN'[k % 4]} 1 RES {'COHN'[k % 4]}{k} 1\n" for k in range(1, 11))
MINI = """\
#define gb 0.1 1.5e6
#define NEGATIVE -0.7
[ defaults ]
1 {rule} {gen} 0.6 0.7
[ atomtypes ]
tC bC 6 12.0  0.25 A 0.35 0.40
tH    1 1.0   0.10 A 0.25 0.06
tO bO   16.0 -0.50 A 0.30 0.90
tN      14.0 NEGATIVE A 0.32 0.70
tV bV 0 0.0   0.00 D 0.00 0.00
[ nonbond_params ]
tC tH 1 0.31 0.21
[ pairtypes ]
tN tO 1 0.33 0.23
{pairs}
[ bondtypes ]
bC bO 1 0.14 3e5
tH bO 2 0.10 1e6
tN tH 3 0.10 400 20
tN bC 4 0.15 3e4 -10
bC bO 6 0.22 900
[ constrainttypes ]
bC bO 1 0.145
bO tH 2 0.105
[ angletypes ]
bO bC tN 1 109 400
bC bO tH 2 105 500
tH tN bC 5 111 300 0.2 9000
[ dihedraltypes ]
X bO tH X 9 0 1 1
X bO tH X 9 180 2 2
bC bO tH tN 9 90 3 3
X tN bC X 1 30 4 2
X tN bC bO 1 40 5 2
tH tN 1 50 6 1
bO bC 2 35 300
tH X X bO 2 36 301
X tN X X 4 180 7 2
X X bO tH 3 1 2 3 4 5 6
bO tH tN bC 5 1 2 3 4
[ moleculetype ]
MOL 3
[ atoms ]
{chain}11 tV 1 RES V1 1
12 tV 1 RES V2 1
13 tV 1 RES V3 1
[ bonds ]
8 9 1
1 2 2
2 3 3
4 3 4
4 5 1
5 6 2 gb
6 7 5
7 8 6 0.3 400
7 9 1 0.2 50
1 10 7 0.7 30
5 9 10 0.1 0.2 0.3 40 0.1 0.2 0.3 50
[ pairs ]
1 4 1
2 5 1
3 6 1 0.2 0.3
1 7 2 0.9 0.3 -0.2 0.25 0.35
3 5 1
[ pairs_nb ]
1 8 1 0.3 -0.2 0.25 0.35
[ angles ]
1 4 3 1 100 50
4 5 6 2
2 1 3 5 101 51 0.2 100
3 4 5 1 0 0
2 3 4 10 120 30
1 2 3 6 109 1 2 3 4 5
[ dihedrals ]
4 5 6 7 9
4 5 6 7 1
2 10 9 8 9
1 2 3 4 4 180 9 2
1 2 3 4 2
3 4 5 6 2 10 20
1 2 3 4 3 1 2 3 4 5 6
5 6 7 8 5 1 2 3 4
5 6 7 8 10 60 9
4 5 6 7 11 1 2 3 4 5 6
1 2 3 4 9 0 0 0
[ constraints ]
9 10 1 0.12
8 10 2 0.13
[ virtual_sites3 ]
11 1 2 3 1 0.1 0.2
[ virtual_sites2 ]
12 1 2 1 0.3
[ virtual_sitesn ]
13 2 1 2 3
[ position_restraints ]
3 1 1000 0 20
4 2 5 -0.2 300
[ dihedral_restraints ]
3 4 5 6 1 -120 2.5 400
1 2 3 4 1 60 0 40 50 0 40
[ angle_restraints ]
1 2 3 4 1 70 40 2
1 2 3 4 1 70 0 2
[ angle_restraints_z ]
6 5 1 20 4 1
[ exclusions ]
11 1 2 3 12 13
1 10
[ system ]
Mini
[ molecules ]
MOL 3
[ intermolecular_interactions ]
[ bonds ]
1 15 6 0.4 300
[ pairs ]
2 17 1
[ angles ]
1 2 20 1 100 30
"""


def write_gro(n):
    """A .gro file of n particles somewhere in a box."""
    rng = np.random.default_rng(n)
    lines = ["somewhere", str(n)]
    for k, (x, y, z) in enumerate(rng.uniform(0, 4, (n, 3))):
        lines.append(f"{1:5d}RES  {'C':>5s}{k + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}")
    Path("m.gro").write_text("\n".join([*lines, "4 4 4", ""]))


@pytest.mark.parametrize("rule", [1, 2, 3])
@pytest.mark.parametrize("gen", ["yes", "no"])
def test_miniature_of_everything(here, rule, gen):
    gmx = gromacs()
    pairs = "" if gen == "yes" else "\n".join(f"t{a} t{b} 1 0.3 0.2" for a in "CHON" for b in "CHO")
    Path("m.top").write_text(MINI.format(rule=rule, gen=gen, pairs=pairs, chain=CHAIN))
    write_gro(39)
    compare(read_top("m.top"), grompp(gmx, "m.top", "m.gro"))


@pytest.mark.parametrize("ring", [False, True])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_terms_that_sites_make_constant(here, kind, ring):
    gmx = gromacs()
    Path("m.top").write_text(FIELD + ATOMS + sites(kind, ring) + END)
    write_gro(6)
    compare(constrain_bonds(read_top("m.top"), "none"), grompp(gmx, "m.top", "m.gro"))


# grompp 2022 hangs where an angle is wanted whose bonds are not both of function 1.
RIGID = """\
[ defaults ]
1 2 yes 1 1
[ atomtypes ]
tC bC 6 12.0 0.0 A 0.35 0.40
[ moleculetype ]
MOL 1
[ atoms ]
1 tC 1 RES H1 1
2 tC 1 RES O1 1
3 tC 1 RES H2 1
4 tC 1 RES C1 1
5 tC 1 RES 1H 1
6 tC 1 RES hc 1
7 tC 1 RES C2 1
8 tC 1 RES C3 1
9 tC 1 RES C4 1
[ bonds ]
1 2 1 0.10 9
1 9 1 0.19 9
2 3 1 0.10 9
3 4 1 0.11 9
4 5 1 0.12 9
5 6 1 0.13 9
6 7 2 0.14 9
7 8 2 0.15 9
1 8 3 0.16 9 20
1 6 3 0.17 9 20
2 7 4 0.18 9 -9
2 6 6 0.20 9
4 8 5
5 8 7 0.2 9
1 7 10 0.1 0.2 0.3 9
[ angles ]
1 2 3 1 104 9
2 3 4 2 105 9
3 4 5 5 106 9 0.2 9
4 5 6 10 107 9
9 1 2 6 108 1 2 3 4 5
[ constraints ]
3 8 1 0.3
[ system ]
Rigid
[ molecules ]
MOL 1
"""


@pytest.mark.parametrize("constraints", ["h-bonds", "all-bonds", "h-angles", "all-angles"])
def test_constraints_of_every_kind(here, constraints):
    gmx = gromacs()
    Path("m.top").write_text(RIGID)
    write_gro(9)
    topology = constrain_bonds(read_top("m.top"), constraints)
    compare(topology, grompp(gmx, "m.top", "m.gro", constraints=constraints))
