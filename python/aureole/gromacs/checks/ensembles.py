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
#: Relative tolerances of lengths: rounding of positions, and what is no constraint any more.
LEAST_SHAKE_TOL, MOST_SHAKE_TOL = 1e-12, 0.1


rules_when(
    {
        "A405": lambda p: p["tcoupl"] == "Berendsen",
        "A409": lambda p: p["gen-vel"] and p["continuation"],
        "A503": lambda p: p["pcoupl"] == "Berendsen",
        "A506": lambda p: p["pcoupl"] == "Parrinello-Rahman" and p["gen-vel"],
        "A508": lambda p: (
            p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Berendsen" and p.integrator == "md-vv"
        ),
        "A509": lambda p: (
            p["pcoupl"] == "C-rescale" and p["tcoupl"] == "No" and p.integrator != "sd"
        ),
        "A513": lambda p: p["pcoupl"] != "No" and p.frozen,
        "A602": lambda p: (
            p["constraints"] != "none"
            and p["constraint-algorithm"] == "LINCS"
            and p.integrator == "md"
            and p["tcoupl"] == "No"
            and p["lincs-iter"] == 1
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


@rule("A406")
def thermostat_interval(p: RunParameters) -> Iterator[Finding]:
    fewest = FEWEST_T.get(p["tcoupl"], 0)
    taus = [group.tau for group in p.temperature_groups if group.tau > 0.0]
    every = p["nsttcouple"] * p.dt
    if fewest and taus and every > 0.0 and min(taus) / every < fewest - ROUNDING:
        yield warning(
            "tau-t",
            f"tau-t = {min(taus):g} is less than {fewest} times nsttcouple dt = {every:g} ps.",
        )


@rule("A407")
def thermostat_temperatures(p: RunParameters) -> Iterator[Finding]:
    for group in p.temperature_groups:
        if group.temperature < 0.0:
            yield error("ref-t", f"ref-t of {group.name} is {group.temperature:g} K.")
        if p.integrator == "sd" and group.tau <= 0.0:
            yield note("tau-t", f"tau-t = {group.tau:g} leaves {group.name} without a thermostat.")
    if p["gen-vel"] and p["gen-temp"] < 0.0:
        yield error("gen-temp", f"gen-temp = {p['gen-temp']:g} K.")


@rule("A408")
def different_temperatures(p: RunParameters) -> Iterator[Finding]:
    active = p["tcoupl"] != "No" or p.integrator == "sd"
    values = {g.temperature for g in p.temperature_groups if g.tau > 0.0 and g.annealing is None}
    if active and len(values) > 1:
        words = ", ".join(f"{value:g}" for value in sorted(values))
        yield note("ref-t", f"groups have different temperatures ({words} K): no equilibrium.")


@rule("A410")
def temperature_of_velocities(p: RunParameters) -> Iterator[Finding]:
    groups = p.temperature_groups
    if not p["gen-vel"] or not groups or any(g.annealing for g in groups):
        return
    far = [g for g in groups if abs(g.temperature - p["gen-temp"]) > 1.0]
    if len(far) == len(groups):
        yield note(
            "gen-temp", f"gen-temp = {p['gen-temp']:g} K, and ref-t = {far[0].temperature:g} K."
        )


@rule("A411")
def course_of_annealing(p: RunParameters) -> Iterator[Finding]:
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


@rule("A412")
def groups_without_thermostat(p: RunParameters) -> Iterator[Finding]:
    left = [group.name for group in p.temperature_groups if group.tau < 0.0]
    if p["tcoupl"] != "No" and left and len(left) < len(p.temperature_groups):
        yield warning("tau-t", f"{', '.join(left)} are not coupled; nothing keeps them cool.")


@rule("A504")
def barostat_interval(p: RunParameters) -> Iterator[Finding]:
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


@rule("A505")
def compressibilities(p: RunParameters) -> Iterator[Finding]:
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


@rule("A507")
def resonance(p: RunParameters) -> Iterator[Finding]:
    tau_t = max((group.tau for group in p.temperature_groups), default=0.0)
    both = p["tcoupl"] == "Nose-Hoover" and p["pcoupl"] == "Parrinello-Rahman"
    if both and p["tau-p"] < 1.9 * tau_t:
        yield warning("tau-p", f"tau-p = {p['tau-p']:g} is less than twice tau-t = {tau_t:g}.")


@rule("A603")
def constraint_numbers(p: RunParameters) -> Iterator[Finding]:
    tol = p["shake-tol"]
    if p["constraint-algorithm"] == "SHAKE" and not LEAST_SHAKE_TOL <= tol < MOST_SHAKE_TOL:
        yield error(
            "shake-tol",
            f"shake-tol = {tol:g} (it is from {LEAST_SHAKE_TOL:g} to {MOST_SHAKE_TOL:g}).",
        )
    for key in ("lincs-order", "lincs-iter"):
        if p["constraint-algorithm"] == "LINCS" and not 1 <= p[key] <= 64:
            yield error(key, f"{key} = {p[key]} (1 is the least, 64 the most).")


@rule("A514")
def temperature_of_barostat(p: RunParameters) -> Iterator[Finding]:
    values = {g.temperature for g in p.temperature_groups}
    if p["pcoupl"] == "C-rescale" and len(values) > 1:
        first = p.temperature_groups[0]
        yield warning(
            "pcoupl",
            f"C-rescale needs one temperature, and groups have several. It takes that of "
            f"{first.name}, {first.temperature:g} K. Give all groups the same ref-t.",
        )
