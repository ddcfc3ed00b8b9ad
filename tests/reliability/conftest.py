# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python" / "helpers")]
pytest.register_assert_rewrite("drill")


@pytest.fixture
def server(tmp_path: Path) -> Iterator:
    from drill import Server

    running = Server(tmp_path)
    yield running
    running.close()


@pytest.fixture
def faults(server) -> None:
    """Asks for the fault injector, which the C++ build makes."""
    from drill import INJECTOR

    if not INJECTOR.exists():
        pytest.skip(f"{INJECTOR} is missing; `make build` makes it")
