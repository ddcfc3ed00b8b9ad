# SPDX-License-Identifier: Apache-2.0
"""One-sided calls with device memory at the calling process."""

from __future__ import annotations

from collections.abc import Callable

import mpis
from rank_runs import Run, start


def test_gets_end_when_the_program_synchronises(any_mpi: mpis.Mpi, build: Callable) -> None:
    outcome = start(Run(any_mpi), 2, [build("one_sided", any_mpi)])
    assert outcome.code == 0, outcome.told()
    assert "right" in outcome.output, outcome.told()
