# SPDX-License-Identifier: Apache-2.0
"""Checks of time step, intervals and the removal of the whole's motion, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, rule, rules_when

INTERVALS = (
    *("nstxout", "nstvout", "nstfout", "nstlog", "nstenergy", "nstxout-compressed"),
    *("fourier-nx", "fourier-ny", "fourier-nz"),
)


def _martini(p: RunParameters) -> bool:
    return p["epsilon-r"] in (15.0, 2.5) and p.dt >= 0.01


rules_when(
    {
        "A101": lambda p: p.n_steps == 0 and p.dynamics and not p["continuation"],
        "A102": lambda p: p.integrator == "sd" and p["continuation"] and p["ld-seed"] != -1,
        "A103": lambda p: p.dynamics and p.dt <= 0.0,
        "A104": lambda p: p.n_steps < -1,
        "A107": lambda p: p["mass-repartition-factor"] < 1.0,
        "A109": (
            lambda p: not p.dynamics and p["emtol"] <= 0.0,
            lambda p: not p.dynamics and p["emstep"] <= 0.0,
        ),
        "A110": (
            lambda p: _martini(p) and abs(p["rcoulomb"] - 1.1) > 1e-6,
            lambda p: _martini(p) and abs(p["rvdw"] - 1.1) > 1e-6,
            lambda p: _martini(p) and p["vdw-modifier"] != "Potential-shift",
        ),
        "A702": lambda p: (
            p.integrator in ("md", "md-vv") and not any(p.periodic) and p["comm-mode"] != "Angular"
        ),
        "A703": (
            lambda p: p["comm-mode"] == "Angular" and p["periodic-molecules"],
            lambda p: (
                p["comm-mode"] == "Angular" and any(p.periodic) and not p["periodic-molecules"]
            ),
        ),
        "A704": lambda p: (
            p.dynamics and p["comm-mode"] != "None" and 0 < p["nstcomm"] < p["nstcalcenergy"]
        ),
    }
)


@rule("A108")
def intervals_not_negative(p: RunParameters) -> Iterator[Finding]:
    for key in INTERVALS:
        if p[key] < 0:
            yield error(key, f"{key} = {p[key]} (it must not be negative). Use 0.")
    if p["compressed-x-precision"] <= 0.0:
        yield error("compressed-x-precision", "compressed-x-precision must be positive. Use 1000.")
