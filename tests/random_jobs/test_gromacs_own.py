# SPDX-License-Identifier: Apache-2.0
"""What is allowed of GROMACS is what it does, and no more."""

from __future__ import annotations

import beside_gromacs
import gromacs_own
import numpy as np
import pytest
from built import Built
from recipe import Recipe

RUN = {"run": {"integrator": "md", "dt": "0.001"}, "drift": {"comm-mode": "None"}}
CUTS = {"rcoulomb": "0.8", "rvdw": "0.8"}
BOX = (3.0, 3.2, 3.4, 0, 0, 0, 0, 0, 0)
#: The ends of a rod exclude each other across 0.6 nm, those of an ethanol across less than 0.4.
SWITCHED = Recipe(
    *(3, (("rod", 3), ("ethanol", 4)), BOX, (3, 3, 3)),
    features={
        **RUN,
        "cut-offs": CUTS,
        "charges": {"coulombtype": "Reaction-Field", "epsilon-rf": "2.5"},
        "dispersion": {"vdw-modifier": "Force-switch", "rvdw-switch": "0.3"},
    },
)
CHARGED = Recipe(
    *(4, (("ion-", 2), ("argon", 5)), BOX, (3, 3, 3)),
    features={**RUN, "cut-offs": CUTS, "charges": {"coulombtype": "PME"}},
)


def _none(job, *_):
    return gromacs_own.Excess(np.zeros((job.topology.n, 3)), 0.0)


@pytest.mark.parametrize(
    ("recipe", "name", "nothing", "words"),
    [
        (SWITCHED, "of_switched_exclusions", _none, "forces differ"),
        (CHARGED, "of_net_charge", lambda *_: 0.0, "pressure"),
    ],
)
def test_differs_by_just_that(recipe, name, nothing, words, tmp_path, monkeypatch):
    built = Built(recipe, tmp_path)
    try:
        found = list(beside_gromacs.check(built))
    except beside_gromacs.NotThere as error:
        pytest.skip(str(error))
    assert not found
    monkeypatch.setattr(gromacs_own, name, nothing)
    assert words in " ".join(beside_gromacs.check(built))


@pytest.mark.parametrize("power", [6, 12])
def test_switched_force_ends_with_its_slope(power):
    end, h = 0.9, 1e-5
    at = np.array([end - 2 * h, end - h, end])
    total = at ** -(power + 1) + gromacs_own._added(power, at, 0.6, end)
    scale = end ** -(power + 1)
    assert abs(total[2]) < 1e-12 * scale
    assert abs(3 * total[2] - 4 * total[1] + total[0]) / (2 * h) < 1e-5 * scale / end


def test_background_of_a_mesh(tmp_path):
    # 2 e, 32.64 nm³ and erfc(0.8 β) = 1e-5; E = -π 138.935458 Q² / (2 V β²)
    job, volume = Built(CHARGED, tmp_path).job, 3.0 * 3.2 * 3.4
    energy = -np.pi * 138.935458 * 4 / (2 * volume * 3.9042666**2)
    found = gromacs_own.of_net_charge(job, volume)
    assert found == pytest.approx((2 / volume - 1) * energy, rel=1e-5)
