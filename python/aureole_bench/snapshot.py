# SPDX-License-Identifier: Apache-2.0
"""One equilibrated configuration per case, the same to the last bit for all engines."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aureole_bench.cases import Case

# Grids on which single precision, nine decimals and double precision all mean the same number.
POSITION_GRID = 2.0**-16
VELOCITY_GRID = 2.0**-20
VERSION = 1


@dataclass(frozen=True)
class Snapshot:
    """Positions (n, 3) in a cubic box centred on the origin, velocities (n, 3)."""

    case: Case
    position: NDArray[np.float64]
    velocity: NDArray[np.float64]

    @property
    def temperature(self) -> float:
        """Kinetic temperature with 3 n - 3 degrees of freedom [epsilon]."""
        return float((self.velocity**2).sum() / (3 * self.case.n - 3))

    @property
    def kinetic_pressure(self) -> float:
        """The pressure's part from the velocities [epsilon/sigma^3]."""
        return float((self.velocity**2).sum() / (3 * self.case.edge**3))


def cache_folder() -> Path:
    """Where snapshots and peers' inputs are kept between calls."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "aureole" / "bench"


def on_grid(case: Case, position: Any, velocity: Any) -> Snapshot:
    """A snapshot of the rounded arrays: in the box, at rest as a whole."""
    edge = case.edge
    x = np.asarray(position, dtype=float)
    x = x - edge * np.floor(x / edge + 0.5)
    x = np.round(x / POSITION_GRID) * POSITION_GRID
    x = np.where(x >= edge / 2, x - edge, x)
    v = np.asarray(velocity, dtype=float)
    v = np.round((v - v.mean(axis=0)) / VELOCITY_GRID) * VELOCITY_GRID
    return Snapshot(case, x, v)


def snapshot_of(case: Case, say: Callable[[str], None], folder: Path | None = None) -> Snapshot:
    """The snapshot of a case from the cache, or made by the engine and put there."""
    folder = folder or cache_folder()
    path = folder / f"{case.name}-v{VERSION}.npz"
    if path.exists():
        with np.load(path) as data:
            return Snapshot(case, data["position"], data["velocity"])
    say(f"{case.name}: equilibrating once, kept in {path}")
    snapshot = on_grid(case, *equilibrated(case))
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{os.getpid()}-{path.name}")
    np.savez(partial, position=snapshot.position, velocity=snapshot.velocity)
    os.replace(partial, path)
    return snapshot


def force(case: Case) -> Any:
    """The case's potential in our engine."""
    import aureole as au

    if not case.mixed:
        return au.LennardJones(epsilon=1.0, sigma=1.0, r_cut=case.r_cut)
    r_cut = {pair: case.r_cut * sigma for pair, sigma in case.sigma.items()}
    return au.LennardJones(epsilon=case.epsilon, sigma=case.sigma, r_cut=r_cut)


def equilibrated(
    case: Case, device: str = "host", steps: tuple[int, int, int] = (3000, 1000, 500)
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions and velocities (n, 3) after melting a lattice.

    Args:
        case: what to make
        device: where
        steps: of melting, of bringing it to its temperature, and at constant energy
    """
    import aureole as au

    density = case.n / case.edge**3
    system = au.build.lattice("fcc", n=case.n, density=density, **case.options())
    hot = case.melted_from
    integrator: Any = au.NVE(dt=case.dt)
    if hot is None:
        integrator = au.Langevin(dt=case.dt, kT=case.kT, gamma=1.0)
    sim = au.Simulation(system, [force(case)], integrator, seed=2026, device=device)
    sim.thermalize(kT=case.kT if hot is None else hot)
    sim.run(steps[0])
    # A thermostat that acts on every particle brings both fluids to their temperature.
    sim.integrator = au.Langevin(dt=case.dt, kT=case.kT, gamma=1.0)
    sim.run(steps[1])
    sim.integrator = au.NVE(dt=case.dt)
    sim.run(steps[2])
    return sim.get("position"), sim.get("velocity")
