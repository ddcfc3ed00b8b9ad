# SPDX-License-Identifier: Apache-2.0
"""Small trees with lanes, for the tests of the checks."""

from __future__ import annotations

import time

import pytest
from checks import ci
from lanes_tree import Tree


@pytest.fixture
def fixed(monkeypatch):
    """A machine of factor 1, one process, and no CI around."""
    monkeypatch.setenv("AUREOLE_FACTOR", "1")
    monkeypatch.setenv("JOBS", "1")
    for name in ("CI", ci.VARIABLE, "AUREOLE_CHECK_RECORDS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def first(tmp_path_factory):
    return Tree(tmp_path_factory.mktemp("first")).fill("Fast", "Slow")


@pytest.fixture(scope="session")
def first_passed(first, tmp_path_factory):
    made = first.copy(tmp_path_factory.mktemp("passed") / "tree")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUREOLE_FACTOR", "1")
        assert made.lanes("check", "slow") == 0
    made.commit("receipt")
    return made


@pytest.fixture
def tree(first, tmp_path):
    """A tree of one commit and one lane."""
    return first.copy(tmp_path / "tree")


@pytest.fixture
def passed(first_passed, tmp_path):
    """One whose lane has passed."""
    return first_passed.copy(tmp_path / "tree")


@pytest.fixture
def no_time(monkeypatch):
    monkeypatch.setenv(ci.VARIABLE, str(time.time() - ci.LONGEST_LIMIT))
