# SPDX-License-Identifier: Apache-2.0
"""Checks of groups: thermostats, frozen particles, removal of centre-of-mass motion."""

from __future__ import annotations

from collections.abc import Iterator

from aureole.base.errors import nearest
from aureole.gromacs.notes import Finding, checking, error, note, warning
from aureole.system.degrees_of_freedom import virtual_of
from aureole.system.topology import RIGID

from .case import Case, times_used
from .freedom import degrees_of_freedom, frozen_axes

KEYS = ("tc-grps", "comm-grps", "freezegrps", "compressed-x-grps")


@checking("A705", "error", "groups")
def unknown_groups(case: Case) -> Iterator[Finding]:
    """A group that is not there.

    Groups are those that follow from names of residues and molecules (System, Protein, Water ...)
    and those of the index file. Case does not count, everything else does.
    """
    p = case.parameters
    known = dict.fromkeys([*(case.groups or {}), "System"])
    for key in KEYS:
        if key == "tc-grps" and p["tcoupl"] == "No" and p.integrator != "sd":
            continue
        for name in p[key]:
            if case.members(name) is None:
                yield error(key, f"there is no group {name!r}. {nearest(name, known)}")


@checking("A706", "error", "topology", "groups")
def every_particle_has_a_thermostat(case: Case) -> Iterator[Finding]:
    """Particles in no temperature group, or in two.

    Every particle is in exactly one of tc-grps: one without a thermostat would not be cooled, one
    in two of them would be scaled twice. If some shall not be coupled, give them a group of their
    own with tau-t = -1.
    """
    p = case.parameters
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
    if (used > 1).any():
        yield error("tc-grps", _doubles("tc-grps", used))


def _doubles(key: str, used) -> str:  # type: ignore[no-untyped-def]
    return (
        f"{(used > 1).sum()} particles are in more than one of {key}, number {used.argmax()} the "
        "first."
    )


@checking("A707", "warning", "topology", "groups")
def motion_of_all(case: Case) -> Iterator[Finding]:
    """Particles whose centre-of-mass motion is not removed.

    comm-grps that leave particles out let them drift against the others; particles in two of the
    groups cannot be. One group, the whole system, is best in most cases.
    """
    p = case.parameters
    if p["comm-mode"] == "None" or not p["comm-grps"] or not p.dynamics:
        return
    if any(case.members(name) is None for name in p["comm-grps"]):
        return  # reported elsewhere
    used = times_used(case, p["comm-grps"])
    if (used > 1).any():
        yield error("comm-grps", _doubles("comm-grps", used))
    if (used == 0).any() and (used > 0).any():
        yield warning(
            "comm-grps",
            f"{(used == 0).sum()} particles are in none of comm-grps, and drift against the "
            "others. Leave comm-grps empty for all.",
        )


@checking("A708", "error", "topology", "groups")
def frozen_once(case: Case) -> Iterator[Finding]:
    """Particles in two frozen groups.

    freezedim has one entry for each group, so a particle in two of them has two.
    """
    used = times_used(case, tuple(group.name for group in case.parameters.frozen))
    if (used > 1).any():
        yield error("freezegrps", _doubles("freezegrps", used))


@checking("A709", "warning", "topology", "groups")
def frozen_and_removed(case: Case) -> Iterator[Finding]:
    """Frozen particles in a group whose centre-of-mass motion is removed.

    What is frozen does not move, so removing the centre-of-mass motion of a group with frozen
    particles gives the others a velocity. Fully frozen particles are left out of the group; partly
    frozen ones still count, and the correction is too small along their frozen axes.
    """
    p = case.parameters
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


@checking("A713", "error", "topology", "groups")
def frozen_in_part_and_held(case: Case) -> Iterator[Finding]:
    """Constraints of particles that are frozen along some axes.

    A constraint would move such a particle along its frozen axes too, or not be satisfied.
    Particles that are frozen along all axes keep their places, and their constraints move the
    others.
    """
    if not case.parameters.frozen or not case.parameters.dynamics:
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


@checking("A710", "note", "topology", "groups")
def freedom_of_thermostats(case: Case) -> Iterator[Finding]:
    """Temperature groups with few degrees of freedom.

    A group without degrees of freedom has no temperature. One with very few, such as some ions, has
    a temperature that fluctuates so much that coupling it separately does harm; put them together
    with the water.
    """
    p = case.parameters
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
                "own). "
                "Put it into a larger group.",
            )
