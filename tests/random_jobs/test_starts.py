# SPDX-License-Identifier: Apache-2.0
"""Lists of starts that nobody tuned: three in the fast tier, thirty more, and a thousand."""

from __future__ import annotations

import aureole as au
import pytest
import starts


def _none_fails(seed: int, first: int, count: int) -> None:
    numbers = starts.numbers_of(seed, first + count)[first:]
    failed = "\n".join(starts.failures(numbers))
    assert not failed, failed


def test_three_starts():
    _none_fails(37, 0, 3)


@pytest.mark.parametrize("part", range(5))
def test_thirty_starts(part):
    _none_fails(32, 6 * part, 6)


@pytest.mark.parametrize("part", range(5))
def test_fifty_restarts_amid_lists_that_are_outrun(part, tmp_path):
    numbers = starts.numbers_of(35, 60 * part + 60)[60 * part :]
    different = "\n".join(starts.differences_after_cuts(numbers, 10, 300, tmp_path))
    assert not different, different


def test_a_blow_up_tells_of_lists_that_were_outrun():
    start = starts.start_of(35_000_009)
    with starts.simulation(start, starts.parts_of(start), "tolerance") as sim:
        sim.run(100)
        outrun = sim.describe()["lists_outrun"]
        assert outrun > 0
        velocity = sim.get("velocity")
        velocity[4] = (1e6, 0.0, 0.0)
        sim.set("velocity", velocity)
        with pytest.raises(au.BlowUpError, match=f"moved farther than planned: {outrun}"):
            sim.run(5)


@pytest.mark.validate
@pytest.mark.parametrize("seed", [33, 34])
@pytest.mark.parametrize("part", range(20))
def test_many_starts(seed, part):
    _none_fails(seed, 25 * part, 25)
