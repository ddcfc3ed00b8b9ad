# SPDX-License-Identifier: Apache-2.0
"""Checks of temperature, pressure, velocities and constraints, by the options alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from aureole.gromacs.mdp.adjust import FEWEST_P, FEWEST_T
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, rules_when, warning

#: Ratios of time constants are compared with limits up to this rounding.
ROUNDING = 1e-9
#: Limits of the relative tolerance of lengths: rounding of positions, and no constraint any more.
LEAST_SHAKE_TOL, MOST_SHAKE_TOL = 1e-12, 0.1


def _thermostat_is_slow(p: RunParameters) -> dict[str, float]:
    """The time constant, and the interval that is too long for it."""
    fewest = FEWEST_T.get(p["tcoupl"], 0)
    taus = [group.tau for group in p.temperature_groups if group.tau > 0.0]
    every = p["nsttcouple"] * p.dt
    if not (fewest and taus and every > 0.0 and min(taus) / every < fewest - ROUNDING):
        return {}
    return {"tau": min(taus), "fewest": fewest, "every": every}


def _barostat_is_slow(p: RunParameters) -> dict[str, float]:
    fewest, every = FEWEST_P[p["pcoupl"]], p["nstpcouple"] * p.dt
    slow = p["tau-p"] > 0.0 and every > 0.0 and p["tau-p"] / every < fewest - ROUNDING
    return {"fewest": fewest, "every": every} if slow else {}


def _different_temperatures(p: RunParameters) -> dict[str, str]:
    active = p["tcoupl"] != "No" or p.integrator == "sd"
    values = {g.temperature for g in p.temperature_groups if g.tau > 0.0 and g.annealing is None}
    words = ", ".join(f"{value:g}" for value in sorted(values))
    return {"temperatures": words} if active and len(values) > 1 else {}


def _far_from_all(p: RunParameters) -> dict[str, float]:
    """The first temperature of the thermostat, if all are far from that of new velocities."""
    groups = p.temperature_groups
    if not p["gen-vel"] or not groups or any(g.annealing for g in groups):
        return {}
    far = all(abs(g.temperature - p["gen-temp"]) > 1.0 for g in groups)
    return {"first": groups[0].temperature} if far else {}


def _left_alone(p: RunParameters) -> dict[str, str]:
    """Groups without a thermostat beside others with one."""
    left = [group.name for group in p.temperature_groups if group.tau < 0.0]
    some = p["tcoupl"] != "No" and left and len(left) < len(p.temperature_groups)
    return {"names": ", ".join(left)} if some else {}


def _resonance(p: RunParameters) -> dict[str, float]:
    tau_t = max((group.tau for group in p.temperature_groups), default=0.0)
    both = p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Parrinello-Rahman"
    return {"tau_t": tau_t} if both and p["tau-p"] < 1.9 * tau_t else {}


rules_when(
    {
        "A405": lambda p: p["tcoupl"] == "Berendsen",
        "A406": _thermostat_is_slow,
        "A408": _different_temperatures,
        "A409": lambda p: p["gen-vel"] and p["continuation"],
        "A410": _far_from_all,
        "A412": _left_alone,
        "A503": lambda p: p["pcoupl"] == "Berendsen",
        "A504": (lambda p: p["pcoupl"] != "No" and p["tau-p"] <= 0.0, _barostat_is_slow),
        "A505": (
            lambda p: (
                p["pcoupl"] != "No" and (least := min(p.compressibility)) < 0.0 and {"least": least}
            ),
            lambda p: p["pcoupl"] != "No" and not any(p.compressibility),
            lambda p: p["pcoupl"] != "No" and all(p.pressure[3:]),
        ),
        "A506": lambda p: p["pcoupl"] == "Parrinello-Rahman" and p["gen-vel"],
        "A507": _resonance,
        "A508": lambda p: (
            p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Berendsen" and p.integrator == "md-vv"
        ),
        "A509": lambda p: (
            p["pcoupl"] == "C-rescale" and p["tcoupl"] == "No" and p.integrator != "sd"
        ),
        "A513": lambda p: p["pcoupl"] != "No" and p.frozen,
        "A514": lambda p: (
            p["pcoupl"] == "C-rescale" and len({g.temperature for g in p.temperature_groups}) > 1
        ),
        "A602": lambda p: (
            p["constraints"] != "none"
            and p["constraint-algorithm"] == "LINCS"
            and p.integrator == "md"
            and p["tcoupl"] == "No"
            and p["lincs-iter"] == 1
        ),
        "A603": (
            lambda p: (
                p["constraint-algorithm"] == "SHAKE"
                and not LEAST_SHAKE_TOL <= p["shake-tol"] < MOST_SHAKE_TOL
            ),
            lambda p: p["constraint-algorithm"] == "LINCS" and not 1 <= p["lincs-order"] <= 64,
            lambda p: p["constraint-algorithm"] == "LINCS" and not 1 <= p["lincs-iter"] <= 64,
        ),
        "A604": lambda p: (
            p["constraints"] == "all-bonds"
            and p["constraint-algorithm"] == "LINCS"
            and p.dynamics
            and p.dt > 0.003
            and p["lincs-order"] < 6
            and p["lincs-iter"] < 2
        ),
    }
)


@rule("A407")
def thermostat_temperatures(p: RunParameters) -> Iterator[Finding]:
    for group in p.temperature_groups:
        if group.temperature < 0.0:
            yield error("ref-t", f"ref-t of {group.name} is negative: {group.temperature:g} K.")
        if p.integrator == "sd" and group.tau <= 0.0:
            yield note("tau-t", f"tau-t = {group.tau:g} leaves {group.name} without a thermostat.")
    if p["gen-vel"] and p["gen-temp"] < 0.0:
        yield error("gen-temp", f"gen-temp = {p['gen-temp']:g} K is negative.")


@rule("A411")
def course_of_annealing(p: RunParameters) -> Iterator[Finding]:
    courses = [(g.name, g.annealing) for g in p.temperature_groups if g.annealing is not None]
    if courses and p["tcoupl"] == "No" and p.integrator != "sd":
        yield warning("annealing", "without a thermostat the annealing schedule has no effect.")
    for name, course in courses:
        times = course.times
        if times[0] > p.t_start:
            yield error("annealing-time", f"the schedule of {name} begins after the run starts.")
        if any(a > b for a, b in pairwise(times)):
            yield error("annealing-time", f"the times of the schedule of {name} decrease.")
        if min(course.temperatures) < 0.0:
            yield error("annealing-temp", f"the schedule of {name} has a negative temperature.")
        if course.periodic and course.temperatures[0] != course.temperatures[-1]:
            words = f"the temperature of {name} jumps at the end of each period."
            yield note("annealing-temp", words)
