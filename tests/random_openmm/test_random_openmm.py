# SPDX-License-Identifier: Apache-2.0
"""Random systems of OpenMM in every test run, a thousand in `make validate`."""

from __future__ import annotations

import os

import numpy as np
import pytest

pytest.importorskip("openmm", reason="needs openmm, in the extra `converters`")
from openmm_systems import system_of
from run_openmm import described, numbers_of, outcomes_of, summary

SEED = 20
FEW, MANY = 120, 1000
#: At least so many of a hundred systems must be equal: the rest may be refused.
EQUAL = 45


def _failures(count: int) -> str:
    processes = 1 if count == FEW else min(len(os.sched_getaffinity(0)), 16)
    outcomes = outcomes_of(numbers_of(SEED, count), processes)
    print(summary(outcomes))
    equal = sum(not (one.refused or one.failures) for one in outcomes)
    assert equal * 100 >= EQUAL * count, summary(outcomes)
    return "\n".join(described(one) for one in outcomes if one.failures)


def test_few_systems():
    """Equal to OpenMM's Reference platform, refused, or with a remark that says what differs."""
    failed = _failures(FEW)
    assert not failed, failed


@pytest.mark.validate
def test_many_systems():
    failed = _failures(MANY)
    assert not failed, failed


def test_a_number_makes_the_same_system_again():
    for number in numbers_of(SEED, 5):
        one, other = system_of(number), system_of(number)
        assert np.array_equal(one.position, other.position)
        assert one.xml() == other.xml()
