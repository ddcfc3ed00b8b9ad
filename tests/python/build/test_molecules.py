# SPDX-License-Identifier: Apache-2.0
"""Waters, ions and ethanol: the published numbers, places, and the same from files."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import aureole as au
import numpy as np
import pytest
from aureole.build import published_models
from aureole.build.place_molecules import lattice_shape
from aureole.build.published_models import NAMES, WATERS, model
from aureole.gromacs.job import Job, read_job
from aureole.gromacs.mdp.read import read_mdp
from aureole.gromacs.presets.minimisation import minimisation_before
from aureole.gromacs.top.read import read_top
from aureole.jobs.from_gromacs import simulation_of
from aureole_bench.gmx import settings_of
from aureole_bench.terms import compared, missing
from gmx_tool import gromacs, shared
from mdrun_inputs import mdrun

DEBYE = 48.0320  # in one e nm
TABLE = tomllib.loads(Path(published_models.__file__).with_suffix(".toml").read_text())
PME = "continuation = yes\ncoulombtype = PME\nrcoulomb = 0.9\nrvdw = 0.9\nfourierspacing = 0.1\n"


def test_dipoles_of_water():
    """Of the publications [D]; charges and shape together."""
    for name, dipole in {"spce": 2.351, "spc": 2.274, "tip3p": 2.347, "tip4p": 2.177}.items():
        one = model(name, None)
        moment = np.array(one.charges) @ one.position
        assert DEBYE * np.linalg.norm(moment) == pytest.approx(dipole, abs=2e-3)


def test_lennard_jones_of_water():
    """Sigma [Å] and epsilon [kJ/mol], as later works quote them."""
    quoted = {
        "spce": (3.166, 0.650),
        "spc": (3.166, 0.650),
        "tip3p": (3.1507, 0.6364),
        "tip4p": (3.1536, 0.6487),
    }
    for name, (sigma, epsilon) in quoted.items():
        oxygen = model(name, None).kinds[0]
        assert (10 * oxygen.sigma, oxygen.epsilon) == pytest.approx((sigma, epsilon), rel=4e-4)


def test_lennard_jones_has_the_published_numbers():
    """Of A/r¹² - C/r⁶ [kcal/mol, Å], and of half the distance of the minimum [Å], as published."""
    for name, a, c in (("tip3p", 582e3, 595.0), ("tip4p", 600e3, 610.0)):
        oxygen = model(name, None).kinds[0]
        wanted = 0.1 * (a / c) ** (1 / 6), 4.184 * c * c / (4 * a)
        assert (oxygen.sigma, oxygen.epsilon) == pytest.approx(wanted, rel=1e-12)
    for name in ("spc", "spce"):  # (A/r)⁶ and (B/r)¹² in nm and kJ/mol
        oxygen = model(name, None).kinds[0]
        wanted = 0.3428**2 / 0.37122, 0.37122**12 / (4 * 0.3428**12)
        assert (oxygen.sigma, oxygen.epsilon) == pytest.approx(wanted, rel=1e-12)
    ions = {
        ("Na+", "spce"): (1.212, 0.3526418),
        ("Cl-", "spce"): (2.711, 0.0127850),
        ("Na+", "tip3p"): (1.369, 0.0874393),
        ("Cl-", "tip3p"): (2.513, 0.0355910),
    }
    for key, (half, epsilon) in ions.items():
        kind = model(*key).kinds[0]
        wanted = 0.2 * half / 2 ** (1 / 6), 4.184 * epsilon
        assert (kind.sigma, kind.epsilon) == pytest.approx(wanted, rel=1e-12)


def test_molar_masses_and_charges():
    for name in NAMES:
        one = model(name, "spce")
        charge = {"Na+": 1.0, "Cl-": -1.0}.get(name, 0.0)
        assert one.charge == charge
    assert model("ethanol", None).mass == pytest.approx(46.069, abs=1e-3)
    assert model("tip4p", None).mass == pytest.approx(18.0154, abs=1e-4)


def test_ethanol_is_at_rest():
    """Bonds as long as their minima, and no force along them."""
    topology = au.build.solution({"ethanol": 1}).topology
    x = model("ethanol", None).position
    bonds = topology.blocks[0][0].terms["harmonic_bond"]
    length = np.linalg.norm(x[bonds.particles[:, 0]] - x[bonds.particles[:, 1]], axis=1)
    assert length == pytest.approx(bonds.parameters[bonds.row, 0], abs=1e-9)


def test_ethanol_as_the_force_field_of_gromacs():
    """The same parameters as in a topology made from the force field's own files."""
    theirs = next(m for m, _ in read_top(shared("water-ethanol/we12k.top")).blocks)
    ours = au.build.solution({"ethanol": 1}).topology.blocks[0][0]
    assert ours.atoms.charge.tolist() == theirs.atoms.charge.tolist()
    for kind in ("harmonic_bond", "harmonic_angle", "pair"):
        assert _rows(ours.terms[kind]) == pytest.approx(_rows(theirs.terms[kind]), rel=1e-6)
    # Their torsion of H–C–C–H is a later one, of V3 = 0.3 kcal/mol instead of 0.318.
    mine, other = (t.terms["ryckaert_bellemans"] for t in (ours, theirs))
    turned = np.sort(mine.parameters[mine.row, 3]), np.sort(other.parameters[other.row, 3])
    assert turned[0][:6] == pytest.approx(turned[1][:6], rel=1e-5)
    assert turned[0][6:] == pytest.approx(turned[1][6:] * 0.318 / 0.3, rel=1e-5)


def _rows(terms):
    """Rows of parameters, sorted."""
    return np.array(sorted(map(tuple, np.round(terms.parameters[terms.row], 9))))


@pytest.mark.parametrize("n", [1, 2, 7, 28, 216, 500, 3333])
def test_lattices_waste_little(n):
    shape = lattice_shape(n)
    assert n <= np.prod(shape) <= max(1.15 * n, n + 2)
    assert max(shape) - min(shape) <= 2


@pytest.mark.parametrize("name", WATERS)
def test_water(name):
    topology, coordinates = au.build.water(300, name, density=980.0, seed=4)
    atoms = topology.expand_atoms()
    volume = np.linalg.det(coordinates.box)
    assert atoms.mass.sum() / volume * 1.66053907 == pytest.approx(980.0, rel=1e-4)
    x = coordinates.position.reshape(300, -1, 3)
    settle = topology.expand_terms()["settle"]
    oh, hh = settle.parameters[0]
    assert np.linalg.norm(x[:, 0] - x[:, 1], axis=1) == pytest.approx(oh, abs=2e-6)
    assert np.linalg.norm(x[:, 1] - x[:, 2], axis=1) == pytest.approx(hh, abs=2e-6)
    # Random orientations: the mean of 300 unit vectors is about 1/sqrt(300).
    axis = x[:, 1] + x[:, 2] - 2 * x[:, 0]
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    assert np.linalg.norm(axis.mean(axis=0)) < 4 / np.sqrt(300)
    if name == "tip4p":
        assert np.linalg.norm(x[:, 3] - x[:, 0], axis=1) == pytest.approx(0.015, abs=2e-6)
        assert atoms.virtual.sum() == 300
        site = topology.expand_terms()["vsite3"]
        a, b = site.parameters[0]
        place = x[:, 0] + a * (x[:, 1] - x[:, 0]) + b * (x[:, 2] - x[:, 0])
        assert x[:, 3] == pytest.approx(place, abs=3e-6)


def test_mixture_has_no_hopeless_contacts():
    topology, coordinates = au.build.solution({"ethanol": 40, "spce": 360}, seed=1)
    x, molecule = coordinates.position, topology.molecule_index()
    edge = coordinates.box[0, 0]
    difference = x[:, None] - x[None]
    difference -= edge * np.round(difference / edge)
    distance = np.linalg.norm(difference, axis=2)
    distance[molecule[:, None] == molecule[None, :]] = np.inf
    light = topology.expand_atoms().mass < 2.0
    heavy = ~light[:, None] & ~light[None, :]
    assert distance.min() > 0.06
    assert distance[heavy].min() > 0.18
    # Kinds are mixed: ethanol's centres fill all eight octants.
    first = x[: 40 * 9 : 9] % edge > edge / 2
    assert len({tuple(row) for row in first.tolist()}) == 8


def test_seeds():
    one, again, other = (au.build.water(50, seed=seed).coordinates.position for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert np.abs(one - other).max() > 0.05


def test_many_atoms_are_soon_there():
    began = time.process_time()
    built = au.build.solution({"ethanol": 1333, "spce": 12001})
    assert built.n == 48000
    assert time.process_time() - began < 30


def test_files_say_the_same(tmp_path):
    built = au.build.solution({"ethanol": 20, "spce": 250, "Na+": 3, "Cl-": 3})
    built.write_gromacs(tmp_path / "new")
    files = [tmp_path / "new" / name for name in ("conf.gro", "topol.top", "grompp.mdp")]
    files[2].write_text(PME)
    job = read_job(*files)
    assert not job.remarks and not job.count("error")
    assert np.array_equal(job.coordinates.position, built.coordinates.position)
    assert job.coordinates.residue_name.array().tolist() == (
        built.coordinates.residue_name.array().tolist()
    )
    assert np.array_equal(job.topology.nonbonded.c12, built.topology.nonbonded.c12)
    here, there = (
        simulation_of(
            Job(one.coordinates, one.topology, job.parameters), threads=1, precision="double"
        ).energy.per_force
        for one in (built, job)
    )
    assert here == pytest.approx(there, rel=1e-12)


def test_the_minimisation_before_a_run(here):
    """Without it the run ends at once; its forces are those of the run."""
    au.build.solution({"ethanol": 40, "spce": 200}, seed=1).write_gromacs(here)
    mdrun("-nsteps", 100, code=1)
    mdrun("-f", "em.mdp", "-deffnm", "em")
    mdrun("-c", "em.gro", "-nsteps", 100)
    first, then = (read_mdp(path).values for path in ("em.mdp", "grompp.mdp"))
    for key in ("coulombtype", "rcoulomb", "vdwtype", "vdw-modifier", "rvdw", "constraints"):
        assert first[key] == then[key], key
    assert minimisation_before("; a\nIntegrator=Steep\n") is None
    assert minimisation_before("ref_t = 3\nrvdw=1").endswith("5000\nrvdw=1")


def test_rules_of_ions():
    """Ions interact by their own rule, whatever that of ethanol is."""
    alone = au.build.solution({"spce": 60, "Na+": 1, "Cl-": 1}).topology.nonbonded
    mixed = au.build.solution({"ethanol": 5, "spce": 60, "Na+": 1, "Cl-": 1}).topology.nonbonded
    for pair in (("NA", "OW"), ("NA", "CL"), ("CL", "CL"), ("OW", "OW")):
        a, b = (t.c12[tuple(t.type_names.index(name) for name in pair)] for t in (alone, mixed))
        assert a == pytest.approx(b, rel=1e-9)
    i, j = (mixed.type_names.index(name) for name in ("CT", "OW"))
    geometric = np.sqrt(mixed.c12[i, i] * mixed.c12[j, j])
    assert mixed.c12[i, j] == pytest.approx(geometric, rel=1e-9)
    assert alone.rule == "lorentz-berthelot"


def test_what_cannot_be_built():
    for counts, word in (
        ({"spce": 5, "tip3p": 5}, "different water models"),
        ({"spc": 50, "Na+": 1}, "no published parameters"),
        ({"Na+": 1}, "no water"),
        ({"ethanl": 5}, "ethanol"),
        ({"spce": 0}, "nothing to build"),
        ({"spce": 1.5}, "whole number|integer"),
        ({}, "it must hold numbers"),
    ):
        with pytest.raises(au.InputError, match=word):
            au.build.solution(counts)
    with pytest.raises(au.InputError, match="model"):
        au.build.water(5, "tip5p")
    with pytest.raises(au.InputError, match="density"):
        au.build.water(5, density=0.0)


@pytest.mark.parametrize(
    "counts",
    [
        {"ethanol": 30, "spce": 300, "Na+": 4, "Cl-": 4},
        {"tip3p": 400, "Na+": 4, "Cl-": 4},
        {"tip4p": 300},
    ],
    ids=lambda counts: " ".join(counts),
)
def test_energies_as_gromacs(counts, tmp_path):
    """grompp takes the files, and every term is GROMACS' in double precision."""
    program = gromacs(tmp_path, double=True)
    built = au.build.solution(counts, seed=3)
    built.write_gromacs(tmp_path, PME)
    job = read_job(tmp_path / "conf.gro", tmp_path / "topol.top", tmp_path / "grompp.mdp")
    assert not job.count("error")
    made = Job(built.coordinates, built.topology, job.parameters)
    sim = simulation_of(made, threads=1, precision="double")
    theirs = program.point("point", "conf.gro", "topol.top", settings_of(PME))
    rows = compared(sim.energy.per_force, theirs.energy)
    assert not missing(sim.energy.per_force, theirs.energy)
    assert {"Lennard-Jones", "electrostatics", "potential"} <= {row.name for row in rows}
    # Bonds start at their minima, so that only rounding to the file is left of them.
    assert max(row.gap for row in rows if abs(row.theirs) > 0.1) < 2e-8, rows
    if "tip4p" not in counts:  # whose sites hand their forces on
        scale = np.sqrt((theirs.force**2).mean())
        assert np.sqrt(((sim.get("force") - theirs.force) ** 2).mean()) < 2e-6 * scale


def test_ethanol_has_the_published_numbers():
    """Behind each line of the file; a bond is in kcal/mol/Å² and Å there, without the half."""
    found = []
    for line in TABLE["ethanol"]["topology"].splitlines():
        terms, _, published = line.partition(";")
        _, _, numbers = published.partition(": ")
        given = [float(word) for word in terms.split()[1:] if "[" not in terms]
        if not given or not numbers:
            continue
        first, *rest = (float(word) for word in numbers.split(", "))
        size = len(published.split(":")[0].split("-"))
        wanted = {
            2: [0.1 * sum(rest), 2 * 418.4 * first],
            3: [*rest, 2 * 4.184 * first],
            4: [4.184 * value for value in (first, *rest)] + [0.0],
        }[size]
        assert given[size:] == pytest.approx(wanted, rel=1e-9), line
        found.append(size)
    assert [found.count(size) for size in (2, 3, 4)] == [8, 13, 12]
