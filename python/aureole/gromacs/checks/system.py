# SPDX-License-Identifier: Apache-2.0
"""Checks of run parameters against a system: its charges, bonds, restraints and box."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aureole.gromacs.mdp.parameters import RunParameters
from aureole.gromacs.notes import Finding, error, note, rule, rules_when, warning
from aureole.system.topology import MoleculeType

from .checked_job import Case

#: Fewest steps in one period of a bond: below the first, bonds are integrated wrongly; the
#: second is the habit of 1 fs without constraints, 2 fs with hydrogens constrained.
STEPS_WRONG = 5
STEPS_FEW = 10
#: Tilts of half a vector may be larger by this, as the engine has it.
ROUNDED = 1e-6


def _other_names(p: RunParameters, case: Case) -> dict[str, Any]:
    """The number of atoms with other names in the coordinates, and the first of them."""
    here, there = case.frame.name.array(), case.system.expand_atoms().name.array()
    differ = np.flatnonzero(here != there) if len(here) == len(there) else []
    if not len(differ):
        return {}
    at = differ[0]
    names = {"here": here[at], "there": there[at]}
    return {"count": len(differ), "total": len(here), "first": at + 1, **names}


rules_when(
    {
        "A213": lambda p, case: (
            p.integrator in ("md", "md-vv")
            and p["tcoupl"] == "No"
            and not p["gen-vel"]
            and p["verlet-buffer-tolerance"] > 0.0
            and (case.frame.velocity is None or not np.any(case.frame.velocity))
        ),
        "A309": lambda p, case: p["coulombtype"] == "PME" and abs(case.charge) > 1e-4,
        "A310": (
            lambda p, case: abs(case.charge) > 1e-4 and case.whole and p["coulombtype"] != "PME",
            lambda p, case: abs(case.charge) > 1e-4 and not case.whole,
        ),
        "A311": (
            lambda p, case: case.charged and p["coulombtype"] == "Cut-off" and p["rcoulomb"] > 0.0,
            lambda p, case: not case.charged and p["coulombtype"] == "PME",
        ),
        "A511": (
            lambda p, case: (
                p["pcoupl"] != "No" and case.restrained and p["refcoord-scaling"] == "No"
            ),
            lambda p, case: p["pcoupl"] == "Parrinello-Rahman" and case.restrained,
        ),
        "A606": lambda p, case: (
            p.dynamics
            and p.dt > 0.0025
            and case.lightest < 2.0
            and p["mass-repartition-factor"] < 2.0
        ),
        "A711": lambda p, case: (
            p.dynamics
            and p["comm-mode"] == "None"
            and not 0 <= p.n_steps <= 10
            and not (case.restrained or p.integrator == "sd")
            and not all(any(group.axes[axis] for group in p.frozen) for axis in range(3))
        ),
        "A712": lambda p, case: p.dynamics and p["comm-mode"] != "None" and case.restrained,
        "A801": lambda p, case: case.frame.n != case.system.n,
        "A802": lambda p, case: (
            any(p.periodic) and (case.frame.box is None or not np.all(np.diag(case.frame.box) > 0))
        ),
        "A803": (
            lambda p, case: case.restrained and case.references is None,
            lambda p, case: (
                case.restrained
                and case.references is not None
                and case.references.n != case.system.n
            ),
        ),
        "A805": (
            lambda p, case: (
                any(name.startswith("POSRES") for name in p.defines) and not case.restrained
            ),
            lambda p, case: (
                any(name.split("=")[0] == "FLEXIBLE" for name in p.defines) and case.has("settle")
            ),
        ),
        "A807": lambda p, case: (
            p.dynamics and not p["gen-vel"] and case.frame.velocity is None and p.n_steps != 0
        ),
        "A808": _other_names,
    }
)


@rule("A211")
def half_the_box(p: RunParameters, case: Case) -> Iterator[Finding]:
    box = case.frame.box
    if box is None or not any(p.periodic):
        return
    r = p.r_list or p.r_cut
    limit = longest_cut_off(np.asarray(box), p.periodic)
    if r >= limit:
        yield error(
            "rlist" if p.r_list else "rcoulomb",
            f"the radius {r:g} nm is not less than half the box, {limit:.4g} nm (a particle would "
            "interact with two images of another). Enlarge the box or shorten the cut-off.",
        )


def longest_cut_off(box: NDArray[np.float64], periodic: tuple[bool, bool, bool]) -> float:
    """The radius [nm] that cut-offs in a box must stay below.

    Args:
        box: (3, 3) rows are the box vectors [nm]
        periodic: which vectors repeat

    If a vector is tilted by more than half of another one, half the smallest face distance.
    """
    axes = [axis for axis in range(3) if periodic[axis]]
    halves = [0.5 * float(np.linalg.norm(box[axis])) for axis in axes]
    edges = [float(box[axis, axis]) for axis in axes]
    if periodic[1] and periodic[2]:
        edges[1] -= abs(float(box[2, 1]))
    tilts = ((1, 0), (2, 0), (2, 1))
    if any(abs(box[row, k]) > (0.5 + ROUNDED) * box[k, k] for row, k in tilts):
        heights = 1 / np.linalg.norm(np.linalg.inv(box), axis=0)
        return 0.5 * float(heights[axes].min())
    return min(halves + edges)


class _Fast(NamedTuple):
    """The bond with the shortest period [ps] of its kind in a molecule."""

    period: float
    molecule: MoleculeType
    pair: tuple[int, int]


@rule("A605")
def fast_bonds(p: RunParameters, case: Case) -> Iterator[Finding]:
    if not p.dynamics:
        return
    bonds = [bond for molecule in case.molecules for bond in _fastest(molecule)]
    fast = min(bonds, key=lambda bond: bond.period, default=None)
    if fast is None or fast.period >= STEPS_FEW * p.dt:
        return
    wrong = fast.period < STEPS_WRONG * p.dt
    a, b = (f"{i + 1} {fast.molecule.atoms.name[i]}" for i in fast.pair)
    yield (warning if wrong else note)(
        "constraints",
        f"the bond between {a} and {b} in {fast.molecule.name} has a period of "
        f"{fast.period:.2g} ps, less than {STEPS_WRONG if wrong else STEPS_FEW} steps of {p.dt:g} "
        "ps. Use constraints or a shorter dt.",
    )


def _fastest(molecule: MoleculeType) -> Iterator[_Fast]:
    """The fastest harmonic bond of each kind in a molecule that no constraint holds."""
    mass = molecule.atoms.mass
    held = _held(molecule)
    for kind in ("harmonic_bond", "g96_bond"):
        terms = molecule.terms.get(kind)
        if terms is None or not terms.n:
            continue
        pairs = terms.particles
        r0, k = terms.parameters[terms.row].T
        # ¼ k (r² − r0²)² is, near r0, ½ (2 k r0²) (r − r0)².
        stiffness = k if kind == "harmonic_bond" else 2.0 * k * r0 * r0
        m1, m2 = mass[pairs].T
        usable = (m1 > 0) & (m2 > 0) & (stiffness > 0) & ~np.isin(_code(pairs, mass), held)
        if not usable.any():
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            squared = np.where(usable, m1 * m2 / (m1 + m2) / stiffness, np.inf)
        i = int(squared.argmin())
        period = 2.0 * math.pi * math.sqrt(float(squared[i]))
        yield _Fast(period, molecule, (int(pairs[i, 0]), int(pairs[i, 1])))


def _code(pairs: NDArray[np.int32], mass: NDArray[np.float64]) -> NDArray[np.int64]:
    """(n,) one number for each pair, whatever its order."""
    low, high = np.sort(pairs.astype(np.int64), axis=1).T
    return np.asarray(low * len(mass) + high)


def _held(molecule: MoleculeType) -> NDArray[np.int64]:
    """Codes of all pairs whose distance is constrained."""
    pairs = [np.zeros((0, 2), dtype=np.int32)]
    if "constraint" in molecule.terms:
        pairs.append(molecule.terms["constraint"].particles)
    if "settle" in molecule.terms:
        waters = molecule.terms["settle"].particles
        pairs += [waters[:, ends] for ends in ([0, 1], [0, 2], [1, 2])]
    return _code(np.concatenate(pairs), molecule.atoms.mass)


@rule("A804")
def loose_atoms(p: RunParameters, case: Case) -> Iterator[Finding]:
    for molecule in case.molecules:
        bound = np.zeros(molecule.atoms.n, dtype=bool)
        for kind, terms in molecule.terms.items():
            if terms.n and terms.particles.shape[1] > 1 and kind != "pair":
                bound[terms.particles.ravel()] = True
        if len(bound) > 1 and not bound.all():
            words = f"{(~bound).sum()} atoms of {molecule.name} have no bonded interactions."
            yield note("define", words)


@rule("A806")
def massless_atoms(p: RunParameters, case: Case) -> Iterator[Finding]:
    if not p.dynamics:
        return
    for molecule in case.molecules:
        wrong = (molecule.atoms.mass <= 0.0) & ~molecule.atoms.virtual
        if wrong.any():
            i = int(wrong.argmax())
            yield error(
                "integrator",
                f"atom {i + 1} {molecule.atoms.name[i]} of {molecule.name} has no mass.",
            )


@rule("A809")
def types_defined_twice(p: RunParameters, case: Case) -> Iterator[Finding]:
    for words in case.system.redefined:
        yield warning("", f"{words}. Remove one of them, unless the second is a correction.")
