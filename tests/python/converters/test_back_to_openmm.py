# SPDX-License-Identifier: Apache-2.0
"""Positions that go back to OpenMM: it finds the energies that were found here."""

from __future__ import annotations

import dataclasses
import os
import re

import aureole as au
import numpy as np
import pytest
from doc_pages import ROOT, blocks

mm = pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
from openmm import app, unit  # noqa: E402
from test_from_openmm import PRECISE, arrays, built, compare, energies, small  # noqa: E402

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
    exec(lines_that("context.setPositions"), {"sim": sim, "simulation": simulation, "unit": unit})
    assert sim.box == before
    state = context.getState(getVelocities=True)
    assert np.allclose(state.getVelocities(asNumpy=True), sim.get("velocity"), atol=1e-12)
    # A list in use may lack pairs that have just come into the cut-off; a new one lacks none.
    sim.set("position", sim.get("position"))
    compare(sim.energy, energies(system, context))


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


def test_positions_that_come_back():
    """Of the frame of `positions()`, with restraints: the box has its corner at the origin."""
    water = au.build.water(100).system()
    tags = np.arange(0, 30, 3)
    held = water.replace(terms={"position_restraint": (tags[:, None], (1000.0,) * 3)})
    forces = [au.LennardJones(r_cut=0.6), au.ReactionField(r_cut=0.6)]
    sim = au.Simulation(held, forces, au.LeapFrog(dt=0.002), threads=1)
    sim.minimize(max_steps=50)
    before, x = sim.energy, sim.positions()
    turns = np.random.default_rng(1).integers(-2, 3, (100, 1, 3)) + np.zeros((1, 3, 1))
    for one in (x, x * 10 * unit.angstrom, x + turns.reshape(-1, 3) * sim.box.lengths):
        sim.set_positions(one)
        assert sim.energy.per_force == pytest.approx(before.per_force, rel=1e-6)
        assert sim.positions() == pytest.approx(x, abs=1e-12)
    given = x + turns.reshape(-1, 3) * sim.box.lengths  # where `image` counts from
    unfolded = sim.get("position") + sim.get("image") * sim.box.lengths + sim.box.origin
    assert unfolded == pytest.approx(given, abs=1e-12)
    assert np.abs(sim.get("position")).max() <= sim.box.lx / 2
    with pytest.raises(au.InputError, match="position has the shape"):
        sim.set_positions(x[:5])
    with pytest.raises(AttributeError, match=r"Use sim\.set_positions\(x\)"):
        sim.setPositions(x)


def test_the_restraints_of_the_page(monkeypatch):
    system, topology, context = built("amber14", rigidWater=True, constraints=app.HBonds)
    positions, _ = arrays(context)
    pdb = type("", (), {"topology": topology, "positions": positions * unit.nanometer})
    exec(lines_that("held ="), {"mm": mm, "unit": unit, "pdb": pdb, "system": system})
    ours = au.system_from_openmm(system, topology, positions)
    held = ours.topology.expand_terms()["position_restraint"]
    tags = [atom.index for atom in topology.atoms() if atom.name == "CA"]
    assert held.particles.ravel().tolist() == tags and held.parameters.tolist() == [[1000.0] * 3]
    made = []
    sim = au.from_openmm(system, topology, positions, dt=0.001, temperature=300, maxwarn=9)
    monkeypatch.setattr(au.Simulation, "run", lambda self, _: made.append(self))
    sim.thermalize()
    names = {"au": au, "system": system, "pdb": pdb, "sim": sim, "held": system.getForces()[-1]}
    exec(lines_that("for k in (500"), names)
    assert len(made) == 3 and made[-1] is names["sim"]
    for k, one in zip((500, 100, 20), made, strict=True):
        terms = one.topology.expand_terms()["position_restraint"]
        assert (terms.parameters == 2 * k).all() and one.box == sim.box
        assert one.positions() == pytest.approx(sim.positions(), abs=1e-9)
        assert np.array_equal(one.get("velocity"), sim.get("velocity"))
    names = {"ours": ours, "tags": np.array(tags)}
    exec(lines_that("tags[:, None]"), names)
    assert names["ours"].terms["position_restraint"].n == len(tags)


@pytest.mark.parametrize("options", [{}, {"integrator": "sd"}])
def test_another_temperature_on_the_page(options, tmp_path):
    """The lines for the default integrator, and those for the other one; after a restart too."""
    tau = {"tau_t": 1} if options else {}
    system, topology, x = small()
    system.addForce(mm.CMMotionRemover())
    sim = au.from_openmm(
        *(system, topology, x), temperature=300, dt=0.002, maxwarn=9, **options, **tau
    )
    sim.write_checkpoint(tmp_path / "a.ckpt")
    names = {"au": au, "replace": dataclasses.replace}
    for one in (sim, au.Simulation.from_checkpoint(tmp_path / "a.ckpt")):
        if options:
            (line,) = re.findall(r"it is `(replace\(.*?\))`", PAGE.read_text())
            one.integrator = eval(line, names | {"sim": one})
            assert one.integrator.T == 310
        else:
            exec(lines_that("warmer ="), names | {"sim": one})
            assert one.integrator.thermostat.T == 310
        assert one.integrator.remove_com_every == sim.integrator.remove_com_every == 1


def test_the_names_on_the_page_are_there():
    """Of both programs, as far as they are names of attributes."""
    table = PAGE.read_text().partition("| OpenMM | here |")[2].partition("\n\n")[0]
    sim = au.from_openmm(*small())
    of_sim, of_au = (set(re.findall(rf"`{one}\.(\w+)", table)) for one in ("sim", "au"))
    assert len(of_sim) > 8 and all(hasattr(sim, name) for name in of_sim)
    assert len(of_au) > 5 and all(hasattr(au, name) for name in of_au)
    for name in re.findall(r"`(\w+(?:Integrator|Reporter|Barostat|Thermostat))", table):
        assert hasattr(mm, name) or hasattr(mm.app, name), name
        with pytest.raises(AttributeError, match=rf"aureole has no '{name}'\. Use "):
            getattr(au, name)
    with pytest.raises(au.InputError, match=r'Use Trajectory\("a\.dcd", every=100\)'):
        sim.observers.append(mm.app.DCDReporter(os.devnull, 100))
