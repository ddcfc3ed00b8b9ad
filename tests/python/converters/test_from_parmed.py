# SPDX-License-Identifier: Apache-2.0
"""Structures of ParmEd: AMBER and CHARMM files have the energies that OpenMM gives them."""

from __future__ import annotations

import math
import warnings

import aureole as au
import numpy as np
import pytest

pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    parmed = pytest.importorskip("parmed", reason="needs parmed, in the extra `converters`")
from openmm import app, unit
from parmed import charmm
from test_from_openmm import (
    ALPHA,
    GRID,
    PRECISE,
    R_CUT,
    WATERS,
    arrays,
    compare,
    energies,
    like_ours,
    reference,
    villin,
    without_sites,
)

pytestmark = pytest.mark.filterwarnings("ignore")

#: What OpenMM does, as run parameters.
OPTIONS = dict(
    rcoulomb=R_CUT, rvdw=R_CUT, coulomb_modifier="None", vdw_modifier="None", DispCorr="no",
    pme_order=5, ewald_rtol=math.erfc(ALPHA * R_CUT),
    fourier_nx=GRID[0], fourier_ny=GRID[1], fourier_nz=GRID[2],
)  # fmt: skip


def built(structure, **options):
    """The structure as an OpenMM system, and its context."""
    settings = dict(nonbondedMethod=app.PME, nonbondedCutoff=R_CUT * unit.nanometer)
    system = structure.createSystem(**settings, rigidWater=False, **options)
    return system, reference(like_ours(system), structure.positions)


def theirs(structure, **options):
    """Energies of each force by OpenMM, and forces."""
    system, context = built(structure, **options)
    return energies(system, context), arrays(context)[1]


def amber(folder, *files):
    """A prmtop of the protein in water, written and read by ParmEd."""
    pdb, xml = villin(), app.ForceField(*files)
    model = app.Modeller(pdb.topology, pdb.positions)
    model.addExtraParticles(xml)
    system = xml.createSystem(
        model.topology, nonbondedMethod=app.PME, nonbondedCutoff=R_CUT, rigidWater=False
    )
    structure = parmed.openmm.load_topology(model.topology, system, model.positions)
    structure.save(str(folder / "a.prmtop"))
    structure.save(str(folder / "a.rst7"))
    return parmed.load_file(str(folder / "a.prmtop"), str(folder / "a.rst7"))


def bind_extra_points(structure):
    """OpenMM has no bonds of virtual sites, which are where a prmtop says what they belong to."""
    kind = parmed.BondType(553.0, 0.125, structure.bond_types)  # TIP4P-Ew: 0.125 Å from oxygen
    for residue in structure.residues:
        for atom in residue.atoms:
            if type(atom).__name__ == "ExtraPoint":
                if kind not in structure.bond_types:
                    structure.bond_types.append(kind)
                structure.bonds.append(parmed.Bond(residue.atoms[0], atom, type=kind))


def agree(structure, **options):
    """Assert that energies of terms and forces are alike; the simulation, with flexible waters."""
    sim = au.from_parmed(structure, rigid_water=False, **OPTIONS, **PRECISE)
    expected, forces = theirs(structure, **options)
    compare(sim.energy, expected)
    error = sim.get("force") - forces
    # Slopes of maps differ: 1e-7 of a map's force.
    assert np.sqrt((error**2).mean()) < 1e-8 * np.sqrt((forces**2).mean())
    return sim


def test_an_amber_prmtop(tmp_path):
    structure = amber(tmp_path, "amber14-all.xml", "amber14/tip3p.xml")
    assert type(structure).__name__ == "AmberParm"
    flexible = agree(structure)
    assert flexible.remarks == ()
    terms = flexible.topology.expand_terms()
    rigid = au.system_from_parmed(structure, constraints="h-bonds", dt=0.002, **OPTIONS)
    settles = rigid.topology.expand_terms()["settle"]
    assert settles.n == WATERS
    assert settles.parameters[0] == pytest.approx([0.09572, 0.15139], abs=1e-5)
    left = rigid.topology.expand_terms()["harmonic_bond"].n
    made = rigid.topology.expand_terms()["constraint"].n
    assert left + made + 2 * WATERS == terms["harmonic_bond"].n


def test_pairs_that_follow_no_rule(tmp_path):
    structure = amber(tmp_path, "amber14-all.xml", "amber14/tip3p.xml")
    parmed.tools.changeLJPair(structure, ":HOH@O", ":CL,Cl-,Cl", 3.6, 0.4).execute()
    assert structure.has_NBFIX()
    assert agree(structure).topology.nonbonded.rule == "none"


# A molecule by hand, with each kind of term that files of CHARMM hold.

PLACES = [
    (0.0, 0.0, 0.0), (1.5, 0.1, 0.0), (2.1, 1.4, 0.2), (3.6, 1.5, 0.5), (4.2, 2.8, 0.1),
    (2.0, -0.9, 0.7), (1.4, 2.3, -0.3),
]  # fmt: skip
BONDS = [(0, 1), (1, 2), (2, 3), (3, 4), (1, 5), (2, 6)]
ANGLES = [(0, 1, 2), (1, 2, 3), (2, 3, 4), (0, 1, 5), (5, 1, 2), (1, 2, 6), (6, 2, 3)]
DIHEDRALS = [(0, 1, 2, 3), (1, 2, 3, 4), (5, 1, 2, 6), (0, 1, 2, 6), (5, 1, 2, 3), (6, 2, 3, 4)]


def molecule():
    """Seven particles of six types in one residue."""
    structure = parmed.Structure()
    types = []
    for k, place in enumerate(PLACES):
        kind = parmed.AtomType(f"T{k % 6}", k % 6 + 1, 10.0 + k, 6)
        kind.set_lj_params(0.05 + 0.01 * (k % 6), 1.8 + 0.05 * (k % 6), 0.02, 1.6)
        atom = parmed.Atom(atomic_number=6, name=f"C{k}", type=kind.name, mass=kind.mass)
        atom.charge = 0.3 - 0.1 * k
        atom.xx, atom.xy, atom.xz = place
        atom.atom_type = kind
        types.append(kind)
        structure.add_atom(atom, "MOL", 1, segid="A")
    atoms = structure.atoms
    add_terms(structure, atoms)
    structure.box = [32.0, 33.0, 34.0, 90.0, 90.0, 90.0]
    return structure


def add_terms(structure, atoms):
    for k, pair in enumerate(BONDS):
        kind = parmed.BondType(300.0 + k, 1.4 + 0.02 * k, structure.bond_types)
        structure.bond_types.append(kind)
        structure.bonds.append(parmed.Bond(*(atoms[i] for i in pair), type=kind))
    for k, ends in enumerate(ANGLES):
        kind = parmed.AngleType(50.0 + k, 108.0 + k, structure.angle_types)
        structure.angle_types.append(kind)
        structure.angles.append(parmed.Angle(*(atoms[i] for i in ends), type=kind))
        spring = parmed.BondType(20.0 + k, 2.4 + 0.05 * k, structure.urey_bradley_types)
        structure.urey_bradley_types.append(spring)
        ends = atoms[ends[0]], atoms[ends[2]]
        structure.urey_bradleys.append(parmed.UreyBradley(*ends, type=spring))
    for k, four in enumerate(DIHEDRALS):
        rows = parmed.DihedralTypeList()
        rows.append(parmed.DihedralType(0.5 + 0.1 * k, 1 + k % 3, 0.0, 1.0, 1.0))
        rows.append(parmed.DihedralType(0.2, 4, 180.0, 1.0, 1.0))
        rows.list = structure.dihedral_types
        structure.dihedral_types.append(rows)
        structure.dihedrals.append(parmed.Dihedral(*(atoms[i] for i in four), type=rows))
    kind = parmed.ImproperType(35.0, 10.0, structure.improper_types)
    structure.improper_types.append(kind)
    structure.impropers.append(parmed.Improper(*(atoms[i] for i in (1, 0, 2, 5)), type=kind))
    grid = np.random.default_rng(4).uniform(-2.0, 2.0, 24 * 24).tolist()
    cmap = parmed.CmapType(24, grid, list=structure.cmap_types)
    structure.cmap_types.append(cmap)
    structure.cmaps.append(parmed.Cmap(*atoms[:5], type=cmap))


def charmm_files(folder):
    """The molecule as a psf with parameters, written and read by ParmEd."""
    structure = molecule()
    structure.save(str(folder / "a.psf"))
    parameters = charmm.CharmmParameterSet.from_structure(structure)
    parameters.write(top=str(folder / "a.rtf"), par=str(folder / "a.prm"))
    psf = charmm.CharmmPsfFile(str(folder / "a.psf"))
    parameters = charmm.CharmmParameterSet(str(folder / "a.rtf"), str(folder / "a.prm"))
    for angle, spring in zip(structure.angles, structure.urey_bradleys, strict=True):
        kinds = tuple(atom.type for atom in (angle.atom1, angle.atom2, angle.atom3))
        # ParmEd reads these from a file, but does not write them.
        parameters.urey_bradley_types[kinds] = spring.type
        parameters.urey_bradley_types[kinds[::-1]] = spring.type
    psf.load_parameters(parameters, copy_parameters=False)
    psf.coordinates = structure.coordinates
    psf.box = structure.box
    return psf


def test_a_charmm_psf(tmp_path):
    psf = charmm_files(tmp_path)
    ours = agree(psf)
    terms = ours.topology.expand_terms()
    counts = {kind: found.n for kind, found in terms.items()}
    assert counts == {
        "harmonic_bond": 6, "harmonic_restraint": 7, "harmonic_angle": 7, "periodic_dihedral": 12,
        "harmonic_improper": 1, "cmap": 1, "pair": 6,
    }  # fmt: skip


def test_pairs_of_types_of_charmm():
    structure = molecule()
    for atom in structure.atoms:
        if atom.type == "T0":
            atom.atom_type.add_nbfix("T4", 3.6, 0.3, 3.5, 0.2)
        if atom.type == "T4":
            atom.atom_type.add_nbfix("T0", 3.6, 0.3, 3.5, 0.2)
    assert structure.has_NBFIX()
    ours = au.system_from_parmed(structure, **OPTIONS)
    assert ours.topology.nonbonded.rule == "none"
    expected, _ = theirs(structure)
    mine = au.from_parmed(structure, **OPTIONS, **PRECISE).energy.per_force
    assert mine["vdw"] == pytest.approx(expected["CustomNonbondedForce"], rel=1e-9)
    system, _ = built(structure)
    again = au.from_openmm(system, structure.topology, structure.positions, **PRECISE)
    compare(again.energy, expected)
    # The width of such 1-4 pairs is ten times too small in systems that ParmEd 4.3 makes.
    pairs = ours.topology.expand_terms()["pair"]
    (k,) = (n for n, ends in enumerate(pairs.particles.tolist()) if ends == [4, 6])
    c6, c12, _ = pairs.parameters[pairs.row[k]]
    assert c6 / (4 * 0.2 * 4.184) == pytest.approx((0.35**6) / 2, rel=1e-9)
    assert c12 / c6 == pytest.approx((0.35**6) / 2, rel=1e-9)


def test_a_structure_by_hand():
    """Ryckaert-Bellemans torsions and explicit pairs, as force fields of OPLS have them."""
    structure = molecule()
    atoms = structure.atoms
    kind = parmed.RBTorsionType(1.0, -2.0, 0.5, 0.7, 0.1, 0.2)
    structure.rb_torsions.append(parmed.Dihedral(*atoms[1:5], type=kind))
    structure.rb_torsion_types.append(kind)
    for k, (i, *_, j) in enumerate(DIHEDRALS):
        kind = parmed.NonbondedExceptionType(3.0 + 0.1 * k, 0.1, 0.5)
        structure.adjusts.append(parmed.NonbondedException(atoms[i], atoms[j], type=kind))
        structure.adjust_types.append(kind)
    sim = au.from_parmed(structure, **OPTIONS, **PRECISE)
    expected, _ = theirs(structure)
    each = sim.energy.per_force
    assert each["ryckaert_bellemans"] == pytest.approx(expected["RBTorsionForce"], rel=1e-9)
    compare(sim.energy, expected)
    assert sim.topology.expand_terms()["pair"].n == len(DIHEDRALS)
    assert not sim.get("velocity").any()
    structure.velocities = np.full((7, 3), 2.0)  # Å/ps
    ours = au.system_from_parmed(structure, box=np.diag([3.0, 3.5, 4.0]), **OPTIONS)
    assert type(ours) is au.System and ours.velocity == pytest.approx(0.2)
    assert ours.box.lz == 4.0 and "7 particles" in repr(ours)


def test_extra_points(tmp_path):
    structure = amber(tmp_path, "amber14-all.xml", "amber14/tip4pew.xml")
    with pytest.raises(au.InputError, match=r"extra point \d+ \(M of HOH\) has no bond"):
        au.system_from_parmed(structure, **OPTIONS)
    bind_extra_points(structure)
    ours = au.system_from_parmed(structure, **OPTIONS)
    terms = ours.topology.expand_terms()
    assert terms["vsite3"].n == terms["settle"].n == WATERS
    weights = terms["vsite3"].parameters[0]
    assert weights == pytest.approx([0.106676721, 0.106676721], abs=2e-6)
    assert ours.topology.expand_atoms().virtual.sum() == WATERS
    expected, _ = theirs(structure)
    each = without_sites(au.from_parmed(structure, **OPTIONS)).energy.per_force
    nonbonded = sum(each[kind] for kind in ("vdw", "coulomb", "mesh", "pair"))
    size = sum(abs(each[kind]) for kind in ("vdw", "coulomb", "mesh", "pair"))
    assert nonbonded == pytest.approx(expected["NonbondedForce"], abs=1e-6 * size)


def no_box(structure):
    structure.box = None


def no_places(structure):
    for atom in structure.atoms:
        del atom.xx, atom.xy, atom.xz


def no_type(structure):
    structure.angles[2].type = None


def no_mass(structure):
    structure.atoms[3].mass = 0.0


def amoeba(structure):
    atoms = structure.atoms
    structure.stretch_bends.append(parmed.StretchBend(*atoms[:3]))


@pytest.mark.parametrize(
    "change, words",
    [
        (no_box, r"the structure has no box \(implicit solvent and .* not supp"),
        (no_places, "the structure has no coordinates"),
        (no_type, "no parameters in angles for the particles 2-3-4"),
        (no_mass, r"particle 3 \(C3 of MOL\) has the mass 0"),
        (amoeba, "the structure has 1 stretch_bends"),
    ],
)
def test_what_is_refused(change, words):
    structure = molecule()
    change(structure)
    with pytest.raises(au.InputError, match=words):
        au.system_from_parmed(structure)


def test_a_correction_that_others_make_is_told_of(tmp_path):
    structure = amber(tmp_path, "amber14-all.xml", "amber14/tip3p.xml")
    for options, told in (
        ({}, 1), ({"dispcorr": "EnerPres"}, 0), ({"vdw_modifier": "Force-switch"}, 0)
    ):  # fmt: skip
        notes = au.system_from_parmed(structure, **options).topology.notes
        assert sum('dispcorr="EnerPres"' in note for note in notes) == told
