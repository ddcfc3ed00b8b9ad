# SPDX-License-Identifier: Apache-2.0
"""Molecules on several ranks: energies, forces and steps of one rank, whatever the setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aureole as au
import numpy as np
import pytest

SETTINGS = {
    "integrator": "md",
    "dt": 0.001,
    "rcoulomb": 0.7,
    "rvdw": 0.7,
    "coulombtype": "reaction-field",
    "epsilon-rf": 0,
    "tcoupl": "v-rescale",
    "tc-grps": "system",
    "tau-t": 0.5,
    "ref-t": 300,
    "ld-seed": 7,
    "gen-vel": "yes",
    "gen-temp": 300,
    "gen-seed": 3,
    "constraints": "h-bonds",
    # Starts are hot in places: lists that would miss pairs there would differ between ranks.
    "verlet-buffer-tolerance": 1e-12,
}
CASES: dict[str, tuple[dict[str, int], dict[str, Any]]] = {
    "rigid_water": ({"spce": 450}, {}),
    "water_with_virtual_sites": ({"tip4p": 450}, {"comm-mode": "linear", "nstcomm": 5}),
    "ethanol_in_water": ({"spce": 300, "ethanol": 45}, {}),
    "flexible_ethanol": ({"spce": 300, "ethanol": 45}, {"constraints": "none", "dt": 0.0005}),
    "barostat": (
        {"spce": 450},
        {"pcoupl": "C-rescale", "tau-p": 1, "compressibility": 4.5e-5, "ref-p": 1, "nstpcouple": 5},
    ),
    "stochastic": ({"spce": 300, "ethanol": 45}, {"integrator": "sd"}),
    "mesh": ({"spce": 300, "ethanol": 45}, {"coulombtype": "PME", "fourierspacing": 0.12}),
    "mesh_and_barostat": (
        {"tip4p": 450},
        {"coulombtype": "PME", "pcoupl": "C-rescale", "tau-p": 1, "ref-p": 1}
        | {"compressibility": 4.5e-5, "DispCorr": "EnerPres", "nstpcouple": 5},
    ),
    "velocity_verlet": ({"spce": 450}, {"integrator": "md-vv", "tcoupl": "nose-hoover"}),
    "frozen_and_barostat": (
        {"spce": 300, "ethanol": 45},
        {
            "pcoupl": "C-rescale",
            "tau-p": 100,
            "compressibility": 4.5e-5,
            "ref-p": 1,
            "nstpcouple": 5,
        }
        | {"freezegrps": "Other", "freezedim": "Y Y Y", "constraints": "none", "dt": 0.0005},
    ),
}


def simulation(
    folder: Path,
    counts: dict[str, int],
    changes: dict[str, Any],
    ranks: int,
    algorithm: str = "clusters",
) -> au.Simulation:
    rows = SETTINGS | changes
    text = "".join(f"{name} = {value}\n" for name, value in rows.items())
    au.build.solution(counts, seed=5).write_gromacs(folder, text)
    device = au.Device(ranks=ranks, threads=1, precision="double", algorithm=algorithm)
    return au.from_gromacs(
        folder / "conf.gro", folder / "topol.top", folder / "grompp.mdp", device=device
    )


def nearest(apart: np.ndarray, box: Any) -> np.ndarray:
    edges = np.array([box.lx, box.ly, box.lz])
    return apart - edges * np.rint(apart / edges)


@pytest.fixture(scope="module", params=CASES)
def relaxed(request: Any, tmp_path_factory: Any) -> tuple[Path, str, np.ndarray, np.ndarray]:
    """Folder and name of a case, positions and velocities after a short relaxation."""
    folder = tmp_path_factory.mktemp(request.param)
    sim = simulation(folder, *CASES[request.param], 1)
    sim.minimize(au.SteepestDescent(max_steps=100))
    sim.thermalize("250 K")
    sim.run(50)
    return folder, request.param, np.array(sim.get("position")), np.array(sim.get("velocity"))


def assert_steps_are_those_of_one_rank(
    relaxed: Any, ranks: int, algorithm: str, steps: int
) -> None:
    folder, case, position, velocity = relaxed
    one, many = (simulation(folder, *CASES[case], n, algorithm) for n in (1, ranks))
    for sim in (one, many):
        sim.set("position", position)
        sim.set("velocity", velocity)
    for name, digits in (("position", 1e-13), ("velocity", 1e-12)):
        np.testing.assert_allclose(many.get(name), one.get(name), atol=digits)
    force = one.get("force")
    scale = float(np.sqrt(np.mean(np.sum(force**2, axis=1))))
    np.testing.assert_allclose(many.get("force"), force, atol=1e-12 * scale)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-11)
    for sim in (one, many):
        sim.run(steps)
    assert many.energy.potential == pytest.approx(one.energy.potential, rel=1e-9)
    assert many.temperature == pytest.approx(one.temperature, rel=1e-10)
    assert many.pressure == pytest.approx(one.pressure, rel=1e-7, abs=1e-6)
    moved = nearest(many.get("position") - one.get("position"), one.box)
    assert np.abs(moved).max() < 1e-9
    np.testing.assert_allclose(many.get("velocity"), one.get("velocity"), atol=1e-8)
    assert many.box == one.box or many.box.lx == pytest.approx(one.box.lx, rel=1e-12)


#: In turn; flat lists are on four.
RANKS = {case: 2 + 2 * (k % 2) for k, case in enumerate(CASES)}


def test_steps_are_those_of_one_rank(relaxed: Any) -> None:
    assert_steps_are_those_of_one_rank(relaxed, RANKS[relaxed[1]], "clusters", 60)


def test_flat_lists_make_them_too(relaxed: Any) -> None:
    if "mesh" in relaxed[1]:
        with pytest.raises(au.InputError, match="PME with the algorithm 'flat' cannot be divided"):
            simulation(relaxed[0], *CASES[relaxed[1]], 2, "flat").run(1)
        return
    assert_steps_are_those_of_one_rank(relaxed, 4, "flat", 20)
