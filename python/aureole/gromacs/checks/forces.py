# SPDX-License-Identifier: Apache-2.0
"""Checks of cut-offs, pair lists and non-bonded forces, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, rules_when, warning

#: Boltzmann's constant [kJ/mol/K], exact by the definition of the SI.
BOLTZMANN = 8.31446261815324e-3
SWITCHES = ("Force-switch", "Potential-switch")
#: Least ewald-rtol that the pair kernels can meet; wide_last of src/md/pair/ewald_split.hpp.
LEAST_TOLERANCE = 1e-15


rules_when(
    {
        "A202": lambda p: p["nstlist"] < 1,
        "A204": lambda p: (
            p["rcoulomb"] < p["rvdw"] or (p["rcoulomb"] > p["rvdw"] and p["coulombtype"] != "PME")
        ),
        "A205": lambda p: p["verlet-buffer-tolerance"] == 0.0,
        "A208": lambda p: p.r_list is None and "rlist" in p.lines and p["rlist"] > p.r_cut,
        "A210": lambda p: (
            p.dynamics
            and p["verlet-buffer-tolerance"] > 0.0
            and not all(p.periodic)
            and p["nstlist"] > 1
        ),
    }
)


@rule("A201")
def cut_offs_not_negative(p: RunParameters) -> Iterator[Finding]:
    for key in ("rcoulomb", "rvdw", "rlist", "rvdw-switch"):
        automatic = key == "rlist" and p["verlet-buffer-tolerance"] > 0.0
        if p[key] < 0.0 and not automatic:
            yield error(key, f"{key} = {p[key]:g} (a radius is not negative).")


@rule("A203")
def short_list_interval(p: RunParameters) -> Iterator[Finding]:
    if p.dynamics and 0 < p["nstlist"] < 10:
        costs = "has no effect here, costs GROMACS time"
        if p.r_list is not None:
            costs = "costs time"
        yield note(
            "nstlist", f"nstlist = {p['nstlist']} {costs} without improving accuracy. Use 20."
        )


@rule("A206")
def endless_cut_offs(p: RunParameters) -> Iterator[Finding]:
    if p["rcoulomb"] != 0.0 and p["rvdw"] != 0.0:
        return
    if any(p.periodic) or p["coulombtype"] != "Cut-off" or p["rcoulomb"] != p["rvdw"]:
        key = "rcoulomb" if p["rcoulomb"] == 0.0 else "rvdw"
        yield error(
            key, f"{key} = 0 (no cut-off needs pbc = no, coulombtype = Cut-off and both of them 0)."
        )


@rule("A207")
def list_radius(p: RunParameters) -> Iterator[Finding]:
    r_list = p.r_list
    if r_list is None:
        return
    if r_list < p.r_cut:
        yield error("rlist", f"rlist = {r_list:g} is shorter than the cut-off {p.r_cut:g}.")
    elif r_list == p.r_cut and r_list > 0.0 and p["nstlist"] > 1:
        yield note(
            "rlist",
            f"rlist = {r_list:g} leaves no buffer beyond the cut-off (pairs come too late).",
        )


@rule("A209")
def heating_by_the_list(p: RunParameters) -> Iterator[Finding]:
    groups = [group for group in p.temperature_groups if group.temperature > 0.0]
    weak = p["tcoupl"] in ("V-rescale", "Berendsen") or p.integrator == "sd"
    tolerance = p["verlet-buffer-tolerance"]
    if not groups or not weak or tolerance <= 0.0 or p["nstlist"] <= 1:
        return
    hottest = max(group.temperature for group in groups)
    tau = max(group.tau for group in groups)
    share = 0.5 * tau * tolerance / (2.0 * BOLTZMANN * hottest)
    if share > 0.002:
        yield warning(
            "verlet-buffer-tolerance",
            f"the temperature may be too high by {100 * share:.1f} % (verlet-buffer-tolerance = "
            f"{tolerance:g}, tau-t = {tau:g}). Use a tolerance of "
            f"{tolerance * 0.001 / share:.0e}, or a shorter tau-t.",
        )


@rule("A212")
def open_boundaries(p: RunParameters) -> Iterator[Finding]:
    if all(p.periodic):
        return
    pbc = p["pbc"]
    if p["coulombtype"] == "PME":
        yield error("coulombtype", f"coulombtype = PME is not possible with pbc = {pbc}.")
    if p["DispCorr"] != "No":
        yield error("DispCorr", f"a tail correction is not possible with pbc = {pbc}.")
    if p["pcoupl"] != "No":
        yield error("pcoupl", f"a barostat is not possible with pbc = {pbc}.")


@rule("A303")
def permittivities(p: RunParameters) -> Iterator[Finding]:
    if p["epsilon-r"] < 0.0:
        yield error("epsilon-r", f"epsilon-r = {p['epsilon-r']:g} is negative.")
    if p["epsilon-r"] == 0.0 and p["coulombtype"] != "Cut-off":
        yield error("epsilon-r", "epsilon-r = 0 turns charges off. Use coulombtype = Cut-off.")
    if p["coulombtype"] != "Reaction-Field":
        return
    if p["epsilon-rf"] != 0.0 and p["epsilon-rf"] < p["epsilon-r"]:
        yield error(
            "epsilon-rf",
            f"epsilon-rf = {p['epsilon-rf']:g} is less than epsilon-r = {p['epsilon-r']:g}.",
        )
    if p["epsilon-rf"] == p["epsilon-r"]:
        yield warning(
            "epsilon-rf", f"epsilon-rf = epsilon-r = {p['epsilon-r']:g} is no reaction field."
        )


@rule("A306")
def grid_numbers(p: RunParameters) -> Iterator[Finding]:
    if p["coulombtype"] != "PME":
        return
    if not 4 <= p["pme-order"] <= 8:
        yield error(
            "pme-order", f"pme-order = {p['pme-order']} (splines of order 4 to 8 are built). Use 4."
        )
    tolerance, spacing = p["ewald-rtol"], p["fourierspacing"]
    if not LEAST_TOLERANCE <= tolerance < 1.0:
        yield error(
            "ewald-rtol", f"ewald-rtol = {tolerance:g} (it lies from 1e-15 to below 1). Use 1e-5."
        )
    if spacing <= 0.0 and 0 in p.grid:
        yield error("fourierspacing", f"fourierspacing = {spacing:g} (it must be positive).")
    for axis, points in zip("xyz", p.grid, strict=True):
        if 0 < points < 2 * (p["pme-order"] - 1):
            yield error(
                f"fourier-n{axis}",
                f"fourier-n{axis} = {points} is less than {2 * (p['pme-order'] - 1)} points.",
            )


@rule("A307")
def switching_radius(p: RunParameters) -> Iterator[Finding]:
    if p["vdw-modifier"] not in SWITCHES:
        return
    if p["rvdw-switch"] >= p["rvdw"]:
        yield error(
            "rvdw-switch",
            f"rvdw-switch = {p['rvdw-switch']:g} is not less than rvdw = {p['rvdw']:g}.",
        )
    elif p["rvdw-switch"] == 0.0 and p["vdw-modifier"] == "Potential-switch":
        yield warning("rvdw-switch", "rvdw-switch is 0. Give 0.05 to 0.2 nm less than rvdw.")
    elif p["rvdw-switch"] < 0.5 * p["rvdw"]:
        yield note(
            "rvdw-switch",
            f"rvdw-switch = {p['rvdw-switch']:g} is less than half of rvdw = {p['rvdw']:g}.",
        )
