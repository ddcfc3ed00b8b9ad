# SPDX-License-Identifier: Apache-2.0
"""The gmx program and the shared input files, for tests that compare with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from aureole.base.errors import Error
from aureole_bench.engines import PeerFailed
from aureole_bench.gmx import installed

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def shared(name):
    """A file of the shared data, or a skip that says what is missing."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"needs {name} in ../shared/data")
    return path


def gromacs(folder=Path(), double=False):
    """The gmx program in a folder, or a skip that says what is missing."""
    try:
        return installed(folder, double)
    except Error as error:
        pytest.skip(str(error))


def library(gmx):
    """The folder of its force fields, or a skip."""
    if not gmx.library.is_dir():
        pytest.skip(f"needs the force fields of gmx in {gmx.library}")
    return gmx.library


def attempt(gmx, *words):
    """What a command says, and whether it was content."""
    try:
        return gmx.run(*words), True
    except PeerFailed as error:
        return error.said, False
