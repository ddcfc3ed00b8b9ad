# SPDX-License-Identifier: Apache-2.0
"""Tests of one simulation on many ranks; the ranks of a test stay for the next that needs them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [
    str(HERE),
    str(HERE.parent / "python" / "helpers"),
    str(HERE.parent / "reliability"),
]

from systems import Library  # noqa: E402 - after its folder is known
from teams import Teams  # noqa: E402


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("ranks")


@pytest.fixture(scope="module")
def teams() -> Iterator[Teams]:
    """Ranks that are started once for all tests of a file."""
    with Teams() as started:
        yield started


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, teams: Teams) -> Library:
    """The systems, made once for all tests of a file."""
    return Library(tmp_path_factory.mktemp("library"), teams)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
