# SPDX-License-Identifier: Apache-2.0
"""Evidence that arguments do what they are documented to do: a table that files of effects fill.

``@shows("NVE.dt", "Langevin.dt")`` stands over a function that changes these arguments, one at a
time, and asserts what follows; it is called with the name of the class or function.
"""

from __future__ import annotations

from collections.abc import Callable

import aureole as au
import numpy as np

Evidence = Callable[[str], None]

#: By "Owner.argument".
EVIDENCE: dict[str, Evidence] = {}


def shows(*names: str) -> Callable[[Evidence], Evidence]:
    """Enter a function as the evidence of these arguments."""

    def enter(function: Evidence) -> Evidence:
        for name in names:
            assert name not in EVIDENCE, f"{name} has evidence already"
            EVIDENCE[name] = function
        return function

    return enter


def refuses(words: str, make: Callable[[], object]) -> None:
    """Assert that a call raises an error of ours that says so."""
    try:
        make()
    except au.Error as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError(f"nothing was raised about {words!r}")


LJ = au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=2.5)


def liquid(kT: float | None = 1.2, n: int = 256, system=None, **changes) -> au.Simulation:
    """A small liquid in double precision on one thread, thermalised, with some parts changed."""
    settings = {"forces": [LJ], "integrator": au.NVE(dt=0.005), "seed": 1, "threads": 1}
    settings["precision"] = "double"
    system = system or au.build.lattice("fcc", n=n, density=0.8)
    sim = au.Simulation(system, **(settings | changes))
    return sim if kT is None else sim.thermalize(kT)


def pair(distance: float, **options) -> au.System:
    """Two particles at a distance along x, in a box of 20."""
    at = [[-distance / 2, 0, 0], [distance / 2, 0, 0]]
    return au.System(au.Box.of(20.0), np.array(at), **options)


def pair_energy(force: au.LennardJones, distance: float, **options) -> float:
    """The energy of two particles at a distance."""
    with au.Simulation(pair(distance, **options), [force], precision="double", threads=1) as sim:
        return sim.energy.potential
