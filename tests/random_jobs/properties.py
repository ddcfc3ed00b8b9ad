# SPDX-License-Identifier: Apache-2.0
"""All properties of a job, and what came of looking at them."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import beside_gromacs
import conservation
import derivatives
import lists
import on_ranks
import particle_properties
import restart
import temperatures
from aureole.base.errors import BlowUpError
from built import Built, Refused
from draw import recipe_of
from particles import ParticleRecipe, Particles, particle_recipe_of
from recipe import Recipe

AnyRecipe = Recipe | ParticleRecipe
Check = Callable[[Any], Iterator[str]]
NAMES = ("derivatives", "lists", "conservation", "temperatures", "restart", "ranks", "gromacs")
#: Without the one that needs another program.
OWN = NAMES[:-1]
#: A start with overlaps is run with this part of its time step. Then the conserved energy of such
#: jobs moves by less than 6 % of the kinetic one, or as the square of the step: by 120,000, 8,470
#: and 1,700 kJ/mol with 1/4, 1/16 and 1/64 (job 13000014).
OF_OVERLAPS = 1 / 16


@dataclass
class Outcome:
    """What came of one job.

    Args:
        job: its number
        refused: why the engine does not run such a job, or ""
        failures: property and words
        left_out: properties that could not be looked at, and why
    """

    job: int
    refused: str = ""
    failures: list[tuple[str, str]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def recipe_of_job(number: int) -> AnyRecipe:
    """One job of four is of particles in reduced units, the others are of molecules."""
    return particle_recipe_of(number) if number % 4 == 3 else recipe_of(number)


def made(recipe: AnyRecipe, folder: Path) -> tuple[Built | Particles, Mapping[str, Check]]:
    """The job with its files, and its properties by their names; raises Refused."""
    if isinstance(recipe, ParticleRecipe):
        of_particles: dict[str, Check] = {
            "derivatives": particle_properties.derivatives,
            "lists": particle_properties.lists,
            "conservation": particle_properties.conservation,
            "restart": particle_properties.restart,
            "ranks": on_ranks.check,
        }
        return Particles(recipe, folder), of_particles
    job = Built(recipe, folder)
    if job.dynamics and job.overlaps():
        step = job.job.parameters.dt * OF_OVERLAPS
        job = Built(recipe.with_options(dt=f"{step:g}"), folder)
    return job, {
        "derivatives": derivatives.check,
        "lists": lists.check,
        "conservation": conservation.check,
        "temperatures": temperatures.check,
        "restart": restart.check,
        "ranks": on_ranks.check,
        "gromacs": beside_gromacs.check,
    }


def examine(number: int, recipe: AnyRecipe, folder: Path, wanted: Sequence[str] = NAMES) -> Outcome:
    """Look at the wanted properties of a job, whose files are written to the folder."""
    outcome = Outcome(number)
    try:
        job, checks = made(recipe, folder)
        job.simulation().close()
    except Refused as error:
        outcome.refused = str(error)
        return outcome
    except Exception:
        outcome.failures.append(("set-up", traceback.format_exc(limit=-4)))
        return outcome
    for name in wanted:
        if name not in checks:
            outcome.left_out[name] = "not for particles in reduced units"
            continue
        try:
            outcome.failures += [(name, text) for text in checks[name](job)]
        except (Refused, beside_gromacs.NotThere) as error:
            outcome.left_out[name] = str(error)
        except BlowUpError as error:
            outcome.failures.append((name, f"the run blew up: {error}"))
        except Exception:
            outcome.failures.append((name, traceback.format_exc(limit=-4)))
    return outcome
