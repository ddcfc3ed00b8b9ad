# SPDX-License-Identifier: Apache-2.0
"""Checks of cut-offs, pair lists and non-bonded forces, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, rule, rules_when

#: Boltzmann's constant [kJ/mol/K], exact by the definition of the SI.
BOLTZMANN = 8.31446261815324e-3
SWITCHES = ("Force-switch", "Potential-switch")
#: Least ewald-rtol that the pair kernels can meet; wide_last of src/md/pair/ewald_split.hpp.
LEAST_TOLERANCE = 1e-15


def _heating(p: RunParameters) -> dict[str, float]:
    """How much a list that misses pairs may heat the system, if that is too much."""
    groups = [group for group in p.temperature_groups if group.temperature > 0.0]
    weak = p["tcoupl"] in ("V-rescale", "Berendsen") or p.integrator == "sd"
    tolerance = p["verlet-buffer-tolerance"]
    if not groups or not weak or tolerance <= 0.0 or p["nstlist"] <= 1:
        return {}
    hottest = max(group.temperature for group in groups)
    tau = max(group.tau for group in groups)
    share = 0.5 * tau * tolerance / (2.0 * BOLTZMANN * hottest)
    too_much = {"percent": 100 * share, "tau": tau, "better": tolerance * 0.001 / max(share, 0.002)}
    return too_much if share > 0.002 else {}


def _coarse(axis: int, p: RunParameters) -> dict[str, int]:
    """The number of points that the mesh needs along an axis, if it is given fewer."""
    least = 2 * (p["pme-order"] - 1)
    return {"least": least} if p["coulombtype"] == "PME" and 0 < p.grid[axis] < least else {}


rules_when(
    {
        "A202": lambda p: p["nstlist"] < 1,
        "A203": (
            lambda p: p.dynamics and 0 < p["nstlist"] < 10 and p.r_list is None,
            lambda p: p.dynamics and 0 < p["nstlist"] < 10 and p.r_list is not None,
        ),
        "A204": lambda p: (
            p["rcoulomb"] < p["rvdw"] or (p["rcoulomb"] > p["rvdw"] and p["coulombtype"] != "PME")
        ),
        "A205": lambda p: p["verlet-buffer-tolerance"] == 0.0,
        "A206": (
            lambda p: (
                p["rcoulomb"] == 0.0
                and (any(p.periodic) or p["coulombtype"] != "Cut-off" or p["rvdw"] != 0.0)
            ),
            lambda p: p["rvdw"] == 0.0 and p["rcoulomb"] != 0.0,
        ),
        "A207": (
            lambda p: p.r_list is not None and p.r_list < p.r_cut,
            lambda p: p.r_list == p.r_cut and p.r_cut > 0.0 and p["nstlist"] > 1,
        ),
        "A208": lambda p: p.r_list is None and "rlist" in p.lines and p["rlist"] > p.r_cut,
        "A209": _heating,
        "A210": lambda p: (
            p.dynamics
            and p["verlet-buffer-tolerance"] > 0.0
            and not all(p.periodic)
            and p["nstlist"] > 1
        ),
        "A212": (
            lambda p: not all(p.periodic) and p["coulombtype"] == "PME",
            lambda p: not all(p.periodic) and p["DispCorr"] != "No",
            lambda p: not all(p.periodic) and p["pcoupl"] != "No",
        ),
        "A303": (
            lambda p: p["epsilon-r"] < 0.0,
            lambda p: p["epsilon-r"] == 0.0 and p["coulombtype"] != "Cut-off",
            lambda p: (
                p["coulombtype"] == "Reaction-Field" and 0.0 != p["epsilon-rf"] < p["epsilon-r"]
            ),
            lambda p: p["coulombtype"] == "Reaction-Field" and p["epsilon-rf"] == p["epsilon-r"],
        ),
        "A306": (
            lambda p: p["coulombtype"] == "PME" and not 4 <= p["pme-order"] <= 8,
            lambda p: p["coulombtype"] == "PME" and not LEAST_TOLERANCE <= p["ewald-rtol"] < 1.0,
            lambda p: p["coulombtype"] == "PME" and p["fourierspacing"] <= 0.0 and 0 in p.grid,
            *(partial(_coarse, axis) for axis in range(3)),
        ),
        "A307": (
            lambda p: p["vdw-modifier"] in SWITCHES and p["rvdw-switch"] >= p["rvdw"],
            lambda p: (
                p["vdw-modifier"] == "Potential-switch" and p["rvdw-switch"] == 0.0 < p["rvdw"]
            ),
            lambda p: (
                p["vdw-modifier"] in SWITCHES
                and p["rvdw-switch"] < min(p["rvdw"], 0.5 * p["rvdw"])
                and (p["rvdw-switch"] != 0.0 or p["vdw-modifier"] == "Force-switch")
            ),
        ),
    }
)


@rule("A201")
def cut_offs_not_negative(p: RunParameters) -> Iterator[Finding]:
    for key in ("rcoulomb", "rvdw", "rlist", "rvdw-switch"):
        automatic = key == "rlist" and p["verlet-buffer-tolerance"] > 0.0
        if p[key] < 0.0 and not automatic:
            yield error(key, f"{key} = {p[key]:g} (a radius cannot be negative).")
