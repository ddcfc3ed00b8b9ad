# SPDX-License-Identifier: Apache-2.0
"""Ranks whose words come late, out of order and in small pieces: the same bits as without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from stacks import Shape
from systems import QUICK, Library, words
from teams import Teams
from test_first_steps import LISTS, Seen

STEPS = 30
GRIDS: list[Shape] = [(2, 1, 1), (3, 1, 1), (2, 2, 2)]


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The systems on late ranks."""
    with pytest.MonkeyPatch.context() as patch, Teams() as started:
        patch.setenv("AUREOLE_HOSTILE_RANKS", "1")
        yield Library(tmp_path_factory.mktemp("late"), started)


@pytest.mark.parametrize(
    ("grid", "name", "algorithm"),
    [
        pytest.param(
            *(grid, *what),
            id="-".join((words(grid), *what)),
            marks=[pytest.mark.slow] if grid == (2, 2, 2) and what[0] not in QUICK else [],
        )
        for grid in GRIDS
        for what in LISTS
    ],
)
def test_late_ranks_find_the_same_bits(
    grid: Shape, name: str, algorithm: str, library: Library, late: Library
) -> None:
    how = {"precision": "double", "algorithm": algorithm, "steps": STEPS}
    Seen(late, name, grid, **how).assert_same(Seen(library, name, grid, **how))
