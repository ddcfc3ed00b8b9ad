# SPDX-License-Identifier: Apache-2.0
"""Writes a recipe as files that GROMACS and `aureole mdrun` read."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from molecule_kinds import TYPES, Kind, kind_of
from numpy.typing import NDArray
from recipe import Recipe

Vectors = NDArray[np.float64]
BOLTZMANN = 8.31446261815324e-3
WARM = 300.0  # K
NAMES = ("conf.gro", "topol.top", "grompp.mdp", "index.ndx", "ref.gro")


def write(recipe: Recipe, folder: Path) -> None:
    """conf.gro, topol.top, grompp.mdp, index.ndx and ref.gro, and run.sh that runs them."""
    position, velocity = places(recipe)
    rng = np.random.default_rng(recipe.seed + 1)
    points = position + rng.normal(0, 0.03, position.shape)
    texts = (
        gro(recipe, position, velocity),
        topology(recipe),
        "".join(f"{key} = {value}\n" for key, value in recipe.options.items()),
        index(recipe),
        gro(recipe, points, None),
    )
    for name, text in zip(NAMES, texts, strict=True):
        (folder / name).write_text(text)
    (folder / "recipe.json").write_text(recipe.text() + "\n")
    (folder / "run.sh").write_text(f"#!/bin/sh\n{shlex.join(['aureole', *words(recipe)])}\n")


def words(recipe: Recipe) -> list[str]:
    """The arguments of the command line, from `mdrun` on."""
    more = [word for pair in recipe.outputs.items() for word in pair]
    return [
        *("mdrun", "-c", "conf.gro", "-p", "topol.top", "-f", "grompp.mdp", "-n", "index.ndx"),
        *("-r", "ref.gro", "-maxwarn", "99", "-nt", str(recipe.threads)),
        *("-precision", recipe.precision, *more),
    ]


def kinds(recipe: Recipe) -> list[tuple[Kind, int]]:
    """The molecules and their numbers."""
    return [(kind_of(name), count) for name, count in recipe.molecules]


def box(recipe: Recipe) -> Vectors:
    """(3, 3) rows are the vectors of the box [nm]."""
    v = recipe.vectors
    return np.array([[v[0], v[3], v[4]], [v[5], v[1], v[6]], [v[7], v[8], v[2]]])


def places(recipe: Recipe) -> tuple[Vectors, Vectors]:
    """(n, 3) positions [nm] on a shaken lattice, and velocities [nm/ps] of rigid molecules.

    Molecules that bend have velocities within, too, unless constraints hold them.
    """
    rng = np.random.default_rng(recipe.seed)
    cells = np.array(list(np.ndindex(*recipe.cells)))
    cells = cells[rng.permutation(len(cells))]
    held = recipe.options.get("constraints", "none") != "none"
    vectors, position, velocity, masses, k = box(recipe), [], [], [], 0
    for kind, count in kinds(recipe):
        mass = np.array(kind.masses)
        for _ in range(count):
            turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            turn[:, 0] *= np.sign(np.linalg.det(turn))  # no mirror images
            shape = (kind.position - kind.position.mean(axis=0)) @ turn
            centre = (cells[k] + 0.5) / recipe.cells @ vectors + rng.normal(0, 0.012, 3)
            drift = rng.normal(0, math.sqrt(BOLTZMANN * WARM / mass.sum()), 3)
            spin = rng.normal(0, 3.0, 3) if kind.n > 1 else np.zeros(3)
            within = rng.normal(size=shape.shape) * 0.3
            speed = drift + np.cross(spin, shape)
            if kind.bends and not held and "[ constraints ]" not in kind.terms:
                speed += within * (mass > 0)[:, None]
            position.append(shape + centre)
            velocity.append(speed)
            masses.append(mass)
            k += 1
    found, weight = np.concatenate(velocity), np.concatenate(masses)
    # The whole is at rest, so that it does not matter when its motion is taken out.
    return np.concatenate(position), found - weight @ found / weight.sum()


def gro(recipe: Recipe, position: Vectors, velocity: Vectors | None) -> str:
    """A .gro file with ten decimals."""
    lines, at, residue = ["random job", str(len(position))], 0, 0
    for kind, count in kinds(recipe):
        for _ in range(count):
            residue += 1
            for name in kind.names:
                row = "".join(f"{v:15.10f}" for v in position[at])
                if velocity is not None:
                    row += "".join(f"{v:15.11f}" for v in velocity[at])
                lines.append(f"{residue:5d}{kind.name:<5}{name:>5}{at + 1:5d}{row}")
                at += 1
    return "\n".join([*lines, " ".join(f"{v:.10f}" for v in recipe.vectors), ""])


def topology(recipe: Recipe) -> str:
    """The topology with its force field."""
    rule = recipe.rule
    lines = ["[ defaults ]", f"1 {rule} yes 0.5 0.8", "[ atomtypes ]"]
    for name, (sigma, epsilon, mass, letter) in TYPES.items():
        lines.append(f"{name} {name} 6 {mass} 0.0 {letter} {_numbers(rule, sigma, epsilon)}")
    if recipe.special:
        lines += ["[ nonbond_params ]", f"OW A 1 {_numbers(rule, 0.3, 0.9)}"]
        lines.append(f"A B 1 {_numbers(rule, 0.28, 0.5)}")
    found: Mapping[str, Kind] = {kind.name: kind for kind, _ in kinds(recipe)}
    lines += [kind.directives().rstrip() for kind in found.values()]
    lines += ["[ system ]", "random job", "[ molecules ]"]
    lines += [f"{kind.name} {count}" for kind, count in kinds(recipe)]
    if recipe.between:
        n = sum(kind.n * count for kind, count in kinds(recipe))
        last = kinds(recipe)[-1][0].n
        lines += ["[ intermolecular_interactions ]", "[ bonds ]", f"1 {n - last + 1} 6 0.9 150"]
    text = "\n".join(lines) + "\n"
    return re.sub(
        r"LJ\(([^,]*),([^)]*)\)", lambda m: _numbers(rule, float(m[1]), float(m[2])), text
    )


def _numbers(rule: int, sigma: float, epsilon: float) -> str:
    if rule == 1:
        return f"{4 * epsilon * sigma**6:.10g} {4 * epsilon * sigma**12:.10g}"
    return f"{sigma:g} {epsilon:g}"


def index(recipe: Recipe) -> str:
    """Groups: System, one for each kind, the First half of the molecules and the Rest."""
    groups: dict[str, list[int]] = {"System": [], "First": [], "Rest": [], "Cold": []}
    total, at, molecule = sum(count for _, count in recipe.molecules), 1, 0
    for kind, count in kinds(recipe):
        for _ in range(count):
            rows = list(range(at, at + kind.n))
            half = "First" if molecule < max(1, total // 2) else "Rest"
            for name in ("System", half):
                groups[name] += rows
            if molecule % 4 == 1:
                groups["Cold"] += rows
            at, molecule = at + kind.n, molecule + 1
    return "".join(f"[ {name} ]\n{_wrapped(rows)}\n" for name, rows in groups.items())


def _wrapped(rows: list[int]) -> str:
    parts = [rows[k : k + 15] for k in range(0, len(rows), 15)]
    return "\n".join(" ".join(map(str, part)) for part in parts)
