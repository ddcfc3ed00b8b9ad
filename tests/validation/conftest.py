# SPDX-License-Identifier: Apache-2.0
"""Physics against numbers from elsewhere; long, run by `make validate`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import aureole as au
import pytest

# AUREOLE_VALIDATE=short makes runs ten times shorter, to try the scripts; tolerances widen with it.
SHORT = os.environ.get("AUREOLE_VALIDATE") == "short"


def pytest_collection_modifyitems(items):
    for item in items:  # the hook sees the whole session's
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.validate)


@pytest.fixture(scope="session")
def scale():
    """Factor on the number of steps."""
    return 0.1 if SHORT else 1.0


@pytest.fixture
def tell():
    """Print a result, and keep it as a line of JSON where AUREOLE_FIGURES names a file."""

    def say(name, **figures):
        print(name, figures)
        path = os.environ.get("AUREOLE_FIGURES")
        if path:
            with Path(path).open("a") as file:
                file.write(json.dumps({"name": name, "version": au.__version__} | figures) + "\n")

    return say
