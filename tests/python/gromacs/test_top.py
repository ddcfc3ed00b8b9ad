# SPDX-License-Identifier: Apache-2.0
"""Topologies of GROMACS: each directive and function, by miniatures worked out by hand."""

import math
import subprocess
import sys
from math import radians
from pathlib import Path

import numpy as np
import pytest
from aureole.base.errors import FileError, InputError
from aureole.base.units import COULOMB
from aureole.gromacs.top import directives
from aureole.gromacs.top.read import read_top
from aureole.system.topology import TERMS
from top_tools import ATOMS, END, FIELD, line_of, top


def molecule(*arguments, **options):
    return top(*arguments, **options).blocks[0][0]


def one(terms, kind):
    """The only term of a kind: its particles and its parameters."""
    found = terms[kind]
    assert found.n == 1
    assert found.parameters.shape[1] == len(TERMS[kind][1])
    return found.particles[0].tolist(), found.parameters[found.row[0]].tolist()


FUNCTIONS = [
    ("bonds", "1 2 1 0.1 900", "harmonic_bond", [0.1, 900]),
    ("bonds", "1 2 2 0.1 900", "g96_bond", [0.1, 900]),
    ("bonds", "1 2 3 0.1 400 20", "morse_bond", [0.1, 400, 20]),
    ("bonds", "1 2 4 0.1 900 -25", "cubic_bond", [0.1, 900, -25]),
    ("bonds", "1 2 6 0.1 900", "harmonic_restraint", [0.1, 900]),
    ("angles", "2 1 3 1 109.5 400", "harmonic_angle", [radians(109.5), 400]),
    ("angles", "2 1 3 2 109.5 400", "g96_angle", [radians(109.5), 400]),
    ("angles", "2 1 3 5 120 400 0.2 9e3", "urey_bradley", [radians(120), 400, 0.2, 9e3]),
    ("angles", "2 1 3 3 0.1 0.11 9", "cross_bonds", [0.1, 0.11, 9]),
    ("angles", "2 1 3 4 0.1 0.11 0.2 9", "cross_bond_angle", [0.1, 0.11, 0.2, 9]),
    ("angles", "2 1 3 10 109.5 40", "restricted_angle", [radians(109.5), 40]),
    ("dihedrals", "2 1 3 4 1 180 3.5 2", "periodic_dihedral", [math.pi, 3.5, 2]),
    ("dihedrals", "2 1 3 4 9 -90 3.5 3", "periodic_dihedral", [-math.pi / 2, 3.5, 3]),
    ("dihedrals", "2 1 3 4 4 180 4.6 2.0", "periodic_dihedral", [math.pi, 4.6, 2]),
    ("dihedrals", "2 1 3 4 2 35.26 300", "harmonic_improper", [radians(35.26), 300]),
    ("dihedrals", "2 1 3 4 3 1 2 3 4 5 6", "ryckaert_bellemans", [1, 2, 3, 4, 5, 6]),
    ("dihedrals", "2 1 3 4 10 60 7", "restricted_dihedral", [radians(60), 7]),
    ("dihedrals", "2 1 3 4 11 2 1 2 3 4 5", "bending_torsion", [2, 4, 6, 8, 10]),
    ("constraints", "1 2 1 0.109", "constraint", [0.109]),
    ("constraints", "1 2 2 0.109", "constraint", [0.109]),
    ("settles", "1 1 0.1 0.1633", "settle", [0.1, 0.1633]),
    ("position_restraints", "3 1 1000 0 -5", "position_restraint", [1000, 0, -5]),
    ("position_restraints", "3 2 5 -0.2 900", "flat_bottom_restraint", [5, -0.2, 900]),
    ("dihedral_restraints", "2 1 3 4 1 -90 20 9", "dihedral_restraint",
     [radians(-90), radians(20), 9]),
    ("dihedral_restraints", "2 1 3 4 1 0 0 9 0 0 8", "dihedral_restraint", [0, 0, 9]),
    ("angle_restraints", "2 1 3 4 1 60 9 2", "angle_restraint", [radians(60), 9, 2]),
    ("angle_restraints", "1 2 1 3 1 60 9 1", "angle_restraint", [radians(60), 9, 1]),
    ("angle_restraints_z", "4 3 1 60 9 2 60 8 2", "angle_restraint_z", [radians(60), 9, 2]),
    ("bonds", "1 2 7 0.3 900", "fene_bond", [0.3, 900]),
    ("bonds", "1 2 10 0.1 0.2 0.3 900", "range_restraint", [0.1, 0.2, 0.3, 900]),
    ("angles", "2 1 3 6 120 1 2 3 4 5", "quartic_angle", [radians(120), 1, 2, 3, 4, 5]),
]  # fmt: skip


@pytest.mark.parametrize("section, line, kind, parameters", FUNCTIONS)
def test_functions_and_their_units(tmp_path, section, line, kind, parameters):
    particles, found = one(molecule(tmp_path, f"[ {section} ]\n{line}").terms, kind)
    count = 1 if section == "settles" else len(particles)
    assert [k + 1 for k in particles][:count] == [int(word) for word in line.split()[:count]]
    assert found == pytest.approx(parameters, rel=1e-15)


def test_a_settle_takes_the_two_particles_behind_its_first(tmp_path):
    assert one(molecule(tmp_path, "[settles]\n2 1 0.1 0.16").terms, "settle")[0] == [1, 2, 3]
    with pytest.raises(InputError, match="incomplete"):
        top(tmp_path, "[settles]\n3 1 0.1 0.16")


def test_fourier_dihedrals_are_the_same_energy(tmp_path):
    f = [1.5, -2.0, 0.7, 0.3]
    terms = molecule(tmp_path, "[ dihedrals ]\n2 1 3 4 5 " + " ".join(map(str, f))).terms
    c = one(terms, "ryckaert_bellemans")[1]
    phi = np.linspace(-math.pi, math.pi, 25)
    fourier = 0.5 * sum(f[n - 1] * (1 - (-1) ** n * np.cos(n * phi)) for n in (1, 2, 3, 4))
    powers = sum(c[n] * np.cos(phi - math.pi) ** n for n in range(6))
    assert powers == pytest.approx(fourier, abs=1e-12)


def test_angles_that_do_nothing_are_left_out(tmp_path):
    zeros = "[ angles ]\n2 1 3 1 0 0\n[ dihedrals ]\n2 1 3 4 9 0 0 3\n2 1 3 4 3 0 0 0 0 0 0"
    assert molecule(tmp_path, zeros).terms == {}
    kept = molecule(tmp_path, "[ bonds ]\n1 2 1 0 0\n[ angles ]\n2 1 3 1 109 0").terms
    assert set(kept) == {"harmonic_bond", "harmonic_angle"}


def test_the_function_is_1_where_none_is_given(tmp_path):
    types = "[ bondtypes ]\nbC bH 1 0.11 5e5"
    assert one(molecule(tmp_path, types, "[ bonds ]\n2 1").terms, "harmonic_bond") == (
        [1, 0],
        [0.11, 5e5],
    )


@pytest.mark.parametrize("factor", ["", "*1", "*1.000000"])
def test_a_macro_may_be_multiplied_by_1(tmp_path, factor):
    """As martinize.py writes elastic networks."""
    text = f"#define RUBBER_FC 500\n[ bonds ]\n1 2 6 0.9 RUBBER_FC{factor}"
    _, found = one(molecule(tmp_path, text).terms, "harmonic_restraint")
    assert found == [0.9, 500]


@pytest.mark.parametrize("word", ["500*2", "500*", "500*k", "k*1"])
def test_other_products_are_refused(tmp_path, word):
    with pytest.raises(InputError, match=r"\*"):
        molecule(tmp_path, f"[ bonds ]\n1 2 6 0.9 {word}")


def test_equal_parameters_share_a_row(tmp_path):
    bonds = "[ bonds ]\n1 2 1 0.1 900\n1 3 1 0.2 900\n1 4 1 0.1 900"
    found = molecule(tmp_path, bonds).terms["harmonic_bond"]
    assert found.row.tolist() == [0, 1, 0]
    assert found.parameters.tolist() == [[0.1, 900], [0.2, 900]]
    assert found.particles.dtype == np.int32
    assert not found.particles.flags.writeable


SITES = [
    ("virtual_sites1", "4 1 1", "vsite1", []),
    ("virtual_sites2", "4 1 2 1 0.25", "vsite2", [0.25]),
    ("virtual_sites2", "4 1 2 2 0.25", "vsite2fd", [0.25]),
    ("virtual_sites3", "4 1 2 3 1 0.1 0.2", "vsite3", [0.1, 0.2]),
    ("virtual_sites3", "4 1 2 3 2 0.1 0.2", "vsite3fd", [0.1, 0.2]),
    ("dummies3", "4 1 2 3 3 120 0.2", "vsite3fad", [radians(120), 0.2]),
    ("Virtual-Sites3", "4 1 2 3 4 0.1 0.2 -6.4", "vsite3out", [0.1, 0.2, -6.4]),
    ("virtual_sites4", "4 1 2 3 5 2 1.1 1.2 0.05", "vsite4fdn", [1.1, 1.2, 0.05]),
]
WITH_SITE = ATOMS.replace("4 tC 1 RES C2 1", "4 tV 1 RES V 1\n5 tC 1 RES C2 1")


@pytest.mark.parametrize("section, line, kind, parameters", SITES)
def test_virtual_sites(tmp_path, section, line, kind, parameters):
    made = molecule(tmp_path, f"[ {section} ]\n{line}", atoms=WITH_SITE)
    particles, found = one(made.terms, kind)
    assert particles == [int(word) - 1 for word in line.split()[: len(particles)]]
    assert found == pytest.approx(parameters, rel=1e-15)
    assert made.atoms.virtual.tolist() == [False, False, False, True, False]
    assert made.atoms.mass[3] == 0


@pytest.mark.parametrize(
    "line, weights",
    [
        ("4 1 1 2 3", [1 / 3, 1 / 3, 1 / 3]),
        ("4 2 1 2 3", [12 / 29, 1 / 29, 16 / 29]),
        ("4 3 1 0.5 2 0 3 1.5", [0.25, 0.0, 0.75]),
    ],
)
def test_sites_at_the_mean_of_others(tmp_path, line, weights):
    made = molecule(tmp_path, f"[ virtual_sitesn ]\n{line}", atoms=WITH_SITE)
    found = made.terms["vsiten"]
    assert found.particles.tolist() == [[3, 0], [3, 1], [3, 2]]
    assert found.parameters[found.row, 0] == pytest.approx(weights, rel=1e-15)


def test_atoms_take_what_is_missing_from_their_type(tmp_path):
    atoms = ATOMS.replace("1 tC 1 RES C1 1", "1 tC 7 ALA CA 1 0.5 13.5").replace(
        "2 tH 1 RES H1 1", "2 tH 8B GLY HX 1 -0.25"
    )
    made = molecule(tmp_path, atoms=atoms).atoms
    assert made.charge.tolist() == [0.5, -0.25, -0.5, 0.25]
    assert made.mass.tolist() == [13.5, 1.0, 16.0, 12.0]
    assert made.residue.tolist() == [7, 8, 1, 1]
    assert made.name.array().tolist() == ["CA", "HX", "O1", "C2"]
    assert made.residue_name.words == ("ALA", "GLY", "RES")


def test_a_second_state_is_left_out_with_a_note(tmp_path):
    atoms = ATOMS.replace("1 tC 1 RES C1 1", "1 tC 1 RES C1 1 0.5 12 tO -0.5 16")
    found = top(tmp_path, "[ bonds ]\n1 2 1 0.1 900 0.2 900\n1 3 1 0.1 9 0.1 9", atoms=atoms)
    made = found.blocks[0][0]
    assert made.atoms.charge[0] == 0.5
    assert found.nonbonded.type_names == ("tC", "tH", "tO")
    assert made.terms["harmonic_bond"].parameters.tolist() == [[0.1, 900], [0.1, 9]]
    assert "state B of 2 lines of MOL" in found.notes[0]


@pytest.mark.parametrize(
    "columns, bonded",
    [("tX 12 0.5 A 0.3 0.2", "tX"), ("tX bC 12 0.5 A 0.3 0.2", "bC"),
     ("tX 6 12 0.5 A 0.3 0.2", "tX"), ("tX bC 6 12 0.5 a 0.3 0.2", "bC")],
)  # fmt: skip
def test_columns_of_atom_types(tmp_path, columns, bonded):
    types = f"[ atomtypes ]\n{columns}\n[ bondtypes ]\n{bonded} bH 1 0.125 100"
    made = molecule(tmp_path, types, "[ bonds ]\n1 2", atoms=ATOMS.replace("1 tC", "1 tX"))
    assert (made.atoms.mass[0], made.atoms.charge[0]) == (12, 0.5)
    assert one(made.terms, "harmonic_bond")[1] == [0.125, 100]


def test_directives_are_free_in_case_and_blanks(tmp_path):
    text = "[BONDS]\n1 2 1 0.1 900\n[   Bonds   ] and more\n1 3 1 0.1 900\n[ bo_nd-s\n1 4 1 0.1 900"
    assert molecule(tmp_path, text).terms["harmonic_bond"].n == 3


def test_the_system(tmp_path):
    end = END.replace("MOL 1", "mol 2\nMOL 0\nMOL 3")
    found = top(tmp_path, end=end)
    assert (found.title, found.n, found.molecules) == ("A title", 20, 5)
    assert [count for _, count in found.blocks] == [2, 3]
    assert found.coulomb == COULOMB
    # CODATA 2018: e² N_A / (4 π ε0), in kJ/mol nm
    e, avogadro, epsilon0 = 1.602176634e-19, 6.02214076e23, 8.8541878128e-12
    value = e * e * avogadro / (4 * math.pi * epsilon0) * 1e9 / 1e3
    assert pytest.approx(value, rel=1e-10) == COULOMB


def test_what_is_between_molecules(tmp_path):
    between = (
        "[ intermolecular_interactions ]\n[ bonds ]\n1 5 6 0.5 100\n"
        "[ angles ]\n2 1 7 1 90 5\n"
        "[ dihedrals ]\n1 2 5 8 2 0 3\n[ pairs ]\n3 6\n"
        "[ dihedral_restraints ]\n1 2 5 6 1 0 0 9\n[ angle_restraints ]\n1 2 5 1 1 0 9 1\n"
        "[ angle_restraints_z ]\n1 5 1 0 9 1\n"
    )
    found = top(tmp_path, end=END.replace("MOL 1", "MOL 2") + between).intermolecular
    assert one(found, "harmonic_restraint") == ([0, 4], [0.5, 100])
    assert one(found, "harmonic_angle")[0] == [1, 0, 6]
    assert one(found, "harmonic_improper")[0] == [0, 1, 4, 7]
    assert one(found, "dihedral_restraint")[0] == [0, 1, 4, 5]
    assert one(found, "angle_restraint")[0] == [0, 1, 4, 0]
    assert one(found, "angle_restraint_z")[0] == [0, 4]
    assert one(found, "pair")[1][2] == pytest.approx(0.8 * -0.5 * 0.1)


@pytest.mark.parametrize(
    "lines",
    ["[ bonds ]\n1 5 1 0.1 9", "[ position_restraints ]\n1 1 1 1 1", "[ constraints ]\n1 5 1 0.1"],
)
def test_what_cannot_be_between_molecules(tmp_path, lines):
    end = END.replace("MOL 1", "MOL 2") + f"[ intermolecular_interactions ]\n{lines}\n"
    with pytest.raises(InputError, match="cannot act between molecules"):
        top(tmp_path, end=end)


@pytest.mark.parametrize("macro", ["", "-DDIHRES -DFORCE=30"])
def test_restraints_of_dihedrals_are_there_for_who_defines_them(tmp_path, macro):
    """As CHARMM-GUI writes them; without the macro they are left out silently."""
    block = "#ifdef DIHRES\n[ dihedral_restraints ]\n2 1 3 4 1 -120 2.5 FORCE\n#endif"
    found = top(tmp_path, block, defines=macro)
    terms = found.blocks[0][0].terms
    if macro:
        assert one(terms, "dihedral_restraint")[1] == [radians(-120), radians(2.5), 30]
    assert ("dihedral_restraint" in terms) == bool(macro)
    assert not found.notes


def test_implicit_solvent_is_left_out_with_a_note(tmp_path):
    field = FIELD + "[ implicit_genborn_params ]\nnot looked at\n"
    assert "implicit solvent" in top(tmp_path, field=field).notes[0]


REFUSED = [
    ("bonds", "1 2 8 0 9", "tabulated bond"),
    ("bonds", "1 2 9 0 9", "tabulated bond"),
    ("angles", "2 1 3 8 0 9", "tabulated angle"),
    ("dihedrals", "2 1 3 4 8 0 9", "tabulated dihedral"),
    ("virtual_sites4", "5 1 2 3 4 1 0.1 0.1 0.1", "4fd"),
    ("distance_restraints", "1 2 1 0 1 0 1 2 1", "distance restraints"),
    ("orientation_restraints", "1 2", "orientation restraints"),
    ("polarization", "1 2 1 0.001", "shells"),
    ("water_polarization", "1 2 3 4 1", "shells"),
    ("thole_polarization", "1 2 3 4 1", "shells"),
]  # fmt: skip


@pytest.mark.parametrize("section, line, words", REFUSED)
def test_what_is_refused_by_name(tmp_path, section, line, words):
    text = f"[ {section} ]\n{line} ; this\n"
    with pytest.raises(InputError, match=f"is not supported .*{words}") as caught:
        top(tmp_path, text, atoms=ATOMS + "5 tC 1 RES C3 1\n")
    assert f"mini.top:{line_of(tmp_path, '; this')}: " in str(caught.value)


def test_what_is_refused_does_no_harm_where_it_is_not_used(tmp_path):
    other = ATOMS.replace("MOL 3", "OTHER 3") + "[ bonds ]\n1 2 8 0 9\n"
    assert top(tmp_path, atoms=other + ATOMS).n == 4


ERRORS = [
    ("[ bonds ]\n1 5 1 0.1 9 ; X", "there is no particle 5"),
    ("[ bonds ]\n0 2 1 0.1 9 ; X", "there is no particle 0"),
    ("[ bonds ]\n2 2 1 0.1 9 ; X", "occurs twice"),
    ("[ bonds ]\n1 ; X", "1 entries for [ bonds ]"),
    ("[ bonds ]\n1 b 1 0.1 9 ; X", "the particle number is 'b'"),
    ("[ bonds ]\n1 2 11 0.1 9 ; X", "unknown function 11 of [ bonds ]"),
    ("[ bonds ]\n1 2 1 0.1 ; X", "1 bond parameters"),
    ("[ bonds ]\n1 2 1 0.1 9 9 ; X", "3 bond parameters"),
    ("[ bonds ]\n1 2 1 gb_2 ; X", "'gb_2' is not a valid bond parameter"),
    ("[ bonds ]\n1 2 1 0.1 nan ; X", "'nan' is not a valid bond parameter"),
    ("[ bonds ]\n1 2 1 0.1 1e999 ; X", "'1e999' is not a valid bond parameter"),
    ("[ bonds ]\n1 2 1 ; X", "no default bond parameters for the types bC-bH"),
    ("[ angles ]\n2 1 3 5 ; X", "no default angle parameters for the types bH-bC-bO"),
    ("[ dihedrals ]\n2 1 3 4 9 ; X", "no default dihedral parameters"),
    ("[ dihedrals ]\n2 1 3 4 9 0 1 2.5 ; X", "the multiplicity of this dihedral is 2.5"),
    (
        "[ bonds ]\n1 2 7 0 9 ; X",
        "the numbers of a bond are 0 9 (the first, its",
    ),
    ("[ bonds ]\n1 2 10 0.2 0.1 0.3 9 ; X", "the first three must not decrease"),
    ("[ dihedral_restraints ]\n2 1 3 4 1 0 -1 9 ; X", "a width, must not be negative"),
    ("[ dihedral_restraints ]\n2 1 3 4 1 ; X", "no default dihedral restraint parameters"),
    ("[ position_restraints ]\n2 2 9 1 9 ; X", "an integer from 1 to 8"),
    ("[ position_restraints ]\n2 2 1.5 1 9 ; X", "an integer from 1 to 8"),
    ("[ angle_restraints ]\n1 2 3 3 1 9 9 1 ; X", "occurs twice"),
    ("[ angle_restraints_z ]\n1 2 1 9 9 1.5 ; X", "multiplicity of this angle restraint is 1.5"),
    ("[ cmap ]\n2 1 3 4 ; X", "4 entries for [ cmap ]"),
    ("[ settles ]\n1 1 ; X", "0 rigid water parameters"),
    ("[ virtual_sites3 ]\n4 1 2 3 1 ; X", "virtual site cannot be determined"),
    ("[ atoms ]\n5 tC 1 R CX 1 ; X\n[ virtual_sites2 ]\n5 1 2 1 0.5", "site CX has the mass 12"),
    ("[ virtual_sites3 ]\n4 1 2 3 2 ; X", "no bond or constraint gives the distance 1-2"),
    ("[ bonds ]\n1 2 1 1 1\n[ virtual_sites3 ]\n4 1 2 3 3 ; X", "there is no angle 4-1-2"),
    ("[ virtual_sites3 ]\n4 1 2 3 -4 1 2 3 ; X", "the function of a virtual site is -4"),
    ("[ virtual_sites3 ]\n4 1 2 3 -1 ; X", "unknown function -1 of [ virtual_sites3 ]"),
    ("[ virtual_sitesn ]\n4 3 1 1 2 ; X", "no weight"),
    ("[ virtual_sitesn ]\n4 3 1 0 2 0 ; X", "not positive"),
    ("[ bonds ]\n1 2 5\n[ exclusions ]\n1 9 ; X", "there is no particle 9"),
    ("[ exclusions ]; X\n1 2", "[ exclusions ] comes too early"),
    ("[ bondtypes ] ; X", "comes too late"),
    ("[ bands ] ; X", "[ bands ] is not a directive"),
    ("[ atoms ]\n6 tC 1 RES C 1 ; X", "particle 6 follows 4"),
    ("[ atoms ]\n5 tZ 1 RES C 1 ; X", "unknown type tZ"),
    ("[ atoms ]\n5 tC 1 RES C ; X", "5 entries for [ atoms ]"),
    ("[ atoms ]\n5 tC 1 RES C 1 0 -2 ; X", "the mass is -2"),
    ("[ atoms ]\n5 tV 1 RES V 1 ; X", "of kind V"),
    ("[ atoms ]\n5 tC 1 RES V 1 0 0 ; X", "has no mass"),
    ("[ moleculetype ]\n[ atoms ]\n1 tC 1 RES C 1 ; X", "the molecule type has no name"),
    ("[ moleculetype ]\nMOL 3 ; X", "the molecule type MOL is defined twice"),
    ("[ moleculetype ]\nM -1 ; X", "nrexcl is -1"),
]


@pytest.mark.parametrize("text, words", ERRORS)
def test_errors_name_file_and_line(tmp_path, text, words):
    with pytest.raises(InputError) as caught:
        top(tmp_path, end=f"{text}\n{END}")
    assert words in str(caught.value)
    where = line_of(tmp_path, "; X")
    assert str(caught.value).startswith(f"{tmp_path}/mini.top:{where}: ")


FIELD_ERRORS = [
    ("[ atomtypes ]\ntX 6 12 0.5 A 0.3 ; X", "1 particle type parameters"),
    ("[ atomtypes ]\ntX 6 12 0.5 AA 0.3 0.2 ; X", "has no particle kind"),
    ("[ atomtypes ]\ntX 6 12 0.5 Q 0.3 0.2 ; X", "unknown kind Q"),
    ("[ atomtypes ]\ntX 6 12 A ; X", "4 entries"),
    ("[ bondtypes ]\nbC zz 1 0.1 9 ; X", "unknown bonded type zz"),
    ("[ bondtypes ]\nX bC 1 0.1 9 ; X", "unknown bonded type X"),
    ("[ bondtypes ]\nbC bC 12 0.1 9 ; X", "function 12"),
    ("[ bondtypes ]\nbC bC 1 0.1 ; X", "1 bond parameters"),
    ("[ dihedraltypes ]\nbC bC bC 9 10.5 1 1 ; X", "neither the third nor the fifth"),
    ("[ pairtypes ]\ntC zz 1 0.1 9 ; X", "unknown type zz"),
    ("[ nonbond_params ]\ntC tC 2 0.1 9 1 ; X", "function 2 in [ nonbond_params ]"),
    ("[ cmaptypes ]\nbC bC bC bC bC 1 2 3 1 1 1 1 1 1 ; X", "not square"),
    ("[ cmaptypes ]\nbC bC bC bC bC 1 2 2 1 1 1 ; X", "3 entries"),
    ("[ cmaptypes ]\nbC bC bC bC bC 1 999999 999999 1 ; X", "the number of cells"),
]  # fmt: skip


@pytest.mark.parametrize("text, words", FIELD_ERRORS)
def test_errors_of_the_force_field(tmp_path, text, words):
    with pytest.raises(InputError) as caught:
        top(tmp_path, text)
    assert words in str(caught.value)
    assert f"mini.top:{line_of(tmp_path, '; X')}: " in str(caught.value)


@pytest.mark.parametrize(
    "defaults, words",
    [("2 2", "non-bonded function 2"), ("1 4", "combination rule is 4"), ("1", "1 entries"),
     ("1 1 no 1 1 9", "power 9"), ("1 1\n1 1", "a second line"), ("1 x", "rule is 'x'")],
)  # fmt: skip
def test_errors_of_the_defaults(tmp_path, defaults, words):
    with pytest.raises(InputError, match=words):
        top(tmp_path, field=FIELD.replace("1 2 yes 0.5 0.8", defaults))


@pytest.mark.parametrize(
    "end, error, words",
    [("", FileError, r"has no \[ system \]"),
     ("[ system ]\nA\n", FileError, r"has no \[ molecules \]"),
     ("[ system ]\nA\n[ molecules ]\n", FileError, "has no molecules"),
     ("[ molecules ]\n", InputError, "comes too early"),
     ("[ system ]\nA\n[ molecules ]\nMOLE 1\n", InputError, "Did you mean 'MOL'"),
     ("[ system ]\nA\n[ molecules ]\nMOL -1\n", InputError, "number of molecules is -1"),
     ("[ system ]\nA\n[ molecules ]\nMOL 2000000000\n", InputError, "too many particles"),
     ("[ moleculetype ]\nE 1\n[ system ]\nA\n[ molecules ]\nE 1\n", InputError, "no particles")],
)  # fmt: skip
def test_incomplete_systems(tmp_path, end, error, words):
    with pytest.raises(error, match=words):
        top(tmp_path, end=end)


def test_lines_before_any_directive(tmp_path):
    found = top(tmp_path, field="something\nelse\n" + FIELD)
    assert found.notes == (f"{tmp_path}/mini.top: lines before the first directive are ignored",)
    with pytest.raises(InputError, match="a line that belongs to no directive"):
        top(tmp_path, end=END + "[ intermolecular_interactions ]\nsomething\n")
    (tmp_path / "a.top").write_text("; nothing\n")
    with pytest.raises(FileError, match=r"a.top: has no \[ defaults \]"):
        read_top(tmp_path / "a.top")


def test_the_page_is_fresh():
    tool = Path(__file__).parents[3] / "tools" / "gen_top_docs.py"
    done = subprocess.run(
        [sys.executable, tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("line", ["bonds", "bonds: atoms\n    1: harmonic_bond two"])
def test_a_damaged_table_names_its_line(tmp_path, monkeypatch, line):
    for name in ("ORDER", "FUNCTIONS"):
        monkeypatch.setattr(directives, name, {})
    path = tmp_path / "directives.table"
    path.write_text(f"== Molecules\n{line}\n")
    with pytest.raises(FileError, match=rf"directives.table:{2 + line.count(chr(10))}: "):
        directives.read_table(path)
