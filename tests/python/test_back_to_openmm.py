# SPDX-License-Identifier: Apache-2.0
"""Positions that go back to OpenMM: it finds the energies that were found here."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from test_readme import ROOT, blocks

mm = pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
from openmm import unit  # noqa: E402
from test_from_openmm import PRECISE, arrays, built, compare, energies  # noqa: E402

PAGE = ROOT / "docs/howto/start-from-openmm-or-parmed.md"


def lines_that(words):
    """The block of the page that holds these words."""
    (found,) = [block for block in blocks(PAGE, "python") if words in block]
    return compile(found, PAGE.name, "exec")


def moved(**options):
    """A simulation whose particles and box have moved on, and its OpenMM system."""
    system, topology, context = built("amber14", rigidWater=True)
    positions, _ = arrays(context)
    positions -= positions[:100].mean(axis=0)  # the protein at a corner of the box
    sim = au.from_openmm(
        *(system, topology, positions), dt="0.5 fs", temperature=300, maxwarn=9, **options,
        **PRECISE,
    )  # fmt: skip
    return sim.thermalize().run(20), system, context


def test_the_lines_of_the_page():
    sim, system, context = moved(pressure=1000)
    before = sim.box
    simulation = type("", (), {"context": context})
    exec(lines_that("sim.positions()"), {"sim": sim, "simulation": simulation, "unit": unit})
    assert sim.box == before
    compare(sim.energy, energies(system, context))
    state = context.getState(getVelocities=True)
    assert np.allclose(state.getVelocities(asNumpy=True), sim.get("velocity"), atol=1e-12)


def test_atoms_in_the_box_would_have_another_energy():
    """Why `positions` makes molecules whole: the protein is across faces."""
    sim, system, context = moved()
    found = []
    for positions in (sim.positions(), sim.positions(whole=False), sim.get("position")):
        context.setPositions(positions)
        found.append(energies(system, context)["HarmonicBondForce"])
    bonds = sim.energy.of("harmonic_bond")
    assert found[0] == pytest.approx(bonds, rel=1e-9)
    assert found[1] > 1e3 * bonds and found[2] > 1e3 * bonds
    inside = sim.box.fractions(sim.positions(whole=False) - sim.box.origin)
    assert inside.min() >= 0 and inside.max() <= 1


def test_an_origin_that_is_that_of_the_input():
    """Before any step all molecules are where they were, or whole boxes from there."""
    system, topology, context = built("amber14", rigidWater=True)
    positions, _ = arrays(context)
    sim = au.from_openmm(system, topology, positions, **PRECISE)
    turns = (sim.positions() - positions) @ np.linalg.inv(sim.box.matrix).T
    assert np.abs(turns - np.rint(turns)).max() < 1e-12


def test_the_restraints_of_the_page():
    system, topology, context = built("amber14", rigidWater=True)
    positions, _ = arrays(context)
    pdb = type("", (), {"topology": topology, "positions": positions * unit.nanometer})
    exec(lines_that("held ="), {"mm": mm, "unit": unit, "pdb": pdb, "system": system})
    ours = au.system_from_openmm(system, topology, positions)
    held = ours.topology.expand_terms()["position_restraint"]
    tags = [atom.index for atom in topology.atoms() if atom.name == "CA"]
    assert held.particles.ravel().tolist() == tags and held.parameters.tolist() == [[1000.0] * 3]
    names = {"ours": ours, "tags": np.array(tags)}
    exec(lines_that("tags[:, None]"), names)
    assert names["ours"].terms["position_restraint"].n == len(tags)
