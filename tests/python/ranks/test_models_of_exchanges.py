# SPDX-License-Identifier: Apache-2.0
"""The models of the exchanges between ranks: spin finds no error in them, and each seeded fault."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load_runner() -> ModuleType:
    place = Path(__file__).parents[3] / "tools" / "model" / "run.py"
    spec = importlib.util.spec_from_file_location("model_run", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


runner = _load_runner()
pytestmark = pytest.mark.skipif(
    bool(runner.missing()),
    reason=f"{' and '.join(runner.missing())} not found. Install: apt install spin gcc",
)


@pytest.mark.parametrize("case", runner.chosen(large=False), ids=lambda case: case.name)
def test_is_as_expected(case: object) -> None:
    found = runner.check(case)
    assert found.expected, found.line()


@pytest.mark.validate
@pytest.mark.parametrize(
    "case", [case for case in runner.CASES if case.large], ids=lambda case: case.name
)
def test_large_is_as_expected(case: object) -> None:
    found = runner.check(case)
    assert found.expected, found.line()


def test_tells_a_wrong_expectation() -> None:
    """A fault that is expected to be none is told, and so is one that is not there."""
    first = runner.check(runner.Case("wrong", "bell", ("FAULT=1",), wrong=False))
    assert not first.expected
    second = runner.check(runner.Case("right", "bell", (), wrong=True))
    assert not second.expected
