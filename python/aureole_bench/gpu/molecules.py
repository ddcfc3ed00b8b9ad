# SPDX-License-Identifier: Apache-2.0
"""Water and ethanol with a mesh for `aureole bench gpu`: made, run and compared on each device."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from aureole.base.text_files import replace
from aureole.build.molecules import solution
from aureole.jobs.from_gromacs import from_gromacs
from aureole.observers.last_frame import write_frame
from aureole.specs.device import Device

from aureole_bench.gmx import mdp_text

SIZES: Sequence[Mapping[str, int]] = (
    {"ethanol": 333, "spce": 3000},
    {"ethanol": 2664, "spce": 24_000},
)
WARM = 200  # steps before anything is timed
DT = 0.002  # ps
_PME = {"coulombtype": "PME", "rcoulomb": 1.0, "rvdw": 1.0, "constraints": "h-bonds"}
_DOWN = {"integrator": "steep", "emtol": 1000, "emstep": 0.01, "nsteps": 300, **_PME}
_RUN = {
    **{"integrator": "md", "dt": DT, "nsteps": -1, "gen-vel": "yes", "gen-temp": 300},
    **{"gen-seed": 1, "tcoupl": "v-rescale", "tc-grps": "system", "tau-t": 0.1, "ref-t": 300},
    **_PME,
}
Say = Callable[[str], None]


def measure(
    devices: Sequence[Device],
    folder: Path,
    seconds: float,
    say: Say,
    sizes: Sequence[Mapping[str, int]] = SIZES,
) -> list[dict[str, Any]]:
    """Rates and energies of the start on each device; the first one makes the starts."""
    rows = []
    for counts in sizes:
        system = solution(counts, seed=1)
        name = f"water-ethanol-{system.n}"
        files = _start(system, folder / name, devices[0])
        for device in devices:
            with from_gromacs(*files, device=device) as sim:
                energy, force = sim.energy.potential, sim.get("force")
                rate = _rate(sim, seconds)
                threads = sim.describe()["threads"]
            rows.append(
                {
                    "case": name,
                    "n": system.n,
                    "engine": "aureole",
                    "style": "PME",
                    "device": device.name,
                    "threads": threads,
                    "matom_steps_per_s": system.n * rate / 1e6,
                    "steps_per_s": rate,
                    "ns_per_day": rate * DT * 86.4,
                    "energy": energy,
                    "force_rms": float((force**2).mean() ** 0.5),
                }
            )
            say(f"  {name} {device.name}: {rows[-1]['ns_per_day']:.1f} ns/day")
    return rows


def _start(system: Any, folder: Path, device: Device) -> tuple[Path, Path, Path]:
    """Files of a box without overlaps."""
    system.write_gromacs(folder, mdp_text(_DOWN))
    conf, top, mdp = (folder / name for name in ("down.gro", "topol.top", "grompp.mdp"))
    with from_gromacs(folder / "conf.gro", top, mdp, device=device) as sim:
        sim.minimize()
        write_frame(conf, sim)
    replace(mdp, [mdp_text(_RUN).encode()])
    return conf, top, mdp


def _rate(sim: Any, seconds: float) -> float:
    """Steps per second."""
    sim.run(WARM)
    began = time.perf_counter()
    sim.run(WARM)
    trial = time.perf_counter() - began
    steps = min(50_000, max(WARM, int(WARM * seconds / trial)))
    began = time.perf_counter()
    sim.run(steps)
    return steps / (time.perf_counter() - began)
