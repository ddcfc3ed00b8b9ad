# SPDX-License-Identifier: Apache-2.0
"""Forty random jobs in every test run, a thousand in `make validate`."""

from __future__ import annotations

import os

import pytest
from properties import NAMES, OWN, recipe_of_job
from recipe import Recipe
from run import described, numbers_of, summary
from workers import run_jobs

SEED = 10
FEW, MANY = 40, 1000
#: At least so many of a hundred jobs must run: the rest may be refused.
RUN = 90
#: And so many on several ranks, for which boxes may be too small.
DIVIDED = 50


def _examined(count: int, names: tuple[str, ...]) -> str:
    """What failed, in words."""
    processes = min(len(os.sched_getaffinity(0)), 2 if count == FEW else 64)
    outcomes = list(run_jobs(numbers_of(SEED, count), names, processes))
    print(summary(outcomes, 0.0))
    ran = [one for one in outcomes if not one.refused]
    assert len(ran) * 100 >= RUN * count, summary(outcomes, 0.0)
    divided = sum("ranks" not in one.left_out for one in ran)
    assert divided * 100 >= DIVIDED * count, summary(outcomes, 0.0)
    return "\n".join(described(one) for one in outcomes if one.failures)


def test_few_jobs():
    failed = _examined(FEW, OWN)
    assert not failed, failed


@pytest.mark.validate
def test_many_jobs():
    failed = _examined(MANY, NAMES)
    assert not failed, failed


def test_a_number_makes_the_same_job_again():
    for number in numbers_of(SEED, 20):
        recipe = recipe_of_job(number)
        assert recipe == recipe_of_job(number)
        assert type(recipe).of(recipe.text()) == recipe


def test_most_lists_have_the_default_tolerance():
    recipes = [recipe_of_job(number) for number in numbers_of(SEED, 400)]
    found = [one for one in recipes if isinstance(one, Recipe)]
    found = [one for one in found if one.options["pbc"] == "xyz"]
    plain = [one for one in found if "verlet-buffer-tolerance" not in one.options]
    assert len(plain) > 0.5 * len(found)
