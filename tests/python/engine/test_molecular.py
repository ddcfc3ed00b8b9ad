# SPDX-License-Identifier: Apache-2.0
"""Simulations of molecules: forces are slopes of the energy, and energies those of GROMACS."""

from __future__ import annotations

import numpy as np
import pytest
from aureole.base.units import BAR
from aureole.gromacs.job import read_job
from aureole_bench.gmx import settings_of
from aureole_bench.molecules.measure import relative_error
from aureole_bench.terms import TERMS
from bent_chains import FORMS, job_of, simulation
from gmx_tool import gromacs, shared


@pytest.mark.parametrize("form", FORMS)
def test_forces_are_slopes(form, tmp_path):
    sim = simulation(job_of(tmp_path, form), "double")
    start, force = sim.get("position"), sim.get("force")
    random = np.random.default_rng(2)
    step = 1e-6 * random.normal(size=start.shape)
    sim.set("position", start + step)
    above = sim.energy.potential
    sim.set("position", start - step)
    below = sim.energy.potential
    work = -(force * step).sum()
    assert above - below == pytest.approx(2 * work, rel=2e-6)


@pytest.mark.parametrize("form", FORMS)
def test_mixed_precision_and_threads(form, tmp_path):
    job = job_of(tmp_path, form)
    exact = simulation(job, "double")
    force, energy = exact.get("force"), exact.energy
    size = sum(abs(value) for value in energy.per_force.values())
    scale = np.sqrt((force**2).mean())
    for threads in (1, 2):
        sim = simulation(job, "mixed", threads)
        assert np.sqrt(((sim.get("force") - force) ** 2).mean()) < 2e-5 * scale
        assert abs(sim.energy.potential - energy.potential) < 1e-5 * size
    two = simulation(job, "double", 3)
    assert np.abs(two.get("force") - force).max() < 1e-10 * scale


def test_units(tmp_path):
    sim = simulation(job_of(tmp_path, "mesh"), "double")
    assert sim.pressure == pytest.approx(np.trace(sim.pressure_tensor) / 3 * BAR)
    assert sim.steps_of("20 ps") == 40_000
    assert sim.steps_of("1.5 ns") == 3_000_000


@pytest.mark.parametrize("form", ["reaction field", "mesh"])
def test_water_and_ethanol_as_gromacs(form, tmp_path):
    """Energies and forces of the mixture beside GROMACS in double precision."""
    settings = {
        "reaction field": "coulombtype = reaction-field\nepsilon-rf = 0\n",
        "mesh": "coulombtype = pme\nfourierspacing = 0.12\n",
    }[form]
    text = "dt = 0.001\ncontinuation = yes\nrcoulomb = 1\nrvdw = 1\n" + settings
    (tmp_path / "grompp.mdp").write_text(text)
    conf, top = shared("water-ethanol/we12k.gro"), shared("water-ethanol/we12k.top")
    theirs = gromacs(tmp_path, double=True).point("a", conf, top, settings_of(text))
    job = read_job(conf, top, tmp_path / "grompp.mdp")
    # Forces of its mesh agree between GROMACS' own builds to 7e-7.
    limits = {"double": (1e-8, 1e-8, 2e-6), "mixed": (2e-6, 1e-5, 2e-5)}
    for precision, (each, total, force) in limits.items():
        sim = simulation(job, precision, 2)
        energy = sim.energy
        for kind in ("harmonic_bond", "harmonic_angle", "ryckaert_bellemans", "vdw"):
            expected = sum(theirs.energy.get(name, 0.0) for name in TERMS[kind])
            assert energy.per_force[kind] == pytest.approx(expected, rel=each)
        size = sum(abs(value) for value in energy.per_force.values())
        assert abs(energy.potential - theirs.energy["Potential"]) < total * size
        assert relative_error(sim.get("force"), theirs.force) < force
