# SPDX-License-Identifier: Apache-2.0
"""What properties leave out of some jobs, whether the reason holds, and that faults are found."""

from __future__ import annotations

from dataclasses import replace

import beside_gromacs
import conservation
import derivatives
import numpy as np
import on_ranks
import pytest
from aureole.base.errors import InputError
from built import Built, Refused
from properties import OF_OVERLAPS, made, recipe_of_job
from test_seeded_faults import alter


def without(recipe, feature):
    left = {name: options for name, options in recipe.features.items() if name != feature}
    return replace(recipe, features=left)


def energy_of_restraints_to_z(position):
    """40 (1 - cos(angle - 50 degrees)) of the first two particles of chains of five [kJ/mol]."""
    away = position[1::5] - position[::5]
    angle = np.arccos(away[:, 2] / np.linalg.norm(away, axis=1))
    return float((40 * (1 - np.cos(angle - np.radians(50)))).sum())


def test_the_virial_of_restraints_to_z_is_the_symmetric_part(tmp_path):
    """By differences of the energy by hand, where every strain of the box is tried."""
    built, h = Built(recipe_of_job(7000034), tmp_path), 1e-6
    start = built.job.coordinates.position
    with built.simulation(parameters=built.still(), position=start, precision="double") as sim:
        (term,) = (t for t in sim.thermo()["per_force"] if t["name"] == "angle_restraint_z")
        found = np.reshape(term["virial"], (3, 3))
        energy = sim.energy.per_force["angle_restraint_z"]
    assert energy == pytest.approx(energy_of_restraints_to_z(start))
    slope = np.zeros((3, 3))
    for at in np.ndindex(3, 3):
        strain = np.zeros((3, 3))
        strain[at] = h
        ends = [energy_of_restraints_to_z(start @ (np.eye(3) + s * strain)) for s in (1, -1)]
        slope[at] = (ends[1] - ends[0]) / (2 * h)
    assert np.abs(slope - slope.T).max() > 10
    assert found == pytest.approx((slope + slope.T) / 2, abs=1e-6)
    assert np.trace(found) == pytest.approx(0, abs=1e-9)


def test_restraints_to_z_leave_the_rest_of_the_virial(tmp_path, monkeypatch):
    built = Built(recipe_of_job(7000034), tmp_path)
    assert not list(derivatives.check(built))
    alter(monkeypatch, Built, virial=lambda sim: sim.virial * (1 + 1e-5))
    assert "virial: -dE" in " ".join(derivatives.check(built))


def test_frozen_particles_beside_the_barostat_of_berendsen(tmp_path, monkeypatch):
    recipe = recipe_of_job(243000033)
    assert recipe.options["pcoupl"] == "berendsen" and "frozen" in recipe.features
    assert not list(conservation.check(Built(recipe, tmp_path)))
    alter(monkeypatch, Built, conserved=lambda sim: sim.conserved + 100.0 * sim.step)
    for feature in ("frozen", "barostat"):
        built = Built(without(recipe, feature), tmp_path)
        assert "conserved energy moved" in " ".join(conservation.check(built))


def test_a_start_with_overlaps_has_a_shorter_step(tmp_path, monkeypatch):
    recipe = recipe_of_job(14000024)
    job, _ = made(recipe, tmp_path)
    step = float(recipe.options["dt"])
    assert job.job.parameters.dt == pytest.approx(OF_OVERLAPS * step)
    assert not list(conservation.check(job))
    alter(monkeypatch, Built, conserved=lambda sim: sim.conserved + 500.0 * sim.step)
    assert "conserved energy moved" in " ".join(conservation.check(job))
    others = replace(recipe, molecules=recipe.molecules[:1])
    assert made(others, tmp_path)[0].job.parameters.dt == pytest.approx(step)


def failing(words):
    def check(_):
        raise InputError(words)
        yield

    return check


def test_a_list_that_outgrows_the_ranks(monkeypatch):
    """Job 13000013 has room at the start, but not for the list of a later step."""
    monkeypatch.setattr(on_ranks, "_check", failing("the box is too small for 8 ranks (a domain)."))
    with pytest.raises(Refused, match="too small for 8 ranks"):
        list(on_ranks.check(None))
    monkeypatch.setattr(on_ranks, "_check", failing("a force is not finite (why). Mend it."))
    with pytest.raises(InputError, match="not finite"):
        list(on_ranks.check(None))


def test_pressure_of_angle_restraints_in_tilted_boxes(tmp_path, monkeypatch):
    """GROMACS 2022 has one, of a term that scaling the box does not change."""
    recipe = recipe_of_job(7000020)
    assert not list(beside_gromacs.check(Built(recipe, tmp_path)))
    rectangular = replace(recipe, vectors=(*recipe.vectors[:3], 0, 0, 0, 0, 0, 0))
    assert not list(beside_gromacs.check(Built(rectangular, tmp_path)))
    with monkeypatch.context() as patch:
        alter(patch, Built, pressure=lambda sim: sim.pressure + 1.0)
        words = " ".join(beside_gromacs.check(Built(rectangular, tmp_path)))
        assert "in GROMACS" in words
    monkeypatch.setattr(Built, "tilted", False)
    words = " ".join(beside_gromacs.check(Built(recipe, tmp_path)))
    assert "pressure 10.79" in words and "in GROMACS -1091.97" in words
