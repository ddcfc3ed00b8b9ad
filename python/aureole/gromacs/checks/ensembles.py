# SPDX-License-Identifier: Apache-2.0
"""Checks of temperature, pressure, velocities and constraints, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from aureole.gromacs.mdp.adjust import FEWEST_P, FEWEST_T
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, checking, error, note, warning

#: Ratios of time constants are compared with limits up to this rounding.
ROUNDING = 1e-9
#: Relative tolerances of lengths: rounding of positions, and what is no constraint any more.
LEAST_SHAKE_TOL, MOST_SHAKE_TOL = 1e-12, 0.1


@checking("A405", "warning")
def berendsen_thermostat(p: RunParameters) -> Iterator[Finding]:
    """The Berendsen thermostat samples no known ensemble.

    It pulls the kinetic energy to its mean and suppresses its fluctuations, which falsifies heat
    capacities and can heat one part of a system at the cost of another. V-rescale relaxes as
    smoothly and gives the canonical ensemble.
    """
    if p["tcoupl"] == "Berendsen":
        yield warning("tcoupl", "Berendsen's thermostat samples no known ensemble. Use V-rescale.")


@checking("A406", "warning")
def thermostat_interval(p: RunParameters) -> Iterator[Finding]:
    """tau-t is short for the interval of coupling.

    A relaxing thermostat is integrated well with at least 5 couplings in a time constant, an
    oscillating one with 20. Otherwise it overshoots. Make tau-t longer or nsttcouple smaller.
    """
    fewest = FEWEST_T.get(p["tcoupl"], 0)
    taus = [group.tau for group in p.temperature_groups if group.tau > 0.0]
    every = p["nsttcouple"] * p.dt
    if fewest and taus and every > 0.0 and min(taus) / every < fewest - ROUNDING:
        yield warning(
            "tau-t",
            f"tau-t = {min(taus):g} is less than {fewest} times nsttcouple dt = {every:g} ps.",
        )


@checking("A407", "error")
def thermostat_temperatures(p: RunParameters) -> Iterator[Finding]:
    """Impossible temperatures or time constants.

    Temperatures in kelvin are not negative, neither of a thermostat nor of generated velocities.
    Under Langevin dynamics a group with tau-t that is not positive feels neither friction nor
    noise, so it keeps no temperature.
    """
    for group in p.temperature_groups:
        if group.temperature < 0.0:
            yield error("ref-t", f"ref-t of {group.name} is {group.temperature:g} K.")
        if p.integrator == "sd" and group.tau <= 0.0:
            yield note("tau-t", f"tau-t = {group.tau:g} leaves {group.name} without a thermostat.")
    if p["gen-vel"] and p["gen-temp"] < 0.0:
        yield error("gen-temp", f"gen-temp = {p['gen-temp']:g} K.")


@checking("A408", "note")
def different_temperatures(p: RunParameters) -> Iterator[Finding]:
    """Groups with different temperatures.

    Heat flows between groups of different ref-t, so the system reaches no equilibrium and has no
    one temperature. That is right for some studies of transport and an oversight otherwise.
    """
    active = p["tcoupl"] != "No" or p.integrator == "sd"
    values = {g.temperature for g in p.temperature_groups if g.tau > 0.0 and g.annealing is None}
    if active and len(values) > 1:
        words = ", ".join(f"{value:g}" for value in sorted(values))
        yield note("ref-t", f"groups have different temperatures ({words} K): no equilibrium.")


@checking("A409", "error")
def velocities_of_a_continuation(p: RunParameters) -> Iterator[Finding]:
    """Velocities are generated in a continuation.

    continuation = yes says that positions and velocities are the end of a run; gen-vel = yes
    throws these velocities away. One of the two is not meant.
    """
    if p["gen-vel"] and p["continuation"]:
        yield error(
            "gen-vel",
            "gen-vel = yes and continuation = yes exclude each other. Set one of them to no.",
        )


@checking("A410", "note")
def temperature_of_velocities(p: RunParameters) -> Iterator[Finding]:
    """Velocities are generated at another temperature than that of the thermostat.

    The thermostat will then heat or cool the system at the start. That is intended where an
    annealing schedule begins, and rarely otherwise.
    """
    groups = p.temperature_groups
    if not p["gen-vel"] or not groups or any(g.annealing for g in groups):
        return
    far = [g for g in groups if abs(g.temperature - p["gen-temp"]) > 1.0]
    if len(far) == len(groups):
        yield note(
            "gen-temp",
            f"gen-temp = {p['gen-temp']:g} K, and ref-t = {far[0].temperature:g} K.",
        )


@checking("A411", "error")
def course_of_annealing(p: RunParameters) -> Iterator[Finding]:
    """An annealing schedule that cannot be followed.

    A course begins at or before the start of the run, its times grow, and its temperatures are not
    negative. A periodic course should end at the temperature with which it begins, or the system
    gets a jolt in each period. Without a thermostat nothing follows the course.
    """
    courses = [(g.name, g.annealing) for g in p.temperature_groups if g.annealing is not None]
    if courses and p["tcoupl"] == "No" and p.integrator != "sd":
        yield warning("annealing", "without a thermostat the annealing schedule has no effect.")
    for name, course in courses:
        times = course.times
        if times[0] > p.t_start:
            yield error("annealing-time", f"the schedule of {name} begins after the run.")
        if any(a > b for a, b in pairwise(times)):
            yield error("annealing-time", f"times of the schedule of {name} do not increase.")
        if min(course.temperatures) < 0.0:
            yield error("annealing-temp", f"the schedule of {name} has a negative temperature.")
        if course.periodic and course.temperatures[0] != course.temperatures[-1]:
            yield note("annealing-temp", f"the schedule of {name} jumps at the end of its period.")


@checking("A412", "warning")
def groups_without_thermostat(p: RunParameters) -> Iterator[Finding]:
    """Groups without temperature coupling beside others with it.

    tau-t = -1 leaves a group without a thermostat. Its temperature is then whatever becomes of it;
    the buffer of the pair list is estimated as if it were no hotter than the hottest thermostat.
    """
    left = [group.name for group in p.temperature_groups if group.tau < 0.0]
    if p["tcoupl"] != "No" and left and len(left) < len(p.temperature_groups):
        yield warning("tau-t", f"{', '.join(left)} are not coupled; nothing keeps them cool.")


@checking("A503", "warning")
def berendsen_barostat(p: RunParameters) -> Iterator[Finding]:
    """The Berendsen barostat samples no known ensemble.

    It suppresses fluctuations of the volume. C-rescale relaxes as smoothly and gives the right
    ensemble, for equilibration as well as afterwards.
    """
    if p["pcoupl"] == "Berendsen":
        yield warning("pcoupl", "Berendsen's barostat samples no known ensemble. Use C-rescale.")


@checking("A504", "warning")
def barostat_interval(p: RunParameters) -> Iterator[Finding]:
    """tau-p is short for the interval of coupling, or not positive.

    A relaxing barostat is integrated well with at least 10 couplings in a time constant, an
    oscillating one with 20. Otherwise the box oscillates or the run fails. Make tau-p longer (5 ps
    is usual) or nstpcouple smaller.
    """
    if p["pcoupl"] == "No":
        return
    fewest = FEWEST_P[p["pcoupl"]]
    every = p["nstpcouple"] * p.dt
    if p["tau-p"] <= 0.0:
        yield error("tau-p", f"tau-p = {p['tau-p']:g} (it must be positive). Use 5.")
    elif every > 0.0 and p["tau-p"] / every < fewest - ROUNDING:
        yield warning(
            "tau-p",
            f"tau-p = {p['tau-p']:g} is less than {fewest} times nstpcouple dt = {every:g} ps.",
        )


@checking("A505", "error")
def compressibilities(p: RunParameters) -> Iterator[Finding]:
    """Negative compressibilities, or none at all.

    The compressibility says how much the box answers to a pressure; water has 4.5e-5 per bar. 0
    keeps a length as it is; if all are 0 there is no coupling, which pcoupl = no says. Three
    off-diagonal pressures at once shear the box in three ways, which is probably not intended.
    """
    if p["pcoupl"] == "No":
        return
    if min(p.compressibility) < 0.0:
        yield error("compressibility", f"compressibility {min(p.compressibility):g} is negative.")
    elif not any(p.compressibility):
        yield error(
            "compressibility",
            "all compressibilities are 0, so the box does not change. Use pcoupl = no.",
        )
    if all(p.pressure[3:]):
        yield warning("ref-p", "three off-diagonal pressures shear the box in three ways.")


@checking("A506", "warning")
def barostat_at_the_start(p: RunParameters) -> Iterator[Finding]:
    """Parrinello-Rahman with generated velocities.

    Generated velocities mark the start of equilibration, when pressures are far off. Then
    Parrinello-Rahman's oscillations can grow until the run fails. Equilibrate with C-rescale.
    """
    if p["pcoupl"] == "Parrinello-Rahman" and p["gen-vel"]:
        yield warning(
            "pcoupl",
            "Parrinello-Rahman is unstable far from equilibrium (gen-vel = yes). Use C-rescale.",
        )


@checking("A507", "warning")
def resonance(p: RunParameters) -> Iterator[Finding]:
    """Two oscillating couplings with similar time constants.

    Nosé-Hoover and Parrinello-Rahman both oscillate; if tau-p is less than twice tau-t, they can
    drive each other.
    """
    tau_t = max((group.tau for group in p.temperature_groups), default=0.0)
    both = p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Parrinello-Rahman"
    if both and p["tau-p"] < 1.9 * tau_t:
        yield warning("tau-p", f"tau-p = {p['tau-p']:g} is less than twice tau-t = {tau_t:g}.")


@checking("A508", "error")
def mixed_couplings(p: RunParameters) -> Iterator[Finding]:
    """Nosé-Hoover and Berendsen's barostat with md-vv.

    Nosé-Hoover gives the canonical ensemble; Berendsen's barostat spoils it. With velocity Verlet,
    where both act within one step, GROMACS refuses the pair.
    """
    both = p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Berendsen"
    if both and p.integrator == "md-vv":
        yield error("pcoupl", "Berendsen's barostat spoils Nosé-Hoover's ensemble. Use C-rescale.")


@checking("A509", "error")
def barostat_without_temperature(p: RunParameters) -> Iterator[Finding]:
    """C-rescale without a temperature.

    The noise of the stochastic barostat belongs to a temperature, that of the thermostat or of
    Langevin dynamics. Without one there is nothing to take it from.
    """
    warm = p["tcoupl"] != "No" or p.integrator == "sd"
    if p["pcoupl"] == "C-rescale" and not warm:
        yield error("pcoupl", "C-rescale takes its noise from a thermostat. Use V-rescale too.")


@checking("A513", "note")
def frozen_under_pressure(p: RunParameters) -> Iterator[Finding]:
    """Frozen groups in a box that changes.

    Frozen particles keep their coordinates, as in GROMACS, while those of the others are scaled
    with the box; distances between the two kinds change. Forces between frozen particles count in
    the pressure. Restraints with refcoord-scaling = com do better.
    """
    if p["pcoupl"] != "No" and p.frozen:
        yield note("freezegrps", "frozen particles are not scaled with the box (pcoupl is on).")


@checking("A602", "note")
def precise_constraints(p: RunParameters) -> Iterator[Finding]:
    """lincs-iter = 1 without a thermostat.

    One iteration leaves an error that a thermostat hides. In a run that is to conserve energy it
    shows as a drift: use 2.
    """
    rigid = p["constraints"] != "none" and p["constraint-algorithm"] == "LINCS"
    if rigid and p.integrator == "md" and p["tcoupl"] == "No" and p["lincs-iter"] == 1:
        yield note("lincs-iter", "energy is conserved better with lincs-iter = 2 or more.")


@checking("A603", "error")
def constraint_numbers(p: RunParameters) -> Iterator[Finding]:
    """Numbers of LINCS and SHAKE out of range.

    lincs-order and lincs-iter must be positive; beyond 64 they gain less than rounding takes, and
    are refused. shake-tol must be at least 1e-12, as positions are rounded by about so much, and
    less than 0.1. Corrections are repeated until that tolerance is reached.
    """
    tol = p["shake-tol"]
    if p["constraint-algorithm"] == "SHAKE" and not LEAST_SHAKE_TOL <= tol < MOST_SHAKE_TOL:
        yield error(
            "shake-tol",
            f"shake-tol = {tol:g} (it is from {LEAST_SHAKE_TOL:g} to {MOST_SHAKE_TOL:g}).",
        )
    for key in ("lincs-order", "lincs-iter"):
        if p["constraint-algorithm"] == "LINCS" and not 1 <= p[key] <= 64:
            yield error(key, f"{key} = {p[key]} (1 is the least, 64 the most).")


@checking("A604", "note")
def order_for_large_steps(p: RunParameters) -> Iterator[Finding]:
    """lincs-order for large time steps.

    In 4 fs coupled constraints turn far; order 4 with one iteration may then not suffice. Order 6
    does, or a second iteration.
    """
    coupled = p["constraints"] == "all-bonds" and p["constraint-algorithm"] == "LINCS"
    order = p["lincs-order"]
    if coupled and p.dynamics and p.dt > 0.003 and order < 6 and p["lincs-iter"] < 2:
        yield note("lincs-order", f"lincs-order = {order} is little for dt = {p.dt:g}. Use 6.")


@checking("A514", "warning")
def temperature_of_barostat(p: RunParameters) -> Iterator[Finding]:
    """C-rescale with groups of different temperatures.

    The barostat's noise needs one temperature. It takes that of the first group of tc-grps, as
    GROMACS does, and the ensemble of the volume is that of this temperature.
    """
    values = {g.temperature for g in p.temperature_groups}
    if p["pcoupl"] == "C-rescale" and len(values) > 1:
        first = p.temperature_groups[0]
        yield warning(
            "pcoupl",
            f"C-rescale needs one temperature, and groups have several. It takes that of "
            f"{first.name}, {first.temperature:g} K. Give all groups the same ref-t.",
        )
