# SPDX-License-Identifier: Apache-2.0
"""Programs that nobody here wrote, on emulated devices, under the preload and without it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE)]

import fetch  # noqa: E402 - after its folder is known
import mpis  # noqa: E402
import rank_runs  # noqa: E402


@pytest.fixture(scope="session")
def preload() -> Path:
    """The library under test."""
    if not rank_runs.PRELOAD.exists():
        pytest.skip(f"{rank_runs.PRELOAD.name} is not built")
    return rank_runs.PRELOAD


@pytest.fixture(scope="session")
def devices(preload: Path) -> Callable[[str], str]:
    """Asks for the double's libraries of a kind."""

    def asked(kind: str) -> str:
        library = rank_runs.DEVICES[kind]
        if not (rank_runs.DRIVERS / library).exists():
            pytest.skip(f"the driver double has no {library}: it is not built")
        return kind

    return asked


@pytest.fixture(scope="session")
def suite() -> Callable[[str], None]:
    """Asks for a suite by the name that fetch.py gives it."""

    def asked(name: str) -> None:
        if why := fetch.why_missing(name):
            pytest.skip(why)

    return asked


@pytest.fixture(scope="session")
def mpi() -> Callable[[str], mpis.Mpi]:
    """Asks for an MPI."""

    def asked(name: str) -> mpis.Mpi:
        found = mpis.named(name)
        if found is None:
            pytest.skip(mpis.missing(name))
        return found

    return asked
