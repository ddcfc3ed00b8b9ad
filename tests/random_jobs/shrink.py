# SPDX-License-Identifier: Apache-2.0
"""Makes a failing job small: fewer options, particles, steps and threads, as long as it fails."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path

from particles import ParticleRecipe
from properties import AnyRecipe, examine
from recipe import Recipe

Fails = Callable[[AnyRecipe], bool]
#: Numbers, vectors, and the terms that a job happens to have.
_NUMBERS = re.compile(
    r"\[[^\]]*\]|\{[^}]*\}|(?<![A-Za-z])-?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan\b|inf\b)"
)


def fails_by(name: str, text: str) -> Fails:
    """Does a recipe fail the property of this name with this message, numbers apart?"""
    wanted = (name, without_numbers(text))

    def fails(recipe: AnyRecipe) -> bool:
        with tempfile.TemporaryDirectory(prefix="aureole-random-") as folder:
            outcome = examine(0, recipe, Path(folder), (name,))
        return wanted in [(found, without_numbers(words)) for found, words in outcome.failures]

    return fails


def without_numbers(text: str) -> str:
    """The part of a message that jobs with the same fault share."""
    last = text.strip().splitlines()[-1]  # of a traceback, the error
    return " ".join(_NUMBERS.sub("#", last).split())


def shrunk(recipe: AnyRecipe, fails: Fails, seconds: float = 60.0) -> AnyRecipe:
    """The smallest recipe that is found in the time and still fails."""
    end = time.monotonic() + seconds
    again = True
    while again and time.monotonic() < end:
        again = False
        for smaller in _smaller(recipe):
            if time.monotonic() >= end:
                break
            if fails(smaller):
                recipe, again = smaller, True
                break
    return recipe


def _smaller(recipe: AnyRecipe) -> Iterator[AnyRecipe]:
    """Recipes with one thing less, the largest steps first."""
    parts = _fewer_parts(recipe) if isinstance(recipe, Recipe) else _fewer_forces(recipe)
    yield from parts
    for steps in sorted({0, 1, recipe.steps // 2, recipe.steps - 1} - {recipe.steps}):
        if 0 < steps < recipe.steps:
            yield _shorter(recipe, steps)
    for stop in (0, 1, recipe.stop // 2):
        if stop < recipe.stop:
            yield replace(recipe, stop=stop)
    if recipe.threads > 1:
        yield replace(recipe, threads=1)
    if recipe.algorithm != "clusters":
        yield replace(recipe, algorithm="clusters")
    if recipe.precision != "double":
        yield replace(recipe, precision="double")


def _shorter(recipe: AnyRecipe, steps: int) -> AnyRecipe:
    shorter = replace(recipe, steps=steps, stop=min(recipe.stop, steps))
    if isinstance(shorter, Recipe):
        return replace(shorter, part=min(shorter.part, steps - shorter.stop))
    return shorter


def _fewer_parts(recipe: Recipe) -> Iterator[Recipe]:
    for name in recipe.features:
        if name not in ("run", "cut-offs"):
            rest = {key: one for key, one in recipe.features.items() if key != name}
            yield replace(recipe, features=rest)
    for number, (kind, count) in enumerate(recipe.molecules):
        for fewer in sorted({0, 1, count // 2, count - 1} - {count}):
            found = list(recipe.molecules)
            found[number] = (kind, fewer)
            left = tuple(one for one in found if one[1])
            if left and 0 <= fewer < count:
                yield replace(recipe, molecules=left)
    for name, one in recipe.features.items():
        for key in one:
            if len(one) > 1 and key not in ("integrator", "dt", "rcoulomb", "rvdw"):
                kept = {other: value for other, value in one.items() if other != key}
                yield replace(recipe, features={**recipe.features, name: kept})
    if any(recipe.vectors[3:]):
        yield replace(recipe, vectors=(*recipe.vectors[:3], *[0.0] * 6))
    if recipe.options.get("integrator") in ("sd", "md-vv"):
        run = {**recipe.features["run"], "integrator": "md"}
        yield replace(recipe, features={**recipe.features, "run": run})
    plain = {"special": False, "between": False, "process": False, "outputs": {}, "rule": 2}
    for name, value in (plain | {"part": 0}).items():
        if getattr(recipe, name) != value:
            yield replace(recipe, **{name: value})


def _fewer_forces(recipe: ParticleRecipe) -> Iterator[ParticleRecipe]:
    for n in sorted({2, recipe.n // 2, recipe.n - 1} - {recipe.n}):
        if 1 < n < recipe.n:
            # The box stays, so that cut-offs fit.
            yield replace(recipe, n=n, density=recipe.density * n / recipe.n)
    if len(recipe.forces) > 1:
        for k in range(len(recipe.forces)):
            yield replace(recipe, forces=[f for j, f in enumerate(recipe.forces) if j != k])
    plain = {one.name: one for one in fields(ParticleRecipe)}
    for name in ("tilts", "periodic", "descent"):
        if getattr(recipe, name) != plain[name].default:
            yield replace(recipe, **{name: plain[name].default})
    if recipe.neighbors:
        yield replace(recipe, neighbors={})
    for key in ("filter", "remove_com_every"):
        if key in recipe.integrator:
            rest = {other: value for other, value in recipe.integrator.items() if other != key}
            yield replace(recipe, integrator=rest)
    if recipe.integrator["kind"] != "NVE":
        yield replace(recipe, integrator={"kind": "NVE", "dt": recipe.integrator["dt"]})
