# SPDX-License-Identifier: Apache-2.0
"""Copies begin after the work of streams that cudaMemcpy waits for, or of all if asked to."""

from __future__ import annotations

import re
from collections.abc import Callable

import mpis
import pytest
from rank_runs import Run, start

LATE = "late=500,seed=1"
#: Bytes of messages that go over the host, and of those that go from device to device.
SMALL, LARGE = 1000, 100_000


#: Messages of the large size in chunks.
CHUNKED = {
    "AUREOLE_MPI_ALL_RANKS": "1",
    "AUREOLE_MPI_MAPPED_FROM": "off",
    "AUREOLE_MPI_CHUNKS_FROM": "50000",
    "AUREOLE_MPI_CHUNK_BYTES": "30000",
}


def wrong(mpi: mpis.Mpi, build: Callable, stream: str, size: int = SMALL, **settings: str) -> int:
    """How many of the messages are wrong that are sent without a wait in the program."""
    program = [build("streams", mpi), stream, str(size)]
    run = start(Run(mpi, double=LATE), 2, program, **settings)
    assert run.code == 0, run.told()
    found = re.search(r"wrong: (\d+)", run.output)
    assert found, run.told()
    return int(found[1])


@pytest.mark.parametrize(
    "stream, size", [("legacy", SMALL), ("blocking", SMALL), ("blocking", LARGE)]
)
def test_streams_of_the_program_are_waited_for(
    any_mpi: mpis.Mpi, build: Callable, stream: str, size: int
) -> None:
    assert wrong(any_mpi, build, stream, size) == 0


@pytest.mark.parametrize("stream", ["legacy", "blocking"])
def test_chunks_are_copied_after_them_too(any_mpi: mpis.Mpi, build: Callable, stream: str) -> None:
    assert wrong(any_mpi, build, stream, LARGE, **CHUNKED) == 0


def test_other_streams_are_waited_for_if_that_is_asked_for(
    any_mpi: mpis.Mpi, build: Callable
) -> None:
    assert wrong(any_mpi, build, "apart", AUREOLE_MPI_WAIT="device") == 0
    assert wrong(any_mpi, build, "apart") > 0  # or the double is not late
