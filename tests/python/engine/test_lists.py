# SPDX-License-Identifier: Apache-2.0
"""How often exact pair lists of molecules are searched."""

from __future__ import annotations

import aureole as au


def test_exact_lists_of_water_are_searched_seldom():
    """Forces along rigid bonds must not widen lists: each pruning was a search when they did."""
    sim = au.Simulation(
        au.build.water(1000, "spce").system(),
        forces=[au.LennardJones(r_cut="0.9 nm"), au.PME(r_cut="0.9 nm")],
        integrator=au.StochasticDynamics(dt="2 fs", T="300 K", tau="0.1 ps"),
        seed=3,
    )
    sim.minimize(max_steps=30)
    sim.thermalize("300 K")
    sim.run(50)
    before = sim._core.describe()
    assert before["list"] == "exact"
    sim.run(200)
    after = sim._core.describe()
    assert after["searches"] - before["searches"] <= 10
    assert after["prunings"] - before["prunings"] <= 80
