# SPDX-License-Identifier: Apache-2.0
"""Ranks whose words come late, out of order and in small pieces: the same bits as without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from stacks import Shape
from systems import QUICK, Library, words
from teams import Teams
from test_first_steps import LISTS, Seen, in_turn

STEPS = 30
GRIDS: list[Shape] = [(3, 1, 1), (2, 1, 1), (2, 2, 2)]
FEW = GRIDS[:2]
OTHERS = tuple(name for name in Library.names if name not in QUICK)
#: Two grids a system; what else could run on eight ranks is slow.
RUNS = in_turn(QUICK, GRIDS, GRIDS) + in_turn(OTHERS, FEW, FEW)
SLOW = [run for name, kind in LISTS if (run := (GRIDS[2], name, kind)) not in RUNS]


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The systems on late ranks."""
    with pytest.MonkeyPatch.context() as patch, Teams() as started:
        patch.setenv("AUREOLE_HOSTILE_RANKS", "1")
        yield Library(tmp_path_factory.mktemp("late"), started)


def parameters(runs: list[tuple[Shape, str, str]], *marks: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(*run, id="-".join((words(run[0]), *run[1:])), marks=marks) for run in runs]


@pytest.mark.parametrize(
    ("grid", "name", "algorithm"),
    [
        *parameters(sorted(RUNS, key=lambda run: np.prod(run[0]))),  # ranks start anew less often
        *parameters(SLOW, pytest.mark.validate),
    ],
)
def test_late_ranks_find_the_same_bits(
    grid: Shape, name: str, algorithm: str, library: Library, late: Library
) -> None:
    how = {"precision": "double", "algorithm": algorithm, "steps": STEPS}
    Seen(late, name, grid, **how).assert_same(Seen(library, name, grid, **how))


def test_late_ranks_of_each_grid_have_each_kind_of_lists() -> None:
    assert {(grid, kind) for grid, _, kind in RUNS} == {(g, k) for g in GRIDS for _, k in LISTS}
    assert {(name, kind) for _, name, kind in RUNS} == set(LISTS)
    for name in Library.names:
        assert len({grid for grid, one, _ in RUNS if one == name}) == 2
