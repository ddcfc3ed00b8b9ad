# SPDX-License-Identifier: Apache-2.0
"""One random job of each kind, in the fast tier of the checks; test_random_jobs.py runs more."""

from __future__ import annotations

import pytest
from particles import ParticleRecipe
from properties import OWN, recipe_of_job
from recipe import Recipe
from run import described, numbers_of
from workers import run_jobs

SEED = 11


@pytest.mark.parametrize("kind", [Recipe, ParticleRecipe], ids=["molecules", "particles"])
def test_the_first_job_that_runs(kind):
    for number in numbers_of(SEED, 40):
        if isinstance(recipe_of_job(number), kind):
            (one,) = run_jobs([number], OWN, 1)
            if not one.refused:
                assert not one.failures, described(one)
                return
    pytest.fail("no job ran (all were refused)")
