# SPDX-License-Identifier: Apache-2.0
"""What conservation lets pass, and that it does so for its reason only."""

from __future__ import annotations

from dataclasses import replace

import conservation
import numpy as np
import pytest
from built import Built
from molecule_kinds import SITES, kind_of
from recipe import Recipe
from test_seeded_faults import alter, getting

RUN = {"integrator": "md", "dt": "0.001"}
STILL = {"comm-mode": "None"}
FIELD = {"coulombtype": "Reaction-Field", "epsilon-rf": "0"}
RODS = Recipe(
    *(3, (("rod", 4),), (1.9, 1.9, 1.9, 0, 0, 0, 0, 0, 0), (2, 2, 2)),
    features={
        "run": RUN,
        "drift": STILL,
        "charges": FIELD,
        "cut-offs": {"rcoulomb": "0.8", "rvdw": "0.8"},
    },
)
NAMES = ("water", "soft water", "tip4p", "ethanol", "rod")
KINDS = (*NAMES, *(f"chain:{seed}" for seed in range(60)), *(f"site:{one}" for one in SITES))


def _lengths(kind):
    """Pairs of particles and the lengths of their bonds and constraints."""
    part = ""
    for line in kind.terms.splitlines():
        words = line.split()
        if line.startswith("["):
            part = words[1]
        elif part in ("bonds", "constraints") and words[2] in "1234" and len(words) > 3:
            yield int(words[0]) - 1, int(words[1]) - 1, float(words[3])
        elif part == "settles" and len(words) == 4:
            yield 0, 1, float(words[2])
            yield 0, 2, float(words[2])
            yield 1, 2, float(words[3])


@pytest.mark.parametrize("name", KINDS)
def test_shapes_have_the_lengths_of_their_constraints(name):
    kind = kind_of(name)
    for a, b, length in _lengths(kind):
        assert np.linalg.norm(kind.position[a] - kind.position[b]) == pytest.approx(length, 1e-8)


def _growing(monkeypatch):
    alter(monkeypatch, Built, conserved=lambda sim: sim.conserved + 2.0 * sim.step)


def test_energy_of_rods_in_a_reaction_field_counts(tmp_path, monkeypatch):
    built = Built(RODS, tmp_path)
    assert not list(conservation.check(built))
    _growing(monkeypatch)
    assert "conserved energy moved" in " ".join(conservation.check(built))


def test_excluded_pairs_that_cross_a_cut_off(tmp_path, monkeypatch):
    """The ends of rods swing by a few pm around 0.6 nm: each crossing is a jump of 46 kJ/mol."""
    with Built(RODS, tmp_path).simulation() as sim:
        place = sim.get("position").reshape(-1, 3, 3)
        apart = np.linalg.norm(place[:, 0] - place[:, 2], axis=1)
    cut = f"{np.median(apart) + 1e-4:.5f}"
    built = Built(RODS.with_options(rcoulomb=cut, rvdw=cut), tmp_path)
    with built.simulation(precision="double") as sim:
        looks = conservation._course(built, sim, 1)
    assert conservation._crossed(looks)
    assert conservation._moved(looks) > 10
    assert not list(conservation.check(built))


def test_frozen_constraints_are_as_long_as_in_the_file(tmp_path, monkeypatch):
    """Ten decimals of a length of 0.1 nm are 1e-9 of it, which SHAKE of 1e-10 does not mend."""
    solver = {
        "constraints": "h-bonds",
        "constraint-algorithm": "SHAKE",
        "shake-tol": "1e-10",
        "continuation": "yes",
    }
    frozen = {"freezegrps": "Cold", "freezedim": "Y Y Y"}
    features = {**RODS.features, "constraints": solver, "frozen": frozen}
    built = Built(replace(RODS, molecules=(("ethanol", 8),), features=features), tmp_path)
    assert not list(conservation.check(built))
    alter(monkeypatch, Built, get=getting("position", lambda x: x * (1 + 1e-8)))
    second = np.zeros((72, 1))
    second[9:18] = 1  # a frozen molecule
    alter(monkeypatch, Built, get=getting("position", lambda x: x * (1 + 1e-8 * second)))
    assert "constraint is off by" in " ".join(conservation.check(built))
