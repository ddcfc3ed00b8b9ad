# SPDX-License-Identifier: Apache-2.0
"""Checks of groups: thermostats, frozen particles, removal of centre-of-mass motion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from aureole.base.errors import nearest
from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, rules_when, warning
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
                yield error(key, f"there is no group {name!r}. {nearest(name, known)}")


def _couples(p: RunParameters) -> bool:
    return p["tcoupl"] != "No" or p.integrator == "sd"


def _removes(p: RunParameters) -> bool:
    return p["comm-mode"] != "None" and p.dynamics


def _in(several: bool, key: str, p: RunParameters, case: Case) -> dict[str, Any]:
    """How many particles are in several groups of an option, or else in none, if that counts.

    Of options whose groups are not there A705 tells.
    """
    on = {"tc-grps": _couples(p), "comm-grps": _removes(p)}.get(key)
    missing = not p[key] or any(case.members(name) is None for name in p[key])
    if on is False or (on and missing):
        return {}
    used = times_used(case, p[key])
    count = (used > 1).sum() if several else (used == 0).sum()
    return {"count": count, "most": used.argmax(), "least": used.argmin()} if count else {}


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
    }
)


@rule("A709")
def frozen_and_removed(p: RunParameters, case: Case) -> Iterator[Finding]:
    if not p.frozen or not _removes(p):
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
    if not groups or not _couples(p):
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
