# SPDX-License-Identifier: Apache-2.0
"""Checks of groups: thermostats, frozen particles, removal of centre-of-mass motion."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from aureole.base.errors import nearest
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, warning
from aureole.system.degrees_of_freedom import virtual_of
from aureole.system.topology import RIGID

from .checked_job import Case, times_used
from .freedom import degrees_of_freedom, frozen_axes

KEYS = ("tc-grps", "comm-grps", "freezegrps", "compressed-x-grps")


@rule("A705")
def unknown_groups(p: RunParameters, case: Case) -> Iterator[Finding]:
    known = dict.fromkeys([*(case.groups or {}), "System"])
    for key in KEYS:
        if key == "tc-grps" and p["tcoupl"] == "No" and p.integrator != "sd":
            continue
        for name in p[key]:
            if case.members(name) is None:
                yield error(key, f"there is no group {name!r}. {nearest(name, known)}")


@rule("A706")
def every_particle_has_a_thermostat(p: RunParameters, case: Case) -> Iterator[Finding]:
    names = p["tc-grps"]
    if p["tcoupl"] == "No" and p.integrator != "sd":
        return
    used = times_used(case, names)
    if not names or any(case.members(name) is None for name in names):
        return  # reported elsewhere
    if (used == 0).any():
        yield error(
            "tc-grps",
            f"{(used == 0).sum()} particles are in none of tc-grps, number {used.argmin()} the "
            "first (each needs a thermostat).",
        )
    yield from _doubles("tc-grps", used)


def _doubles(key: str, used: NDArray[np.int64]) -> Iterator[Finding]:
    """An error if some particle is in more than one of the groups of an option."""
    if (used > 1).any():
        yield error(
            key,
            f"{(used > 1).sum()} particles are in more than one of {key}, number {used.argmax()} "
            "the first.",
        )


@rule("A707")
def motion_of_all(p: RunParameters, case: Case) -> Iterator[Finding]:
    if p["comm-mode"] == "None" or not p["comm-grps"] or not p.dynamics:
        return
    if any(case.members(name) is None for name in p["comm-grps"]):
        return  # reported elsewhere
    used = times_used(case, p["comm-grps"])
    yield from _doubles("comm-grps", used)
    if (used == 0).any() and (used > 0).any():
        yield warning(
            "comm-grps",
            f"{(used == 0).sum()} particles are in none of comm-grps, and drift against the "
            "others. Leave comm-grps empty for all.",
        )


@rule("A708")
def frozen_once(p: RunParameters, case: Case) -> Iterator[Finding]:
    used = times_used(case, tuple(group.name for group in p.frozen))
    yield from _doubles("freezegrps", used)


@rule("A709")
def frozen_and_removed(p: RunParameters, case: Case) -> Iterator[Finding]:
    if not p.frozen or p["comm-mode"] == "None" or not p.dynamics:
        return
    removed = times_used(case, p["comm-grps"]) > 0 if p["comm-grps"] else True
    axes = (frozen_axes(case) & ~virtual_of(case.system)[:, None]).sum(axis=1)
    fully, partly = ((axes == 3) & removed).sum(), ((axes > 0) & (axes < 3) & removed).sum()
    if fully:
        yield note("freezegrps", f"{fully} frozen particles are left out of comm-grps.")
    if partly:
        yield warning(
            "freezegrps",
            f"{partly} particles are frozen in part, and their masses still count in the "
            "centre-of-mass motion.",
        )


@rule("A713")
def frozen_in_part_and_held(p: RunParameters, case: Case) -> Iterator[Finding]:
    if not p.frozen or not p.dynamics:
        return
    axes = frozen_axes(case).sum(axis=1)
    terms = case.system.expand_terms()
    held = {int(i) for kind in RIGID if kind in terms for i in terms[kind].particles.ravel()}
    partly = [i for i in sorted(held) if 0 < axes[i] < 3]
    if partly:
        yield error(
            "freezegrps",
            f"{len(partly)} particles are frozen along some axes and held by constraints, atom "
            f"{partly[0] + 1} for one. Freeze all of their axes, or none.",
        )


@rule("A710")
def freedom_of_thermostats(p: RunParameters, case: Case) -> Iterator[Finding]:
    groups = p.temperature_groups
    if not groups or (p["tcoupl"] == "No" and p.integrator != "sd"):
        return
    for group, freedom in zip(groups, degrees_of_freedom(case)[:-1], strict=True):
        if case.members(group.name) is None:
            continue  # reported elsewhere
        if group.tau > 0.0 and freedom < 30.0 and p.integrator != "sd":
            yield note(
                "tc-grps",
                f"{group.name} has {freedom:.4g} degrees of freedom (few for a thermostat of its "
                "own). Put it into a larger group.",
            )
