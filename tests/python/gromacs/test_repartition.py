# SPDX-License-Identifier: Apache-2.0
"""Mass repartitioning keeps molecules' masses, and refuses what has no partner."""

from __future__ import annotations

import aureole as au
import numpy as np
import pytest
from aureole.gromacs.mass_repartition import repartition


def test_ethanol_in_water_keeps_its_masses():
    topology, _ = au.build.solution({"ethanol": 2, "spce": 3}, seed=1)
    heavier = repartition(topology, 3.0)
    for (before, _), (after, _) in zip(topology.blocks, heavier.blocks, strict=True):
        old, new = before.atoms.mass, after.atoms.mass
        assert new.sum() == pytest.approx(old.sum(), rel=1e-14)
        light = old < 1.5
        assert light.any()
        assert new[light] == pytest.approx(3.0 * old[light].min(), rel=1e-14)
        # Each heavy atom has lost what its hydrogens got.
        lost = (old - new)[~light]
        assert (lost >= 0).all() and lost.sum() == pytest.approx((new - old)[light].sum())
    assert repartition(topology, 1.0) is topology


def test_too_much_is_refused():
    topology, _ = au.build.water(2, seed=1)
    with pytest.raises(au.InputError, match="would be left with a mass"):
        repartition(topology, 8.0)


def test_atoms_without_a_single_partner_are_refused():
    topology, _ = au.build.water(4, seed=1)
    with pytest.raises(au.InputError, match="atom 1 of SOL is bound to 2 atoms"):
        repartition(topology, 30.0)


def test_the_option_is_honoured(tmp_path):
    text = au.preset("amber") + "mass-repartition-factor = 3\n"
    au.build.water(200, seed=1).write_gromacs(tmp_path, text)
    job = au.read_job(*(tmp_path / name for name in ("conf.gro", "topol.top", "grompp.mdp")))
    mass = job.topology.expand_atoms().mass
    assert np.unique(mass.round(4)).tolist() == [3.024, 11.9674]
