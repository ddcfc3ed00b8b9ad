# SPDX-License-Identifier: Apache-2.0
"""Thermostats and barostats of molecules draw from their ensembles, by physical_validation.

Merz and Shirts, PLoS ONE 13, e0202764 (2018). Two ways: kinetic energies have the distribution of
Maxwell and Boltzmann; and the ratio of two distributions, of potential energy and volume at two
state points, is what Boltzmann's factors say. Berendsen's thermostats must fail, which shows that
the checks can.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import physical_validation as pv
from boxes import Box, Results, Settings, arguments, barostat, sampled, thermostat

MOLECULES = 216
CUT_OFF = 0.8
EVERY = 25  # steps between samples
LOW, HIGH = (298.0, 1.0), (308.0, 401.0)  # K, bar: distributions that overlap well
P_LEAST, SIGMAS = 0.01, 3.0

#: How each is coupled at a temperature and a pressure; which run for the ensemble of which kind.
THERMOSTATS: dict[str, Any] = {
    "md v-rescale": lambda t: [thermostat("v-rescale", t, 0.2)],
    "md Nose-Hoover": lambda t: [thermostat("nose-hoover", t, 1.0)],
    "sd": lambda t: [{"integrator": "sd"}, thermostat("no", t, 1.0)],
    "md-vv v-rescale": lambda t: [{"integrator": "md-vv"}, thermostat("v-rescale", t, 0.2)],
    "md-vv Nose-Hoover": lambda t: [{"integrator": "md-vv"}, thermostat("nose-hoover", t, 1.0)],
    "md Berendsen": lambda t: [thermostat("berendsen", t, 0.5)],
}
BAROSTATS: dict[str, Any] = {
    "C-rescale": lambda t, p: [thermostat("v-rescale", t, 0.2), barostat("C-rescale", p, 1.0)],
    "Parrinello-Rahman": lambda t, p: [
        thermostat("v-rescale", t, 0.2),
        barostat("Parrinello-Rahman", p, 2.0),
    ],
    "Berendsen": lambda t, p: [thermostat("v-rescale", t, 0.2), barostat("Berendsen", p, 1.0)],
}


def sample(
    box: Box, name: str, settings: list[Settings], point: tuple[float, float | None], ps: float
) -> tuple[Any, dict[str, float]]:
    """physical_validation's data of one run, and its means."""
    temperature, pressure = point

    def note(sim: Any) -> tuple[float, float, float, float]:
        energy = sim.energy
        return energy.kinetic, energy.potential, sim.box.volume, sim.pressure

    seeds: Settings = {"ld-seed": 7 + int(temperature), "continuation": "yes"}
    with box.simulation(name, *settings, seeds) as sim:
        dt = sim.dt
        sim.run(f"{min(20.0, 0.2 * ps)} ps")
        rows, seconds = sampled(sim, round(ps / dt), EVERY, note)
        masses = sim.get("mass")
        dof, n = float(sim.dof), sim.n
    kinetic, potential, volume, pressures = np.array(rows).T
    rigid = 3 * MOLECULES
    ensemble = (
        pv.data.EnsembleData("NVT", natoms=n, volume=volume[0], temperature=temperature)
        if pressure is None
        else pv.data.EnsembleData("NPT", natoms=n, pressure=pressure, temperature=temperature)
    )
    data = pv.data.SimulationData(
        units=pv.data.UnitData.units("GROMACS"),
        dt=dt * EVERY,
        ensemble=ensemble,
        system=pv.data.SystemData(
            natoms=n,
            nconstraints=rigid,
            ndof_reduction_tra=3 * n - rigid - dof,
            ndof_reduction_rot=0,
            mass=masses,
        ),
        observables=pv.data.ObservableData(
            kinetic_energy=kinetic,
            potential_energy=potential,
            total_energy=kinetic + potential,
            volume=volume,
            pressure=pressures,
        ),
    )
    facts = {
        "ps": ps,
        "seconds": seconds,
        "dof": dof,
        "kinetic": float(kinetic.mean()),
        "potential": float(potential.mean()),
        "volume": float(volume.mean()),
        "pressure": float(pressures.mean()),
    }
    return data, facts


def compare(
    results: Results, box: Box, name: str, make: Any, kind: str, ps: float, fails: bool
) -> None:
    """Kinetic energies of two runs, and their ensemble; `fails` for what is known to be wrong."""
    data = []
    for end, (t, p) in (("low", LOW), ("high", HIGH)):
        point = (t, p if kind == "NPT" else None)
        settings = make(t, p) if kind == "NPT" else make(t)
        run = f"{kind}-{name}-{end}".replace(" ", "-")
        found, facts = sample(box, run, settings, point, ps)
        np.savez(
            box.folder / run,
            kinetic=found.observables.kinetic_energy,
            potential=found.observables.potential_energy,
            volume=found.observables.volume,
        )
        p_value = float(pv.kinetic_energy.distribution(found, strict=True, verbosity=0))
        mean, width = pv.kinetic_energy.distribution(
            found, strict=False, verbosity=0, bootstrap_seed=1
        )
        broken = fails and kind == "NVT"
        results.tell(
            f"{kind} {name} kinetic energy at {t:g} K" + (", which must fail" if broken else ""),
            (p_value > P_LEAST) != broken,
            p=p_value,
            mean_sigmas=float(mean),
            width_sigmas=float(width),
            **facts,
        )
        data.append(found)
    label = f"{kind} {name} ensemble" + (", which must fail" if fails else "")
    try:
        off = pv.ensemble.check(*data, verbosity=0, bootstrap_seed=1)
    except pv.util.error.InputError as error:  # distributions that do not overlap
        results.tell(label, None if fails else False, problem=str(error.args[-1]), ps=ps)
        return
    sigmas = [float(q) for q in np.atleast_1d(off)]
    right = max(abs(q) for q in sigmas) < SIGMAS
    results.tell(
        label,
        right != fails,
        sigmas=sigmas,
        ps=ps,
    )


def main() -> None:
    """Run them all, or those whose name contains `--only`."""
    parser = arguments(__doc__, "molecule-ensembles")
    args = parser.parse_args()
    cut: Settings = {"rcoulomb": CUT_OFF, "rvdw": CUT_OFF}
    box = Box(Path(args.work) / "ensembles", {"spce": MOLECULES}, cut, threads=args.threads)
    results = Results(args.results)
    for kind, every in (("NVT", THERMOSTATS), ("NPT", BAROSTATS)):
        for name, make in every.items():
            if args.only in f"{kind} {name}":
                ps = (1000.0 if kind == "NVT" else 2000.0) * args.scale
                compare(results, box, name, make, kind, ps, "Berendsen" in name)
    results.end()


if __name__ == "__main__":
    main()
