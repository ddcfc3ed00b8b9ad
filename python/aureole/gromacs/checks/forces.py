# SPDX-License-Identifier: Apache-2.0
"""Checks of cut-offs, pair lists and non-bonded forces, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, checking, error, note, warning

#: Boltzmann's constant [kJ/mol/K], exact by the definition of the SI.
BOLTZMANN = 8.31446261815324e-3
SWITCHES = ("Force-switch", "Potential-switch")
#: Least ewald-rtol that the pair kernels can meet; wide_last of src/md/pair/ewald_split.hpp.
LEAST_TOLERANCE = 1e-15


@checking("A201", "error")
def cut_offs_not_negative(p: RunParameters) -> Iterator[Finding]:
    """Negative cut-offs.

    Radii are distances; 0 means no cut-off, in a system without periodicity.
    """
    for key in ("rcoulomb", "rvdw", "rlist", "rvdw-switch"):
        automatic = key == "rlist" and p["verlet-buffer-tolerance"] > 0.0
        if p[key] < 0.0 and not automatic:
            yield error(key, f"{key} = {p[key]:g} (a radius is not negative).")


@checking("A202", "error")
def list_interval(p: RunParameters) -> Iterator[Finding]:
    """nstlist that is not positive.

    Pair lists are made anew every nstlist steps at the most, so it must be at least 1.
    """
    every = p["nstlist"]
    if every < 1:
        yield error("nstlist", f"nstlist = {every} (lists are made every so many steps). Use 20.")


@checking("A203", "note")
def short_list_interval(p: RunParameters) -> Iterator[Finding]:
    """nstlist below 10.

    GROMACS chooses the buffer of the list for nstlist, so a short interval costs time without
    improving accuracy: 10 is little, 20 to 100 is usual. Here lists last as long as is
    cheapest, whatever nstlist says, unless verlet-buffer-tolerance is negative.
    """
    if p.dynamics and 0 < p["nstlist"] < 10:
        costs = "has no effect here, costs GROMACS time"
        if p.r_list is not None:
            costs = "costs time"
        yield note(
            "nstlist",
            f"nstlist = {p['nstlist']} {costs} without improving accuracy. Use 20.",
        )


@checking("A204", "error")
def different_cut_offs(p: RunParameters) -> Iterator[Finding]:
    """rcoulomb and rvdw differ.

    Pair forces have one cut-off. The one exception is PME with a longer rcoulomb, which moves
    work from the grid to the pairs, beside a plain cut-off of Lennard-Jones forces.
    """
    r, rvdw = p["rcoulomb"], p["rvdw"]
    if r != rvdw and not (p["coulombtype"] == "PME" and r > rvdw):
        yield error(
            "rcoulomb",
            f"rcoulomb = {r:g} and rvdw = {rvdw:g} differ (only PME may have a longer rcoulomb). "
            "Give both one value.",
        )


@checking("A205", "error")
def no_tolerance(p: RunParameters) -> Iterator[Finding]:
    """verlet-buffer-tolerance = 0.

    No finite buffer of a pair list makes the error exactly 0. Give a small positive tolerance, or
    -1 and rlist.
    """
    if p["verlet-buffer-tolerance"] == 0.0:
        yield error("verlet-buffer-tolerance", "no buffer gives exactly 0. Use 0.005, or -1.")


@checking("A206", "error")
def endless_cut_offs(p: RunParameters) -> Iterator[Finding]:
    """A cut-off of 0 where it cannot mean infinity.

    rcoulomb = rvdw = 0 asks for all pairs at all distances. That works for a cluster alone:
    pbc = no, coulombtype = Cut-off, and both of them 0.
    """
    if p["rcoulomb"] != 0.0 and p["rvdw"] != 0.0:
        return
    if any(p.periodic) or p["coulombtype"] != "Cut-off" or p["rcoulomb"] != p["rvdw"]:
        key = "rcoulomb" if p["rcoulomb"] == 0.0 else "rvdw"
        yield error(
            key,
            f"{key} = 0 (no cut-off needs pbc = no, coulombtype = Cut-off and both of them 0).",
        )


@checking("A207", "error")
def list_radius(p: RunParameters) -> Iterator[Finding]:
    """rlist is shorter than a cut-off, or just as long.

    Where verlet-buffer-tolerance is negative, rlist is the radius of the lists as given. It must
    reach beyond the cut-offs, as particles move between two makings of the list; 0.1 nm more is
    usual for water at nstlist = 20.
    """
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


@checking("A208", "note")
def list_radius_unused(p: RunParameters) -> Iterator[Finding]:
    """rlist is set, and verlet-buffer-tolerance decides.

    With a positive verlet-buffer-tolerance the radius of the lists follows from it, whatever rlist
    says. To use rlist, set the tolerance to -1.
    """
    if p.r_list is None and "rlist" in p.lines and p["rlist"] > p.r_cut:
        yield note(
            "rlist",
            f"rlist = {p.values['rlist']:g} is not used (verlet-buffer-tolerance sets it). Set "
            "verlet-buffer-tolerance = -1 to use it.",
        )


@checking("A209", "warning")
def heating_by_the_list(p: RunParameters) -> Iterator[Finding]:
    """The drift that the list may cause is more than the thermostat takes away.

    Missed pairs heat the system at up to verlet-buffer-tolerance for each particle; a thermostat
    removes that in the time tau-t, so that the temperature is too high by about tau-t times the
    tolerance over twice the heat capacity of a particle, for which k is taken (two degrees of
    freedom, as with constraints). The warning comes at 0.2 %.
    """
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


@checking("A210", "error")
def buffer_without_density(p: RunParameters) -> Iterator[Finding]:
    """A tolerance of the pair list in a system without a volume.

    The buffer is estimated from the density of particles. Where an axis is not periodic there is
    none: set verlet-buffer-tolerance = -1 and rlist.
    """
    buffered = p["verlet-buffer-tolerance"] > 0.0
    if p.dynamics and buffered and not all(p.periodic) and p["nstlist"] > 1:
        yield error(
            "verlet-buffer-tolerance",
            f"pbc = {p.values['pbc']} leaves no density to choose the buffer by. Set "
            "verlet-buffer-tolerance = -1 and rlist.",
        )


@checking("A212", "error")
def open_boundaries(p: RunParameters) -> Iterator[Finding]:
    """Methods that need a system periodic in all directions.

    Ewald sums repeat the box in all directions, corrections for the tail assume a uniform
    surrounding, and pressure coupling scales a volume. None works with pbc = xy or no.
    """
    if all(p.periodic):
        return
    pbc = p["pbc"]
    if p["coulombtype"] == "PME":
        yield error("coulombtype", f"coulombtype = PME is not possible with pbc = {pbc}.")
    if p["DispCorr"] != "No":
        yield error("DispCorr", f"a tail correction is not possible with pbc = {pbc}.")
    if p["pcoupl"] != "No":
        yield error("pcoupl", f"a barostat is not possible with pbc = {pbc}.")


@checking("A303", "error")
def permittivities(p: RunParameters) -> Iterator[Finding]:
    """Permittivities that make no sense.

    epsilon-r must not be negative; 0 means infinite, which turns Coulomb forces off, so that PME
    or a reaction field would be computed for nothing. The medium outside of a reaction field
    screens at least as well as the inside: epsilon-rf is 0 (infinite) or at least epsilon-r; where
    they are equal there is no reaction field.
    """
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


@checking("A306", "error")
def grid_numbers(p: RunParameters) -> Iterator[Finding]:
    """Numbers of PME out of range.

    The splines that spread charges are of order 4 to 8. Grids need at least 2 (order - 1) points
    in each direction. The tolerance is less than 1 and at least 1e-15, below which double precision
    has no digit left; in mixed precision forces are as good as single precision makes them.
    """
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


@checking("A307", "error")
def switching_radius(p: RunParameters) -> Iterator[Finding]:
    """rvdw-switch does not fit rvdw.

    Switching goes from rvdw-switch to rvdw, so it must begin before it ends. It is meant for the
    last part of the range: starting below half of rvdw changes the force field, and starting
    at 0, which is the default, was probably not meant.
    """
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
