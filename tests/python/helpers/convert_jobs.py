# SPDX-License-Identifier: Apache-2.0
"""Jobs of many kinds, small enough to run in a second: what a translation must not lose."""

from __future__ import annotations

from pathlib import Path

from effect_jobs import JOBS

STEPS = 60
OUTPUT = {
    **{"nstxout": "20", "nstvout": "20", "nstfout": "30", "nstenergy": "10", "nstlog": "20"},
    **{"nstxout-compressed": "30", "nsteps": str(STEPS)},
}
PME = {"coulombtype": "PME", "fourierspacing": "0.15"}
LEFT_RIGHT = {
    "tc-grps": "Left Middle Right",
    "tau-t": "0.1 0.2 0.3",
    "ref-t": "300 310 320",
    "ld-seed": "7",
    "nsttcouple": "5",
}
ONE = {"tc-grps": "System", "tau-t": "0.2", "ref-t": "300", "ld-seed": "7", "nsttcouple": "5"}
PRESSURE = {"tau-p": "0.5", "compressibility": "4.5e-5", "ref-p": "1", "nstpcouple": "5"}
SEMI = PRESSURE | {
    "pcoupltype": "semiisotropic",
    "compressibility": "4.5e-5 3e-5",
    "ref-p": "1 100",
}
NEW = {"gen-vel": "yes", "gen-temp": "300", "gen-seed": "3", "continuation": "no"}

#: Job of `effect_jobs` and options, by what they show.
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "reaction field, no coupling": ("chains", {}),
    "PME and v-rescale in groups": ("chains", PME | {"tcoupl": "v-rescale"} | LEFT_RIGHT),
    "Nose-Hoover chains, Parrinello-Rahman": (
        "chains",
        {"integrator": "md-vv", "tcoupl": "nose-hoover", "nh-chain-length": "3"} | LEFT_RIGHT,
    ),
    "Parrinello-Rahman, leap-frog": (
        "water",
        {"tcoupl": "nose-hoover", "nh-chain-length": "1", "pcoupl": "Parrinello-Rahman"}
        | ONE
        | SEMI,
    ),
    "rigid water, c-rescale, PME": (
        "water",
        PME | {"tcoupl": "v-rescale", "pcoupl": "C-rescale"} | ONE | PRESSURE | NEW,
    ),
    "Berendsen twice, anisotropic": (
        "water",
        {"tcoupl": "berendsen", "pcoupl": "berendsen", "pcoupltype": "anisotropic"}
        | ONE
        | PRESSURE
        | {"compressibility": "4.5e-5 4e-5 3e-5 0 0 0", "ref-p": "1 2 3 0 0 0"},
    ),
    "sd with drift groups": (
        "atoms",
        {"integrator": "sd", "comm-mode": "linear", "nstcomm": "10", "comm-grps": "Left Right"}
        | LEFT_RIGHT,
    ),
    "LINCS, drift and generated velocities": (
        "chains",
        NEW | {"constraints": "all-bonds", "comm-mode": "angular", "nstcomm": "20"},
    ),
    "SHAKE of bonds with hydrogen": (
        "chains",
        {"constraints": "h-bonds", "constraint-algorithm": "shake", "continuation": "no"},
    ),
    "virtual sites": ("sites", {"tcoupl": "v-rescale", "comm-mode": "linear"} | ONE | PME),
    "restraints that follow the box": (
        "chains",
        {"define": "-DPOSRES", "refcoord-scaling": "com", "tcoupl": "v-rescale"}
        | {"pcoupl": "C-rescale"}
        | ONE
        | PRESSURE,
    ),
    "restraints in parts of the box": (
        "chains",
        {"define": "-DPOSRES", "refcoord-scaling": "all"},
    ),
    "frozen groups": ("chains", {"freezegrps": "Left Right", "freezedim": "Y Y Y N Y N"}),
    "electric fields": (
        "atoms",
        {"electric-field-x": "0.5 0 0 0", "electric-field-z": "0.7 200 0.02 0.01"},
    ),
    "annealing": (
        "chains",
        {"tcoupl": "v-rescale", "annealing": "single no periodic", "annealing-npoints": "2 0 3"}
        | {"annealing-time": "0 0.05 0 0.02 0.04", "annealing-temp": "300 200 320 300 320"}
        | LEFT_RIGHT,
    ),
    "force switch, tail, late start": (
        "chains",
        {"vdw-modifier": "Force-switch", "rvdw-switch": "0.6", "DispCorr": "EnerPres"}
        | {"tinit": "3", "init-step": "40", "coulombtype": "cut-off", "coulomb-modifier": "None"},
    ),
    "potential switch, tolerant lists": (
        "chains",
        {"vdw-modifier": "Potential-switch", "rvdw-switch": "0.6", "DispCorr": "Ener"}
        | {"verlet-buffer-tolerance": "0.005", "tcoupl": "v-rescale"}
        | ONE,
    ),
}


def write(name: str, folder: Path) -> list[str]:
    """Files of a case in the folder; arguments that name them."""
    job, options = CASES[name]
    JOBS[job].write(folder, OUTPUT | options)
    more = ["-r", "ref.gro"] if "POSRES" in options.get("define", "") else []
    return ["-c", "conf.gro", "-p", "topol.top", "-f", "grompp.mdp", "-n", "index.ndx", *more]
