# SPDX-License-Identifier: Apache-2.0
"""Every quantity of a `Log` in its unit: that of the simulation, and of the table of `Energies`."""

from __future__ import annotations

import csv

import aureole as au
import numpy as np
import pytest
from aureole.observers.log_columns import QUANTITIES

#: Of the present run, and what is not of the state.
SPEED = "steps_per_second"
AXES = "xyz"


def molecular(observers):
    """Argon in nm, ps and kJ/mol, whose unit of pressure is not its energy by volume."""
    random = np.random.default_rng(4)
    lattice = 0.45 * np.array([[x, y, z] for x in range(4) for y in range(4) for z in range(4)])
    place = lattice + random.uniform(-0.01, 0.01, lattice.shape)
    start = au.System(au.Box(1.8, 1.8, 1.8), place, mass=39.9, units="molecular")
    force = au.LennardJones(epsilon=1.0, sigma=0.34, r_cut=0.85)
    return au.Simulation(start, [force], au.NVE(dt=0.002), observers, seed=3, threads=1)


def reduced(observers):
    start = au.build.lattice("fcc", n=108, density=0.8)
    force = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.0)
    return au.Simulation(start, [force], au.NVE(dt=0.002), observers, seed=3, threads=1)


def table(path):
    """Name → numbers of a table; units in a comment or in brackets are left out."""
    with open(path) as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    names = [word.split(" ")[0].split("[")[0].strip('"') for word in rows[0]]
    return dict(zip(names, np.array(rows[1:], dtype=float).T, strict=True))


@pytest.mark.parametrize("make", [molecular, reduced])
def test_each_quantity_is_that_of_the_simulation(here, make):
    seen = []

    def see(sim):
        tensor = np.array(sim.pressure_tensor)
        seen.append([sim.pressure, tensor, np.array(sim.momentum), sim.box.volume, sim.temperature])

    log = au.Log("log.csv", 10, quantities=QUANTITIES)
    with make([log, au.Energies("energies.csv", 10), au.Callback(see, 10)]) as sim:
        sim.thermalize(1.2 if make is reduced else "200 K")
        sim.run(30)
        bar = sim.units.pressure
    mine, other = table("log.csv"), table("energies.csv")
    assert set(mine) == set(QUANTITIES) and len(mine["step"]) == len(seen) == 4
    shared = (set(mine) & set(other)) - {SPEED}
    assert shared >= {"potential", "kinetic", "temperature", "pressure", "density", "pressure_xx"}
    for name in shared:
        assert mine[name] == pytest.approx(other[name], rel=1e-8, abs=1e-9), name
    for k, (pressure, tensor, momentum, volume, temperature) in enumerate(seen):
        row = {name: values[k] for name, values in mine.items()}
        parts = {f"{AXES[i]}{AXES[j]}": (i, j) for i in range(3) for j in range(i, 3)}
        for part, at in parts.items():
            assert row[f"pressure_{part}"] == pytest.approx(bar * tensor[at], rel=1e-10), part
        # By the trace, whatever the unit is.
        mean = sum(row[f"pressure_{axis * 2}"] for axis in AXES) / 3
        assert row["pressure"] == pytest.approx(pressure) == pytest.approx(mean, rel=1e-8)
        found = [row[f"momentum_{axis}"] for axis in AXES]
        assert found == pytest.approx(momentum.tolist(), rel=1e-9, abs=1e-12)
        assert row["volume"] == pytest.approx(volume)
        assert row["temperature"] == pytest.approx(temperature)
        assert row["total"] == pytest.approx(row["potential"] + row["kinetic"], rel=1e-9)
