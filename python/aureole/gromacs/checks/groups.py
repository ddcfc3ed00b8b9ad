# SPDX-License-Identifier: Apache-2.0
"""Checks of groups: thermostats, frozen particles, removal of centre-of-mass motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from aureole.base.errors import nearest
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, rules_when
from aureole.system.degrees_of_freedom import virtual_of
from aureole.system.topology import RIGID

from .checked_job import Case, times_used
from .freedom import degrees_of_freedom, frozen_axes

KEYS = ("tc-grps", "comm-grps", "freezegrps", "compressed-x-grps")


@rule("A705")
def unknown_groups(p: RunParameters, case: Case) -> Iterator[Finding]:
    known = dict.fromkeys([*(case.groups or {}), "System"])
    for key in KEYS:
        if key == "tc-grps" and not _couples(p):
            continue
        for name in p[key]:
            if case.members(name) is None:
                yield error(key, f"unknown group {name!r}. {nearest(name, known)}")


def _couples(p: RunParameters) -> bool:
    return p["tcoupl"] != "No" or p.integrator == "sd"


def _removes(p: RunParameters) -> bool:
    return p["comm-mode"] != "None" and p.dynamics


def _in(several: bool, key: str, p: RunParameters, case: Case) -> dict[str, Any]:
    """The number of particles in several groups of an option, or else in none, if that matters.

    A705 reports groups that do not exist.
    """
    on = {"tc-grps": _couples(p), "comm-grps": _removes(p)}.get(key)
    missing = not p[key] or any(case.members(name) is None for name in p[key])
    if on is False or (on and missing):
        return {}
    used = times_used(case, p[key])
    wrong = used > 1 if several else used == 0
    return {"count": wrong.sum(), "first": wrong.argmax() + 1} if wrong.any() else {}


def _frozen(least: int, most: int, p: RunParameters, case: Case) -> dict[str, Any]:
    """The number of particles frozen along `least` to `most` axes whose drift is removed."""
    if not p.frozen or not _removes(p):
        return {}
    removed = times_used(case, p["comm-grps"]) > 0 if p["comm-grps"] else True
    axes = (frozen_axes(case) & ~virtual_of(case.system)[:, None]).sum(axis=1)
    count = ((axes >= least) & (axes <= most) & removed).sum()
    return {"count": count} if count else {}


def _held_in_part(p: RunParameters, case: Case) -> dict[str, Any]:
    """The number of particles of constraints that are frozen along some axes, and the first."""
    axes = frozen_axes(case).sum(axis=1)
    terms = case.system.expand_terms() if p.frozen and p.dynamics else {}
    held = {int(i) for kind in RIGID if kind in terms for i in terms[kind].particles.ravel()}
    partly = [i for i in held if 0 < axes[i] < 3]
    return {"count": len(partly), "first": min(partly) + 1} if partly else {}


rules_when(
    {
        "A706": (partial(_in, False, "tc-grps"), partial(_in, True, "tc-grps")),
        "A707": (
            partial(_in, True, "comm-grps"),
            lambda p, case: (
                times_used(case, p["comm-grps"]).any() and _in(False, "comm-grps", p, case)
            ),
        ),
        "A708": partial(_in, True, "freezegrps"),
        "A709": (partial(_frozen, 3, 3), partial(_frozen, 1, 2)),
        "A713": _held_in_part,
        "A714": partial(_in, True, "compressed-x-grps"),
    }
)


@rule("A710")
def freedom_of_thermostats(p: RunParameters, case: Case) -> Iterator[Finding]:
    groups = p.temperature_groups
    if not groups or not _couples(p):
        return
    for group, freedom in zip(groups, degrees_of_freedom(case)[:-1], strict=True):
        if case.members(group.name) is None:
            continue  # reported elsewhere
        if group.tau > 0.0 and freedom < 30.0 and p.integrator != "sd":
            yield note(
                "tc-grps",
                f"{group.name} has only {freedom:.4g} degrees of freedom (too few for a separate "
                "thermostat). Merge it into a larger group.",
            )
