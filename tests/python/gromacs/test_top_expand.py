# SPDX-License-Identifier: Apache-2.0
"""Molecule types as the particles of a system, and bonds as constraints."""

import math
from pathlib import Path

import numpy as np
import pytest
from aureole.base.errors import InputError
from aureole.gromacs.job import read_job
from aureole.gromacs.rigid_bonds import constrain_bonds
from mdrun_inputs import rigid
from top_tools import ATOMS, END, FIELD, top

WATER = """\
[ moleculetype ]
SOL 2
[ atoms ]
1 tO 1 SOL OW 1 -0.8 16
2 tH 1 SOL HW1 1 0.4 1
3 tH 1 SOL HW2 1 0.4 1
[ settles ]
1 1 0.1 0.1633
[ exclusions ]
1 2 3
2 1 3
"""
CHAIN = """\
[ moleculetype ]
CHAIN 1
[ atoms ]
1 tC 5 ALA CA 1
2 tC 6 GLY CB 1
3 tH 6 GLY HB 1
4 tC 8 ALA CA 1
[ bonds ]
1 2 1 0.15 900
2 3 1 0.11 500
2 4 1 0.15 900
[ pairs ]
1 4 1
"""
MIXED = END.replace("MOL 1", "SOL 2\nCHAIN 2\nSOL 3\nCHAIN 1")


@pytest.fixture
def mixed(tmp_path):
    between = "[ intermolecular_interactions ]\n[ bonds ]\n1 7 6 0.5 100\n"
    return top(tmp_path, atoms=WATER + CHAIN, end=MIXED + between)


def copies(topology):
    """Each molecule with its first particle, one by one."""
    start = 0
    for molecule, count in topology.blocks:
        for _ in range(count):
            yield molecule, start
            start += molecule.atoms.n


def test_columns_of_all_particles(mixed):
    atoms = mixed.expand_atoms()
    molecules = [molecule.atoms for molecule, _ in copies(mixed)]
    assert atoms.n == mixed.n == 27
    for column in ("type", "mass", "charge", "virtual"):
        expected = np.concatenate([getattr(one, column) for one in molecules])
        found = getattr(atoms, column)
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()
    for column in ("name", "residue_name"):
        expected = [word for one in molecules for word in getattr(one, column).array()]
        assert getattr(atoms, column).array().tolist() == expected
    assert len(atoms.name.words) == 6


def test_waters_are_numbered_behind_the_chains(mixed):
    water = [[k] * 3 for k in range(9, 14)]
    chain = [5, 6, 6, 8]
    molecules = [*water[:2], chain, chain, *water[2:], chain]
    expected = [number for molecule in molecules for number in molecule]
    assert mixed.expand_atoms().residue.tolist() == expected


def test_the_molecule_of_each_particle(mixed):
    found = mixed.molecule_index()
    expected = [k for k, (one, _) in enumerate(copies(mixed)) for _ in range(one.atoms.n)]
    assert found.tolist() == expected
    assert found.dtype == np.int32


def test_terms_of_all_particles(mixed):
    found = mixed.expand_terms()
    assert list(found) == ["harmonic_bond", "harmonic_restraint", "pair", "settle"]
    for kind, terms in found.items():
        expected = []
        for molecule, start in copies(mixed):
            if kind in molecule.terms:
                one = molecule.terms[kind]
                for k in range(one.n):
                    expected.append(
                        ((one.particles[k] + start).tolist(), one.parameters[one.row[k]].tolist())
                    )
        if kind == "harmonic_restraint":
            expected = [([0, 6], [0.5, 100])]
        rows = terms.parameters[terms.row].tolist()
        assert list(zip(terms.particles.tolist(), rows, strict=True)) == expected
        assert (terms.particles.dtype, terms.row.dtype) == (np.int32, np.int32)
    assert len(found["settle"].parameters) == 1
    assert len(found["harmonic_bond"].parameters) == 2


def test_exclusions_of_all_particles(mixed):
    found = mixed.expand_exclusions()
    start = found.start
    expected = []
    for molecule, first in copies(mixed):
        one = molecule.exclusions
        for i in range(molecule.atoms.n):
            expected.append((one.partner[one.start[i] : one.start[i + 1]] + first).tolist())
    rows = [found.partner[start[i] : start[i + 1]].tolist() for i in range(mixed.n)]
    assert rows == expected
    assert len(start) == mixed.n + 1
    for i, row in enumerate(rows):
        assert row == sorted(set(row) - {i})
        assert all(i in rows[j] for j in row)


def test_a_million_particles(tmp_path):
    large = top(tmp_path, atoms=WATER, end=END.replace("MOL 1", "SOL 333334"))
    n = 3 * 333334
    atoms, terms, excluded = large.expand_atoms(), large.expand_terms(), large.expand_exclusions()
    assert atoms.charge.sum() == pytest.approx(0, abs=1e-6)
    assert atoms.residue[-1] == large.molecules == 333334
    assert terms["settle"].particles[-1].tolist() == [n - 3, n - 2, n - 1]
    assert (len(excluded.partner), excluded.start[-1]) == (2 * n, 2 * n)
    assert excluded.partner[-2:].tolist() == [n - 3, n - 2]
    assert large.molecule_index()[-1] == 333333


def test_nothing_at_all_is_expanded_too(mixed):
    from dataclasses import replace

    empty = replace(mixed, blocks=(), intermolecular={})
    assert (empty.n, empty.expand_atoms().n, empty.expand_terms()) == (0, 0, {})
    assert empty.expand_exclusions().start.tolist() == [0]
    assert empty.molecule_index().tolist() == []


# Constraints -----------------------------------------------------------------------------------

FRAME = """\
[ moleculetype ]
MOL 1
[ atoms ]
1 tC 1 RES C1 1
2 tH 1 RES H1 1
3 tH 1 RES h2 1
4 tO 1 RES O1 1
5 tH 1 RES HO 1
6 tC 1 RES 1HB 1
[ bonds ]
1 2 1 0.11 500
1 3 1 0.12 500
4 6 2 0.17 800
1 4 1 0.14 900
4 5 1 0.10 700
5 6 6 0.30 50
6 1 3 0.15 400 20
[ constraints ]
2 6 1 0.25
[ angles ]
2 1 3 1 109.5 40
1 4 5 2 104.5 40
2 1 4 1 100.0 40
3 1 4 5 100.0 40 0.2 9
"""


def constrained(folder, which):
    return constrain_bonds(top(folder, atoms=FRAME), which).blocks[0][0].terms


def ends(terms, kind="constraint"):
    """The distance that each pair of particles, counted from 1, is held at."""
    found = terms.get(kind)
    if found is None:
        return {}
    values = found.parameters[found.row, 0].tolist()
    return {
        tuple((particles + 1).tolist()): value
        for particles, value in zip(found.particles, values, strict=True)
    }


H_BONDS = {(2, 6): 0.25, (1, 2): 0.11, (1, 3): 0.12, (4, 5): 0.10}


def third_side(a, b, degrees):
    return math.sqrt(a * a + b * b - 2 * a * b * math.cos(math.radians(degrees)))


ALL_BONDS = H_BONDS | {(1, 4): 0.14, (6, 1): 0.15, (4, 6): 0.17}
OTHER_ANGLES = {(2, 4): third_side(0.11, 0.14, 100), (3, 4): third_side(0.12, 0.14, 100)}
H_ANGLES = {(2, 3): third_side(0.11, 0.12, 109.5), (1, 5): third_side(0.14, 0.10, 104.5)}


@pytest.mark.parametrize(
    "which, expected",
    [
        ("none", {(2, 6): 0.25}),
        ("h-bonds", H_BONDS),
        ("All_Bonds", ALL_BONDS),
        ("h-angles", ALL_BONDS | H_ANGLES),
        ("all-angles", ALL_BONDS | H_ANGLES | OTHER_ANGLES),
    ],
)
def test_bonds_and_angles_become_constraints(tmp_path, which, expected):
    terms = constrained(tmp_path, which)
    found = ends(terms)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-14)
    taken = set(expected)
    before = top(tmp_path, atoms=FRAME).blocks[0][0].terms
    for kind in ("harmonic_bond", "g96_bond", "harmonic_restraint", "morse_bond"):
        assert ends(terms, kind) == {
            pair: value for pair, value in ends(before, kind).items() if pair not in taken
        }
    angles = sum(terms[kind].n for kind in ("harmonic_angle", "g96_angle") if kind in terms)
    assert angles == {"h-angles": 1, "all-angles": 0}.get(which, 3)
    assert ("urey_bradley" in terms) == (which != "all-angles")


@pytest.mark.parametrize("bond, stays", [("2 0.14 900", 0), ("3 0.14 900 20", 0), ("6 0.14 9", 1)])
def test_an_angle_follows_its_bonds_of_whatever_kind(tmp_path, bond, stays):
    frame = FRAME.replace("1 4 1 0.14 900", f"1 4 {bond}")
    terms = constrain_bonds(top(tmp_path, atoms=frame), "all-angles").blocks[0][0].terms
    assert ((1, 5) in ends(terms)) == (not stays)
    assert ("g96_angle" in terms) == bool(stays)


def test_molecule_types_are_constrained_once(tmp_path):
    end = END.replace("MOL 1", "SOL 2\nCHAIN 2\nSOL 3\nCHAIN 1")
    found = constrain_bonds(top(tmp_path, atoms=WATER + CHAIN, end=end), "h-bonds")
    assert found.blocks[1][0] is found.blocks[3][0]
    terms = found.expand_terms()
    assert (terms["constraint"].n, terms["harmonic_bond"].n, terms["settle"].n) == (3, 6, 5)


def test_what_cannot_be_constrained(tmp_path):
    with pytest.raises(InputError, match=r"constraints is 'hbonds'.* Did you mean 'h-bonds'"):
        constrain_bonds(top(tmp_path), "hbonds")
    atoms = ATOMS + "5 tV 1 RES V 1\n"
    lines = "[ bonds ]\n1 5 1 0.1 9\n[ virtual_sites2 ]\n5 1 3 1 0.5"
    made = top(tmp_path, lines, atoms=atoms, field=FIELD)
    with pytest.raises(InputError, match=r"1-5 of MOL, .* to V, ends at a virtual site"):
        constrain_bonds(made, "all-bonds")


def test_bonds_of_a_rigid_water_do_not_become_constraints_too(here):
    """The error names file, molecule and atoms, at `aureole check` already."""
    conf, topol, mdp = map(Path, rigid(here))
    mdp.write_text(mdp.read_text().replace("constraints = none", "constraints = h-bonds"))
    water = (here / "water.itp").read_text()
    bonds = "[ bonds ]\n1 2 1 0.1 345000\n1 3 1 0.1 345000\n"
    (here / "water.itp").write_text(water + bonds)
    with pytest.raises(InputError) as caught:
        read_job(conf, topol, mdp)
    told = str(caught.value)
    assert told.startswith(f"{topol}: the constraint 1-2 of SOL, OW to HW1, ends in a rigid water")
    (here / "water.itp").write_text(f"{water}#ifdef FLEXIBLE\n{bonds}#endif\n")
    assert read_job(conf, topol, mdp).topology.kinds() == {"settle"}
