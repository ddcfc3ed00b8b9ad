# SPDX-License-Identifier: Apache-2.0
"""Energy without a thermostat: its drift, and how its fluctuation depends on the time step.

The drift is the slope of a straight line through the conserved energy, in kT/ns for each degree of
freedom; its error is that of the line through the means of twenty blocks.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import physical_validation as pv
from aureole.base.units import BOLTZMANN
from boxes import Box, Results, Settings, arguments, sampled

BAR = 1e-3  # kT/ns per degree of freedom
DEVIATION = 0.10  # of physical_validation's ratio of fluctuations from that of squared steps
EVERY = 0.02  # ps between samples
BLOCKS = 20
TEMPERATURE = 300.0

NVE: Settings = {"tcoupl": "no", "pcoupl": "no", "continuation": "yes"}
#: Neither a cut-off nor a mesh nor a list that makes energy: what is left is the integrator.
SMOOTH: Settings = {
    "vdw-modifier": "force-switch",
    "rvdw-switch": 0.6,
    "DispCorr": "no",
    "ewald-rtol": 1e-7,
    "pme-order": 6,
    "fourierspacing": 0.08,
    "verlet-buffer-tolerance": 1e-9,
}


def slope(time: np.ndarray, energy: np.ndarray, dof: float) -> tuple[float, float]:
    """Drift and its error [kT/ns per degree of freedom] of energies [kJ/mol] at times [ps]."""
    unit = BOLTZMANN * TEMPERATURE * dof / 1000.0
    size = len(time) // BLOCKS
    x, y = (
        values[len(values) - size * BLOCKS :].reshape(BLOCKS, size).mean(axis=1)
        for values in (time, energy)
    )
    rest = y - np.polyval(np.polyfit(x, y, 1), x)
    error = np.sqrt(rest @ rest / (BLOCKS - 2) / ((x - x.mean()) ** 2).sum())
    return float(np.polyfit(time, energy, 1)[0] / unit), float(error / unit)


def course(sim: Any, ps: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Times, conserved energies and the seconds they took."""
    steps, every = round(ps / sim.dt), max(1, round(EVERY / sim.dt))
    rows, seconds = sampled(sim, steps, every, lambda sim: (sim.time, sim.conserved))
    time, energy = np.array(rows).T
    return time, energy, seconds


def drift(results: Results, box: Box, name: str, ps: float, strict: bool, *settings: Settings):
    """One drift, which must be below the bar if `strict`."""
    with box.simulation(name.replace(" ", "-"), NVE, *settings) as sim:
        sim.run(500)
        time, energy, seconds = course(sim, ps)
        dof, n, start = float(sim.dof), sim.n, sim.temperature
    np.savez(box.folder / name.replace(" ", "-"), time=time, energy=energy)
    value, error = slope(time, energy, dof)
    results.tell(
        f"drift {name}",
        abs(value) <= BAR if strict else None,
        drift=value,
        error=error,
        rms=float(energy.std()),
        particles=n,
        dof=dof,
        temperature=float(start),
        ps=ps,
        seconds=seconds,
    )


def convergence(results: Results, box: Box, integrator: str, ps: float) -> None:
    """Fluctuations of the energy with three time steps, in double precision."""
    data = []
    spread = {}
    for dt in (0.002, 0.001, 0.0005):
        settings: Settings = {"integrator": integrator, "dt": dt}
        run = f"dt-{integrator}-{dt * 1000:g}fs"
        with box.simulation(run, NVE, SMOOTH, settings, precision="double") as sim:
            time, energy, _ = course(sim, ps)
        np.savez(box.folder / run, time=time, energy=energy)
        spread[f"{dt * 1000:g} fs"] = float(energy.std())
        data.append(
            pv.data.SimulationData(
                dt=dt, observables=pv.data.ObservableData(constant_of_motion=energy)
            )
        )
    worst = float(pv.integrator.convergence(data, verbose=False))
    results.tell(
        f"fluctuation against time step, {integrator}",
        worst <= DEVIATION,
        deviation=worst,
        spread=spread,
        ps=ps,
    )


def main() -> None:
    """Run them all, or those whose name contains `--only`."""
    args: argparse.Namespace = arguments(__doc__, "molecule-drift").parse_args()
    results, scale = Results(args.results), args.scale
    kept: dict[str, Box] = {}

    def wanted(name: str, kind: str) -> Box | None:
        if args.only not in name:
            return None
        if kind not in kept:
            counts = {
                "water": {"spce": 1728 if scale >= 1 else 512},
                "mixture": {"ethanol": 57, "spce": 342},
                "small": {"spce": 216},
            }[kind]
            cut: Settings = {"rcoulomb": 0.8, "rvdw": 0.8} if kind == "small" else {}
            kept[kind] = Box(Path(args.work) / f"drift-{kind}", counts, cut, threads=args.threads)
        return kept[kind]

    for kind in ("water", "mixture"):
        for tolerance in (1e-5, 0.005):
            name = f"{kind} buffer tolerance {tolerance:g}"
            if box := wanted(name, kind):
                settings: Settings = {"verlet-buffer-tolerance": tolerance}
                # GROMACS drifts with LINCS at 2 fs as we do: there is no bar for the mixture.
                strict = kind == "water" and tolerance < 1e-4
                drift(results, box, name, 2000.0 * scale, strict, settings)
    for integrator in ("md", "md-vv"):
        if box := wanted(f"convergence {integrator}", "small"):
            convergence(results, box, integrator, 200.0 * scale)
    results.end()


if __name__ == "__main__":
    main()
